// Tournaments, where this server holds them.

import { el, fill } from "../lib/dom.js";

/** @type {import("../app.js").Page} */
export default function tournaments(main) {
  fill(main, el("div", { class: "page" }, el("section", {}, el("h1", {}, "Tournaments"), el("p", { class: "lead" }, "No tournament is held on this server."),
    el("p", {}, el("a", { href: "/" }, "See what is being played")))));
}
