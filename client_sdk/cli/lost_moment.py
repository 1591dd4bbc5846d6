"""A lost moment of a record, to look at and to make a test of."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from client_sdk.console import UserError, note, say
from client_sdk.local.lookup import game_called
from client_sdk.local.records import journal_text

if TYPE_CHECKING:
    from client_sdk.moment import Moment


def moment_at(file: Path, turn: str, seat: int) -> Moment:
    from client_sdk.moment import moment_of
    from games import GAMES
    from games.core.journal import BrokenLine
    from games.core.rerun import Differs

    try:
        return moment_of(journal_text(file), turn, seat, GAMES)
    except (BrokenLine, Differs, LookupError, ValueError) as fault:
        raise UserError(f"{file}: {fault}") from None


def write_test(file: Path, turn: str, seat: int, test: Path, spec: str | None) -> None:
    from client_sdk.bots import HOUSE
    from client_sdk.leaving import exits_raise, process_restored
    from client_sdk.local.players import is_compiled, opened, player_spec
    from client_sdk.local.seated import format_fault

    moment = moment_at(file, turn, seat)
    game, name = moment.start.game, moment.start.names[seat]
    if spec is None and name not in HOUSE.get(game, {}):  # a record may not name a file to load
        raise UserError(f"{name!r} is no house bot of {game}: name the bot with --bot")
    player = player_spec(game, spec or name)
    if player.kind not in ("house", "file") or is_compiled(player):
        raise UserError(
            f"--bot {player.spec}: a test calls the bot's own decide, so it has to be a .py file "
            "or a house bot"
        )

    def answer(moment: Moment) -> object:
        with (
            process_restored(),
            exits_raise(),
            opened(game_called(game), player, apart=False) as bot,
        ):
            try:
                return moment.answer(bot)
            except KeyboardInterrupt:  # Ctrl-C
                raise
            except BaseException as fault:  # noqa: BLE001  the bot's own: so fails the test
                return fault

    kept = moment.forgetful()
    if answer(kept) != moment.choice:
        kept = moment
        found = answer(kept)
        if isinstance(found, BaseException):
            note(f"{player.label} fails here, and so does the test\n{format_fault(found)}")
        elif found != moment.choice:
            note(
                f"{player.label} answers {found} here, not {moment.choice} as recorded: the test "
                "holds already, or by chance"
            )
    try:
        test.write_text(
            _TEST.format(**_words(kept, player.kind, player.spec, test)), encoding="utf-8"
        )
    except OSError as fault:
        raise UserError(f"{test}: {fault.strerror or fault}") from None
    say(
        f"{test}: fails while {player.label} answers {moment.choice} in turn {turn}. Run it: "
        f"pytest {test}"
    )


def _words(moment: Moment, kind: str, spec: str, test: Path) -> dict[str, str]:
    start = moment.start
    if kind == "house":
        load, make = (
            "from botarena import Moment, house_bot",
            f"house_bot({start.game!r}, {spec!r})",
        )
    else:
        load = "from pathlib import Path\n\nfrom botarena import Moment, load_bot"
        make = (
            f"load_bot(Path(__file__).parent / {_relative(Path(spec), test.parent)!r}, "
            f"{start.game!r})"
        )
    about = f"Turn {moment.turn} of {' against '.join(start.names)}, as the {start.role} saw it."
    return {
        "turn": str(moment.turn),
        "about": repr(about)[1:-1].replace('"', '\\"'),  # its names come from the players
        "load": load,
        "make": make,
        "moment": moment.written(),
    }


def _relative(file: Path, folder: Path) -> str:
    """The way from the test to the bot; on Windows there may be none, from one drive to another."""
    try:
        return Path(os.path.relpath(file.resolve(), folder.resolve())).as_posix()
    except ValueError:
        return file.resolve().as_posix()


_TEST = '''"""{about}

The test fails while the bot decides as it did then."""

{load}

MOMENT = Moment.read(r"""
{moment}
""")


def test_turn_{turn}_is_played_differently():
    bot = {make}

    assert MOMENT.answer(bot) != MOMENT.choice
'''
