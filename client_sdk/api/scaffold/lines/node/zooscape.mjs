const pick = (list) => list[Math.floor(Math.random() * list.length)];
const WAYS = { up: [0, -1], right: [1, 0], down: [0, 1], left: [-1, 0] };

// Where most pellets lie ahead before a wall; at random where there are none.
function choose({ map, animals, you }) {
  const me = animals[you.seat];
  let best = pick(Object.keys(WAYS));
  let most = 0;
  for (const [action, [dx, dy]] of Object.entries(WAYS)) {
    let pellets = 0;
    for (let x = me.x + dx, y = me.y + dy; /[^14]/.test(map[y]?.[x] ?? "1"); x += dx, y += dy)
      if (map[y][x] === "2") pellets += 1;
    if (pellets > most) [best, most] = [action, pellets];
  }
  return [{ action: best }];
}
