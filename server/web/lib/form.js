// A form made from JSON Schema: the server alone defines a game's parameters and their limits. Only
// values that are filled in are sent; everything else keeps the server's default.

import { el, words } from "./dom.js";

/** One field: its element, the value as JSON (undefined: not filled in), and a function that shows
 * an error.
 * @typedef {{element: HTMLElement, control: HTMLElement, value: () => any,
 *   complain: (text: string) => void}} Field */

let made = 0;

/** The fields of an object's schema. Those whose name is taken in the form are marked as
 * parameters.
 * @param {any} schema @param {string[]} taken
 * @returns {Map<string, Field>} */
export function fields(schema, taken) {
  const all = new Map();
  for (const [name, part] of Object.entries(schema.properties)) {
    all.set(
      name,
      field(
        name,
        /** @type {any} */ (part),
        taken.includes(name) ? { label: `${words(name)} (parameter)` } : {},
      ),
    );
  }
  return all;
}

/** @param {string} name @param {any} schema
 * @param {{label?: string, value?: number}} [options] `value`: the number that is filled in
 * @returns {Field} */
export function field(name, schema, { label = words(name), value } = {}) {
  const shape = schema.anyOf
    ? schema.anyOf.find((/** @type {any} */ one) => one.type !== "null")
    : schema;
  const usual = schema.default;
  if (shape.enum)
    return choice(
      label,
      shape.enum.map((/** @type {string} */ word) => [word, word]),
      { usual, about: schema.description },
    );
  if (shape.type === "boolean") {
    return choice(
      label,
      [
        ["true", "yes"],
        ["false", "no"],
      ],
      {
        usual: usual === null || usual === undefined ? usual : usual ? "yes" : "no",
        about: schema.description,
        read: (text) => text === "true",
      },
    );
  }
  if (shape.type === "integer" || shape.type === "number")
    return numberField(label, shape, usual, schema.description, value);
  return json(label, usual, schema.description);
}

/** A choice between words; the empty word is the default.
 * @param {string} label @param {[string, string][]} options
 * @param {{usual?: any, about?: string, read?: (text: string) => any, none?: string}} [more]
 * @returns {Field} */
export function choice(label, options, { usual = null, about, read = (text) => text, none } = {}) {
  const rest =
    none ?? (usual === null || usual === undefined ? "as in the rules" : `${usual} (default)`);
  const control = el(
    "select",
    {},
    el("option", { value: "" }, rest),
    ...options
      .filter(([, word]) => word !== usual)
      .map(([value, word]) => el("option", { value }, words(word))),
  );
  return labelled(label, control, about, () =>
    control.value === "" ? undefined : read(control.value),
  );
}

/** A number. `usual` is the default.
 * @param {string} label @param {any} shape @param {any} usual @param {string} [about]
 * @param {number} [filled] @returns {Field} */
function numberField(label, shape, usual, about, filled) {
  const most =
    shape.maximum !== undefined && shape.maximum < 2 ** 53 - 1 ? shape.maximum : undefined;
  const control = el("input", {
    type: "number",
    inputmode: shape.type === "integer" ? "numeric" : "decimal",
    step: shape.type === "integer" ? 1 : "any",
    min: shape.minimum,
    max: most,
    placeholder: usual ?? "",
    value: filled,
  });
  const text = (/** @type {number} */ limit) => limit.toLocaleString("en");
  const range =
    shape.minimum === undefined
      ? ""
      : most === undefined
        ? `${text(shape.minimum)} or more`
        : `${text(shape.minimum)} to ${text(most)}`;
  return labelled(label, control, [about, range].filter(Boolean).join(" · "), () =>
    control.value === "" ? undefined : Number(control.value),
  );
}

/** @param {string} label @param {string} [about]
 * @param {{placeholder?: string, value?: string, longest?: number}} [more] @returns {Field} */
export function line(label, about, { placeholder, value, longest = 200 } = {}) {
  const control = el("input", {
    type: "text",
    maxlength: longest,
    placeholder,
    value,
    autocomplete: "off",
  });
  return labelled(label, control, about, () => control.value.trim() || undefined);
}

/** A file from the disk.
 * @param {string} label @param {string} [about] @returns {Field} */
export function upload(label, about) {
  const control = el("input", { type: "file" });
  return labelled(label, control, about, () => control.files?.[0]);
}

/** The files of a folder from the disk.
 * @param {string} label @param {string} [about] @returns {Field} */
export function folder(label, about) {
  const control = el("input", { type: "file", webkitdirectory: true });
  return labelled(label, control, about, () =>
    control.files?.length ? [...control.files] : undefined,
  );
}

/** The same field as a required one; `wanted` is the error when it is empty.
 * @param {Field} one @param {string} wanted @returns {Field} */
export function needed(one, wanted) {
  one.control.setAttribute("aria-required", "true");
  return {
    ...one,
    value: () => {
      const given = one.value();
      if (given !== undefined) return given;
      one.complain(wanted);
      throw new Unreadable(wanted);
    },
  };
}

/** @param {string} label @param {string} about @returns {Field} */
export function secret(label, about) {
  const control = el("input", { type: "password", maxlength: 200, autocomplete: "off" });
  return labelled(label, control, about, () => control.value.trim() || undefined);
}

/** @param {string} label @param {string} [about] @returns {Field} */
export function check(label, about) {
  const control = el("input", { type: "checkbox" });
  const built = labelled(label, control, about, () => control.checked || undefined);
  built.element.classList.add("check");
  built.element.prepend(control);
  return built;
}

/** Values of other types are written as JSON.
 * @param {string} label @param {any} usual @param {string} [about] @returns {Field} */
function json(label, usual, about) {
  const control = el("textarea", {
    spellcheck: "false",
    placeholder: usual === null || usual === undefined ? "JSON" : JSON.stringify(usual),
  });
  const built = labelled(label, control, about, () => {
    if (!control.value.trim()) return undefined;
    try {
      return JSON.parse(control.value);
    } catch {
      built.complain("This is not JSON.");
      throw new Unreadable(label);
    }
  });
  return built;
}

/** A field holds no valid value; the field shows the error itself. */
export class Unreadable extends Error {}

/** @param {string} label @param {HTMLInputElement|HTMLSelectElement|HTMLTextAreaElement} control
 * @param {string|undefined} about @param {() => any} value @returns {Field} */
function labelled(label, control, about, value) {
  const id = `field-${++made}`;
  control.id = id;
  control.setAttribute("aria-describedby", `${id}-about ${id}-fault`);
  const fault = el("span", { class: "fault", id: `${id}-fault`, role: "alert" });
  const element = el(
    "div",
    { class: "field" },
    el("label", { for: id }, label),
    control,
    el("span", { class: "about", id: `${id}-about` }, about ?? ""),
    fault,
  );
  const complain = (/** @type {string} */ text) => {
    fault.textContent = text;
    if (text) control.setAttribute("aria-invalid", "true");
    else control.removeAttribute("aria-invalid");
  };
  control.addEventListener("input", () => complain(""));
  return { element, control, value, complain };
}
