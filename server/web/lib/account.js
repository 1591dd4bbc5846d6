// The account whose key this window holds.

import { Refusal, accountKey, api, ifRefused, keepKey, reasonOf } from "./api.js";
import { el, fill } from "./dom.js";
import { secret } from "./form.js";
import { persistent } from "./persistent.js";

/** @typedef {{account: string, name: string, kind: "bot"|"organiser"|"spectator"}} Account */

/** The account of the held key; null: no key. Throws Refusal for a key that is not valid.
 * @returns {Promise<Account|null>} */
export async function whoAmI() {
  return accountKey() === null ? null : api("/accounts/me");
}

/** Whether an organiser's key is held. Throws NoNetwork if the server does not answer. */
export const leads = () => whoAmI().then((me) => me?.kind === "organiser", ifRefused(false));

/** The section where a key is entered or forgotten, with its account.
 * @param {(me: Account|null) => void} changed */
export function accountBox(changed) {
  const box = el("section", { class: "account" });
  const show = async () => {
    const key = secret(
      "key",
      "k_…; kept until this window is closed, and sent to this server only",
    );
    /** @type {Account|null} */
    let me = null;
    try {
      me = await persistent(
        whoAmI,
        () => box.isConnected,
        (fault) => fill(box, el("h2", {}, "Account"), trouble(fault)),
      );
      if (!box.isConnected) return;
    } catch (fault) {
      if (fault instanceof Refusal && fault.status === 401) keepKey(null);
      key.complain(reasonOf(fault));
    }
    const form = el(
      "form",
      {
        class: "form",
        onsubmit: (/** @type {Event} */ event) => {
          event.preventDefault();
          keepKey(key.value() ?? null);
          show();
        },
      },
      el("div", { class: "fields" }, key.element),
      el("div", { class: "row" }, el("button", { type: "submit" }, "Use this key")),
    );
    fill(
      box,
      el("h2", {}, "Account"),
      ...(me
        ? [
            el(
              "p",
              {},
              "This window uses the account ",
              el("strong", {}, me.name),
              ` (${me.kind}).`,
            ),
            el(
              "div",
              { class: "row" },
              el(
                "button",
                {
                  type: "button",
                  onclick: () => {
                    keepKey(null);
                    show();
                  },
                },
                "Forget the key",
              ),
            ),
          ]
        : [
            el(
              "p",
              { class: "quiet" },
              "A closed server requires an account's key. Running contests requires an " +
                "organiser's.",
            ),
            form,
          ]),
    );
    changed(me);
  };
  queueMicrotask(show); // the page has put the box into the document by then
  return box;
}

/** The message of a page when the server refuses or does not answer, or the page has a fault.
 * @param {unknown} fault */
export function trouble(fault) {
  const closed = fault instanceof Refusal && fault.status === 401;
  return el(
    "p",
    { class: "fault", role: "alert" },
    closed ? "This server requires an account's key: " : reasonOf(fault),
    closed ? el("a", { href: "/organiser" }, "enter it") : null,
  );
}
