// Creates elements. Text never becomes markup.

/** @typedef {Node|string|number|null|undefined|false} Child */

/** An element with attributes, listeners (`onclick: …`) and children. `true` sets an empty
 * attribute; `false` and null set none.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} name
 * @param {Record<string, any>} [attributes]
 * @param {...Child|Child[]} children
 * @returns {HTMLElementTagNameMap[K]} */
export function el(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  setAttributes(element, attributes);
  element.append(...nodes(children));
  return element;
}

/** The same for SVG.
 * @param {string} name
 * @param {Record<string, any>} [attributes]
 * @param {...Child} children
 * @returns {SVGElement} */
export function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  setAttributes(element, attributes);
  element.append(...nodes(children));
  return element;
}

/** @param {Element} element @param {Record<string, any>} attributes */
function setAttributes(element, attributes) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? "" : String(value));
  }
}

/** @param {any[]} children @returns {(Node|string)[]} */
function nodes(children) {
  return children
    .flat()
    .filter((child) => child !== null && child !== undefined && child !== false)
    .map((child) => (child instanceof Node ? child : String(child)));
}

/** Replace the children. The focus moves to the new element with the same `data-keep`, if there is
 * one.
 * @param {Element} box
 * @param {...Child|Child[]} children */
export function fill(box, ...children) {
  const focused = box.contains(document.activeElement)
    ? /** @type {HTMLElement} */ (document.activeElement).dataset.keep
    : undefined;
  box.replaceChildren(...nodes(children));
  if (focused)
    /** @type {HTMLElement|null} */ (
      box.querySelector(`[data-keep="${CSS.escape(focused)}"]`)
    )?.focus();
}

/** A table, or the sentence `nothing` when it has no rows. Numbers are aligned right.
 * @param {string[]} heads
 * @param {Child[][]} rows
 * @param {string} nothing */
export function table(heads, rows, nothing) {
  if (rows.length === 0) return el("p", { class: "quiet" }, nothing);
  return el(
    "div",
    { class: "scroll", tabindex: "0", role: "region", "aria-label": heads.join(", ") },
    el(
      "table",
      {},
      el(
        "thead",
        {},
        el(
          "tr",
          {},
          ...heads.map((text, column) =>
            el(
              "th",
              { scope: "col", class: typeof rows[0][column] === "number" ? "number" : null },
              text,
            ),
          ),
        ),
      ),
      el(
        "tbody",
        {},
        ...rows.map((cells) =>
          el(
            "tr",
            {},
            ...cells.map((cell) =>
              el("td", { class: typeof cell === "number" ? "number" : null }, cell),
            ),
          ),
        ),
      ),
    ),
  );
}

/** Download a file.
 * @param {Blob} blob
 * @param {string} name */
export function save(blob, name) {
  const url = URL.createObjectURL(blob);
  const link = el("a", { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** How a page begins: its title, what it is for, and more.
 * @param {string} title @param {any} lead a text, or a list of texts and elements
 * @param {any[]} more */
export const opening = (title, lead, ...more) =>
  el("section", {}, el("h1", {}, title), el("p", { class: "lead" }, ...[lead].flat()), ...more);

/** A remaining time as text.
 * @param {number|null} ms */
export function duration(ms) {
  const seconds = Math.ceil((ms ?? 0) / 1000);
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}

/** `three_rounds` as words.
 * @param {string} code */
export const words = (code) => code.replaceAll("_", " ");

/** @param {string} text */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** Set the window's title, unless the person has left the page.
 * @param {Element} page
 * @param {string} text */
export function setTitle(page, text) {
  if (page.isConnected) document.title = `${text} · Botarena`;
}
