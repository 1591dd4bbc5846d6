// The lobbies that were opened in this browser; with an organiser's key the whole server:
// tournaments, matches, accounts.

import { accountBox, trouble } from "../lib/account.js";
import { ask } from "../lib/ask.js";
import {
  Refusal,
  api,
  ifRefused,
  knownLobbies,
  lobbyTokens,
  reasonOf,
  repeat,
  reportFault,
} from "../lib/api.js";
import { games, grid, learnGames, lobbyCard, matchCard, titleOf } from "../lib/cards.js";
import { el, fill, opening, table, words } from "../lib/dom.js";
import { Unreadable, choice, field, fields, line, needed } from "../lib/form.js";
import { go } from "../lib/go.js";
import { tournamentCard } from "./tournaments.js";

const REFRESH_MS = 3_000;
const LISTED = 24;
const BOTS = 16;

/** @type {import("../lib/go.js").Page} */
export default async function organiser(main) {
  learnGames(await api("/games").catch(ifRefused([])));
  const open = el("section");
  const running = el("section");
  const server = el("section", { hidden: true });
  const contests = el("section", { hidden: true });
  const accounts = el("section", { hidden: true });
  const acts = el("section", { hidden: true });
  const fault = el("p", { class: "fault", role: "alert" });
  let leads = false;
  const box = accountBox((me) => {
    leads = me?.kind === "organiser";
    for (const part of [server, contests, accounts, acts]) part.hidden = !leads;
    if (!leads) return;
    fill(
      contests,
      el("h2", {}, "Tournaments"),
      lists,
      el("details", {}, el("summary", {}, "A new tournament"), newTournament()),
    );
    fill(accounts, el("h2", {}, "Accounts"), newAccount());
    look().catch(reportFault);
  });
  const lists = el("div");
  fill(
    main,
    el(
      "div",
      { class: "page" },
      opening(
        "Organiser",
        "Lobbies and matches that you opened in this browser; with an organiser's key, the " +
          "whole server.",
        el("p", {}, el("a", { class: "button main", href: "/" }, "Open a lobby")),
        fault,
      ),
      box,
      contests,
      server,
      open,
      running,
      accounts,
      acts,
    ),
  );
  /** @param {() => Promise<any>} act */
  async function attempt(act) {
    fault.textContent = "";
    try {
      await act();
      await look();
    } catch (error) {
      fault.textContent = reasonOf(error);
    }
  }

  /** Ask for a reason, and abort it.
   * @param {any} one lobby or match */
  function abort(one) {
    const reason = needed(
      line("why", "it is sent to the players and recorded", { longest: 80 }),
      "Say why.",
    );
    ask({
      title: `End ${one.name ?? one.lobby} without a result`,
      fields: [["reason", reason]],
      yes: "Abort it",
      no: "Keep it running",
      act: async () => {
        await api(`/admin/matches/${encodeURIComponent(one.lobby)}/abort`, {
          body: { reason: reason.value() },
        });
        await look();
      },
    });
  }

  async function look() {
    const mine = knownLobbies().filter((id) => lobbyTokens(id).owner);
    const [lobbies, matches] = await Promise.all([api("/lobbies"), api("/matches")]).catch(
      ifRefused([[], []]),
    );
    const secret = mine
      .filter((id) => ![...lobbies, ...matches].some((one) => (one.lobby ?? one.match) === id))
      .slice(0, LISTED);
    fill(
      open,
      el("h2", {}, "Open"),
      grid(
        lobbies
          .filter((/** @type {any} */ one) => one.state === "open" && mine.includes(one.lobby))
          .map(lobbyCard),
        "None.",
      ),
      secret.length
        ? el(
            "p",
            { class: "quiet" },
            "Private or gone: ",
            ...secret.flatMap((id) => [
              el("a", { href: `/lobby/${encodeURIComponent(id)}`, "data-keep": id }, id),
              " ",
            ]),
          )
        : null,
    );
    fill(
      running,
      el("h2", {}, "Running and finished"),
      grid(
        matches
          .filter((/** @type {any} */ one) => mine.includes(one.match))
          .slice(0, LISTED)
          .map(matchCard),
        "None.",
      ),
    );
    if (leads) await lookAtServer();
  }

  async function lookAtServer() {
    const [all, drain, tournaments, done] = await Promise.all([
      api("/admin/matches"),
      api("/admin/drain"),
      api("/tournaments?limit=12"),
      api("/admin/actions?limit=30"),
    ]);
    fill(lists, grid(tournaments.map(tournamentCard), "None yet."));
    fill(
      server,
      el("h2", {}, "On the server"),
      el(
        "div",
        { class: "row" },
        el(
          "span",
          { class: "pill", "data-kind": drain.draining ? "waiting" : "live" },
          drain.draining ? `takes no new matches; ${drain.left} left` : "takes new matches",
        ),
        el(
          "button",
          {
            type: "button",
            "data-keep": "drain",
            onclick: () =>
              attempt(() => api("/admin/drain", { method: drain.draining ? "DELETE" : "POST" })),
          },
          drain.draining ? "Take new matches again" : "Drain: no new matches",
        ),
      ),
      table(
        ["Match", "Game", "State", "Turn", "Who", "Viewers", "End it"],
        all.map((/** @type {any} */ one) => [
          el(
            "a",
            {
              href: `/${one.state === "open" ? "lobby" : "match"}/${encodeURIComponent(one.lobby)}`,
              "data-keep": `at-${one.lobby}`,
            },
            one.name ?? one.lobby,
          ),
          titleOf(one.game),
          one.state,
          one.turn ?? "",
          one.seats
            .map(
              (/** @type {any} */ seat) =>
                `${seat.name ?? "free"}${seat.taken && !seat.connected ? " (away)" : ""}`,
            )
            .join(" – "),
          one.viewers,
          el(
            "button",
            { type: "button", "data-keep": `abort-${one.lobby}`, onclick: () => abort(one) },
            "Abort",
          ),
        ]),
        "Nothing is open or running.",
      ),
    );
    fill(
      acts,
      el("h2", {}, "Actions of organisers"),
      table(
        ["When", "What", "To what", "Details"],
        done.map((/** @type {any} */ one) => [
          new Date(one.at_ms).toLocaleString("en-GB"),
          words(one.verb),
          one.target ?? "",
          one.details ? JSON.stringify(one.details) : "",
        ]),
        "None yet.",
      ),
    );
  }

  return repeat(() => look().catch(reportFault), REFRESH_MS);
}

/** The form of a new tournament: first the game, then its parameters. */
function newTournament() {
  const rest = el("div", { class: "form" });
  const game = choice(
    "game",
    [...games.values()].map((one) => [one.game, one.title]),
    { none: "choose one" },
  );
  const select = /** @type {HTMLSelectElement} */ (game.control);
  select.addEventListener("change", async () => {
    const chosen = select.value;
    fill(rest);
    if (!chosen) return;
    try {
      const details = await api(`/games/${encodeURIComponent(chosen)}`);
      if (chosen === select.value) fill(rest, tournamentForm(details));
    } catch (fault) {
      if (chosen === select.value) fill(rest, trouble(fault));
    }
  });
  return el("div", { class: "form" }, el("div", { class: "fields" }, game.element), rest);
}

/** @param {any} details of the game */
function tournamentForm(details) {
  const name = line("name", "shown in the list of tournaments");
  const map = details.maps.length
    ? choice(
        "map",
        details.maps.map((/** @type {string} */ one) => [one, one]),
        { none: "generated" },
      )
    : null;
  const seed = field("seed", {
    type: "integer",
    minimum: 0,
    maximum: 2 ** 53 - 1,
    default: null,
    description: "empty: a random one",
  });
  const format = fields(details.tournament, []);
  const config = fields(details.parameters, [...format.keys(), "name", "map", "seed"]);
  const house = details.bots.map((/** @type {any} */ bot) =>
    field(`number of ${bot.bot}`, {
      type: "integer",
      minimum: 0,
      maximum: BOTS,
      default: 0,
      description: bot.about,
    }),
  );
  const fault = el("p", { class: "fault", role: "alert" });
  const submit = el("button", { class: "main", type: "submit" }, "Create the tournament");
  const others = new Map([
    ["name", name],
    ["seed", seed],
    ...(map ? [/** @type {[string, import("../lib/form.js").Field]} */ (["map", map])] : []),
  ]);
  const filled = (/** @type {Map<string, import("../lib/form.js").Field>} */ all) =>
    Object.fromEntries(
      [...all].map(([key, one]) => [key, one.value()]).filter(([, value]) => value !== undefined),
    );
  const elements = (/** @type {Map<string, import("../lib/form.js").Field>} */ all) =>
    [...all.values()].map((one) => one.element);
  const form = el(
    "form",
    { class: "form", novalidate: true, "aria-label": "New tournament" },
    el("div", { class: "fields" }, name.element, map?.element, seed.element),
    el("h3", {}, "Format"),
    el("div", { class: "fields" }, ...elements(format)),
    details.bots.length ? el("h3", {}, "House bots to enter") : null,
    el("div", { class: "fields" }, ...house.map((/** @type {any} */ one) => one.element)),
    el(
      "details",
      {},
      el("summary", {}, `Parameters of ${details.title}`),
      el("div", { class: "fields" }, ...elements(config)),
    ),
    fault,
    el("div", { class: "row" }, submit),
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    fault.textContent = "";
    for (const one of [...format.values(), ...config.values(), ...others.values()])
      one.complain("");
    submit.disabled = true;
    try {
      const bots = details.bots.flatMap((/** @type {any} */ bot, /** @type {number} */ at) => {
        const many = Number(house[at].value() ?? 0);
        return Array.from({ length: many }, (_, one) => ({
          house: bot.bot,
          name: many === 1 ? bot.bot : `${bot.bot} ${one + 1}`,
        }));
      });
      const made = await api("/tournaments", {
        body: {
          name: name.value() ?? "",
          game: details.game,
          map: map?.value(),
          seed: seed.value(),
          config: filled(config),
          format: filled(format),
          bots,
        },
      });
      go(`/tournament/${encodeURIComponent(made.tournament)}`);
    } catch (error) {
      if (error instanceof Unreadable) return;
      const path = error instanceof Refusal ? (error.field ?? "").split(".") : [];
      const where =
        path[0] === "format"
          ? format.get(path[1] ?? "")
          : (others.get(path[0] ?? "") ?? config.get(path.at(-1) ?? ""));
      if (where) {
        where.complain(/** @type {Error} */ (error).message);
        where.element.closest("details")?.setAttribute("open", "");
        where.control.focus();
      } else fault.textContent = reasonOf(error);
    } finally {
      submit.disabled = false;
    }
  });
  return form;
}

/** The form of a new account; its key is shown once. */
function newAccount() {
  const name = line("account name", "a label; it need not be unique");
  const kind = choice(
    "kind",
    [
      ["bot", "bot"],
      ["spectator", "spectator"],
      ["organiser", "organiser"],
    ],
    { usual: "bot", none: "bot" },
  );
  const status = el("p", { role: "status" });
  return el(
    "form",
    {
      class: "form",
      "aria-label": "New account",
      onsubmit: async (/** @type {Event} */ event) => {
        event.preventDefault();
        try {
          const made = await api("/accounts", {
            body: { name: name.value() ?? "", kind: kind.value() ?? "bot" },
          });
          fill(
            status,
            `${made.name} (${made.kind}). Its key, shown only once: `,
            el("code", {}, made.key),
          );
        } catch (fault) {
          name.complain(reasonOf(fault));
        }
      },
    },
    el("div", { class: "fields" }, name.element, kind.element),
    el("div", { class: "row" }, el("button", { type: "submit" }, "Create the account")),
    status,
  );
}
