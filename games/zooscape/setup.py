"""The first state of a match (RULES §4)."""

from __future__ import annotations

from games.core.dice import Dice
from games.core.shared import Texts
from games.zooscape.board import Board, from_rows
from games.zooscape.chance import power_up_interval, zookeeper_interval
from games.zooscape.generate import generate
from games.zooscape.maze import maze_of
from games.zooscape.rules import Rules, check_alone
from games.zooscape.state import Animal, State, Zookeeper


def setup(rules: Rules, board: Board | None, dice: Dice) -> State:
    """All animals in their cages, the first zookeeper on its spawn, both timers drawn where
    something can still appear.

    Rows among the rules win over the map, the map over chance. Raises BadSetup.
    """
    if rules.map is not None:
        board = from_rows(rules.map)
    elif board is not None:
        check_alone(rules)
    else:
        board = generate(rules, dice)
    return State(
        rules=rules,
        maze=maze_of(board, rules.portals),
        tick=0,
        cells=board.cells,
        animals=tuple(Animal(cell) for cell in board.spawns[: rules.seats]),
        zookeepers=(Zookeeper(board.centre),) if rules.zookeepers_max else (),
        respawns=(),
        power_up_timer=power_up_interval(rules, dice) if rules.power_up_spawning else None,
        zookeeper_timer=zookeeper_interval(rules, dice) if rules.zookeepers_max > 1 else None,
        queues=((),) * rules.seats,
        first_command_seqs=(None,) * rules.seats,
        texts=Texts(),
    )
