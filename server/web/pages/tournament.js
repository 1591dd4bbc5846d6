// One tournament: what is played now, bracket, table, crosstable, every game, every decision; for its organisers also the actions.

import { trouble, whoAmI } from "../lib/account.js";
import { ask } from "../lib/ask.js";
import { Refusal, api, repeat } from "../lib/api.js";
import { bracket } from "../lib/bracket.js";
import { titleOf, learnGames } from "../lib/cards.js";
import { command } from "../lib/copy.js";
import { el, fill, setTitle, table, words } from "../lib/dom.js";
import { check, field, line, needed } from "../lib/form.js";
import { stateWords } from "./tournaments.js";

/** @typedef {import("../lib/form.js").Field} Field */

const REFRESH_MS = 2_000;

/** @type {import("../lib/go.js").Page} */
export default async function tournament(main, [id]) {
  const path = `/tournaments/${encodeURIComponent(id)}`;
  const head = el("section");
  const lead = el("section", { hidden: true });
  const now = el("section");
  const tree = el("section");
  const standings = el("section");
  const more = el("section");
  fill(main, el("div", { class: "page" }, head, lead, now, tree, standings, more));
  api("/games")
    .then(learnGames)
    .catch(() => {});
  const me = await whoAmI().catch(() => null);
  const organises = me?.kind === "organiser";
  const fault = el("p", { class: "fault", role: "alert" });
  /** @type {any} */
  let data = null;
  let shown = "";

  /** Do an action, and show its result.
   * @param {string} verb @param {any} [body] */
  async function say(verb, body = {}) {
    fault.textContent = "";
    try {
      await decide(verb, body);
    } catch (error) {
      fault.textContent = /** @type {Error} */ (error).message;
    }
  }

  /** Throws Refusal.
   * @param {string} verb @param {any} body */
  async function decide(verb, body) {
    await api(`${path}/${verb}`, { body });
    await look();
  }

  /** The same, after asking for a reason.
   * @param {string} title @param {string} about what it means @param {string} verb @param {any} [body] */
  function because(title, about, verb, body = {}) {
    const why = reason();
    ask({
      title,
      about,
      fields: [["why", why]],
      yes: title,
      act: () => decide(verb, { ...body, why: why.value() }),
    });
  }

  async function look() {
    data = await api(path);
    const state = JSON.stringify(data);
    if (state === shown) return;
    shown = state;
    setTitle(main, data.name);
    show();
  }

  function show() {
    const over = data.ended_ms !== null;
    const fetched = (/** @type {string} */ name) => `/api/v1${path}/${name}`;
    fill(
      head,
      el(
        "div",
        { class: "head" },
        el("h1", {}, data.name),
        el(
          "span",
          { class: "pill", "data-kind": over || data.paused ? "over" : "live" },
          data.paused ? "paused" : stateWords(data.state),
        ),
      ),
      el(
        "p",
        { class: "lead" },
        `${titleOf(data.game)}, ${data.entrants.length} bots, ${words(data.format)}.`,
      ),
      el(
        "div",
        { class: "row" },
        el(
          "a",
          {
            class: "button main",
            href: `/screen?tournament=${encodeURIComponent(id)}`,
            "data-keep": "screen",
          },
          "Big screen",
        ),
        el(
          "a",
          {
            class: "button",
            href: fetched("page"),
            target: "_blank",
            rel: "noopener",
            "data-keep": "print",
          },
          "Print",
        ),
        el(
          "a",
          {
            class: "button",
            href: fetched("standings.csv"),
            download: `${data.name}.csv`,
            "data-keep": "csv",
          },
          "CSV",
        ),
      ),
      places(data.placings),
      fault,
    );
    lead.hidden = over || (!organises && data.state !== "entries_open");
    if (!lead.hidden) fill(lead, ...(organises ? leading() : entering()));
    const running = data.games.filter((/** @type {any} */ game) => game.state === "running");
    const due = data.games.filter((/** @type {any} */ game) => game.state === "due");
    fill(
      now,
      ...(over
        ? []
        : [
            el("h2", {}, "Now"),
            running.length
              ? el("ul", { class: "cards" }, ...running.map(gameCard))
              : el(
                  "p",
                  { class: "quiet" },
                  due.length ? `Next: ${nextOf(due[0])}.` : "No game runs.",
                ),
          ]),
    );
    fill(tree, ...bracketOf(data));
    fill(standings, ...standingsOf(data));
    fill(
      more,
      ...[
        fold("Each against each", crosstable(data)),
        fold(`All games (${data.games.length})`, games()),
        entrants(),
        fold("Log", log()),
      ].filter((one) => one !== null),
    );
  }

  /** @returns {HTMLElement[]} */
  function leading() {
    const { state, paused } = data;
    const button = (/** @type {string} */ label, /** @type {() => void} */ act, main = false) =>
      el(
        "button",
        { type: "button", class: main ? "main" : null, "data-keep": label, onclick: act },
        label,
      );
    const plays = !["entries_open", "finished", "cancelled"].includes(state);
    return [
      el("h2", {}, "Lead"),
      el(
        "div",
        { class: "row" },
        state === "entries_open" ? button("Start: entries close", () => say("start"), true) : null,
        state === "seeded" ? button("Begin the bracket", () => say("begin"), true) : null,
        plays
          ? paused
            ? button("Go on", () => say("resume"), true)
            : button("Pause", () => say("pause"))
          : null,
        data.ended_ms === null
          ? button("Cancel", () =>
              because("Cancel the tournament", "It is over for good, without places.", "cancel"),
            )
          : null,
      ),
    ];
  }

  function entering() {
    return [
      el("h2", {}, "Enter"),
      me?.kind === "bot"
        ? el(
            "div",
            { class: "row" },
            el(
              "button",
              {
                type: "button",
                class: "main",
                "data-keep": "enter",
                onclick: () => say("entrants"),
              },
              `Enter with ${me.name}`,
            ),
          )
        : null,
      el(
        "p",
        { class: "quiet" },
        "Your bot enters, and is called to its games, while this runs; your account's key is in BOTARENA_KEY:",
      ),
      command(`botarena play-for ${location.origin} mybot.py --enter ${id}`),
    ].filter((one) => one !== null);
  }

  function entrants() {
    const decides = organises && data.ended_ms === null;
    const rows = data.entrants.map((/** @type {any} */ one) => [
      one.entry,
      el("strong", {}, one.id),
      one.bot ? `house bot ${one.bot}` : one.account ? "account" : "",
      one.status,
      ...(decides && one.status === "active"
        ? [
            el(
              "span",
              { class: "row" },
              el(
                "button",
                {
                  type: "button",
                  "data-keep": `withdraw-${one.entry}`,
                  onclick: () =>
                    because(
                      `Withdraw ${one.id}`,
                      "Before half of its games its results are annulled, later the missing ones are lost by forfeit.",
                      "withdraw",
                      { entrant: one.entry },
                    ),
                },
                "Withdraw",
              ),
              el(
                "button",
                {
                  type: "button",
                  "data-keep": `disqualify-${one.entry}`,
                  onclick: () =>
                    because(
                      `Disqualify ${one.id}`,
                      "In stage 1 its results are annulled; in the bracket its opponent gets a walkover.",
                      "disqualify",
                      { entrant: one.entry },
                    ),
                },
                "Disqualify",
              ),
            ),
          ]
        : decides
          ? [""]
          : []),
    ]);
    return fold(
      "Bots",
      table(
        ["", "Bot", "Who plays it", "Status", ...(decides ? ["Decide"] : [])],
        rows,
        "No bot has entered yet.",
      ),
      data.state === "entries_open",
    );
  }

  function games() {
    const rows = data.games.toReversed().map((/** @type {any} */ game) => {
      const result = game.result;
      const scores = result ? (result.both_lost ? "both lost" : result.score.join(" : ")) : "";
      return [
        game.match
          ? el(
              "a",
              { href: `/match/${encodeURIComponent(game.match)}`, "data-keep": `see-${game.game}` },
              game.game,
            )
          : game.game,
        el(
          "span",
          {},
          ...game.seats.flatMap((/** @type {string} */ name, /** @type {number} */ seat) => [
            seat ? " – " : "",
            wins(result, seat) ? el("strong", {}, name) : name,
          ]),
        ),
        scores,
        game.how && game.how !== "played" ? `${game.state}, ${words(game.how)}` : game.state,
        ...(organises
          ? [
              el(
                "span",
                { class: "row" },
                el(
                  "button",
                  {
                    type: "button",
                    "data-keep": `override-${game.game}`,
                    onclick: () => override(game),
                  },
                  "Override",
                ),
                result
                  ? el(
                      "button",
                      {
                        type: "button",
                        "data-keep": `replay-${game.game}`,
                        onclick: () =>
                          because(
                            `Replay ${game.game}`,
                            "Its result counts no more, and it is played again.",
                            `games/${encodeURIComponent(game.game)}/replay`,
                          ),
                      },
                      "Replay",
                    )
                  : null,
              ),
            ]
          : []),
      ];
    });
    return table(
      ["Game", "Bots", "Score", "State", ...(organises ? ["Decide"] : [])],
      rows,
      "No game is known yet.",
    );
  }

  /** Ask for the result that overrides the played one.
   * @param {any} game */
  function override(game) {
    const { seats, result } = game;
    const places = seats.map((/** @type {string} */ name, /** @type {number} */ seat) =>
      field(
        name,
        { type: "integer", minimum: 1, maximum: seats.length },
        { label: `${name}: place`, value: result?.placement?.[seat] ?? seat + 1 },
      ),
    );
    const scores = seats.map((/** @type {string} */ name) =>
      field(
        name,
        { type: "number", description: "empty: as a forfeit books it" },
        { label: `${name}: score` },
      ),
    );
    const lost = check("both lost", "instead of places");
    const why = reason();
    ask({
      title: `Override ${game.game}`,
      about: "This result holds, whatever was played; all that comes of it follows again.",
      fields: [
        ...named("placement", places),
        ...named("score", scores),
        ["both_lost", lost],
        ["why", why],
      ],
      yes: "This result holds",
      act: () => {
        const given = scores.map((/** @type {Field} */ one) => one.value());
        const score = given.every((/** @type {any} */ one) => one === undefined)
          ? undefined
          : given.map((/** @type {any} */ one) => one ?? 0);
        const placement = lost.value()
          ? undefined
          : places.map((/** @type {Field} */ one) => one.value() ?? 0);
        return decide(`games/${encodeURIComponent(game.game)}/override`, {
          both_lost: lost.value(),
          placement,
          score,
          why: why.value(),
        });
      },
    });
  }

  /** The subject of a log line: a bot, a game with its result, or another line.
   * @param {any} fact */
  function subject(fact) {
    const name = (/** @type {number} */ entry) =>
      data.entrants.find((/** @type {any} */ one) => one.entry === entry)?.id ?? "";
    if (fact.fact) return `fact ${fact.fact}`;
    if (!fact.game) return fact.name ?? name(fact.entry);
    const { result, seats } = fact;
    const score = result
      ? result.both_lost
        ? "both lost"
        : result.score.join(" : ")
      : fact.kind === "result"
        ? "broke off"
        : "";
    return `${fact.game}, ${seats.map(name).join(" – ")} ${score}`.trim();
  }

  function log() {
    const rows = data.log.toReversed().map((/** @type {any} */ fact) => {
      const about = [subject(fact), fact.why ?? ""].filter(Boolean).join(" · ");
      return [
        fact.number,
        new Date(fact.at_ms).toLocaleTimeString("en-GB"),
        el("span", { class: fact.void ? "void" : null }, words(fact.kind)),
        about,
        fact.by ?? "",
        ...(organises
          ? [
              fact.void || ["entered", "closed", "opened"].includes(fact.kind)
                ? ""
                : el(
                    "button",
                    {
                      type: "button",
                      "data-keep": `undo-${fact.number}`,
                      onclick: () =>
                        because(
                          `Undo ${fact.number}`,
                          `Fact ${fact.number} (${words(fact.kind)} ${subject(fact)}) counts no more; all that came of it follows again.`,
                          "undo",
                          { fact: fact.number },
                        ),
                    },
                    "Undo",
                  ),
            ]
          : []),
      ];
    });
    return table(
      ["", "When", "What", "About", "By", ...(organises ? ["Decide"] : [])],
      rows,
      "Nothing yet.",
    );
  }

  return repeat(async () => {
    try {
      await look();
    } catch (error) {
      const gone = error instanceof Refusal;
      if (data === null || gone) fill(head, el("h1", {}, "Tournament"), trouble(error));
      return !gone;
    }
  }, REFRESH_MS);
}

/** @param {string} name @param {Field[]} all @returns {[string, Field][]} */
const named = (name, all) => all.map((one) => [name, one]);

const reason = () => needed(line("why", "shown with the results"), "Say why.");

/** Which parts are open: they stay so when the page is filled again. @type {Map<string, boolean>} */
const folded = new Map();

/** @param {string} title @param {Node|null} what @param {boolean} [open] */
function fold(title, what, open = false) {
  if (what === null) return null;
  const key = title.replace(/ \(.*/, "");
  const part = el(
    "details",
    { open: folded.get(key) ?? open },
    el("summary", { "data-keep": `fold-${key}` }, title),
    what,
  );
  part.firstElementChild?.addEventListener("click", () => folded.set(key, !part.open));
  return part;
}

/** Whether this seat, and no other, is first. @param {any} result @param {number} seat */
const wins = (result, seat) =>
  result !== null &&
  !result.both_lost &&
  result.placement[seat] === 1 &&
  result.placement.indexOf(1) === result.placement.lastIndexOf(1);

/** @param {any} game */
function gameCard(game) {
  return el(
    "li",
    {},
    el(
      "a",
      { class: "card", href: `/match/${encodeURIComponent(game.match)}`, "data-keep": game.match },
      el(
        "div",
        { class: "body" },
        el(
          "div",
          { class: "head" },
          el("h3", {}, game.seats.join(" – ")),
          el("span", { class: "pill", "data-kind": "live" }, game.of ?? game.game),
        ),
      ),
    ),
  );
}

/** The name of a game that is due.
 * @param {any} game */
export const nextOf = (game) =>
  game.stage === "check" ? `the check of ${game.seats[0]}` : game.seats.join(" – ");

/** @param {string[]|null} placings */
function places(placings) {
  if (placings === null || placings.length === 0) return null;
  return el(
    "ol",
    { class: "podium", "aria-label": "Places" },
    ...placings
      .slice(0, 3)
      .map((name, place) =>
        el(
          "li",
          { class: `place-${place + 1}` },
          el("span", { class: "place" }, place + 1),
          el("span", { class: "name" }, name),
        ),
      ),
  );
}

/** @param {any} data @returns {HTMLElement[]} */
export function bracketOf(data) {
  const last = (/** @type {string} */ duel) =>
    data.games.findLast((/** @type {any} */ game) => game.of === duel && game.match)?.match ?? null;
  if (data.bracket.length) {
    const drawn = bracket(data.bracket, (duel) =>
      last(duel) === null ? null : `/match/${encodeURIComponent(last(duel))}`,
    );
    const box = el("div", {
      class: "scroll",
      tabindex: "0",
      role: "region",
      "aria-label": "The bracket",
    });
    box.append(drawn);
    return [el("h2", {}, "Bracket"), box];
  }
  if (data.heat_bracket?.length) {
    return [
      el("h2", {}, "Bracket, in heats"),
      el(
        "ul",
        { class: "cards" },
        ...data.heat_bracket.map((/** @type {any} */ heat) =>
          el(
            "li",
            {},
            el(
              "div",
              { class: "card" },
              el(
                "div",
                { class: "body" },
                el("h3", {}, heat.heat),
                el(
                  "ol",
                  { class: "plain-list" },
                  ...heat.seats
                    .map((/** @type {string} */ name, /** @type {number} */ seat) => ({
                      name,
                      place: heat.placement?.[seat] ?? null,
                      score: heat.score?.[seat],
                    }))
                    .sort(
                      (/** @type {any} */ one, /** @type {any} */ other) =>
                        (one.place ?? 0) - (other.place ?? 0),
                    )
                    .map((/** @type {any} */ one) =>
                      el(
                        "li",
                        {},
                        one.place === null ? "" : `${one.place}. `,
                        el("strong", {}, one.name),
                        one.score === undefined ? "" : ` · ${one.score}`,
                      ),
                    ),
                  heat.seats.length ? null : el("li", { class: "quiet" }, "not known yet"),
                ),
              ),
            ),
          ),
        ),
      ),
    ];
  }
  return [];
}

/** @param {any} data @returns {HTMLElement[]} */
export function standingsOf(data) {
  if (data.standings.length === 0) return [];
  const rows = data.standings.map((/** @type {any} */ row) => [
    row.rank ?? "–",
    el("strong", {}, row.id),
    row.played,
    row.wins,
    row.draws,
    row.losses,
    row.both_lost,
    row.points,
    `${row.score_for} : ${row.score_against}`,
    row.status === "active" ? row.tie_break.map(words).join(", ") : row.status,
  ]);
  return [
    el("h2", {}, data.provisional ? "Standings so far" : "Standings"),
    table(
      ["", "Bot", "Played", "Won", "Drawn", "Lost", "Both lost", "Points", "Score", "Decided by"],
      rows,
      "",
    ),
  ];
}

/** Each against each, in points. @param {any} data */
function crosstable(data) {
  if (data.crosstable.length === 0) return null;
  const names = data.standings.map((/** @type {any} */ row) => row.id);
  const cells = new Map(
    data.crosstable.map((/** @type {any} */ cell) => [`${cell.id}\n${cell.against}`, cell]),
  );
  return table(
    ["", ...names],
    names.map((/** @type {string} */ name) => [
      el("strong", {}, name),
      ...names.map((/** @type {string} */ other) => {
        const cell = /** @type {any} */ (cells.get(`${name}\n${other}`));
        return name === other
          ? "·"
          : cell
            ? el(
                "span",
                {
                  title: `${cell.wins} won, ${cell.draws} drawn, ${cell.losses} lost, ${cell.both_lost} both lost`,
                },
                `${cell.wins}–${cell.draws}–${cell.losses + cell.both_lost}`,
              )
            : "";
      }),
    ]),
    "",
  );
}
