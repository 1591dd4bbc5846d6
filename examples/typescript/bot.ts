// A bot for PyRat in TypeScript: it goes to the nearest piece of cheese; walls count, mud does not.

import { run, type Bot, type PyratMaze, type PyratView } from "botarena";

type Cell = [x: number, y: number];
type Move = "UP" | "RIGHT" | "DOWN" | "LEFT";

const STEPS: [Move, number, number][] = [
  ["UP", 0, 1],
  ["RIGHT", 1, 0],
  ["DOWN", 0, -1],
  ["LEFT", -1, 0],
];

class Nearest implements Bot<PyratView, Move | "STAY"> {
  readonly game = "pyrat";
  readonly startOnly = ["maze"]; // the server sends the maze once, and `decide` gets it in any case

  decide(view: PyratView): [Move | "STAY"] {
    const { width, height, walls } = view.maze as PyratMaze;
    const blocked = new Set(walls.flatMap(([a, b]) => [`${a}|${b}`, `${b}|${a}`]));
    const goals = new Set(view.cheese.map(String));
    const reached: { cell: Cell; first: Move | null }[] = [
      { cell: view[view.you ?? "rat"].position, first: null },
    ];
    const seen = new Set(reached.map(({ cell }) => String(cell)));
    for (const { cell, first } of reached) {
      if (first !== null && goals.has(String(cell))) return [first];
      for (const [move, dx, dy] of STEPS) {
        const next: Cell = [cell[0] + dx, cell[1] + dy];
        const inside = next[0] >= 0 && next[0] < width && next[1] >= 0 && next[1] < height;
        if (!inside || seen.has(String(next)) || blocked.has(`${cell}|${next}`)) continue;
        seen.add(String(next));
        reached.push({ cell: next, first: first ?? move });
      }
    }
    return ["STAY"];
  }
}

await run(new Nearest());
