// Hand in a bot, and see what became of its versions.

import { accountBox, trouble } from "../lib/account.js";
import { Refusal, api, reasonOf, repeat } from "../lib/api.js";
import { learnGames, titleOf } from "../lib/cards.js";
import { command } from "../lib/copy.js";
import { el, fill, opening, words } from "../lib/dom.js";
import { Unreadable, check, choice, folder, line, needed, upload } from "../lib/form.js";
import { packed } from "../lib/tar.js";

const REFRESH_MS = 2_000;
/** Turns of a log that are none. */
const TURNS = { "": "before the first turn", end: "after the last turn" };
/** How the states of a version look. */
const KINDS = {
  active: "live",
  failed: "lost",
  set_aside: "lost",
  received: "waiting",
  building: "waiting",
  checking: "waiting",
  testing: "waiting",
  refused: "lost",
};

/** @type {import("../lib/go.js").Page} */
export default async function submit(main) {
  const form = el("section");
  const versions = el("section");
  const logs = el("section");
  const games = await api("/games");
  learnGames(games);
  let stop = () => {};
  let shown = "";
  /** The versions whose build and check are open.
   * @type {Set<string>} */
  const opened = new Set();

  async function update() {
    try {
      const found = await api("/submissions");
      const now = JSON.stringify(found);
      if (now === shown) return true;
      if (form.childElementCount === 0) fill(form, found.open ? handIn(games, update) : null);
      shown = now;
      fill(versions, ...listed(found, opened));
      return true;
    } catch (fault) {
      shown = "";
      fill(versions, trouble(fault));
      return !(fault instanceof Refusal);
    }
  }

  const account = accountBox((me) => {
    stop();
    shown = "";
    fill(form);
    fill(logs);
    fill(versions, me ? null : el("p", { class: "quiet" }, "Your account's key opens this page."));
    if (!me) return;
    fill(logs, ...matchLog());
    stop = repeat(update, REFRESH_MS);
  });
  fill(
    main,
    el(
      "div",
      { class: "page" },
      opening(
        "Hand in a bot",
        "The server builds your bot, checks it with a short match, and plays its games from " +
          "then on. Your machine need not run.",
      ),
      form,
      versions,
      logs,
      account,
    ),
  );
  return () => stop();
}

/** The form.
 * @param {any[]} games @param {() => Promise<any>} done */
function handIn(games, done) {
  const asked = new URLSearchParams(location.search).get("game");
  const game = needed(
    choice(
      "game",
      games.map((one) => [one.game, one.title]),
      { none: "choose one" },
    ),
    "Choose the game.",
  );
  if (asked) /** @type {HTMLSelectElement} */ (game.control).value = asked;
  const name = needed(line("name", "The same for all versions of a bot."), "Name the bot.");
  const file = upload("file", "A .py or .c file, or an archive: .zip, .tar, .tar.gz.");
  const whole = folder("or a folder", "All its files, but no hidden folders.");
  const entry = line("entry", "What is played, if the files do not show it.", {
    placeholder: "lines:./mybot",
    longest: 400,
  });
  const language = line("language", "If it is neither Python nor C.", { longest: 40 });
  const trial = check(
    "trial",
    "It plays against your active version first, and replaces it if it is stronger.",
  );
  const all = { game, name, file, whole, entry, language, trial };
  const button = el("button", { type: "submit", class: "main" }, "Hand it in");
  const said = el("p", { role: "status" });

  /** @returns {Promise<File>} */
  async function chosen() {
    const one = file.value();
    if (one) return one;
    const files = whole.value();
    const shown = files ? whole : file;
    try {
      if (files) return await packed(files);
      throw new Unreadable("Choose a file or a folder.");
    } catch (fault) {
      if (fault instanceof Unreadable) shown.complain(fault.message);
      throw fault;
    }
  }

  const send = async () => {
    const about = new URLSearchParams();
    for (const [key, field] of Object.entries({ game, name, entry, language, trial })) {
      const value = field.value();
      if (value !== undefined) about.set(key, value);
    }
    const sent = await chosen();
    about.set("file", sent.name);
    const made = await api(`/submissions?${about}`, { file: sent });
    said.textContent = `${made.name} is handed in as version ${made.version}.`;
    await done();
  };
  return el(
    "form",
    {
      class: "form",
      onsubmit: async (/** @type {Event} */ event) => {
        event.preventDefault();
        button.disabled = true;
        said.textContent = "";
        try {
          await send();
        } catch (fault) {
          if (!(fault instanceof Refusal)) {
            if (!(fault instanceof Unreadable)) said.textContent = reasonOf(fault);
            return;
          }
          const field = /** @type {Record<string, any>} */ (all)[fault.field ?? ""];
          if (field) field.complain(fault.message);
          else said.textContent = fault.message;
        } finally {
          button.disabled = false;
        }
      },
    },
    el("div", { class: "fields" }, ...Object.values(all).map((one) => one.element)),
    el("div", { class: "row" }, button),
    said,
    el("p", { class: "quiet" }, "The same from the command line, also for a folder:"),
    command(`botarena submit ${location.origin} mybot.py --game ${asked ?? "pyrat"}`),
  );
}

/** @param {any} found the answer of GET /submissions @param {Set<string>} opened */
function listed(found, opened) {
  return [
    el("h2", {}, "Your versions"),
    found.why ? el("p", { role: "status" }, found.why) : null,
    found.freeze_ms && found.open
      ? el("p", {}, `No version is taken from ${moment(found.freeze_ms)} on.`)
      : null,
    found.submissions.length
      ? el(
          "ul",
          { class: "cards versions" },
          ...found.submissions.map((/** @type {any} */ one) => versionCard(one, opened)),
        )
      : el("p", { class: "quiet" }, "None yet."),
  ];
}

/** @param {number} ms */
const moment = (ms) =>
  new Date(ms).toLocaleString("en", { dateStyle: "medium", timeStyle: "short" });

/** @param {any} one @param {Set<string>} opened */
function versionCard(one, opened) {
  const more = el("div");
  const kind = /** @type {Record<string, string>} */ (KINDS)[one.state] ?? "over";
  const details = el(
    "details",
    {
      open: opened.has(one.submission),
      ontoggle: async () => {
        if (!details.open) {
          opened.delete(one.submission);
          return;
        }
        opened.add(one.submission);
        try {
          fill(more, ...report(await api(`/submissions/${one.submission}`)));
        } catch (fault) {
          fill(more, trouble(fault));
        }
      },
    },
    el("summary", {}, "build and check"),
    more,
  );
  const said = el("span", { role: "status" });
  const join = async () => {
    try {
      await api(`/ladders/${encodeURIComponent(one.game)}`, { body: { submitted: one.name } });
      said.textContent = "It is on the ladder.";
    } catch (fault) {
      fill(said, trouble(fault));
    }
  };
  const again = async () => {
    try {
      await api(`/submissions/${one.submission}/activate`, { body: {} });
      said.textContent = "It plays again.";
    } catch (fault) {
      fill(said, trouble(fault));
    }
  };
  return el(
    "li",
    {},
    el(
      "div",
      { class: "card" },
      el(
        "div",
        { class: "body" },
        el(
          "div",
          { class: "head" },
          el("h3", {}, `${one.name}, version ${one.version}`),
          el("span", { class: "pill", "data-kind": kind }, words(one.state)),
        ),
        el(
          "p",
          { class: "quiet" },
          `${titleOf(one.game)} · ${one.file} · ${moment(one.created_ms)}`,
        ),
        one.reason ? el("p", {}, one.reason) : null,
        one.file_deleted
          ? el("p", {}, "The operator has had its file deleted: it cannot play again.")
          : null,
        one.trial ? el("p", {}, trialText(one.trial)) : null,
        one.state === "set_aside" && !one.file_deleted
          ? el(
              "div",
              { class: "row" },
              el(
                "button",
                { type: "button", "data-keep": `again-${one.submission}`, onclick: again },
                "Let it play again",
              ),
              said,
            )
          : null,
        one.state === "active"
          ? el(
              "div",
              { class: "row" },
              el(
                "button",
                { type: "button", "data-keep": `join-${one.submission}`, onclick: join },
                "Put it on the ladder",
              ),
              el("a", { href: `/ladder/${encodeURIComponent(one.game)}` }, "The ladder"),
              said,
            )
          : null,
        details,
      ),
    ),
  );
}

/** @param {any} trial */
function trialText(trial) {
  const games = `${trial.score} of ${2 * trial.pairs} games`;
  const bounds = `bounds ${trial.low.toFixed(2)} and ${trial.high.toFixed(2)}`;
  return (
    `Its trial: ${trial.pairs} of at most ${trial.most_pairs} pairs, ${games}, ` +
    `log likelihood ratio ${trial.ratio.toFixed(2)}, ${bounds}.`
  );
}

/** @param {any} version */
function report(version) {
  const grades = (version.check ?? []).map((/** @type {any} */ one) =>
    el("tr", {}, el("td", {}, one.grade), el("td", {}, one.name), el("td", {}, one.why)),
  );
  return [
    version.build_log ? el("pre", { class: "scroll", tabindex: "0" }, version.build_log) : null,
    grades.length
      ? el("div", { class: "scroll", tabindex: "0" }, el("table", {}, el("tbody", {}, ...grades)))
      : el("p", { class: "quiet" }, "It has not been checked yet."),
  ];
}

/** What a bot has written in a match. */
function matchLog() {
  const about = new URLSearchParams(location.search);
  const match = needed(
    line("match", "The id of a match that the server has played.", {
      value: about.get("match") ?? "",
    }),
    "Which one?",
  );
  const seat = line("seat", "Its number, from 0.", {
    value: about.get("seat") ?? "0",
    longest: 2,
  });
  const shown = el("div", { role: "status" });
  return [
    el("h2", {}, "What my bot wrote"),
    el(
      "form",
      {
        class: "form",
        onsubmit: async (/** @type {Event} */ event) => {
          event.preventDefault();
          try {
            const path = [match.value(), "seats", seat.value() ?? "0"].map(encodeURIComponent);
            fill(shown, ...(await api(`/matches/${path.join("/")}/log`)).map(turn));
          } catch (fault) {
            if (!(fault instanceof Unreadable)) fill(shown, trouble(fault));
          }
        },
      },
      el("div", { class: "fields" }, match.element, seat.element),
      el("div", { class: "row" }, el("button", { type: "submit" }, "Show its log")),
    ),
    shown,
  ];
}

/** @param {any} one a line of a log */
function turn(one) {
  const title = /** @type {Record<string, string>} */ (TURNS)[one.turn];
  return el(
    "section",
    {},
    el("h3", {}, title ?? `turn ${one.turn}`),
    el("pre", { class: "scroll", tabindex: "0" }, one.text ?? one.fault),
  );
}
