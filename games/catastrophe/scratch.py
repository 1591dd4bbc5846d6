"""A board to search on: commands are played and taken back, several times faster than in the match.

The rules are the match's own: what they write goes into the tables of the board, with a note of
what was there. The only chance in play is the coin of a last tie-break; it falls as the dice of the
caller say."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, Final, TypeAlias

from games.catastrophe.advance import pass_lock
from games.catastrophe.commands import Command, EndTurn, Malformed, judged, parse
from games.catastrophe.draft import Tables
from games.catastrophe.legal import legal
from games.catastrophe.outcome import outcome
from games.catastrophe.rules import Rules
from games.catastrophe.state import (
    BARE,
    Cell,
    Id,
    Squad,
    State,
    Structure,
    Tile,
    Unit,
    squad_of,
    state_of,
)
from games.catastrophe.view import loaded
from games.core.contract import Json, Outcome, Rejected, Seat
from games.core.dice import Seeded, Source

NOTHING: Final = object()
"""Stands for a key that was not there."""


Note: TypeAlias = tuple[dict[Any, Any], Any, Any]
"""One write: table, key, what was there."""

Undo: TypeAlias = tuple[
    int,  # turn
    Seat,  # current_player
    Id,  # next_id
    tuple[int, int],  # food
    tuple[int, int],  # upkeep
    dict[Id, Unit],
    dict[Id, Structure],
    dict[Cell, Tile],
    int,  # commands
    list[Note],
]
"""What a command may have replaced, and what it has written."""


class Squads:
    """The squads of a board, each from the units as they stand when it is looked up."""

    __slots__ = ("_board",)

    def __init__(self, board: Scratch) -> None:
        self._board = board

    def __getitem__(self, number: Id) -> Squad:
        board = self._board
        return squad_of(board.ground, board.units, board.at, number, {})


class Scratch(Tables):
    """The position in play. `make` returns what `unmake` takes; undo in reverse order.

    It has a field for each of a state, hence their number."""

    __slots__ = ("_written", "commands", "dice", "refused", "squads")

    def __init__(self, state: State, dice: Source | None = None) -> None:
        """The tables of the state are copied."""
        super().__init__(state)
        self.units, self.at = self.units.copy(), self.at.copy()
        self.structures, self.built = self.structures.copy(), self.built.copy()
        self.tiles = self.tiles.copy()
        self.commands = state.commands
        self.squads = Squads(self)
        self.dice = dice or Seeded(0)
        """Asked for the draws of a turn's end: `dice.at(turn)`."""
        self.refused: str | None = None
        """Why the last command did nothing but count; None: it worked."""
        self._written: list[Note] = []

    @classmethod
    def of(cls, state: State, dice: Source | None = None) -> Scratch:
        """A board in the position of a state."""
        return cls(state, dice)

    @classmethod
    def from_view(cls, rules: Rules, view: Json, dice: Source | None = None) -> Scratch:
        """A board in the position that a whole view shows. Nothing is hidden in this game; only the
        commands of the open turn are not counted yet."""
        return cls(loaded(rules, view), dice)

    @property
    def acting(self) -> tuple[Seat, ...]:
        """The seat that gives the next command; empty: the match is over."""
        return () if self.over else (self.current_player,)

    @property
    def over(self) -> bool:
        """Whether the match is over."""
        return self.result is not None

    def legal(self, seat: Seat) -> Sequence[Command]:
        """The commands of this seat that work now, as `games.catastrophe.legal` lists them; empty
        if it is not its turn. This takes as long as in a match."""
        return [parse(command) for command in legal(self.freeze(), seat)]

    def make(self, command: Command) -> Undo:
        """Carry out a command of the seat whose turn it is. Returns the undo token, and sets
        `refused`. Raises Rejected if the match is over."""
        if self.result is not None:
            raise Rejected("game_over", "the match is over")
        self._written = []
        undo = (
            self.turn,
            self.current_player,
            self.next_id,
            self.food,
            self.upkeep,
            self.units,
            self.structures,
            self.tiles,
            self.commands,
            self._written,
        )
        self.refused = None
        if isinstance(command, EndTurn):
            pass_lock(self, self.dice.at(self.turn))
            self.commands = 0
            return undo
        full = self.commands >= self.ground.rules.max_commands_per_turn
        if isinstance(command, Malformed):
            self.refused = "bad_command"
        elif full:
            self.refused = "too_many_commands"
        else:
            fate = judged(self, command)  # type: ignore[arg-type]  # it has what a state has
            self.refused = fate if isinstance(fate, str) else None
        self.commands += not full
        return undo

    def unmake(self, undo: Undo) -> None:
        """Take the last command back, and all that followed from it."""
        for table, key, was in reversed(undo[-1]):
            if was is NOTHING:
                del table[key]
            else:
                table[key] = was
        (
            self.turn,
            self.current_player,
            self.next_id,
            self.food,
            self.upkeep,
            self.units,
            self.structures,
            self.tiles,
            self.commands,
            _,
        ) = undo
        self.result = None

    @property
    def key(self) -> Hashable:
        """What decides how the match goes on, but for the dice. Equal positions have equal keys."""
        return (
            self.turn,
            self.current_player,
            self.next_id,
            self.food,
            self.upkeep,
            tuple(self.units.items()),
            tuple(self.structures.items()),
            frozenset(self.tiles.items()),
            self.commands,
            self.result,
        )

    def copy(self) -> Scratch:
        """A second board in this position. Its dice are the same."""
        return Scratch(self.freeze(), self.dice)

    def freeze(self) -> State:
        """A state in this position."""
        return state_of(
            self.ground,
            turn=self.turn,
            current_player=self.current_player,
            next_id=self.next_id,
            food=self.food,
            upkeep=self.upkeep,
            cats=self.cats,
            units=self.units,
            structures=self.structures,
            tiles=self.tiles,
            result=self.result,
        )._replace(commands=self.commands)

    def outcome(self) -> Outcome | None:
        """Who won and why; None while the match goes on."""
        return outcome(self.freeze())

    # --- what the rules write ---------------------------------------------------------------------

    # A table in which the order counts, or that the rules go through while they write, is copied
    # before a key is deleted: an old one that is put back stands where it stood.

    def put_unit(self, number: Id, unit: Unit) -> None:
        """The unit is this from now on, wherever it was."""
        units, written = self.units, self._written
        was = units.get(number)
        written.append((units, number, NOTHING if was is None else was))
        units[number] = unit
        if was is None:
            self._write(self.at, unit.cell, number)
        elif was.cell != unit.cell:
            at = self.at
            written.append((at, was.cell, at.pop(was.cell)))
            written.append((at, unit.cell, NOTHING))
            at[unit.cell] = number

    def remove_unit(self, number: Id) -> None:
        """The unit is gone."""
        cell = self.units[number].cell
        self.units = {other: unit for other, unit in self.units.items() if other != number}
        self._written.append((self.at, cell, self.at.pop(cell)))

    def put_structure(self, number: Id, structure: Structure | None) -> None:
        """The structure is this from now on; None: it is gone."""
        if structure is not None:
            self._write(self.structures, number, structure)
            self._write(self.built, structure.cell, number)
            return
        cell = self.structures[number].cell
        self.structures = {one: kept for one, kept in self.structures.items() if one != number}
        self._written.append((self.built, cell, self.built.pop(cell)))

    def put_tile(self, cell: Cell, tile: Tile) -> None:
        """The tile is this from now on."""
        if tile != BARE:
            self._write(self.tiles, cell, tile)
        elif cell in self.tiles:
            self.tiles = {other: kept for other, kept in self.tiles.items() if other != cell}

    def _write(self, table: dict[Any, Any], key: Any, value: Any) -> None:
        self._written.append((table, key, table.get(key, NOTHING)))
        table[key] = value
