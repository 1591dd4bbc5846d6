// What the buttons and keys of a match do beside moving its time.

import { copy } from "../lib/copy.js";
import { save } from "../lib/dom.js";
import { askClip } from "./clip.js";

/** The part of <arena-match> that they need.
 * @typedef {HTMLElement & {painter: import("./painter.js").Painter, turnText: string,
 *   timeline: import("./timeline.js").Timeline,
 *   source: import("../sources/source.js").Source|null, address: () => string,
 *   transport: {setDrawings: (shown: boolean) => void}}} Shown */

/** @param {Shown} match
 * @returns {import("./panels/transport.js").Tools} */
export const toolsOf = (match) => ({
  toggleDrawings() {
    const { painter } = match;
    painter.showsOverlays = !painter.showsOverlays;
    match.transport.setDrawings(painter.showsOverlays);
    painter.draw();
  },

  toggleFullscreen() {
    if (document.fullscreenElement) document.exitFullscreen();
    else match.requestFullscreen?.().catch(() => {});
  },

  copyLink: (button) => copy(match.address(), button),

  saveClip: () => askClip(match),

  async savePicture() {
    const { painter } = match;
    if (painter.asText) return;
    save(await painter.picture(), `${match.source?.match || "match"}-${match.turnText}.png`);
  },
});
