// One game: its open lobbies, a new lobby with any of its parameters, its rules.

import { Refusal, api, ifRefused, reasonOf, remember, repeat } from "../lib/api.js";
import { grid, joinLine, learnGames, lobbyCard, pictureOf } from "../lib/cards.js";
import { command } from "../lib/copy.js";
import { el, fill, setTitle, words } from "../lib/dom.js";
import { Unreadable, check, choice, field, fields, line } from "../lib/form.js";
import { go } from "../lib/go.js";
import { sayNoSuch } from "../lib/missing.js";
import { persistent } from "../lib/persistent.js";
import { prose } from "../lib/prose.js";

const REFRESH_MS = 2_000;
/** How many parameters are shown before "more parameters"; presets always are. */
const FIRST = 4;

/** @type {import("../lib/go.js").Page} */
export default async function game(main, [name]) {
  /** @type {any} */
  let details;
  try {
    details = await api(`/games/${encodeURIComponent(name)}`);
  } catch (fault) {
    sayNoSuch(main, "game", name, fault);
    return;
  }
  learnGames([details]);
  setTitle(main, details.title);
  const open = el("section");
  const rules = el("section");
  const picture = pictureOf(details.game);
  const roles = details.roles.map(words).join(", ");
  const pacing = details.realtime ? "in real time" : "turn by turn";
  const play = el("button", { type: "button", class: "main" }, "Play it yourself");
  const refused = el("p", { class: "fault", role: "alert" });
  play.addEventListener("click", async () => {
    play.disabled = true;
    refused.textContent = "";
    try {
      go(await playAgainstBots(details.game));
    } catch (error) {
      refused.textContent = reasonOf(error);
      play.disabled = false;
    }
  });
  fill(
    main,
    el(
      "div",
      { class: "page narrow" },
      el(
        "section",
        {},
        el(
          "div",
          { class: "intro" },
          el("div", { class: "card" }, picture),
          el(
            "div",
            {},
            el("h1", {}, details.title),
            el("p", { class: "lead" }, `${details.seats} seats (${roles}), ${pacing}.`),
            details.bots.length
              ? el(
                  "div",
                  { class: "row" },
                  play,
                  el("span", { class: "quiet" }, "against house bots"),
                )
              : null,
            refused,
          ),
        ),
        el(
          "p",
          { class: "quiet" },
          "Connect a bot of your own to any open lobby, or to a new one:",
        ),
        command(joinLine(details.game)),
        el(
          "p",
          {},
          el("a", { href: `/submit?game=${details.game}` }, "Hand in a bot"),
          " for the server to play it.",
        ),
      ),
      open,
      newLobby(details),
      rules,
    ),
  );
  showRules(rules, details.game);
  return repeat(async () => {
    const lobbies = await api(`/lobbies?state=open&game=${encodeURIComponent(details.game)}`).catch(
      () => null,
    );
    if (lobbies)
      fill(open, el("h2", {}, "Open lobbies"), grid(lobbies.map(lobbyCard), "None at the moment."));
  }, REFRESH_MS);
}

/** Create a lobby with a person in the first seat and house bots in the others. Returns the address
 * of the match.
 * @param {string} game @returns {Promise<string>}   Throws Refusal. */
async function playAgainstBots(game) {
  const made = await api("/lobbies", { body: { game } });
  const path = `/lobbies/${encodeURIComponent(made.lobby)}`;
  const taken = await api(`${path}/join`, {
    body: { name: localStorage.getItem("botarena.name") ?? "Guest", kind: "human", seat: 0 },
  });
  remember(made.lobby, { owner: made.owner_token, seats: { [taken.seat]: taken.token } });
  await api(`${path}/start`, { method: "POST", token: made.owner_token });
  return `/match/${encodeURIComponent(made.lobby)}?seat=${taken.seat}`;
}

/** @param {HTMLElement} box @param {string} game */
async function showRules(box, game) {
  const load = () => api(`/games/${encodeURIComponent(game)}/rules`).catch(ifRefused(null));
  const text = await persistent(load, () => box.isConnected);
  if (text)
    fill(
      box,
      el("h2", {}, "Rules"),
      el("details", {}, el("summary", {}, "Read the rules"), prose(text)),
    );
}

/** The form of a new lobby.
 * @param {any} details */
function newLobby(details) {
  const name = line("name", "shown in the list of lobbies", { placeholder: "none" });
  const map = details.maps.length
    ? choice(
        "map",
        details.maps.map((/** @type {string} */ one) => [one, one]),
        { none: "generated", about: "a map of the catalogue" },
      )
    : null;
  const seed = field("seed", {
    type: "integer",
    minimum: 0,
    maximum: 2 ** 53 - 1,
    default: null,
    description: "empty: a random one",
  });
  const faults = choice(
    "faults",
    [
      ["default", "default"],
      ["strikes", "strikes"],
      ["forfeit", "forfeit"],
    ],
    { none: "as in the rules", about: "what happens to a seat that does not answer" },
  );
  const hidden = check("private", "not listed; joining and watching require the invitation");
  const delay = field("spectator_delay", {
    type: "integer",
    minimum: 0,
    maximum: 1800,
    default: 0,
    description: "seconds from a turn until spectators see it",
  });
  const waits = check(
    "wait for me",
    "with all seats taken, too, the match begins when you start it",
  );
  const bots = Array.from({ length: details.seats }, (_, seat) =>
    choice(
      `bot on seat ${seat}`,
      details.bots.map((/** @type {any} */ bot) => [bot.bot, bot.bot]),
      {
        none: seat === 0 ? "none: wait for players" : "none",
        about: seat === 0 ? "house bots take seats at once" : "",
      },
    ),
  );
  const all = fields(details.parameters, [
    "name",
    "map",
    "seed",
    "faults",
    "private",
    "spectator_delay",
    "start_when_full",
  ]);
  const bundles = Object.keys(details.presets);
  const front = [...all].filter(([key]) => bundles.includes(key));
  const usual = [...all].filter(([key]) => !bundles.includes(key)).slice(0, FIRST);
  const rest = [...all].filter(([key]) => !bundles.includes(key)).slice(FIRST);
  const fault = el("p", { class: "fault", role: "alert" });
  const submit = el("button", { class: "main", type: "submit" }, "Open the lobby");
  /** @type {Map<string, import("../lib/form.js").Field>} */
  const others = new Map([
    ["name", name],
    ["seed", seed],
    ["faults", faults],
    ["private", hidden],
    ["spectator_delay", delay],
    ["start_when_full", waits],
    ["bots", bots[0]],
  ]);
  if (map) others.set("map", map);
  const elements = (/** @type {[string, import("../lib/form.js").Field][]} */ some) =>
    some.map(([, one]) => one.element);
  const more = el(
    "details",
    {},
    el("summary", {}, `${rest.length} more parameters`),
    el("div", { class: "fields" }, ...elements(rest)),
  );

  const form = el(
    "form",
    { class: "form", novalidate: true, "aria-label": "New lobby" },
    el(
      "div",
      { class: "fields" },
      name.element,
      map?.element,
      ...elements(front),
      ...elements(usual),
      ...bots.map((one) => one.element),
    ),
    more,
    el(
      "details",
      {},
      el("summary", {}, "Seed, faults, privacy, delay, start"),
      el(
        "div",
        { class: "fields" },
        ...[seed, faults, hidden, delay, waits].map((one) => one.element),
      ),
    ),
    fault,
    el("div", { class: "row" }, submit),
  );

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    fault.textContent = "";
    for (const one of [...all.values(), ...others.values()]) one.complain("");
    submit.disabled = true;
    try {
      const config = Object.fromEntries(
        [...all].map(([key, one]) => [key, one.value()]).filter(([, value]) => value !== undefined),
      );
      const body = {
        game: details.game,
        config,
        name: name.value(),
        map: map?.value(),
        seed: seed.value(),
        faults: faults.value(),
        private: hidden.value(),
        spectator_delay: delay.value(),
        start_when_full: waits.value() === undefined,
        bots: bots.map((one) => one.value()).filter((value) => value !== undefined),
      };
      const made = await api("/lobbies", { body });
      remember(made.lobby, {
        owner: made.owner_token,
        ...(made.invite ? { invite: made.invite } : {}),
      });
      go(`/lobby/${encodeURIComponent(made.lobby)}`);
    } catch (error) {
      if (!(error instanceof Unreadable)) complain(/** @type {Error} */ (error));
    } finally {
      submit.disabled = false;
    }
  });

  /** Show an error at its field, or below the form.
   * @param {Error} error */
  function complain(error) {
    const key = error instanceof Refusal ? (error.field ?? "").split(".") : [];
    const where = all.get(key.at(-1) ?? "") ?? others.get(key[0] ?? "");
    if (!where) {
      fault.textContent = reasonOf(error);
      return;
    }
    where.complain(error.message);
    where.element.closest("details")?.setAttribute("open", "");
    where.control.focus();
  }

  return el("section", {}, el("h2", {}, "A new lobby"), form);
}
