// Copies texts to the clipboard.

import { ask } from "./ask.js";
import { el } from "./dom.js";
import { line } from "./form.js";

const COPIED_MS = 1_500;

/** A command line that one click copies.
 * @param {string} text */
export function command(text) {
  const button = el(
    "button",
    { type: "button", class: "copy", "aria-label": `Copy: ${text}` },
    "Copy",
  );
  button.addEventListener("click", () => copy(text, button));
  return el("div", { class: "command" }, el("code", { tabindex: "0" }, text), button);
}

/** Copy a text to the clipboard and confirm it on the button. Where the browser forbids that,
 * because the page came without TLS, the text is shown, to be copied by hand.
 * @param {string} text
 * @param {HTMLElement} button */
export async function copy(text, button) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    byHand(text);
    return;
  }
  if (button.dataset.copied) return;
  const before = [...button.childNodes];
  button.dataset.copied = "yes";
  button.replaceChildren("Copied");
  setTimeout(() => {
    delete button.dataset.copied;
    button.replaceChildren(...before);
  }, COPIED_MS);
}

/** @param {string} text */
function byHand(text) {
  const field = line("text", "This browser does not copy from a page without TLS.", {
    value: text,
    longest: text.length,
  });
  const control = /** @type {HTMLInputElement} */ (field.control);
  control.readOnly = true;
  ask({
    title: "Copy it by hand",
    fields: [["text", field]],
    yes: "Done",
    no: null,
    act: () => {},
  });
  control.select();
}
