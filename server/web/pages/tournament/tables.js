// The tables of a tournament: bots, games, log. With `actions`, an organiser's, each row has its
// buttons.

import { el, table, words } from "../../lib/dom.js";
import { button } from "./actions.js";

/** @typedef {import("./actions.js").Actions} Actions */

/** The kinds of facts that cannot be undone. */
const FINAL = ["entered", "closed", "opened"];

/** @param {any[]} entrants @param {Actions|null} actions */
export function entrantsTable(entrants, actions) {
  const rows = entrants.map((/** @type {any} */ one) => [
    one.entry,
    el("strong", {}, one.id),
    one.bot ? `house bot ${one.bot}` : one.account ? "account" : "",
    one.why && one.status !== "active" ? `${words(one.status)}: ${one.why}` : words(one.status),
    ...cells(actions, (actions) =>
      one.status === "active"
        ? [
            button("Withdraw", `withdraw-${one.entry}`, () =>
              actions.runWithReason(
                `Withdraw ${one.id}`,
                "In stage 1 its results are annulled if it has played less than half of its " +
                  "games; otherwise it forfeits the games that are left.",
                "withdraw",
                { entrant: one.entry },
              ),
            ),
            button("Disqualify", `disqualify-${one.entry}`, () =>
              actions.runWithReason(
                `Disqualify ${one.id}`,
                "In stage 1 its results are annulled; in the bracket its opponent gets a walkover.",
                "disqualify",
                { entrant: one.entry },
              ),
            ),
          ]
        : [],
    ),
  ]);
  return table(heads(["", "Bot", "Played by", "Status"], actions), rows, "No bot has entered yet.");
}

/** @param {any} game @param {boolean} hides */
function stateOf({ state, how }, hides) {
  if (hides && state === "due") return "hidden";
  return how && how !== "played" ? `${state}, ${words(how)}` : state;
}

/** @param {any[]} games @param {Actions|null} actions
 * @param {boolean} hides what is not known of a game is hidden, not still to come */
export function gamesTable(games, actions, hides) {
  const rows = games.map((/** @type {any} */ game) => [
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
        wins(game.result, seat) ? el("strong", {}, name) : name,
      ]),
    ),
    game.result ? scoreOf(game.result) : "",
    stateOf(game, hides),
    ...cells(actions, (actions) => [
      button("Override", `override-${game.game}`, () => actions.override(game)),
      game.result
        ? button("Replay", `replay-${game.game}`, () =>
            actions.runWithReason(
              `Replay ${game.game}`,
              "Its result no longer counts, and it is played again.",
              `games/${encodeURIComponent(game.game)}/replay`,
            ),
          )
        : null,
    ]),
  ]);
  return table(
    heads(["Game", "Bots", "Score", "State"], actions),
    rows,
    "No game is scheduled yet.",
  );
}

/** @param {any[]} facts @param {Actions|null} actions */
export function logTable(facts, actions) {
  const rows = facts.map((/** @type {any} */ fact) => {
    const about = subject(fact);
    const kind = words(fact.kind);
    return [
      fact.number,
      new Date(fact.at_ms).toLocaleTimeString("en-GB"),
      el("span", { class: fact.void ? "void" : null }, kind),
      [about, fact.why ?? ""].filter(Boolean).join(" · "),
      fact.by ?? "",
      ...cells(actions, (actions) =>
        fact.void || FINAL.includes(fact.kind)
          ? []
          : [
              button("Undo", `undo-${fact.number}`, () =>
                actions.runWithReason(
                  `Undo ${fact.number}`,
                  `Fact ${fact.number} (${kind} ${about}) no longer counts. All that depends on ` +
                    "it is computed again.",
                  "undo",
                  { fact: fact.number },
                ),
              ),
            ],
      ),
    ];
  });
  return table(heads(["", "When", "What", "About", "By"], actions), rows, "Nothing yet.");
}

/** @param {string[]} all @param {Actions|null} actions */
const heads = (all, actions) => (actions ? [...all, "Decide"] : all);

/** The cell of a row's buttons, if there are actions.
 * @param {Actions|null} actions @param {(actions: Actions) => (HTMLElement|null)[]} buttons */
const cells = (actions, buttons) =>
  actions ? [el("span", { class: "row" }, ...buttons(actions))] : [];

/** Whether this seat, and no other, is first.
 * @param {any} result @param {number} seat */
const wins = (result, seat) =>
  result !== null &&
  !result.both_lost &&
  result.placement[seat] === 1 &&
  result.placement.indexOf(1) === result.placement.lastIndexOf(1);

/** @param {any} result */
const scoreOf = (result) => (result.both_lost ? "both lost" : result.score.join(" : "));

/** The subject of a log line: a bot, a game with its result, or another line.
 * @param {any} fact */
function subject(fact) {
  const name = (/** @type {number} */ entry) => fact.names[entry] ?? "";
  if (fact.fact) return `fact ${fact.fact}`;
  if (!fact.game) return fact.name ?? name(fact.entry);
  const score = fact.result ? scoreOf(fact.result) : fact.kind === "result" ? "broke off" : "";
  return `${fact.game}, ${fact.seats.map(name).join(" – ")} ${score}`.trim();
}
