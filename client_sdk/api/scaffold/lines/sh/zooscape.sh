# jq has no random numbers; the time in microseconds is random enough.
def pick: .[now * 1000000 % length];

# The pellets that lie ahead in a direction before a wall or a cage.
def pellets($x; $y; $dx; $dy):
  (if $x < 0 or $y < 0 then "1" else .[$y][$x:$x + 1] // "" end) as $cell
  | if $cell | IN("", "1", "4") then 0
    else pellets($x + $dx; $y + $dy; $dx; $dy) + if $cell == "2" then 1 else 0 end end;

# Where most pellets lie ahead; at random where there are none.
def choose:
  .map as $map
  | .animals[.you.seat] as {$x, $y}
  | [{action: "up", dx: 0, dy: -1}, {action: "right", dx: 1, dy: 0},
     {action: "down", dx: 0, dy: 1}, {action: "left", dx: -1, dy: 0}]
  | map(. + (. as {$dx, $dy} | {pellets: ($map | pellets($x + $dx; $y + $dy; $dx; $dy))}))
  | (max_by(.pellets) | select(.pellets > 0)) // pick
  | [{action}];
