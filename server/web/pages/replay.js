// Replays: a local file, dropped or chosen, and those that this server has released.

import { trouble } from "../lib/account.js";
import { api } from "../lib/api.js";
import { grid, learnGames, matchCard } from "../lib/cards.js";
import { el, fill } from "../lib/dom.js";
import { dropped } from "../lib/dropped.js";
import { persistent } from "../lib/persistent.js";
import { BadReplay } from "../lib/replay.js";
import { turnInAddress } from "../lib/turns.js";
import { printedBy } from "../match/author.js";
import { createMatch } from "../match/element.js";
import { ReplaySource } from "../sources/replay.js";

const LISTED = 60;
const LOG = /\.(log|err|out)$/i;

/** @type {import("../lib/go.js").Page} */
export default async function replay(main) {
  const files = dropped.splice(0);
  const fault = el("p", { class: "fault", role: "alert" });
  const choose = el("input", {
    type: "file",
    accept: ".jsonl,.json,.txt,.log",
    multiple: true,
    "aria-label": "A replay file",
    onchange: () => open([...(choose.files ?? [])]),
  });
  const listed = el("section");
  let shown = /** @type {import("../match/element.js").ArenaMatch|null} */ (null);

  /** @param {File[]} given */
  async function open(given) {
    const record = given.find((file) => !LOG.test(file.name));
    if (record === undefined) {
      fault.textContent = "This is a bot's log: drop the match's replay with it.";
      return;
    }
    const logs = await Promise.all(
      given.filter((file) => LOG.test(file.name)).map((file) => file.text()),
    );
    fault.textContent = "";
    try {
      const source = new ReplaySource(await record.text());
      source.fileName = record.name;
      if (logs.length) source.printed = printedBy(logs.join("\n"));
      const player = createMatch();
      shown = player;
      main.className = "wide";
      fill(main, player);
      player.addEventListener("learned", () =>
        player.name(
          source.seats.map((/** @type {{name: string}} */ seat) => seat.name).join(" – ") ||
            record.name,
        ),
      );
      await player.show(source, { turn: turnInAddress() });
    } catch (error) {
      if (!(error instanceof BadReplay)) throw error;
      fault.textContent = error.message;
    }
  }

  /** The replays of the server: a local file can be opened without them. */
  async function list() {
    const load = () => Promise.all([api("/games"), api("/replays")]);
    const say = (/** @type {unknown} */ fault) => fill(listed, trouble(fault));
    const wanted = () => main.isConnected && shown === null;
    const found = await persistent(load, wanted, say).catch(say);
    if (!found) return;
    const [games, replays] = found;
    learnGames(games);
    fill(
      listed,
      el("h2", {}, "On this server"),
      grid(replays.slice(0, LISTED).map(matchCard), "Nothing has been played here yet."),
    );
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
            "*.replay.jsonl, also one that was cut, and with it your bot's *.log; they stay on " +
              "your machine",
          ),
          choose,
          fault,
        ),
      ),
      listed,
    ),
  );
  if (files.length) await open(files);
  if (shown === null) list();
  return () => {
    if (shown) shown.source = null;
  };
}
