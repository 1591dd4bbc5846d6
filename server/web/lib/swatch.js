// The small square in a seat's colour that stands before its name.

import { el } from "./dom.js";
import { seatInk } from "./theme.js";

/** @param {number|null} seat null: a grey square @param {string} [classes] more classes */
export function swatch(seat, classes = "") {
  const square = el("span", { class: `swatch ${classes}`.trim() });
  if (seat !== null) square.style.background = seatInk(seat);
  return square;
}
