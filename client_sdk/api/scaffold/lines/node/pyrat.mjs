const pick = (list) => list[Math.floor(Math.random() * list.length)];

// A random direction that no wall closes.
function choose(view) {
  return [pick(view.moves) ?? "STAY"];
}
