// A bot in plain JavaScript: Node 20 or later, no packages. Reads its seat from BOTARENA_URL and BOTARENA_TOKEN.

import process from "node:process";

// Node 22 has a WebSocket of its own; before, the one-file client beside this file stands in.
const WebSocket = globalThis.WebSocket ?? (await import("./websocket.mjs")).WebSocket;

const PROTOCOL = 1;
const OVER = 0;
const USAGE = 2;
const REFUSED = 3;
const LOST = 4;
const TRIES = 80; // more than a minute of them: a server that was killed is back by then
const SILENCE_MS = 17_500; // the server's ping message comes every 5 s: three missed ones, and some patience

const say = (text) => process.stderr.write(`${text}\n`);

// The wait before the next attempt. While the seat is held attempts are frequent; no two bots try at the same moment.
function delay(gone, held) {
  const longest = gone < held ? Math.min(Math.max(200, gone / 10), 1_000) : Math.min(gone, 5_000);
  return longest * (0.5 + Math.random() / 2);
}

// What to answer to a view, by game: the list of commands of one turn.
const answers = {
  pyrat: (view) => [view.moves.length ? view.moves[Math.floor(Math.random() * view.moves.length)] : "STAY"],
  botstack: (view) =>
    ({
      abstain_request: [{ type: "abstain", value: false }],
      abstain_reply: [{ type: "abstain", value: false }],
      item: [{ type: "item", slot: 0 }],
      shoot: [{ type: "shoot", target: "opponent" }],
    })[view.phase],
};

// One connection; resolves when it is closed, to an exit status or to null where coming back can help.
function play(url, token, progress) {
  return new Promise((resolve) => {
    const socket = new WebSocket(url);
    const send = (message) => socket.readyState === 1 && socket.send(JSON.stringify(message));
    let game = null;
    let last = null;
    let ended = false;
    let watchdog = null;
    const heard = () => {
      clearTimeout(watchdog);
      watchdog = setTimeout(() => {
        say("nothing was heard from the server");
        socket.close();
        done(null);
      }, SILENCE_MS);
    };
    const done = (status) => {
      clearTimeout(watchdog);
      resolve(status);
    };

    socket.onopen = () => {
      heard();
      send({ type: "hello", protocol: PROTOCOL, token, client: "node example" });
    };
    socket.onmessage = ({ data }) => {
      heard();
      const message = JSON.parse(data);
      last = message.type === "error" ? message : null;
      switch (message.type) {
        case "hello":
          game = message.game;
          progress.tries = 0;
          say(`connected to match ${message.match} of ${game}, seat ${message.seat}`);
          break;
        case "start": {
          const { absence, absence_ms, startup_ms } = message.clock;
          progress.held = ["waits", "limited"].includes(absence) ? absence_ms : startup_ms;
          if (message.within_ms !== null) send({ type: "ready" });
          break;
        }
        case "view":
          if (message.act) send({ type: "commands", turn: message.turn, commands: answers[game]?.(message.view) ?? [] });
          break;
        case "results":
          for (const { code, why } of message.results) if (code !== "ok") say(`refused: ${code} ${why ?? ""}`);
          break;
        case "error":
          say(`the server says: ${message.text} (${message.code})`);
          break;
        case "end":
          ended = true;
          say(`over: ${message.outcome.outcome} (${message.outcome.reason})`);
          break;
      }
    };
    socket.onclose = ({ code }) => {
      if (ended || code === 1000 || code === 4410) done(OVER);
      else if (last !== null && !last.retry) done(REFUSED);
      else done(null);
    };
    socket.onerror = () => {}; // a close follows
  });
}

async function main() {
  const url = process.env.BOTARENA_URL;
  const token = process.env.BOTARENA_TOKEN;
  if (!url || !token) {
    say("BOTARENA_URL and BOTARENA_TOKEN: expected a seat, got none");
    return USAGE;
  }
  const progress = { tries: 0, lost: Date.now(), held: 0 };
  while (progress.tries < TRIES) {
    const status = await play(url, token, progress);
    if (status !== null) return status;
    if (progress.tries === 0) progress.lost = Date.now();
    progress.tries += 1;
    await new Promise((resolve) => setTimeout(resolve, delay(Date.now() - progress.lost, progress.held)));
  }
  say(`${url} cannot be reached`);
  return LOST;
}

process.exit(await main());
