#!/bin/sh
# A bot for Catastrophe: reads one JSON message a line, and writes one answer a line. Needs jq.

exec jq --unbuffered --compact-output '
def sign: if . > 0 then 1 elif . < 0 then -1 else 0 end;

# In the first turn all humans become missionaries, who then convert the neutral ones.
def choose:
  .current_player as $me
  | [.units[] | select(.owner == null)] as $neutral
  | .turn as $turn
  | [.units[] | select(.owner == $me and .job != "cat overlord") | . as {$id, $x, $y}
     | if $turn < 2 then {cmd: "change_job", unit: $id, job: "missionary"}
       elif .job == "missionary" and .energy >= 75 and $neutral != [] then
         ($neutral | map({dx: (.x - $x), dy: (.y - $y)} | .squared = (.dx * .dx + .dy * .dy))
          | min_by(.squared)) as {$dx, $dy, $squared}
         | if $squared == 1 then {cmd: "convert", unit: $id, x: ($x + $dx), y: ($y + $dy)}
           elif $dy != 0 then {cmd: "move", unit: $id, x: $x, y: ($y + ($dy | sign))}
           else {cmd: "move", unit: $id, x: ($x + ($dx | sign)), y: $y} end
       else empty end]
    + [{cmd: "end_turn"}];

if .type == "start" then {type: "ready"}
elif .type == "view" then {type: "commands", turn, commands: (.view | choose)}
else empty end
'
