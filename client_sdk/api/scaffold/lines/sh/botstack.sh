# Counts the bullets, uses no items.
def choose:
  if .phase == "shoot" then
    [{type: "shoot", target: (if 4 * .gun.live < .gun.total then "self" else "opponent" end)}]
  elif .phase == "item" then [{type: "item", slot: 0}]
  else [{type: "abstain", value: false}] end;
