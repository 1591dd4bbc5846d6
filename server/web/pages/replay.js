// Replays: a local file, dropped or chosen, and those that this server has released.

import { trouble } from "../lib/account.js";
import { api } from "../lib/api.js";
import { grid, learnGames, matchCard } from "../lib/cards.js";
import { el, fill } from "../lib/dom.js";
import { BadReplay } from "../lib/replay.js";
import { turnInAddress } from "../lib/turns.js";
import { createMatch } from "../match/element.js";
import { ReplaySource } from "../sources/replay.js";

const LISTED = 60;
/** @type {File|null} */
let dropped = null;

/** Set the file that the page shows when it is opened next.
 * @param {File} file */
export function take(file) {
  dropped = file;
}

/** @type {import("../lib/go.js").Page} */
export default async function replay(main) {
  const file = dropped;
  dropped = null;
  const fault = el("p", { class: "fault", role: "alert" });
  const choose = el("input", {
    type: "file",
    accept: ".jsonl,.json,.txt",
    "aria-label": "A replay file",
    onchange: () => choose.files?.[0] && open(choose.files[0]),
  });
  const listed = el("section");
  let shown = /** @type {import("../match/element.js").ArenaMatch|null} */ (null);

  /** @param {File} given */
  async function open(given) {
    fault.textContent = "";
    try {
      const source = new ReplaySource(await given.text());
      const player = createMatch();
      shown = player;
      main.className = "wide";
      fill(main, player);
      player.addEventListener("learned", () =>
        player.name(
          source.seats.map((/** @type {{name: string}} */ seat) => seat.name).join(" – ") ||
            given.name,
        ),
      );
      await player.show(source, { turn: turnInAddress() });
    } catch (error) {
      if (!(error instanceof BadReplay)) throw error;
      fault.textContent = error.message;
    }
  }

  fill(
    main,
    el(
      "div",
      { class: "page" },
      el(
        "section",
        {},
        el("h1", {}, "Replays"),
        el(
          "div",
          { class: "drop" },
          el("p", { class: "lead" }, "Drop a replay file here"),
          el(
            "p",
            { class: "quiet" },
            "*.replay.jsonl, also one that was cut; it stays on your machine",
          ),
          choose,
          fault,
        ),
      ),
      listed,
    ),
  );
  if (file) await open(file);
  if (shown === null) {
    try {
      const [games, replays] = await Promise.all([api("/games"), api("/replays")]);
      learnGames(games);
      fill(
        listed,
        el("h2", {}, "On this server"),
        grid(replays.slice(0, LISTED).map(matchCard), "Nothing has been played here yet."),
      );
    } catch (fault) {
      fill(listed, trouble(fault));
    }
  }
  return () => {
    if (shown) shown.source = null;
  };
}
