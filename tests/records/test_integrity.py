"""A record that was changed anywhere is found out, and one that was cut is good up to the cut."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from client_sdk.local.records import read_replay
from client_sdk.local.records import verify as verify_file
from client_sdk.replay import from_journal, read, verify_replay
from games import GAMES
from games.core.rerun import verify
from tests.core.records import begun
from tests.games.checks import random_play
from tests.games.entries import ENTRIES
from tests.server.live_server import hosted

CORPUS = Path(__file__).parent / "format1"


def recorded(matches: int) -> Iterator[tuple[str, Random]]:
    """Journals of random matches of all games in turn, and chance to change them by."""
    for number in range(matches):
        chance = Random(number)
        entry = ENTRIES[sorted(GAMES)[number % len(GAMES)]]
        match, written = begun(entry.game, entry.configs[0], number)
        for _ in random_play(entry, match, chance, 60):
            pass
        if match.outcome is None:
            match.abort("long enough")
        yield "".join(written), chance


def flipped(record: bytes, chance: Random) -> tuple[bytes, int]:
    """With one byte changed somewhere, and the line that it is in."""
    place = chance.randrange(len(record))
    changed = record[place] ^ chance.randrange(1, 256)
    return record[:place] + bytes([changed]) + record[place + 1 :], record[:place].count(b"\n") + 1


@pytest.mark.parametrize("matches", [20, pytest.param(200, marks=pytest.mark.soak)])
def test_a_changed_byte_anywhere_is_found_with_its_line(matches: int) -> None:
    for number, (journal, chance) in enumerate(recorded(matches)):
        assert verify(journal, GAMES).kind == "ok"
        changed, line = flipped(journal.encode(), chance)
        found = verify(changed, GAMES)
        assert (found.sound, found.line) == (False, line), (number, found)

        replay = from_journal(journal, GAMES)
        changed, line = flipped(replay.encode(), chance)
        for proof in (journal, None):
            found = verify_replay(changed, proof, GAMES)
            assert (found.sound, found.line) == (False, line), (number, found)
    print(
        f"one byte changed in each of {matches} journals and {matches} replays: found every "
        "time, in its line"
    )


@pytest.mark.parametrize("game", ["botstack", pytest.param("pyrat", marks=pytest.mark.soak)])
def test_a_record_cut_at_any_line_can_be_opened(game: str, tmp_path: Path) -> None:
    """And within a line, which then was never written."""
    for kind in ("journal", "replay"):
        lines = (CORPUS / f"{game}.{kind}.jsonl").read_bytes().splitlines(keepends=True)
        file = tmp_path / f"{game}.{kind}.jsonl"
        for kept in range(1, len(lines)):
            for torn in (b"", lines[kept][: 1 + kept % (len(lines[kept]) - 1)]):
                file.write_bytes(b"".join(lines[:kept]) + torn)
                found = verify_file(file)
                assert (found.kind, found.line) == ("cut", kept)
            replay = read_replay(file)
            assert replay.cut
            assert (
                kept == 1
                or kind == "journal"
                or len(replay.frames) + len(replay.events) + len(replay.infos) == kept - 1
            )
        file.unlink()


def test_a_server_shows_a_cut_replay_up_to_the_cut(tmp_path: Path) -> None:
    with hosted(tmp_path) as live_server:
        lobby, (left, right) = live_server.started(
            "duel", config={"rounds": 3}, clock={"turn_ms": 60_000}
        )
        for turn in range(3):
            for client in (left, right):
                client.until("view", turn=turn)
                client.answer(turn, 1)
        live_server.over(lobby)
        file = live_server.data / "matches" / f"{lobby}.replay.jsonl"
        assert live_server.get(f"/replays/{lobby}").status_code == 200
        lines = file.read_bytes().splitlines(keepends=True)
        file.write_bytes(b"".join(lines[:3]) + lines[3][:9])

        assert lobby in [one["match"] for one in live_server.get("/replays").json()]
        replay = read(live_server.get(f"/replays/{lobby}").content)
        assert (replay.cut, len(replay.frames) + len(replay.events)) == (True, 2)


def test_other_rules_are_reported_as_the_cause(tmp_path: Path) -> None:
    """In a true record that is all there is to say; in one that was changed, the change comes
    first."""
    from dataclasses import replace

    for game in sorted(GAMES):
        here = {**GAMES, game: replace(GAMES[game], rules_version=GAMES[game].rules_version + 1)}
        journal = (CORPUS / f"{game}.journal.jsonl").read_bytes()
        found = verify(journal, here)
        assert (found.kind, found.line) == ("other_rules", 1)
        assert (
            f"version {GAMES[game].rules_version} of {game}; here is version "
            f"{GAMES[game].rules_version + 1}"
        ) in found.why
        assert (
            verify_replay((CORPUS / f"{game}.replay.jsonl").read_bytes(), journal, here).kind
            == "other_rules"
        )
        assert verify(journal.replace(b'"map"', b'"mop"', 1), here).kind == "broken"
