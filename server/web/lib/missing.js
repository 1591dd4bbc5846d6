// A page of words, where there is nothing else to show.

import { trouble } from "./account.js";
import { Refusal } from "./api.js";
import { el, fill } from "./dom.js";

/** Say what is missing, with the ways on.
 * @param {HTMLElement} main @param {string} title
 * @param {...import("./dom.js").Child} words a sentence, or elements */
export function sayMissing(main, title, ...words) {
  main.className = "";
  fill(
    main,
    el(
      "div",
      { class: "page narrow" },
      el(
        "section",
        {},
        el("h1", {}, title),
        el("div", { class: "lead" }, ...words),
        el(
          "p",
          {},
          el("a", { href: "/" }, "See what is being played"),
          " · ",
          el("a", { href: "/matches" }, "Find a match"),
        ),
      ),
    ),
  );
}

/** Say that the server has no such thing, or why it does not show it. Throws `fault` if it is no
 * answer of the server.
 * @param {HTMLElement} main @param {"game"|"lobby"|"match"|"tournament"} kind
 * @param {string} id @param {unknown} fault
 * @param {...import("./dom.js").Child} more */
export function sayNoSuch(main, kind, id, fault, ...more) {
  if (!(fault instanceof Refusal)) throw fault;
  if (fault.status !== 404) {
    sayMissing(main, `This ${kind} cannot be shown`, trouble(fault), ...more);
    return;
  }
  const where = `No ${kind} on this server is called ${id}. The address may be mistyped.`;
  sayMissing(main, `No such ${kind}`, el("p", {}, where), ...more);
}
