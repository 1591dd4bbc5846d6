#!/bin/sh
# A bot for {title}: reads one JSON message a line, and writes one answer a line. Needs jq.

exec jq --unbuffered --compact-output '
{choose}

if .type == "start" then {type: "ready"}
elif .type == "view" then {type: "commands", turn, commands: (.view | choose)}
else empty end
'
