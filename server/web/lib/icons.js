// The icons of the buttons.

import { svg } from "./dom.js";

/** @type {Record<string, string>} */
const SIGNS = {
  play: "M7 4.5v15l12-7.5z",
  pause: "M7 5h3.4v14H7zM13.6 5H17v14h-3.4z",
  back: "M18 5v14l-9-7zM6 5h2.4v14H6z",
  forward: "M6 5v14l9-7zM15.6 5H18v14h-2.4z",
};
/** @type {Record<string, string>} */
const LINES = {
  link:
    "M10 14a4 4 0 0 0 6 .4l2.6-2.6a4 4 0 0 0-5.7-5.7L11.5 7.5" +
    "M14 10a4 4 0 0 0-6-.4l-2.6 2.6a4 4 0 0 0 5.7 5.7l1.4-1.4",
  camera: "M4 8h3.5L9 5.5h6L16.5 8H20v11H4zM12 16.5a3.2 3.2 0 1 0 0-6.4 3.2 3.2 0 0 0 0 6.4z",
  film: "M4 6h16v12H4zM8 6v12M16 6v12M4 10h4M4 14h4M16 10h4M16 14h4",
  save: "M12 4v11m-4.5-4.5L12 15l4.5-4.5M5 19.5h14",
  sound: "M4 9.5v5h3.5L12 18.5v-13L7.5 9.5zM15.5 9a4.2 4.2 0 0 1 0 6M18 6.5a7.8 7.8 0 0 1 0 11",
  full: "M9 4H4v5M15 4h5v5M9 20H4v-5M15 20h5v-5",
  pen: "M5 19l1-4L16 5l3 3L9 18z",
  sun:
    "M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2" +
    "M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M18.7 5.3l-1.4 1.4M6.7 17.3l-1.4 1.4",
  moon: "M19.5 14A8 8 0 0 1 10 4.5a8 8 0 1 0 9.5 9.5z",
};

/** @param {string} name */
export function icon(name) {
  const filled = Object.hasOwn(SIGNS, name);
  return svg(
    "svg",
    { viewBox: "0 0 24 24", class: filled ? "icon filled" : "icon", "aria-hidden": "true" },
    svg("path", { d: filled ? SIGNS[name] : LINES[name] }),
  );
}
