// Lobbies and matches as the lists show them.

import { duration, el } from "./dom.js";
import { distinct } from "./names.js";
import { pictured } from "./renderers.js";
import { swatch } from "./swatch.js";
import { namedTurn } from "./turns.js";
import { verdict } from "./verdict.js";

/** What the server says about each game, by game.
 * @type {Map<string, any>} */
export const games = new Map();

/** @param {any[]} described */
export function learnGames(described) {
  for (const game of described) games.set(game.game, game);
}

/** @param {string} game */
export const titleOf = (game) => games.get(game)?.title ?? game;

/** @param {string} game */
export function pictureOf(game) {
  const name = pictured(game) ? game : "botarena";
  return el("img", {
    class: "picture",
    src: `/web/pictures/${name}.svg`,
    alt: "",
    width: 320,
    height: 180,
    loading: "lazy",
  });
}

/** The players of a match, with their scores if they are known.
 * @param {{seat: number, name: string|null, version?: number|null}[]} seats
 * @param {string[]} [scores] by seat */
export function versus(seats, scores = []) {
  return el(
    "span",
    { class: "versus" },
    ...distinct(seats).map(({ seat, name, version }) =>
      el(
        "span",
        {},
        swatch(name === null ? null : seat, "small"),
        " ",
        name === null ? el("i", {}, "free") : name,
        version ? el("span", { class: "quiet" }, ` v${version}`) : null,
        scores[seat] ? el("span", { class: "points" }, ` ${scores[seat]}`) : null,
      ),
    ),
  );
}

/** The result of a match in a sentence, and the scores.
 * @param {any} outcome @param {any[]} players */
export function outcomeText(outcome, players) {
  if (!outcome) return "";
  const { sentence } = verdict(outcome, distinct(players));
  if (outcome.outcome === "aborted") return sentence;
  return `${sentence} ${outcome.seats.map((/** @type {any} */ seat) => seat.score).join(" : ")}`;
}

/** @param {any} lobby */
export function lobbyCard(lobby) {
  const free = lobby.seats.filter((/** @type {any} */ seat) => seat.name === null).length;
  const game = lobby.name === null ? "" : `${titleOf(lobby.game)} · `;
  return el(
    "li",
    {},
    el(
      "a",
      {
        class: "card",
        href: `/lobby/${encodeURIComponent(lobby.lobby)}`,
        "data-keep": lobby.lobby,
      },
      el(
        "div",
        { class: "body" },
        el(
          "div",
          { class: "head" },
          el("h3", {}, lobby.name ?? titleOf(lobby.game)),
          el("span", { class: "quiet" }, free === 1 ? "1 seat free" : `${free} seats free`),
        ),
        versus(lobby.seats),
        el("p", { class: "quiet" }, `${game}closes in ${duration(lobby.countdown_ms)}`),
      ),
    ),
  );
}

/** @param {any} match */
export function matchCard(match) {
  const running = match.state === "running";
  return el(
    "li",
    {},
    el(
      "a",
      {
        class: "card",
        href: `/match/${encodeURIComponent(match.match)}`,
        "data-keep": match.match,
      },
      el(
        "div",
        { class: "body" },
        el(
          "div",
          { class: "head" },
          el("h3", {}, match.name ?? titleOf(match.game)),
          running
            ? el("span", { class: "pill", "data-kind": "live" }, namedTurn(match.game, match.turn))
            : null,
        ),
        versus(match.players),
        el(
          "p",
          { class: "quiet" },
          [
            match.name === null ? "" : titleOf(match.game),
            outcomeText(match.outcome, match.players),
          ]
            .filter(Boolean)
            .join(" · "),
        ),
      ),
    ),
  );
}

/** Cards in a grid, or a sentence when there are none.
 * @param {HTMLElement[]} cards @param {string} nothing */
export const grid = (cards, nothing) =>
  cards.length ? el("ul", { class: "cards" }, ...cards) : el("p", { class: "quiet" }, nothing);

/** The command line that connects a bot.
 * @param {string} game @param {string} [lobby] @param {string|null} [invite] */
export function joinLine(game, lobby, invite, locked = false) {
  const where = lobby ? ` --lobby ${lobby}` : "";
  const access = invite ? ` --invite ${invite}` : locked ? " --password …" : "";
  return `botarena join ${location.origin} --game ${game}${where}${access} mybot.py`;
}
