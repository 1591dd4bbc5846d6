// A client of the Cadre protocol as the contest's JavaScript client behaves: objects that refer to
// each other, lists that are cut to their length, exit codes, every value of `play` present.

import { readFileSync } from "node:fs";
import net from "node:net";

const TYPES = {};
for (const line of readFileSync(process.argv[2], "utf8").trim().split("\n")) {
  const [name, field, type] = line.split(" ");
  (TYPES[name] ??= {})[field] = type;
}
const options = {};
for (let i = 4; i < process.argv.length; i += 2) options[process.argv[i]] = process.argv[i + 1];

function die(code, why) {
  process.stderr.write(`${why}\n`);
  process.exit(code);
}

// --- the connection

const socket = net.connect(Number(options["-p"]), options["-s"]);
const inbox = [];
let rest = "";
let woken = () => {};
socket.setEncoding("utf8");
socket.on("error", (fault) => die(21, fault));
socket.on("end", () => die(22, "disconnected"));
socket.on("data", (chunk) => {
  const parts = (rest + chunk).split("\x04");
  rest = parts.pop();
  inbox.push(...parts);
  woken();
});

function say(event, data) {
  socket.write(`${JSON.stringify({ event, data, sentTime: Date.now() })}\x04`);
}

async function hear(...expected) {
  for (;;) {
    while (!inbox.length) await new Promise((resolve) => (woken = resolve));
    let message;
    try {
      message = JSON.parse(inbox.shift());
    } catch (fault) {
      die(30, fault);
    }
    const { event, data } = message;
    switch (event) {
      case "delta":
        merge(data);
        break;
      case "invalid":
        process.stdout.write(`invalid: ${data.message}\n`);
        break;
      case "over":
        if (typeof data.message !== "string") die(24, "over: no text");
        process.stdout.write(`${data.message.replace("__HOSTNAME__", options["-s"])}\n`);
        process.stdout.write(`won ${player.won}\n`, () => process.exit(0));
        return new Promise(() => {});
      case "fatal":
        die(28, data.message);
      case "named":
      case "lobbied":
      case "start":
      case "order":
      case "ran":
        break;
      default:
        die(26, `unknown event ${event}`);
    }
    if (expected.includes(event)) return data;
    if (event !== "delta" && event !== "invalid") die(26, `expected ${expected}, got ${event}`);
  }
}

// --- the match

const objects = {};
const game = {};
let player;
let lobby;

function merge(delta) {
  const created = delta.gameObjects ?? {};
  for (const [id, fields] of Object.entries(created)) {
    if (id in objects) continue;
    if (!(fields.gameObjectName in TYPES)) die(25, `${id} has no class`);
    objects[id] = {};
  }
  for (const [id, fields] of Object.entries(created)) {
    const name = fields.gameObjectName ?? objects[id].gameObjectName;
    mergeFields(objects[id], fields, TYPES[name]);
  }
  delete delta.gameObjects;
  mergeFields(game, delta, TYPES.Game);
}

function mergeFields(known, fields, types) {
  for (const [field, value] of Object.entries(fields)) {
    if (field in types) known[field] = converted(types[field], known[field], value, field);
  }
}

function converted(type, known, value, field) {
  if (type === "refs" || type === "texts") {
    if (!Number.isInteger(value?.[lobby.DELTA_LIST_LENGTH])) die(24, `${field}: no list`);
    const list = known ?? [];
    list.length = value[lobby.DELTA_LIST_LENGTH];
    for (const [index, element] of Object.entries(value)) {
      if (index === lobby.DELTA_LIST_LENGTH || element === lobby.DELTA_REMOVED) continue;
      list[index] = type === "texts" ? element : converted("ref", null, element, field);
    }
    return list;
  }
  if (type === "ref?" && value === null) return null;
  if (type === "ref" || type === "ref?") {
    return objects[value?.id] ?? die(24, `${field}: unknown object ${value?.id}`);
  }
  const name = { int: "number", float: "number", bool: "boolean", str: "string" }[type];
  // biome-ignore lint/suspicious/useValidTypeof: one of the names above
  if (typeof value !== name) die(24, `${field}: expected ${type}, got ${value}`);
  return value;
}

async function call(caller, functionName, args) {
  say("run", { caller: { id: caller.id }, functionName, args });
  return (await hear("ran")) ?? null;
}

// --- the bot

const WAYS = ["tileNorth", "tileEast", "tileSouth", "tileWest"];

async function runTurn() {
  const count = player.units.length;
  for (const unit of player.units) {
    for (const tile of WAYS.map((way) => unit.tile[way])) {
      if (tile === null || tile.unit !== null) continue;
      if (!(await call(unit, "move", { tile: { id: tile.id } }))) continue;
      if (unit.tile !== tile || tile.unit !== unit) die(42, "a move is not seen");
      break;
    }
    for (const tile of WAYS.map((way) => unit.tile[way])) {
      if (tile === null || tile.harvestRate === 0) continue;
      if (await call(unit, "harvest", { tile: { id: tile.id } })) break;
    }
    await call(unit, "rest", null);
  }
  if (player.units.length !== count) die(42, "a list changes in a turn");
  const cat = player.cat;
  if ((await call(cat, "changeJob", { job: "pope" })) !== false) die(42, "there is a pope");
  if ((await call(cat, "log", { message: "mi\u00e4u" })) !== null) die(42, "log returns something");
  if (cat.logs.at(-1) !== "mi\u00e4u") die(42, "a log is lost");
  return true;
}

say("alias", process.argv[3]);
const gameName = await hear("named");
say("play", {
  gameName,
  playerName: options["-n"],
  clientType: "JavaScript",
  requestedSession: options["-r"],
  playerIndex: options["-i"],
  password: null,
  gameSettings: options["--gameSettings"],
});
const lobbied = await hear("lobbied");
if (typeof lobbied.gameVersion !== "string") die(20, "no version");
lobby = lobbied.constants;
player = objects[(await hear("start")).playerID];
for (;;) {
  const order = await hear("order");
  if (order.name !== "runTurn" || order.args.length) die(25, `order ${order.name}`);
  say("finished", { orderIndex: order.index, returned: await runTurn() });
}
