// One match: live while it runs, its record when it is over. With `?seat=`: what that seat saw, or,
// for a person's own seat, the seat to play.

import { ask } from "../lib/ask.js";
import {
  Refusal,
  api,
  embedded,
  ifRefused,
  keepSeat,
  lookToken,
  reportFault,
  seatToken,
} from "../lib/api.js";
import { learnGames, titleOf } from "../lib/cards.js";
import { el, fill, setTitle, words } from "../lib/dom.js";
import { needed, secret } from "../lib/form.js";
import { go } from "../lib/go.js";
import { sayMissing, sayNoSuch } from "../lib/missing.js";
import { versusLine } from "../lib/names.js";
import { persistent } from "../lib/persistent.js";
import { turnInAddress, turnNumber } from "../lib/turns.js";
import { rematchButton } from "./match/rematch.js";
import { createMatch } from "../match/element.js";
import { answerParent } from "../match/embed.js";
import { HumanSource } from "../sources/human.js";
import { LiveSource } from "../sources/live.js";
import { releasedReplay } from "../sources/replay.js";
import { SeatSource, seatOf } from "../sources/seat.js";

const ASK_MS = [150, 400, 1_000, 2_000, 4_000, 10_000];
/** Refusals before an answer counts as final: the replay may not be stored yet. */
const PATIENT = 3;

/** @type {import("../lib/go.js").Page} */
export default async function match(main, [id]) {
  let turn = turnInAddress();
  const wish = new URLSearchParams(location.search).get("seat");
  const seat = wish !== null && /^\d+$/.test(wish) ? Number(wish) : null;
  const token = seat === null ? null : seatToken(id, seat);
  const plays = await sitsHere(id, seat, token);
  const shown = createMatch();
  main.className = "wide";
  fill(main, shown);
  const embedding = new AbortController();
  if (embedded()) answerParent(shown, embedding.signal);
  let gone = false;
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let timer;
  let marked = 0;

  shown.addEventListener("learned", () => {
    const source = shown.source;
    if (!source) return;
    fill(
      shown.extras,
      source.viewer !== null && source.live && source instanceof HumanSource
        ? null
        : perspectives(id, seat, shown),
      seat !== null && token && source.outcome && source.seats[seat]?.kind === "human"
        ? rematchButton(id, seat)
        : null,
    );
    const names = source.seats.map((seat) => seat.name).join(" – ");
    shown.name(names || titleOf(source.game), source.file);
    setTitle(main, names || titleOf(source.game));
  });
  shown.addEventListener("ended", () => shown.dispatchEvent(new Event("learned")));
  shown.addEventListener("moved", () => {
    clearTimeout(marked);
    marked = window.setTimeout(() => {
      const { turn, following } = shown.state;
      if (gone || turn === null) return;
      const at = following ? "" : `#${shown.turnText}`;
      history.replaceState(null, "", `${location.pathname}${location.search}${at}`);
    }, 300);
  });
  const jump = () => {
    const { source } = shown;
    const number = source && turnNumber(source.game, turnInAddress() ?? "");
    if (source && number !== null) shown.seek(source.indexOf(number));
  };
  addEventListener("hashchange", jump);

  /** Replace the live view by the replay, as soon as it is released.
   * @param {number} tries */
  async function replay(tries) {
    if (gone) return;
    try {
      const source = await releasedReplay(id);
      if (source && !gone) {
        await shown.show(source, { keep: true, turn });
        turn = null;
        return;
      }
    } catch (fault) {
      if (fault instanceof Refusal && tries >= PATIENT) {
        shown.source?.setStatus("refused", fault.message);
        return;
      }
      reportFault(fault);
    }
    timer = setTimeout(() => replay(tries + 1), ASK_MS[Math.min(tries, ASK_MS.length - 1)]);
  }

  api("/games")
    .then(learnGames)
    .catch(() => {});
  if (seat !== null && !plays) {
    const seen = new SeatSource(id, seat, token);
    // the other seats' views can be chosen now, also if the end is not shown
    seen.addEventListener("end", () => setTimeout(() => shown.dispatchEvent(new Event("learned"))));
    shown.show(seen, { turn });
    return over;
  }
  const source =
    seat === null || token === null ? new LiveSource(id) : new HumanSource(id, seat, token);
  source.addEventListener("end", () => {
    if (source.end === source.first) source.setStatus("over", "Loading the replay …");
    replay(0);
  });
  source.addEventListener("status", () => {
    if (
      source.status.kind === "refused" &&
      ["match_over", "no_such_match"].includes(source.refusal?.code ?? "")
    )
      lookForReplay();
  });

  /** The match is not live: look for its replay. */
  async function lookForReplay() {
    const path = encodeURIComponent(id);
    /** @type {unknown} */
    let fault = null;
    const answer = () => api(`/matches/${path}`, { token: lookToken(id) });
    const record = await persistent(answer, () => !gone).catch((error) => {
      fault = error;
    });
    if (gone) return;
    if (fault instanceof Refusal) {
      over();
      sayNotThere(main, id, await api(`/lobbies/${path}`).catch(() => null), fault);
    }
    if (record) {
      source.outcome = record.outcome;
      shown.name(versusLine(record.players));
      source.setStatus(
        "over",
        record.released
          ? "Loading the replay …"
          : "Over; the replay is released when all matches with this seed have ended",
      );
      replay(0);
    }
  }

  shown.show(source, { turn });
  return over;

  function over() {
    gone = true;
    embedding.abort();
    clearTimeout(timer);
    clearTimeout(marked);
    removeEventListener("hashchange", jump);
    shown.source = null;
  }
}

/** There is no match to show.
 * @param {HTMLElement} main @param {string} id @param {any} lobby it was cancelled, or null
 * @param {Refusal} fault */
function sayNotThere(main, id, lobby, fault) {
  setTitle(main, "No match");
  if (lobby?.state === "cancelled") {
    const why = `Its lobby was cancelled: ${words(lobby.reason)}.`;
    sayMissing(main, "This match was never played", why);
  } else sayNoSuch(main, "match", id, fault);
}

/** Whether a person has this seat and can still play it.
 * @param {string} id @param {number|null} seat @param {string|null} token
 * @returns {Promise<boolean>}   Throws TypeError if the server does not answer. */
async function sitsHere(id, seat, token) {
  if (seat === null || token === null) return false;
  const lobby = await api(`/lobbies/${encodeURIComponent(id)}`, { token }).catch(ifRefused(null));
  return (
    lobby !== null &&
    ["open", "running"].includes(lobby.state) &&
    lobby.seats[seat]?.kind === "human"
  );
}

/** The choice of the view: a spectator's or a seat's. The views of other seats come with the
 * replay.
 * @param {string} id @param {number|null} seat
 * @param {import("../match/element.js").ArenaMatch} shown */
function perspectives(id, seat, shown) {
  const source = /** @type {import("../sources/source.js").Source} */ (shown.source);
  const out = source.status.kind === "replay" && source.outcome !== null;
  const choice = el(
    "select",
    { "aria-label": "Whose view" },
    el("option", { value: "", selected: seat === null }, "Public view"),
    ...source.seats.map((one) => {
      const open = out || one.seat === seat || seatToken(id, one.seat) !== null;
      return el(
        "option",
        { value: one.seat, selected: one.seat === seat, disabled: !open },
        `What ${one.name} saw`,
      );
    }),
    el("option", { value: "token" }, "With a seat's token …"),
  );
  /** @param {string} wanted the number of a seat, or empty */
  function show(wanted) {
    const query = wanted === "" ? "" : `?seat=${wanted}`;
    const at = shown.state.following ? "" : `#${shown.turnText}`;
    go(`/match/${encodeURIComponent(id)}${query}${at}`);
  }
  choice.addEventListener("change", () => {
    if (choice.value !== "token") {
      show(choice.value);
      return;
    }
    choice.value = seat === null ? "" : String(seat);
    askToken(id, (whose) => show(String(whose)));
  });
  return choice;
}

/** Ask for a seat's token, which is kept until the window is closed.
 * @param {string} id @param {(seat: number) => void} opened */
function askToken(id, opened) {
  const token = needed(
    secret(
      "seat token",
      "s_…, as your bot got it on joining; kept until this window is closed, and sent to this " +
        "server only",
    ),
    "Enter the token.",
  );
  ask({
    title: "What my bot saw",
    fields: [["token", token]],
    yes: "Show it",
    act: async () => {
      const given = token.value();
      const seat = await seatOf(id, given).catch((fault) => {
        const wrong = fault instanceof Refusal && fault.code === "wrong_token";
        throw wrong
          ? new Refusal(fault.status, {
              code: fault.code,
              text: "No seat of this match has this token.",
              field: "token",
            })
          : fault;
      });
      keepSeat(id, seat, given);
      opened(seat);
    },
  });
}
