// The bracket as SVG: a column for each round, and lines from each match to the next.

import { svg, words } from "./dom.js";

/** @typedef {{match: string, best_of: number, players: (string|null)[], sources: string[],
 *   winner: string|null, wins: number[]|null, waits: boolean, decided_by?: string|null}} Duel */

const WIDE = 290;
const HIGH = 74;
const GAP = { x: 64, y: 44 };
const HEAD = 40;
const LONGEST = 20;
/** Units of the drawing in a rem: at its largest, and where it has to be scrolled. */
const LARGE = 15.5;
const SMALL = 29;
const ROUNDS = /** @type {Record<string, string>} */ ({
  F: "Final",
  P: "Third place",
  SF: "Semi-finals",
  QF: "Quarter-finals",
  R: "First round",
});

/** @param {Duel[]} duels
 * @param {(duel: string) => string|null} address of the last game of a duel */
export function bracket(duels, address) {
  const known = new Map(duels.map((duel) => [duel.match, duel]));
  const feeders = (/** @type {Duel} */ duel) =>
    duel.sources
      .map((source) => /^(winner|loser) (.+)$/.exec(source))
      .flatMap((found) =>
        found && known.has(found[2])
          ? [{ loser: found[1] === "loser", from: /** @type {Duel} */ (known.get(found[2])) }]
          : [],
      );
  /** @type {(duel: Duel) => number} */
  const depth = (duel) => Math.max(0, ...feeders(duel).map(({ from }) => 1 + depth(from)));
  /** @type {Map<string, {x: number, y: number}>} */
  const places = new Map();
  let leaves = 0;
  /** @type {(duel: Duel) => number} */
  const stand = (duel) => {
    const before = feeders(duel)
      .filter(({ loser }) => !loser)
      .map(({ from }) => places.get(from.match)?.y ?? stand(from));
    const y = before.length
      ? before.reduce((sum, one) => sum + one, 0) / before.length
      : leaves++ * (HIGH + GAP.y);
    places.set(duel.match, { x: depth(duel) * (WIDE + GAP.x), y });
    return y;
  };
  const fed = new Set(
    duels.flatMap((duel) =>
      feeders(duel)
        .filter(({ loser }) => !loser)
        .map(({ from }) => from.match),
    ),
  );
  const third = duels.filter((duel) => feeders(duel).some(({ loser }) => loser));
  for (const root of duels.filter((duel) => !fed.has(duel.match) && !third.includes(duel)))
    stand(root);
  for (const duel of third) {
    const x = depth(duel) * (WIDE + GAP.x);
    const low = Math.max(
      ...[...places.values()].filter((place) => place.x === x).map((place) => place.y),
      0,
    );
    places.set(duel.match, { x, y: low + 2 * HIGH });
  }
  const all = [...places.values()];
  const width = Math.max(...all.map((place) => place.x)) + WIDE;
  const height = Math.max(...all.map((place) => place.y)) + HIGH + HEAD;
  const lines = duels.flatMap((duel) =>
    feeders(duel)
      .filter(({ loser }) => !loser)
      .map(({ from }) => {
        const [a, b] = [
          /** @type {{x: number, y: number}} */ (places.get(from.match)),
          /** @type {{x: number, y: number}} */ (places.get(duel.match)),
        ];
        const middle = b.x - GAP.x / 2;
        return svg("path", {
          class: "way",
          d: `M${a.x + WIDE} ${a.y + HIGH / 2 + HEAD}H${middle}V${b.y + HIGH / 2 + HEAD}H${b.x}`,
        });
      }),
  );
  const drawn = svg(
    "svg",
    {
      class: "bracket",
      viewBox: `-2 0 ${width + 4} ${height + 4}`,
      role: "group",
      "aria-label": "Bracket",
    },
    ...lines,
    ...duels.map((duel) =>
      box(
        duel,
        /** @type {{x: number, y: number}} */ (places.get(duel.match)),
        address(duel.match),
      ),
    ),
  );
  drawn.style.maxWidth = `${width / LARGE}rem`;
  drawn.style.minWidth = `${width / SMALL}rem`;
  return drawn;
}

/** @param {Duel} duel @param {{x: number, y: number}} place @param {string|null} address */
function box(duel, place, address) {
  const title = ROUNDS[/^[A-Z]+/.exec(duel.match)?.[0] ?? ""] ?? duel.match;
  const players = [0, 1].map((side) => duel.players[side] ?? duel.sources[side] ?? "");
  const end = duel.winner ? `, ${duel.winner} wins` : "";
  const label = `${title} ${duel.match}: ${players.join(" against ")}${end}`;
  const rows = [0, 1].map((side) => {
    const name = duel.players[side];
    const won = duel.winner !== null && duel.winner !== undefined && name === duel.winner;
    const y = HEAD + place.y + HIGH / 4 + (side * HIGH) / 2 + 6;
    const text = name ?? words(duel.sources[side] ?? "");
    return svg(
      "g",
      { class: won ? "won" : name === null ? "open" : duel.winner ? "lost" : "" },
      svg(
        "text",
        { x: place.x + 14, y },
        text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text,
      ),
      svg(
        "text",
        { x: place.x + WIDE - 14, y, "text-anchor": "end" },
        duel.wins && name !== null ? String(duel.wins[side] ?? "") : "",
      ),
    );
  });
  const drawn = svg(
    "g",
    { class: `duel ${duel.winner ? "over" : duel.waits ? "waits" : "on"}` },
    svg("title", {}, label),
    svg(
      "text",
      { class: "label", x: place.x + 2, y: HEAD + place.y - 8 },
      `${duel.match}${duel.best_of > 1 ? ` · best of ${duel.best_of}` : ""}`,
    ),
    svg("rect", { x: place.x, y: HEAD + place.y, width: WIDE, height: HIGH, rx: 9 }),
    svg("line", {
      x1: place.x,
      x2: place.x + WIDE,
      y1: HEAD + place.y + HIGH / 2,
      y2: HEAD + place.y + HIGH / 2,
    }),
    ...rows,
  );
  return address === null ? drawn : svg("a", { href: address }, drawn);
}
