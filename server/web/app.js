// The page of a Botarena server: what is open, what runs and what was played; and one match live. It knows no game by name.

const page = document.getElementById("page");
const state = document.getElementById("state");
const REFRESH_MS = 3000;
const WIDTH = 100;
const RETRY_MS = [500, 1000, 2000, 5000];

/** An element with attributes and children; text is always text, never markup. */
function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children.filter((child) => child !== null));
  return made;
}

function table(heads, rows, nothing) {
  if (rows.length === 0) return element("p", { class: "note" }, nothing);
  const head = element("tr", {}, ...heads.map((text) => element("th", { scope: "col" }, text)));
  const body = rows.map((cells) => element("tr", {}, ...cells.map((cell) => element("td", {}, cell))));
  return element("table", {}, element("thead", {}, head), element("tbody", {}, ...body));
}

async function get(path) {
  const response = await fetch(`/api/v1${path}`);
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.text);
  return answer;
}

const names = (seats) => seats.map((seat) => seat.name ?? "free").join(" – ");
const link = (match, text) => element("a", { href: `/watch/${encodeURIComponent(match)}` }, text);

// --- the list ---------------------------------------------------------------------------------------------------------------

async function list() {
  try {
    const [open, matches] = await Promise.all([get("/lobbies?state=open"), get("/matches")]);
    const running = matches.filter((match) => match.state === "running");
    const over = matches.filter((match) => match.state === "over").slice(0, 50);
    page.replaceChildren(
      element("h2", {}, "Open lobbies"),
      table(
        ["Lobby", "Game", "Seats", "Closes in"],
        open.map((lobby) => [
          link(lobby.lobby, lobby.name ?? lobby.lobby), lobby.game, names(lobby.seats), `${Math.ceil(lobby.countdown_ms / 1000)} s`,
        ]),
        "No lobby is open.",
      ),
      element("h2", {}, "Running"),
      table(
        ["Match", "Game", "Players", "Turn"],
        running.map((match) => [link(match.match, match.name ?? match.match), match.game, names(match.players), String(match.turn)]),
        "Nothing is being played.",
      ),
      element("h2", {}, "Played"),
      table(
        ["Match", "Game", "Players", "Result"],
        over.map((match) => [link(match.match, match.name ?? match.match), match.game, names(match.players), told(match.outcome, match.players)]),
        "Nothing has been played yet.",
      ),
      element("p", { class: "note" }, "Play here: ", element("code", {}, `botarena join ${location.origin} --game GAME BOT`),
        ". The API: ", element("a", { href: "/api/v1/openapi.json" }, "/api/v1/openapi.json"), "."),
    );
    state.textContent = "";
  } catch (fault) {
    state.textContent = `The server does not answer (${fault.message}).`;
  }
  setTimeout(list, REFRESH_MS);
}

function told(outcome, players) {
  if (!outcome) return "";
  const scores = outcome.seats.map((seat) => seat.score).join(" : ");
  const who = outcome.winner === null ? outcome.outcome : `${players[outcome.winner]?.name ?? `seat ${outcome.winner}`} wins`;
  return `${who}, ${scores} (${outcome.reason})`;
}

// --- one match --------------------------------------------------------------------------------------------------------------

function watch(match) {
  const about = element("p", { class: "note" });
  const seats = element("div");
  const shown = element("div");
  const view = element("pre", { "aria-label": "the view of this turn" });
  const events = element("ol", { class: "note", reversed: "" });
  page.replaceChildren(element("h2", {}, `Match ${match}`), about, seats, shown);
  let players = [];
  let ended = false;
  let tries = 0;

  function show(turn, seen) {
    if (!view.isConnected) shown.replaceChildren(element("h2", {}, "View"), view);
    about.textContent = `turn ${turn}`;
    view.textContent = Object.entries(seen).map(([key, value]) => `${key}: ${drawn(value)}`).join("\n");
  }

  const hears = {
    hello: (message) => { state.textContent = `connected, ${message.game}; waiting for the start`; },
    start: (message) => {
      players = message.seats;
      state.textContent = `live, ${message.game}`;
      const limit = message.clock.turn_ms ? `${message.clock.turn_ms} ms a turn` : "no limit";
      seats.replaceChildren(table(["Seat", "Role", "Name", "Kind", "Clock"],
        players.map((seat) => [String(seat.seat), seat.role, seat.name, seat.kind, message.clock.tick_ms ? `${message.clock.tick_ms} ms ticks` : limit])));
      show(message.turn, message.view);
    },
    view: (message) => show(message.turn, message.view),
    event: (message) => {
      const who = message.seat === null ? "" : ` ${players[message.seat]?.name ?? message.seat}`;
      const data = message.data === null ? "" : ` ${JSON.stringify(message.data)}`;
      if (!events.isConnected) shown.append(element("h2", {}, "Events"), events);
      events.prepend(element("li", {}, `turn ${message.turn}: ${message.event}${who}${data}`.slice(0, 300)));
      while (events.childElementCount > 100) events.lastElementChild.remove();
    },
    end: (message) => {
      ended = true;
      state.textContent = "over";
      about.textContent = told(message.outcome, players);
    },
    error: (message) => {
      state.textContent = message.text;
      if (!message.retry) { ended = true; result(); }
    },
  };

  async function result() {
    try {
      const record = await get(`/matches/${encodeURIComponent(match)}`);
      state.textContent = record.state;
      about.textContent = told(record.outcome, record.players);
      seats.replaceChildren(table(["Seat", "Role", "Name", "Score", "Place"],
        record.players.map((player, seat) => [String(seat), player.role, player.name,
          String(record.outcome?.seats[seat].score ?? ""), String(record.outcome?.seats[seat].placement ?? "–")])));
      shown.replaceChildren(element("p", {},
        record.released ? element("a", { href: `/api/v1/replays/${encodeURIComponent(match)}` }, "The replay (JSON lines)") : "No replay yet."));
    } catch (fault) {
      about.textContent = fault.message;
    }
  }

  function connect() {
    const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws/watch`);
    socket.onopen = () => socket.send(JSON.stringify({ type: "hello", protocol: 1, match, client: "botarena page" }));
    socket.onmessage = (frame) => {
      const message = JSON.parse(frame.data);
      if (message.type === "start") tries = 0;
      hears[message.type]?.(message);
    };
    socket.onclose = () => {
      if (ended) return;
      state.textContent = "connection lost; trying again";
      setTimeout(connect, RETRY_MS[Math.min(tries++, RETRY_MS.length - 1)]);
    };
  }
  connect();
}

/** A view as indented lines: short values stay on one, the items of a long list fill theirs. */
function drawn(value, indent = "") {
  const short = JSON.stringify(value);
  if (value === null || typeof value !== "object" || short.length + indent.length <= WIDTH) return short;
  const deeper = `${indent}  `;
  if (Array.isArray(value)) {
    const lines = [];
    for (const item of value.map((item) => drawn(item, deeper))) {
      const last = lines.at(-1);
      if (last && !item.includes("\n") && last.length + item.length < WIDTH) lines[lines.length - 1] = `${last} ${item}`;
      else lines.push(deeper + item);
    }
    return `\n${lines.join("\n")}`;
  }
  return Object.entries(value).map(([key, item]) => `\n${deeper}${key}: ${drawn(item, deeper)}`).join("");
}

const watched = /^\/watch\/([^/]+)$/.exec(location.pathname);
if (watched) watch(decodeURIComponent(watched[1]));
else list();
