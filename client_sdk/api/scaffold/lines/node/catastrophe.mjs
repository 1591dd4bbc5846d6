// In the first turn all humans become missionaries, who then convert the neutral ones.
function choose({ turn, units, current_player: me }) {
  const neutral = units.filter((unit) => unit.owner === null);
  const commands = [];
  for (let { id, owner, job, x, y, energy } of units) {
    if (owner !== me || job === "cat overlord") continue;
    if (turn < 2) commands.push({ cmd: "change_job", unit: id, job: "missionary" });
    if (turn < 2 || job !== "missionary" || energy < 75 || neutral.length === 0) continue;
    const steps = (unit) => Math.abs(unit.x - x) + Math.abs(unit.y - y);
    const goal = neutral.reduce((a, b) => (steps(b) < steps(a) ? b : a));
    const close = steps(goal) === 1;
    if (close) [x, y] = [goal.x, goal.y];
    else if (y !== goal.y) y += Math.sign(goal.y - y);
    else x += Math.sign(goal.x - x);
    commands.push({ cmd: close ? "convert" : "move", unit: id, x, y });
  }
  return [...commands, { cmd: "end_turn" }];
}
