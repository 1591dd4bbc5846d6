// Small tones for what happens. Off until the person switches them on.

import { el } from "../lib/dom.js";
import { icon } from "../lib/icons.js";

/** @typedef {import("../games/contract.js").GameEvent} GameEvent */

/** Frequencies by kind of event, Hz.
 * @type {Record<string, number[]>} */
const TONES = { good: [660, 880], bad: [233, 175], end: [523, 659, 784] };
const NOTE_S = 0.09;
const LOUD = 0.06;
/** Tones are at least this far apart. */
const GAP_MS = 120;

export function sounds() {
  /** @type {AudioContext|null} */
  let audio = null;
  let on = false;
  let played = 0;
  const label = "Sound";
  const button = el(
    "button",
    {
      type: "button",
      class: "tool sound",
      "aria-label": label,
      title: label,
      "aria-pressed": "false",
      onclick: () => {
        on = !on;
        audio ??= new AudioContext();
        if (on) audio.resume();
        else audio.suspend();
        button.setAttribute("aria-pressed", String(on));
      },
    },
    icon("sound"),
  );

  /** @param {string} kind */
  function play(kind) {
    const notes = TONES[kind];
    const now = performance.now();
    if (!on || !audio || !notes || document.hidden || now - played < GAP_MS) return;
    played = now;
    for (const [place, frequency] of notes.entries()) {
      const begin = audio.currentTime + place * NOTE_S;
      const volume = audio.createGain();
      const tone = audio.createOscillator();
      volume.gain.setValueAtTime(LOUD, begin);
      volume.gain.exponentialRampToValueAtTime(0.001, begin + NOTE_S * 1.8);
      tone.frequency.value = frequency;
      tone.connect(volume).connect(audio.destination);
      tone.start(begin);
      tone.stop(begin + NOTE_S * 2);
    }
  }

  return {
    button,
    /** @param {GameEvent[]} events */
    tell(events) {
      const bad = events.some((event) => event.kind === "bad");
      if (bad || events.some((event) => event.kind === "good")) play(bad ? "bad" : "good");
    },
    ended: () => play("end"),
  };
}
