// A bot that plays every game: the simplest command that the game takes. BOTARENA_GAME names it.

import process from "node:process";

import { run, type Bot, type Games, type Link } from "botarena";

type Answers = {
  [Game in keyof Games]: (view: Games[Game]["view"], link: Link) => Games[Game]["command"][];
};

const ANSWERS: Answers = {
  pyrat: (view) => [view.moves[0] ?? "STAY"],
  botstack: (view) => {
    if (view.phase === "item") return [{ type: "item", slot: 0 }];
    if (view.phase === "shoot") return [{ type: "shoot", target: "opponent" }];
    return [{ type: "abstain", value: false }];
  },
  zooscape: (view) => [{ action: view.tick % 20 < 10 ? "left" : "up" }],
  catastrophe: () => [{ cmd: "end_turn" }],
  cookoff: (view, link) => {
    if (view.turn === 0) link.info({ text: "hello" });
    return [{ type: "end_turn" }];
  },
};

const game = process.env.BOTARENA_GAME as keyof Games;
const bot: Bot = { name: "any", decide: ANSWERS[game] };

await run(bot);
