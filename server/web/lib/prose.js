// Rules as elements, from the subset of Markdown in which they are written.

import { el } from "./dom.js";

/** @param {string} text @returns {HTMLElement} */
export function prose(text) {
  const box = el("div", { class: "prose" });
  const lines = text.split("\n");
  let at = 0;
  const until = (/** @type {(line: string) => boolean} */ stop) => {
    const taken = [];
    while (at < lines.length && !stop(lines[at])) taken.push(lines[at++]);
    return taken;
  };
  while (at < lines.length) {
    const line = lines[at];
    if (!line.trim()) at += 1;
    else if (line.startsWith("```")) {
      at += 1;
      box.append(el("pre", { tabindex: "0" }, until((one) => one.startsWith("```")).join("\n")));
      at += 1;
    } else if (/^#{1,6} /.test(line)) {
      at += 1;
      const depth = line.indexOf(" ");
      if (depth > 1) box.append(el(depth === 2 ? "h3" : "h4", {}, ...spans(line.slice(depth + 1))));
    } else if (line.startsWith("|")) {
      box.append(asTable(until((one) => !one.startsWith("|"))));
    } else if (ITEM.test(line)) {
      box.append(asList(until((one) => !one.trim() || (!ITEM.test(one) && !one.startsWith(" ")))));
    } else {
      box.append(
        el(
          "p",
          {},
          ...spans(
            until(
              (one) =>
                !one.trim() || one.startsWith("|") || one.startsWith("```") || ITEM.test(one),
            ).join(" "),
          ),
        ),
      );
    }
  }
  return box;
}

const ITEM = /^\s*([-*]|\d+\.) /;

/** @param {string[]} lines */
function asList(lines) {
  /** @type {string[]} */
  const items = [];
  for (const line of lines) {
    if (ITEM.test(line)) items.push(line.replace(ITEM, ""));
    else items[items.length - 1] += ` ${line.trim()}`;
  }
  return el(
    /^\s*\d/.test(lines[0]) ? "ol" : "ul",
    {},
    ...items.map((item) => el("li", {}, ...spans(item))),
  );
}

/** @param {string[]} lines */
function asTable(lines) {
  const rows = lines.map((line) =>
    line
      .replace(/^\||\|\s*$/g, "")
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim().replaceAll("\\|", "|")),
  );
  const [head, , ...body] = rows;
  return el(
    "div",
    { class: "scroll", tabindex: "0", role: "region", "aria-label": "Table" },
    el(
      "table",
      {},
      el(
        "thead",
        {},
        el("tr", {}, ...head.map((cell) => el("th", { scope: "col" }, ...spans(cell)))),
      ),
      el(
        "tbody",
        {},
        ...body.map((row) => el("tr", {}, ...row.map((cell) => el("td", {}, ...spans(cell))))),
      ),
    ),
  );
}

/** Code, bold text and links within a line.
 * @param {string} text @returns {(Node|string)[]} */
function spans(text) {
  const parts = [];
  let from = 0;
  for (const found of text.matchAll(/`([^`]+)`|\*\*([^*]+)\*\*|\[([^\]]+)\]\([^)]*\)/g)) {
    parts.push(text.slice(from, found.index));
    if (found[1] !== undefined) parts.push(el("code", {}, found[1]));
    else if (found[2] !== undefined) parts.push(el("strong", {}, ...spans(found[2])));
    else parts.push(found[3]);
    from = found.index + found[0].length;
  }
  parts.push(text.slice(from));
  return parts.filter((part) => part !== "");
}
