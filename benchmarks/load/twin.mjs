// A server on Node's `ws` that sends the messages of one recorded match in every match, with results of the commands,
// and plays nothing. It encodes each message that it sends, as a server has to whose next view is not known before:
//     node benchmarks/load/twin.mjs FRAMES
// FRAMES is JSON: {"seats", "tick_ms", "starts": [frame by seat], "turns": [{"frames": [by seat], "awaited": [seats]}]}.
// A turn ends when its awaited seats have sent commands, or with its tick. It prints its port.

import { readFileSync } from "node:fs";
import { WebSocketServer } from "ws";

const { seats, tick_ms, starts, turns } = JSON.parse(readFileSync(process.argv[2], "utf8"));
const matches = new Map();
for (const turn of turns) turn.messages = turn.frames.map((frames) => frames.map((frame) => JSON.parse(frame)));

class Match {
  sockets = new Array(seats);
  joined = 0;
  turn = 0;
  waiting = 0;

  join(seat, socket) {
    this.sockets[seat] = socket;
    if (++this.joined < seats) return;
    for (let seat = 0; seat < seats; seat++) this.sockets[seat].send(starts[seat]);
    this.show();
    if (tick_ms) this.timer = setInterval(() => this.next(), tick_ms);
  }

  commands(socket, text) {
    const message = JSON.parse(text);
    const results = message.commands.map(() => ({ code: "ok" }));
    socket.send(JSON.stringify({ type: "results", turn: message.turn, results, id: null }));
    if (!tick_ms && message.turn === turns[this.turn].number && --this.waiting === 0) this.next();
  }

  next() {
    this.turn++;
    this.show();
  }

  show() {
    const { messages, awaited } = turns[this.turn];
    this.waiting = awaited.length;
    for (let seat = 0; seat < seats; seat++) {
      for (const message of messages[seat]) this.sockets[seat].send(JSON.stringify(message));
    }
    if (this.turn === turns.length - 1) {
      clearInterval(this.timer);
      for (const socket of this.sockets) socket.close();
    }
  }
}

const server = new WebSocketServer({ host: "127.0.0.1", port: 0, perMessageDeflate: false });
server.on("listening", () => console.log(server.address().port));
server.on("connection", (socket) => {
  socket.once("message", (hello) => {
    const [number, , seat] = JSON.parse(JSON.parse(hello).token);
    if (!matches.has(number)) matches.set(number, new Match());
    const match = matches.get(number);
    socket.on("message", (text) => match.commands(socket, text));
    match.join(seat, socket);
    if (match.joined === seats) matches.delete(number);
  });
});
