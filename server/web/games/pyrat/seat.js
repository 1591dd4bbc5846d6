// How a person plays: keys, buttons and clicks.

import { at } from "./maze.js";
import { ROLES, turns } from "./words.js";

const KEYS = {
  ArrowUp: "UP",
  ArrowRight: "RIGHT",
  ArrowDown: "DOWN",
  ArrowLeft: "LEFT",
  w: "UP",
  d: "RIGHT",
  s: "DOWN",
  a: "LEFT",
  ".": "STAY",
};

/** @param {any} view @param {number} seat @returns {import("../contract.js").Controls} */
export function human(view, seat) {
  const role = ROLES[seat] ?? "rat";
  const player = view[role];
  const ways = /** @type {[string, string, number, number][]} */ ([
    ["← Left", "LEFT", -1, 0],
    ["↑ Up", "UP", 0, 1],
    ["↓ Down", "DOWN", 0, -1],
    ["→ Right", "RIGHT", 1, 0],
  ]);
  return {
    keys: KEYS,
    buttons: [
      ...ways.map(([label, command]) => ({
        label,
        command,
        enabled: view.must_act && view.moves.includes(command),
      })),
      { label: "Stay", command: "STAY", enabled: view.must_act },
    ],
    click: (x, y, shown, box) => {
      const cell = at(x, y, shown, box);
      const [here, there] = shown[role].position;
      return (
        ways.find(([, , dx, dy]) => cell?.x === here + dx && cell?.y === there + dy)?.[1] ?? null
      );
    },
    endTurn: false,
    moves: view.must_act
      ? ways
          .filter(([, command]) => view.moves.includes(command))
          .map(([, , dx, dy]) => ({
            kind: "cell",
            x: player.position[0] + dx,
            y: player.position[1] + dy,
            seat,
          }))
      : [],
    hint: player.mud_turns
      ? `You are in mud: ${turns(player.mud_turns)} to wait.`
      : `You are the ${role === "rat" ? "Rat" : "Python"}. Walk with the arrow keys or W A S D, ` +
        "stay with the full stop, or click a cell beside you.",
  };
}
