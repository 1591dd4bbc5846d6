const pick = (list) => list[Math.floor(Math.random() * list.length)];

// Every bot of the team walks at random.
function choose({ bot_ids }) {
  const step = () => pick([-1, 0, 1]);
  const moves = bot_ids.map((bot_id) => ({ type: "move", bot_id, dx: step(), dy: step() }));
  return [...moves, { type: "end_turn" }];
}
