// Counts the bullets, uses no items.
function choose({ phase, gun }) {
  const target = 4 * gun.live < gun.total ? "self" : "opponent";
  if (phase === "shoot") return [{ type: "shoot", target }];
  if (phase === "item") return [{ type: "item", slot: 0 }];
  return [{ type: "abstain", value: false }];
}
