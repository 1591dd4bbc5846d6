// The controls below the board: play and step, the scrubber, speed, and the tools.

import { capital, el, fill } from "../../lib/dom.js";
import { icon } from "../../lib/icons.js";
import { endText, roundText, turnText, turnWord } from "../../lib/turns.js";
import { hasDrawing } from "../../sources/overlays.js";
import { SPEEDS } from "../timeline.js";

/** @typedef {Object} Tools
 * @property {() => void} toggleDrawings
 * @property {() => void} toggleFullscreen
 * @property {(button: HTMLElement) => void} copyLink confirms on the button that it was copied
 * @property {() => void} savePicture
 * @property {(() => void)} saveClip */

/** @param {import("../timeline.js").Timeline} timeline @param {Tools} tools
 * @param {HTMLElement} sound switches it on and off */
export function transport(timeline, tools, sound) {
  const back = button("back", "One step back (left arrow)", () => timeline.step(-1));
  const play = button("play", "Play", () => timeline.toggle());
  const forward = button("forward", "One step forward (right arrow)", () => timeline.step(1));
  const live = el(
    "button",
    { type: "button", class: "live", title: "Jump to live (L)", onclick: () => timeline.follow() },
    "Live",
  );
  const scrubber = el("input", {
    type: "range",
    min: 0,
    max: 0,
    value: 0,
    step: 1,
    class: "scrub",
    "aria-label": "Turn",
  });
  const turn = el("output", { class: "turn" }, "–");
  const speed = el(
    "select",
    { "aria-label": "Speed", title: "Speed (+ and -)" },
    ...SPEEDS.map((factor) =>
      el("option", { value: factor, selected: factor === 1 }, `${factor}×`),
    ),
  );
  const drawings = button("pen", "Drawings of the bots", tools.toggleDrawings);
  drawings.title = "Drawings of the bots (D)";
  drawings.setAttribute("aria-pressed", "true");
  const link = button("link", "Copy a link to this turn", () => tools.copyLink(link));
  const picture = button("camera", "Save a picture of this moment", tools.savePicture);
  const clip = button("film", "Save a clip of some turns (C)", tools.saveClip);
  const file = el(
    "a",
    {
      class: "tool",
      hidden: true,
      title: "Save the replay",
      "aria-label": "Save the replay",
      download: "",
    },
    icon("save"),
  );
  const full = button("full", "Full screen (F)", tools.toggleFullscreen);
  scrubber.addEventListener("input", () => {
    timeline.halt();
    timeline.seek(Number(scrubber.value));
  });
  speed.addEventListener("change", () => {
    timeline.speed = Number(speed.value);
  });
  let showsPause = false;

  return {
    element: el(
      "div",
      { class: "transport", role: "group", "aria-label": "Time" },
      el("div", { class: "keys" }, back, play, forward),
      live,
      scrubber,
      turn,
      speed,
      el("div", { class: "keys more" }, drawings, sound, link, picture, clip, file, full),
    ),

    /** Offer a file for download; null: there is none.
     * @param {string|null} address @param {string} name */
    setFile(address, name) {
      file.hidden = address === null;
      if (address === null) return;
      file.href = address;
      file.download = name;
    },

    /** @param {boolean} shown */
    setDrawings(shown) {
      drawings.setAttribute("aria-pressed", String(shown));
    },

    /** @param {import("../../sources/source.js").Source} source */
    update(source) {
      const { index, playing, following, onAir, atLive } = timeline;
      const empty = source.end === source.first;
      const moving = playing || following;
      for (const control of [scrubber, play, back, forward]) control.disabled = empty;
      play.setAttribute("aria-label", moving ? "Pause" : "Play");
      if (moving !== showsPause) {
        showsPause = moving;
        fill(play, icon(moving ? "pause" : "play"));
      }
      live.hidden = !onAir;
      live.setAttribute("aria-pressed", String(atLive && source.status.kind !== "lost"));
      drawings.hidden = !source.platformEvents.some(hasDrawing);
      if (speed.value !== String(timeline.speed)) speed.value = String(timeline.speed);
      if (empty) return;
      const last = source.turnAt(source.end - 1);
      const now = index < source.first ? null : source.turnAt(index);
      scrubber.min = String(source.first);
      scrubber.max = String(source.end - 1);
      scrubber.value = String(index);
      scrubber.style.setProperty(
        "--done",
        `${(100 * (index - source.first)) / Math.max(1, source.end - 1 - source.first)}%`,
      );
      const ended = source.outcome !== null && now === last;
      const shown = ended ? endText(source.game, last) : turnText(source.game, now);
      const ofAll = onAir ? shown : `${shown} of ${endText(source.game, last)}`;
      const whole = `${ofAll}${roundText(source.game, now)}`;
      const word = turnWord(source.game);
      scrubber.setAttribute("aria-valuetext", `${word} ${whole}`);
      const text = `${capital(word)} ${whole}`;
      if (turn.textContent !== text) turn.textContent = text;
    },
  };
}

/** @param {string} sign @param {string} label @param {() => void} act */
function button(sign, label, act) {
  return el(
    "button",
    { type: "button", class: "tool", "aria-label": label, title: label, onclick: act },
    icon(sign),
  );
}
