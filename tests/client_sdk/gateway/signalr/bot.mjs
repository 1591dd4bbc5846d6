// A bot of the contest, as its JavaScript starter: node bot.mjs PACKAGE
// DROP_AT: its connection breaks at this state. Once it is back, it leaves after some states.
import { createRequire } from "node:module";

const { HubConnectionBuilder, LogLevel } = createRequire(import.meta.url)(process.argv[2]);
const url = `http://${process.env.RUNNER_IPV4}:${process.env.RUNNER_PORT ?? 5000}`;
const connection = new HubConnectionBuilder()
  .withUrl(`${url}/bothub`)
  .configureLogging(LogLevel.Warning)
  .withAutomaticReconnect()
  .build();

let botId = null;
const seen = { states: 0, back: 0, registered: [], connect: [], ticks: [], ids: new Set() };

connection.on("Connect", (id) => seen.connect.push(id));
connection.on("Registered", (id) => {
  botId = id;
  seen.registered.push(id);
});
connection.on("GameState", (state) => {
  seen.states += 1;
  seen.ticks.push(state.tick);
  seen.last = state;
  for (const animal of state.animals) seen.ids.add(animal.id);
  if (botId === null) return;
  const back = seen.connect.length > 1;
  if (!back && process.env.DROP_AT === String(seen.states)) {
    connection.connection.transport._webSocket.close();
    return;
  }
  if (back && state.animals.some((animal) => animal.id === botId) && ++seen.back === 5) {
    connection.stop();
    return;
  }
  connection.send("BotCommand", { BotId: botId, action: 1 + (state.tick % 5) }).catch(() => {});
});
connection.on("Disconnect", (reason) => {
  seen.reason = reason;
});
connection.onclose((error) => {
  const { last, ...rest } = seen;
  console.log(
    JSON.stringify({ ...rest, ids: [...seen.ids], botId, last, error: error ? String(error) : null }),
  );
});

await connection.start();
await connection.invoke("Register", process.env.Token ?? null, process.env.BOT_NICKNAME ?? null);
