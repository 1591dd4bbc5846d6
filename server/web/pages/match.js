// One match: live while it runs, its record when it is over.

import { Refusal, api, lookToken } from "../lib/api.js";
import { ArenaMatch } from "../lib/arena-match.js";
import { learnGames, titleOf } from "../lib/cards.js";
import { el, fill } from "../lib/dom.js";
import { LiveSource, released } from "../lib/sources.js";

const ASK_MS = [150, 400, 1_000, 2_000, 4_000, 10_000];
/** So often a no may mean: not yet. */
const PATIENT = 3;

/** @type {import("../app.js").Page} */
export default async function match(main, [id]) {
  const asked = /^#(\d+)$/.exec(location.hash);
  let turn = asked ? Number(asked[1]) : null;
  const shown = /** @type {ArenaMatch} */ (el(/** @type {any} */ ("arena-match"), { "data-test": "match" }));
  main.className = "wide";
  fill(main, shown);
  let gone = false;
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let timer;
  let marked = 0;

  shown.addEventListener("learned", () => {
    const source = shown.source;
    if (!source) return;
    const names = source.seats.map((seat) => seat.name).join(" – ");
    shown.name(names || titleOf(source.game), source.file);
    document.title = `${names || titleOf(source.game)} · Botarena`;
  });
  shown.addEventListener("moved", () => {
    clearTimeout(marked);
    marked = window.setTimeout(() => {
      const { turn: now, following } = shown.state;
      if (gone || now === null) return;
      history.replaceState(null, "", `${location.pathname}${location.search}${following ? "" : `#${now}`}`);
    }, 300);
  });
  const jump = () => {
    const found = /^#(\d+)$/.exec(location.hash);
    if (found && shown.source) shown.seek(shown.source.indexOf(Number(found[1])));
  };
  addEventListener("hashchange", jump);

  /** The record takes the place of the live view, as soon as it is out.
   * @param {number} tries */
  async function replay(tries) {
    if (gone) return;
    try {
      const source = await released(id);
      if (source && !gone) {
        await shown.show(source, { keep: true, turn });
        turn = null;
        return;
      }
    } catch (fault) {
      if (fault instanceof Refusal && tries >= PATIENT) {
        shown.source?.say("refused", fault.message);
        return;
      }
    }
    timer = setTimeout(() => replay(tries + 1), ASK_MS[Math.min(tries, ASK_MS.length - 1)]);
  }

  api("/games").then(learnGames).catch(() => {});
  const source = new LiveSource(id);
  source.addEventListener("end", () => replay(0));
  source.addEventListener("status", () => {
    if (source.status.kind === "refused" && ["match_over", "no_such_match"].includes(source.refusal?.code ?? "")) begun();
  });

  /** The match is not live: is there a record? */
  async function begun() {
    const record = await api(`/matches/${encodeURIComponent(id)}`, { token: lookToken(id) }).catch(() => null);
    if (record && !gone) {
      source.outcome = record.outcome;
      shown.name(record.players.map((/** @type {any} */ player) => player.name).join(" – "));
      source.say("over", record.released ? "Loading the replay …" : "Over; the replay comes out when every match of this seed has ended");
      replay(0);
    }
  }

  shown.show(source, { turn });
  return () => {
    gone = true;
    clearTimeout(timer);
    clearTimeout(marked);
    removeEventListener("hashchange", jump);
    shown.source = null;
  };
}
