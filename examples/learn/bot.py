"""Learns BotStack by playing against itself, and plays what it has learned: docs/learning.md."""

import json
import random
import sys
from pathlib import Path

from botarena import Bot
from botarena.env import Env

FILE = Path(__file__).with_suffix(".json")
ONE_ROUND = {"rounds_per_match": 1, "wins_to_win": 1, "draws_to_draw": 1}


def choose(view, values, explore=0.0, chance=random):
    """The name of a choice in this position and its command: the best, or now and then any."""
    gun, me, other = view["gun"], view["you"], view["opponent"]
    commands = {"no": {"type": "abstain", "value": False}}  # it never asks for abstention
    if view["phase"] == "shoot":
        commands = {target: {"type": "shoot", "target": target} for target in ("self", "opponent")}
    elif view["phase"] == "item":
        slots = enumerate(["none", *me["items"]])
        commands = {item: {"type": "item", "slot": slot} for slot, item in slots}
    lives = min(me["health"], 4), min(other["health"], 4)
    place = f"{gun['live']} {gun['blank']} {view['known_next']} {lives} {me['skip_pending']}"
    options = [(f"{place} {name}", command) for name, command in commands.items()]
    if chance.random() < explore:
        return chance.choice(options)
    return max(options, key=lambda option: values.get(option[0], [0.0])[0])


def train(rounds):
    """Write, for each choice in each position, the mean result of its rounds and their number."""
    env, chance, values = Env("botstack", config=ONE_ROUND), random.Random(1), {}
    for seed in range(rounds):
        env.reset(seed)
        chosen, rewards = {}, ()
        while not env.done:
            (seat,) = env.awaited
            name, command = choose(env.observe(seat), values, 0.2, chance)
            chosen[seat, name] = None
            rewards = env.step({seat: command}).rewards
        for seat, name in chosen:
            (mean, count), result = values.get(name, (0, 0)), rewards[seat] - rewards[1 - seat]
            values[name] = mean + (result / 2 - mean) / (count + 1), min(count + 1, 500)
    FILE.write_text(json.dumps(values, indent=0, sort_keys=True), encoding="utf-8")


class Learner(Bot):
    game = "botstack"

    def on_start(self, start):
        self.values = json.loads(FILE.read_text(encoding="utf-8"))

    def decide(self, view):
        return [choose(view, self.values)[1]]


if __name__ == "__main__":
    train(int(sys.argv[2])) if sys.argv[1:2] == ["train"] else Learner().run()
