// A bot for {title}: reads one JSON message a line, and writes one answer a line.

import { createInterface } from "node:readline";

const send = (message) => console.log(JSON.stringify(message));

{choose}

for await (const line of createInterface({ input: process.stdin })) {
  const { type, turn, view } = JSON.parse(line);
  if (type === "start") send({ type: "ready" });
  if (type === "view") send({ type: "commands", turn, commands: choose(view) });
}
