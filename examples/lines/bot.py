"""A bot for PyRat: reads one JSON message a line, and writes one answer a line.

It walks to the nearest cheese and needs nothing but Python."""

import json
import sys

STEPS = {"UP": (0, 1), "RIGHT": (1, 0), "DOWN": (0, -1), "LEFT": (-1, 0)}


def choose(view, maze):
    """The first step of a shortest path to a cheese; mud counts as one step."""
    walls = {frozenset(map(tuple, wall)) for wall in maze["walls"]}
    cheese = set(map(tuple, view["cheese"]))
    here = tuple(view[view["you"]]["position"])
    first_step = {here: "STAY"}
    queue = [here]
    for x, y in queue:
        if (x, y) in cheese:
            return first_step[x, y]
        for step, (dx, dy) in STEPS.items():
            cell = (x + dx, y + dy)
            inside = 0 <= cell[0] < maze["width"] and 0 <= cell[1] < maze["height"]
            if inside and cell not in first_step and frozenset([(x, y), cell]) not in walls:
                first_step[cell] = step if (x, y) == here else first_step[x, y]
                queue.append(cell)
    return "STAY"


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "start":
        maze = message["view"]["maze"]  # it never changes
        print(json.dumps({"type": "ready"}), flush=True)
    elif message["type"] == "view":
        commands = [choose(message["view"], maze)]
        answer = {"type": "commands", "turn": message["turn"], "commands": commands}
        print(json.dumps(answer), flush=True)
