// The ladder of a game: who is on it, and which games were played there.

import { accountBox, trouble } from "../lib/account.js";
import { api, reasonOf, repeat } from "../lib/api.js";
import { learnGames, outcomeText, titleOf } from "../lib/cards.js";
import { command } from "../lib/copy.js";
import { ask } from "../lib/ask.js";
import { el, fill, opening, table, words } from "../lib/dom.js";
import { check, choice, line } from "../lib/form.js";
import { sayNoSuch } from "../lib/missing.js";
import { askMaps, poolText } from "./ladder/maps.js";

const REFRESH_MS = 5_000;
/** Why players were paired. */
const WHY = {
  closest_rating: "the closest rating",
  not_met_lately: "the closest rating of those not met lately",
  first_rating: "a bot without a rating meets house bots first",
  uncertain_rating: "an uncertain rating, which house bots make more certain",
  long_wait: "no other bot was free for a long time",
  house_rating: "house bots, until their ratings are known",
  challenge: "a challenge",
};

/** @type {import("../lib/go.js").Page} */
export default async function ladder(main, [game]) {
  /** @type {any} */
  let details;
  try {
    details = await api(`/games/${encodeURIComponent(game)}`);
  } catch (fault) {
    sayNoSuch(main, "game", game, fault);
    return;
  }
  learnGames([details]);
  const path = `/ladders/${encodeURIComponent(game)}`;
  const on = el("section");
  const own = el("section");
  const played = el("section");
  /** @type {import("../lib/account.js").Account|null} */
  let me = null;
  let shown = "";

  async function update() {
    try {
      const mayPlay = me !== null && me.kind !== "spectator";
      const [bots, games, challenges] = await Promise.all([
        api(path),
        api(`${path}/games`),
        mayPlay ? api(`${path}/challenges`) : [],
      ]);
      const now = JSON.stringify([bots, games, challenges, me]);
      if (now !== shown) {
        const mine = bots.bots.find(
          (/** @type {any} */ one) => one.account === (me?.account ?? ""),
        );
        const challenge = mine
          ? async (/** @type {any} */ one) => {
              const whom = one.account ? { account: one.account } : { name: one.name };
              await api(`${path}/challenges`, { body: whom });
              await update();
            }
          : null;
        const leads = me?.kind === "organiser" && details.maps.length > 0;
        const setMaps = leads ? () => askMaps(path, details.maps, bots.pool, update) : null;
        fill(on, ...onIt(bots, mine, challenge, setMaps));
        fill(own, ...(mine ? challengesOf(path, mine, challenges, update) : []));
        fill(played, ...latest(games));
      }
      shown = now;
    } catch (fault) {
      shown = "";
      fill(on, trouble(fault));
    }
    return true;
  }

  const account = accountBox((now) => {
    me = now;
    update();
  });
  fill(
    main,
    el(
      "div",
      { class: "page" },
      opening(
        `${titleOf(game)}: the ladder`,
        [
          "Bots on it keep meeting bots of about their strength. ",
          el("a", { href: "/standings" }, "The ratings"),
          " follow from these games.",
        ],
        command(`botarena play-for ${location.origin} mybot.py --game ${game} --ladder`),
        el(
          "p",
          {},
          "The server plays a bot that you ",
          el("a", { href: `/submit?game=${encodeURIComponent(game)}` }, "hand in"),
          ", once it has a place here:",
        ),
        command(`botarena ladder join ${location.origin} ${game} mybot`),
      ),
      on,
      own,
      played,
      account,
    ),
  );
  return repeat(update, REFRESH_MS);
}

/** @param {any} ladder @param {any} mine the bot of this window's account
 * @param {((one: any) => Promise<void>)|null} challenge
 * @param {(() => void)|null} setMaps an organiser's */
function onIt(ladder, mine, challenge, setMaps) {
  const rows = ladder.bots.map((/** @type {any} */ one) => [
    el("strong", {}, one.name),
    presenceText(one),
    one.expected_wait_ms === null ? "" : waitText(one.expected_wait_ms),
    one.bot === null ? acceptsText(one.accepts) : "all, not rated",
    ...(challenge
      ? [
          one === mine
            ? null
            : el(
                "button",
                {
                  type: "button",
                  "data-keep": `challenge-${one.account ?? one.bot}`,
                  onclick: () =>
                    ask({
                      title: `Challenge ${one.name}`,
                      about: "To two games, which begin as soon as both bots are free.",
                      fields: [],
                      yes: "Challenge",
                      act: () => challenge(one),
                    }),
                },
                "Challenge",
              ),
        ]
      : []),
  ]);
  return [
    el("h2", {}, "On the ladder"),
    ladder.pool ? el("p", {}, poolText(ladder.pool)) : null,
    setMaps
      ? el(
          "div",
          { class: "row" },
          el("button", { type: "button", "data-keep": "maps", onclick: setMaps }, "Set the maps …"),
        )
      : null,
    ladder.on ? null : el("p", { role: "status" }, "No games are played on it at the moment."),
    table(
      ["Bot", "", "Next game in", "Accepts challenges", ...(challenge ? [""] : [])],
      rows,
      "No bots yet.",
    ),
  ];
}

/** @param {string} path @param {any} mine @param {any[]} challenges @param {() => any} done */
function challengesOf(path, mine, challenges, done) {
  const refused = el("p", { class: "fault", role: "alert" });
  const rows = challenges.map((one) => [
    one.challenger.name,
    one.challenged.name,
    `${words(one.state)}${one.rated ? "" : ", not rated"}`,
    one.state === "open"
      ? el(
          "button",
          {
            type: "button",
            "data-keep": `end-${one.challenge}`,
            onclick: async () => {
              refused.textContent = "";
              try {
                await api(`${path}/challenges/${one.challenge}`, { method: "DELETE" });
                await done();
              } catch (fault) {
                refused.textContent = reasonOf(fault);
              }
            },
          },
          one.challenger.account === mine.account ? "Withdraw" : "Refuse",
        )
      : null,
  ]);
  return [
    el("h2", {}, "Your challenges"),
    el(
      "div",
      { class: "row" },
      el(
        "button",
        { type: "button", "data-keep": "accepts", onclick: () => askRule(path, mine, done) },
        `Your bot accepts: ${acceptsText(mine.accepts)}`,
      ),
    ),
    refused,
    table(["From", "To", "State", ""], rows, "None yet."),
  ];
}

/** @param {string} path @param {any} mine @param {() => any} done */
function askRule(path, mine, done) {
  const { accepts, window, per_day: perDay, rated } = mine.accepts;
  const whom = choice("accepts", [
    ["always", "all challenges"],
    ["window", "those of ratings near its own"],
    ["never", "none"],
  ]);
  /** @type {HTMLSelectElement} */ (whom.control).value = accepts;
  const near = line("window", "How near, in points.", { value: String(window), longest: 5 });
  const most = line("per day", "At most this many in 24 hours.", {
    value: String(perDay),
    longest: 4,
  });
  const counts = check("rated", "Their games count for the ratings.");
  /** @type {HTMLInputElement} */ (counts.control).checked = rated;
  ask({
    title: "Which challenges your bot accepts",
    fields: [
      ["accepts", whom],
      ["window", near],
      ["per_day", most],
      ["rated", counts],
    ],
    yes: "Set it",
    act: async () => {
      const body = {
        accepts: whom.value(),
        window: Number(near.value()),
        per_day: Number(most.value()),
        rated: counts.value() ?? false,
      };
      await api(path + "/accepts", { method: "PUT", body });
      await done();
    },
  });
}

/** @param {any} one a bot on the ladder */
function presenceText(one) {
  if (one.bot !== null) return "house bot";
  if (one.submitted === null) return one.present ? "present" : "absent";
  return one.version === null
    ? `${one.submitted}: no version plays`
    : `${one.submitted}, version ${one.version}: the server plays it`;
}

/** @param {any} rule */
function acceptsText(rule) {
  if (rule.accepts === "never") return "none";
  const whom = rule.accepts === "always" ? "all" : `within ${rule.window} points`;
  return `${whom}, ${rule.per_day} a day${rule.rated ? "" : ", not rated"}`;
}

/** Why these players met, in words.
 * @param {any} game */
function whyOf({ why, rated }) {
  const text = /** @type {Record<string, string>} */ (WHY)[why] ?? words(why);
  return rated ? text : `${text}, not rated`;
}

/** @param {any[]} games */
function latest(games) {
  const rows = games.map((one) => [
    el("a", { href: `/match/${one.match}` }, one.players.map(playerText).join(" – ")),
    one.outcome ? outcomeText(one.outcome, one.players.map(seated)) : words(one.state),
    one.map === null ? "generated" : `${one.map} (version ${one.pool})`,
    whyOf(one),
  ]);
  return [
    el("h2", {}, "Last games"),
    table(["Game", "Result", "Map", "Why these"], rows, "None yet."),
  ];
}

/** @param {any} player */
const playerText = ({ name, version }) =>
  version === null ? name : `${name} (version ${version})`;

/** @param {any} player @param {number} seat */
const seated = (player, seat) => ({ ...player, seat });

/** @param {number} ms */
const waitText = (ms) =>
  ms < 120_000 ? `${Math.round(ms / 1000)} s` : `${Math.round(ms / 60_000)} min`;
