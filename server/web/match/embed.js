// What a page that embeds a match (`?embed=1`) and the match tell each other with postMessage.
// docs/page.md describes the messages.

import { turnNumber } from "../lib/turns.js";

/** @typedef {import("./element.js").ArenaMatch} ArenaMatch */

/** @type {Record<string, (match: ArenaMatch, data: any) => void>} */
const COMMANDS = {
  play: ({ timeline }) => {
    if (!timeline.playing) timeline.toggle();
  },
  pause: ({ timeline }) => timeline.pauseAt(timeline.index),
  seek: (match, { turn }) => {
    const { source, timeline } = match;
    const number = source && turnNumber(source.game, String(turn));
    if (source && number !== null) timeline.pauseAt(source.indexOf(number));
  },
};

/** Obey the page around this one, and tell it what is shown, until the signal ends that. What it is
 * hears stands in the public view, and a page that is embedded uses no token, so any page may
 * hear it.
 * @param {ArenaMatch} match @param {AbortSignal} signal */
export function answerParent(match, signal) {
  if (window.parent === window) return;
  let sent = "";
  /** @param {Record<string, any>} message */
  const tell = (message) => {
    const text = JSON.stringify(message);
    if (text !== sent) window.parent.postMessage({ botarena: 1, ...message }, "*");
    sent = text;
  };
  const shown = () => {
    const { match: id, game, turn, index, last, playing, following, live, outcome } = match.state;
    if (turn === null) return;
    tell({
      type: "turn",
      match: id,
      game,
      turn: match.turnText,
      playing: playing || following,
      live,
    });
    if (index === last && !live && outcome) tell({ type: "over", match: id, outcome });
  };
  for (const kind of ["seek", "advance", "state", "over"])
    match.timeline.addEventListener(kind, shown, { signal });
  match.addEventListener("learned", shown, { signal });
  addEventListener(
    "message",
    ({ source, data }) => {
      if (source !== window.parent || data?.botarena !== 1) return;
      if (Object.hasOwn(COMMANDS, data.type) && match.timeline.shown)
        COMMANDS[data.type](match, data);
    },
    { signal },
  );
}
