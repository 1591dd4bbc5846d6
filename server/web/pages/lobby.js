// One lobby: its seats, and every way to fill one.

import { ask } from "../lib/ask.js";
import {
  Refusal,
  api,
  lobbyTokens,
  lookToken,
  reasonOf,
  remember,
  repeat,
  reportFault,
} from "../lib/api.js";
import { joinLine, learnGames, titleOf, outcomeText } from "../lib/cards.js";
import { command, copy } from "../lib/copy.js";
import { duration, el, fill, setTitle, words } from "../lib/dom.js";
import { line, needed, secret } from "../lib/form.js";
import { go } from "../lib/go.js";
import { sayNoSuch } from "../lib/missing.js";
import { swatch } from "../lib/swatch.js";

/** @typedef {import("../lib/form.js").Field} Field */

const REFRESH_MS = 1_000;

/** @type {import("../lib/go.js").Page} */
export default async function lobby(main, [id]) {
  const invited = /^#invite=(.+)$/.exec(location.hash);
  if (invited) {
    remember(id, { invite: decodeURIComponent(invited[1]) });
    history.replaceState(null, "", location.pathname);
  }
  const path = `/lobbies/${encodeURIComponent(id)}`;
  /** @type {any} */
  let now;
  /** @type {any} */
  let game;
  try {
    now = await api(path, { token: lookToken(id) });
    game = await api(`/games/${encodeURIComponent(now.game)}`);
  } catch (fault) {
    sayNoSuch(
      main,
      "lobby",
      id,
      fault,
      el("a", { href: `/match/${encodeURIComponent(id)}` }, "Look for a match with this id"),
    );
    return;
  }
  learnGames([game]);
  setTitle(main, now.name ?? titleOf(now.game));
  const seats = el("ul", { class: "seats" });
  const state = el("p", { class: "lead", role: "status" });
  const actions = el("div", { class: "row" });
  const fault = el("p", { class: "fault", role: "alert" });
  const how = el("section");
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
          { class: "head" },
          el("h1", {}, now.name ?? `${game.title} lobby`),
          el("a", { href: `/games/${now.game}` }, `About ${game.title}`),
        ),
        state,
        actions,
        fault,
      ),
      el("section", {}, el("h2", {}, "Seats"), seats),
      how,
      el("section", {}, el("details", {}, el("summary", {}, "Parameters"), parameters(now.config))),
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

  const strongest = () =>
    lobbyTokens(id).owner ?? Object.values(lobbyTokens(id).seats ?? {})[0] ?? null;
  const names = game.bots.map((/** @type {any} */ bot) => bot.bot);
  const chosen = names.includes("greedy") ? "greedy" : (names.at(-1) ?? "");
  /** @type {Map<number, string>} */
  const picked = new Map();

  /** @param {any} seat */
  function seatRow(seat) {
    const mine = lobbyTokens(id).seats?.[seat.seat];
    const about = [
      words(seat.role),
      seat.taken ? (seat.bot ? "house bot" : seat.kind) : null,
      seat.taken ? (seat.connected ? "ready" : "not connected yet") : null,
      mine ? "yours" : null,
    ];
    const tools = el("span", { class: "row" });
    if (!seat.taken && now.state === "open") {
      if (strongest() && game.bots.length) {
        const which = el(
          "select",
          {
            "aria-label": `House bot for seat ${seat.seat}`,
            "data-keep": `which-${seat.seat}`,
            onchange: () => picked.set(seat.seat, which.value),
          },
          ...game.bots.map((/** @type {any} */ bot) =>
            el(
              "option",
              {
                value: bot.bot,
                title: bot.about,
                selected: bot.bot === (picked.get(seat.seat) ?? chosen),
              },
              bot.bot,
            ),
          ),
        );
        tools.append(
          which,
          el(
            "button",
            {
              type: "button",
              "data-keep": `add-${seat.seat}`,
              onclick: () =>
                attempt(() =>
                  api(`${path}/bots`, {
                    body: { bot: which.value, seat: seat.seat },
                    token: strongest(),
                  }),
                ),
            },
            "Add house bot",
          ),
        );
      }
      tools.append(
        el(
          "button",
          { type: "button", "data-keep": `play-${seat.seat}`, onclick: () => takeSeat(seat.seat) },
          "Play here yourself",
        ),
      );
    }
    if (mine && now.state !== "open" && now.state !== "cancelled") {
      const plays = seat.kind === "human" && now.state === "running";
      tools.append(
        el(
          "a",
          {
            class: "button",
            href: `/match/${encodeURIComponent(id)}?seat=${seat.seat}`,
            "data-keep": `see-${seat.seat}`,
          },
          plays ? "Play" : "What it saw",
        ),
      );
    }
    if (mine && now.state === "open") {
      tools.append(
        el(
          "button",
          {
            type: "button",
            "data-keep": `leave-${seat.seat}`,
            onclick: () => attempt(() => api(`${path}/leave`, { method: "POST", token: mine })),
          },
          "Leave",
        ),
      );
    }
    return el(
      "li",
      { class: "seat" },
      swatch(seat.taken ? seat.seat : null),
      el(
        "span",
        {},
        el("span", { class: seat.taken ? "name" : "name free" }, seat.taken ? seat.name : "free"),
        el("br"),
        el("span", { class: "quiet" }, about.filter(Boolean).join(" · ")),
      ),
      tools,
    );
  }

  /** @param {number} seat */
  function takeSeat(seat) {
    const name = needed(
      line("your name", "shown to the other players", {
        value: localStorage.getItem("botarena.name") ?? "",
        longest: 80,
      }),
      "Enter a name.",
    );
    const invite = lobbyTokens(id).invite ?? strongest() ?? undefined;
    const password =
      now.password && !invite
        ? needed(secret("password", "this lobby requires it"), "Enter the password.")
        : null;
    ask({
      title: "Play here yourself",
      fields: [
        ["name", name],
        .../** @type {[string, Field][]} */ (password ? [["password", password]] : []),
      ],
      yes: "Take the seat",
      act: async () => {
        const body = {
          name: name.value(),
          kind: "human",
          seat,
          invite,
          password: password?.value(),
        };
        const taken = await api(`${path}/join`, { body });
        localStorage.setItem("botarena.name", body.name);
        remember(id, { seats: { [taken.seat]: taken.token } });
        await look();
      },
    });
  }

  /** The seat that a person has taken in this browser. */
  const own = () =>
    now.seats.find(
      (/** @type {any} */ one) =>
        one.taken && one.kind === "human" && lobbyTokens(id).seats?.[one.seat],
    );

  /** Go to the match, and to our own seat if there is one: a person's seat is ready once its page
   * has connected. */
  function goToMatch() {
    const mine = own();
    go(`/match/${encodeURIComponent(id)}${mine ? `?seat=${mine.seat}` : ""}`);
  }

  let shown = "";
  function show() {
    const free = now.seats.filter((/** @type {any} */ seat) => !seat.taken).length;
    const some = free === 1 ? "one seat is" : `${free} seats are`;
    const lines = {
      open: free
        ? `Open: ${some} free. It closes in ${duration(now.countdown_ms)}.`
        : now.start_when_full
          ? "All seats are taken; it starts as soon as all are ready."
          : `All seats are taken; its owner starts it. It closes in ${duration(now.countdown_ms)}.`,
      running: "The match is running.",
      over: `Over: ${outcomeText(now.outcome, now.seats)}`,
      cancelled: `This lobby was cancelled (${words(now.reason ?? "")}).`,
    };
    const text = lines[/** @type {keyof typeof lines} */ (now.state)];
    if (state.textContent !== text) state.textContent = text;
    const key = JSON.stringify([
      now.state,
      now.seats,
      now.start_when_full,
      strongest() !== null,
      lobbyTokens(id),
    ]);
    if (key === shown) return;
    shown = key;
    fill(seats, ...now.seats.map(seatRow));
    const { owner, invite } = lobbyTokens(id);
    const fragment = invite ? `#invite=${encodeURIComponent(invite)}` : "";
    const share = el(
      "button",
      {
        type: "button",
        "data-keep": "share",
        onclick: () => copy(`${location.origin}${location.pathname}${fragment}`, share),
      },
      invite ? "Copy the invitation" : "Copy the link",
    );
    fill(
      actions,
      now.state === "open" && owner && (free || !now.start_when_full)
        ? el(
            "button",
            {
              type: "button",
              class: "main",
              "data-keep": "start",
              onclick: () => attempt(() => api(`${path}/start`, { method: "POST", token: owner })),
            },
            free ? "Start with house bots" : "Start",
          )
        : null,
      now.state === "cancelled"
        ? null
        : el(
            "a",
            {
              class: now.state === "open" ? "button" : "button main",
              href: `/match/${encodeURIComponent(id)}`,
              "data-keep": "watch",
            },
            now.state === "over" ? "See the match" : "Watch",
          ),
      now.state === "open" ? share : null,
    );
    fill(
      how,
      ...(now.state === "open" && free
        ? [
            el("h2", {}, "Connect your bot"),
            command(
              joinLine(now.game, id, now.private || now.password ? invite : null, now.password),
            ),
          ]
        : []),
    );
  }

  async function look() {
    now = await api(path, { token: lookToken(id) });
    show();
  }

  show();
  const waited = now.state === "open";
  return repeat(
    async () => {
      try {
        await look();
      } catch (error) {
        const gone = error instanceof Refusal && error.status === 404;
        state.textContent = gone
          ? "This lobby no longer exists."
          : "The server does not answer; trying again …";
        if (gone) {
          fill(actions);
          return false;
        }
        reportFault(error);
      }
      const full =
        now.state === "open" &&
        now.start_when_full &&
        own() &&
        now.seats.every((/** @type {any} */ one) => one.taken);
      if (full || (waited && (now.state === "running" || now.state === "over"))) goToMatch();
      return now.state === "open" || now.state === "running";
    },
    REFRESH_MS,
    () => own() !== undefined,
  ); // a match waits for its people, also for a hidden page
}

/** The parameters of the lobby as a list. Long values are shortened.
 * @param {Record<string, any>} config */
function parameters(config) {
  return el(
    "dl",
    { class: "fields" },
    ...Object.entries(config).map(([key, value]) => {
      const text = JSON.stringify(value);
      return el(
        "div",
        {},
        el("dt", { class: "quiet" }, words(key)),
        el("dd", {}, text.length > 80 ? `${text.slice(0, 80)} …` : text),
      );
    }),
  );
}
