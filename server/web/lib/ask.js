// A dialog over the page: labelled fields, and errors beside their field.

import { Refusal, reasonOf } from "./api.js";
import { el } from "./dom.js";
import { Unreadable } from "./form.js";

/** @typedef {import("./form.js").Field} Field */

/** `content` stands above the fields. `fields` have the names that the server uses in its errors
 * (several may share one); `act` does the work, and throws when it fails.
 * @typedef {{title: string, about?: string, content?: HTMLElement, fields: [string, Field][],
 *   yes: string, no?: string|null, act: () => any}} Question */

let opened = 0;

/** Show the dialog, and close it when `act` is done. Escape and the second button (`no`) change
 * nothing.
 * @param {Question} question */
export function ask({ title, about, content, fields, yes, no = "Cancel", act }) {
  const id = `ask-${++opened}`;
  const from = /** @type {HTMLElement|null} */ (document.activeElement);
  const fault = el("p", { class: "fault", role: "alert" });
  const submit = el("button", { type: "submit", class: "main" }, yes);
  const form = el(
    "form",
    { class: "form", novalidate: true },
    el("h2", { id }, title),
    about ? el("p", { id: `${id}-about` }, about) : null,
    content,
    el("div", { class: "fields" }, ...fields.map(([, one]) => one.element)),
    fault,
    el(
      "div",
      { class: "row" },
      submit,
      no ? el("button", { type: "button", onclick: () => box.close() }, no) : null,
    ),
  );
  const box = el(
    "dialog",
    {
      "aria-labelledby": id,
      "aria-describedby": about ? `${id}-about` : null,
      onclose: () => {
        box.remove();
        restoreFocus(from);
      },
    },
    form,
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    fault.textContent = "";
    submit.disabled = true;
    try {
      await act();
      box.close();
    } catch (error) {
      submit.disabled = false;
      const about = error instanceof Refusal ? error.field?.split(".")[0] : undefined;
      const wrong = fields.find(([name]) => name === about);
      if (wrong) wrong[1].complain(/** @type {Error} */ (error).message);
      else if (!(error instanceof Unreadable)) fault.textContent = reasonOf(error);
      const faulty = /** @type {HTMLElement|null} */ (form.querySelector("[aria-invalid=true]"));
      (faulty ?? submit).focus();
    }
  });
  /** @type {Element} */ (document.querySelector("main")).append(box);
  box.showModal();
}

/** Put the focus back, even if the page has been filled again.
 * @param {HTMLElement|null} from */
function restoreFocus(from) {
  if (!from || from.isConnected) return;
  const { keep } = from.dataset;
  const again = keep
    ? /** @type {HTMLElement|null} */ (document.querySelector(`[data-keep="${CSS.escape(keep)}"]`))
    : null;
  again?.focus();
}
