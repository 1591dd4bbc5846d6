// In the first turn all humans become missionaries, who then convert the neutral ones.
function choose({ turn, units, current_player: me }) {
  const neutral = units.filter((unit) => unit.owner === null);
  const work = ({ id, owner, job, x, y, energy }) => {
    if (owner !== me || job === "cat overlord") return [];
    if (turn < 2) return [{ cmd: "change_job", unit: id, job: "missionary" }];
    if (job !== "missionary" || energy < 75 || neutral.length === 0) return [];
    const steps = (unit) => Math.abs(unit.x - x) + Math.abs(unit.y - y);
    const goal = neutral.reduce((a, b) => (steps(b) < steps(a) ? b : a));
    if (steps(goal) === 1) return [{ cmd: "convert", unit: id, x: goal.x, y: goal.y }];
    if (y !== goal.y) y += Math.sign(goal.y - y);
    else x += Math.sign(goal.x - x);
    return [{ cmd: "move", unit: id, x, y }];
  };
  return [...units.flatMap(work), { cmd: "end_turn" }];
}
