"""Backup, restore, check and prune, as an operator types them."""

from __future__ import annotations

import gzip
import io
import os
import shutil
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import insert, update

import client_sdk.cli
from server.store.matches import NOWHERE
from server.store.store import FILE, Store
from server.store.tables import accounts, matches, records
from tests.server.live_server import LiveServer, hosted
from tests.store.test_archive import LONG, STEP, played, shown
from tests.stores import KINDS, database

Verb = Callable[..., tuple[int, str, str]]


@pytest.fixture
def store_verb(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Verb:
    """`botarena store …`: its status, and what it says on stdout and stderr."""

    def run(*words: object, url: str | None = None) -> tuple[int, str, str]:
        capfd.readouterr()
        if url is None:
            monkeypatch.delenv("BOTARENA_DATABASE_URL", raising=False)
        else:
            monkeypatch.setenv("BOTARENA_DATABASE_URL", url)
        status = client_sdk.cli.run(["store", *map(str, words)])
        return status, *capfd.readouterr()

    return run


def journal(live_server: LiveServer, lobby: str) -> Path:
    return live_server.data / "matches" / f"{lobby}.journal.jsonl"


@pytest.mark.parametrize("kind", KINDS)
def test_a_backup_of_a_running_server_is_restored_into_either_database(
    tmp_path: Path, store_verb: Verb, kind: str
):
    """From SQLite into both; the match that ran is taken up again."""
    here, there, file = tmp_path / "here", tmp_path / "there", tmp_path / "backup.tar.gz"
    with hosted(here) as live_server:
        with Store(f"sqlite:///{here / FILE}").connected(writes=True) as db:
            db.execute(
                insert(accounts), [{"id": "a", "name": "Zoë", "kind": "bot", "created_ms": 7}]
            )
        lobby = played(live_server)
        live_server.row(lobby)
        with Store(f"sqlite:///{here / FILE}").connected(writes=True) as db:
            db.execute(
                insert(records), [{"match": lobby, "kind": "journal", "content": b"\x00\xff"}]
            )
        before, replay = shown(live_server, lobby), live_server.get(f"/replays/{lobby}").content
        running, taken = live_server.seated("walk", clock=LONG, config={"turns": 1})
        red, _ = (live_server.seat(one) for one in taken)
        red.until("view")
        status, output, _ = store_verb("backup", file, "--data-dir", here)
        assert (status, output.strip()) == (0, str(file))
        assert file.stat().st_mode & 0o777 == 0o600
    with database(kind, tmp_path) as url:
        assert store_verb("restore", file, "--data-dir", there, url=url)[0] == 0
        with Store(url).connected() as db:
            assert db.execute(accounts.select()).one().name == "Zoë"
        with hosted(there, database_url=url) as live_server:
            assert shown(live_server, lobby) == before
            assert live_server.get(f"/replays/{lobby}").content == replay
            red, blue = (live_server.seat(one) for one in taken)
            red.until("view", act=True)
            red.answer(0, STEP, end_turn=True)
            blue.rest()
            assert shown(live_server, running)["outcome"]["reason"] == "max_turns"
        status, _, noted = store_verb("check", "--data-dir", there, url=url)
        assert (status, noted) == (0, "2 matches, 0 problems\n")
        status, output, _ = store_verb("backup", tmp_path, "--data-dir", there, url=url)
        assert status == 0
        again = Path(output.strip())
    assert store_verb("restore", again, "--data-dir", tmp_path / "back")[0] == 0
    assert store_verb("check", "--data-dir", tmp_path / "back")[0] == 0
    with Store(f"sqlite:///{tmp_path / 'back' / FILE}").connected() as db:
        assert db.execute(records.select()).one().content == b"\x00\xff"


def test_a_restore_needs_an_empty_target_and_a_valid_backup(tmp_path: Path, store_verb: Verb):
    here, file = tmp_path / "here", tmp_path / "backup.tar"
    with hosted(here) as live_server:
        played(live_server)
    store_verb("backup", file, "--data-dir", here)

    assert "there are matches in it" in store_verb("restore", file, "--data-dir", here)[2]
    full = store_verb(
        "restore", file, "--data-dir", tmp_path / "other", url=f"sqlite:///{here / FILE}"
    )
    assert (full[0], "there are rows in matches" in full[2]) == (2, True)
    assert not (tmp_path / "other" / "matches").exists()
    whole = file.read_bytes()
    for content in (
        b"",
        b"no tar at all",
        whole[: len(whole) // 2],
        whole[:2048],
        whole.replace(b'"format": 1', b'"format": 9'),
    ):
        file.write_bytes(content)
        status, _, why = store_verb("restore", file, "--data-dir", tmp_path / "new")
        assert (status, "Traceback" in why) == (2, False)
        assert not (tmp_path / "new").exists()
    with tarfile.open(file, "w"):
        pass
    assert store_verb("restore", file, "--data-dir", tmp_path / "new")[0] == 2
    assert "File exists" in store_verb("backup", file, "--data-dir", here)[2]
    assert (
        "no server has kept anything here yet"
        in store_verb("backup", tmp_path / "b.tar", "--data-dir", tmp_path / "new")[2]
    )


LYING: dict[str, tuple[str, Callable[[bytes], bytes | None]]] = {
    "a table that is left out": ("rows/matches.jsonl", lambda _: None),
    "an object that is a list": ("backup.json", lambda _: b"[1]"),
    "deep nesting": ("backup.json", lambda _: b"[" * 50_000),
    "no version of the tables": ("backup.json", lambda _: b'{"format": 1}'),
    "a row that is a list": ("rows/accounts.jsonl", lambda _: b"[1]\n"),
    "a deep row": ("rows/accounts.jsonl", lambda _: b'{"id": ' * 50_000 + b"\n"),
    "a number that is too large": (
        "rows/accounts.jsonl",
        lambda _: b'{"id": "a", "name": "a", "kind": "bot", "created_ms": %d}\n' % 10**30,
    ),
    "a file that is a number": (
        "rows/files.jsonl",
        lambda _: b'{"sha256": "a", "size": 1, "content": 5, "created_ms": 1}\n',
    ),
    "a file that is left out": (
        "rows/files.jsonl",
        lambda _: b'{"sha256": "a", "size": 1, "created_ms": 1}\n',
    ),
    "a journal elsewhere": (
        "rows/matches.jsonl",
        lambda rows: rows.replace(b'"matches/', b'"matches/../../'),
    ),
    "an absolute journal": (
        "rows/matches.jsonl",
        lambda rows: rows.replace(b'"matches/', b'"/etc/'),
    ),
}


def changed(file: Path, name: str, change: Callable[[bytes], bytes | None], *more: tarfile.TarInfo):
    """A tar with one file of it changed, or left out, and more entries before its end."""
    with tarfile.open(file) as tar:
        entries = [(entry, tar.extractfile(entry)) for entry in tar]
        content = [(entry, b"" if file is None else file.read()) for entry, file in entries]
    with tarfile.open(file, "w") as tar:
        for entry, was in content:
            if entry.name == "end":
                for one in more:
                    tar.addfile(one)
            text = change(was) if entry.name == name else was
            if text is None:
                continue
            entry.size = len(text)
            tar.addfile(entry, io.BytesIO(text))


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A backup of a server on which a match was played."""
    folder = tmp_path_factory.mktemp("saved")
    with hosted(folder / "data") as live_server:
        live_server.row(played(live_server))
    assert client_sdk.cli.run(
        ["store", "backup", str(folder / "b.tar"), "--data-dir", str(folder / "data")]
    ) in (None, 0)
    return folder / "b.tar"


@pytest.mark.parametrize("case", LYING)
def test_a_backup_that_lies_is_refused_in_one_line(
    tmp_path: Path, store_verb: Verb, saved: Path, case: str
):
    file = Path(shutil.copy(saved, tmp_path / "b.tar"))
    changed(file, *LYING[case])
    status, _, why = store_verb("restore", file, "--data-dir", tmp_path / "new")

    assert (status, len(why.splitlines())) == (2, 1)
    assert not (tmp_path / "new" / "matches").exists()


def test_links_and_files_with_holes_in_a_backup_are_passed_over(
    tmp_path: Path, store_verb: Verb, saved: Path
):
    """A link may lead nowhere, to itself or out; a file with holes says any size."""
    found = []
    for number, (kind, target) in enumerate(
        [
            (tarfile.SYMTYPE, "nowhere"),
            (tarfile.SYMTYPE, "one1.journal.jsonl"),
            (tarfile.LNKTYPE, "/etc/passwd"),
            (tarfile.FIFOTYPE, ""),
            (tarfile.GNUTYPE_SPARSE, ""),
        ]
    ):
        one = tarfile.TarInfo(f"matches/one{number}.journal.jsonl")
        one.type, one.linkname = kind, target
        found.append(one)
    file = Path(shutil.copy(saved, tmp_path / "b.tar"))
    changed(file, "", bytes, *found)

    assert store_verb("restore", file, "--data-dir", tmp_path / "new")[0] == 0
    assert not [*(tmp_path / "new" / "matches").glob("one*")]


def test_check_names_every_journal_that_contradicts_its_row(tmp_path: Path, store_verb: Verb):
    with hosted(tmp_path) as live_server:
        changed, cut, missing, alien = (played(live_server) for _ in range(4))
        live_server.row(alien)
    text = journal(live_server, changed).read_text()
    journal(live_server, changed).write_text(text.replace('"s":0', '"s":1', 1))
    lines = journal(live_server, cut).read_text().splitlines(keepends=True)
    journal(live_server, cut).write_text("".join(lines[:-1]))
    journal(live_server, missing).unlink()
    with Store(f"sqlite:///{tmp_path / FILE}").connected(writes=True) as db:
        db.execute(update(matches).where(matches.c.id == alien).values(node="elsewhere"))

    status, output, _ = store_verb("check", "--data-dir", tmp_path)
    problems = dict(line.split(": ", 1) for line in output.splitlines())
    assert status == 1
    line = text[: text.index('"s":0')].count("\n") + 1
    assert problems[changed].startswith(f"the journal is broken: line {line}")
    assert problems[cut].startswith("the journal's head is ")
    assert problems[missing] == "the journal is missing"
    assert problems[alien].startswith("a journal that the database does not know")


def test_what_is_no_file_among_the_journals_is_passed_over(tmp_path: Path, store_verb: Verb):
    """A pipe or a device would be read without end, at the start of the server too."""
    with hosted(tmp_path) as live_server:
        lobby = played(live_server)
        live_server.row(lobby)
    folder = tmp_path / "matches"
    os.mkfifo(folder / "pipe.journal.jsonl")
    for name, to in (("device", "/dev/null"), ("nowhere", "gone"), ("loop", "loop.journal.jsonl")):
        (folder / f"{name}.journal.jsonl").symlink_to(to)

    with hosted(tmp_path) as live_server:
        assert [match["match"] for match in live_server.get("/matches").json()] == [lobby]
    assert store_verb("check", "--data-dir", tmp_path)[0] == 0
    assert store_verb("backup", tmp_path / "b.tar", "--data-dir", tmp_path)[0] == 0
    assert store_verb("restore", tmp_path / "b.tar", "--data-dir", tmp_path / "new")[0] == 0


def test_check_covers_games_played_by_workers(tmp_path: Path, store_verb: Verb):
    """Their journals are in the database."""
    with hosted(tmp_path) as live_server:
        sound, changed, unpacked, missing, copied = ids = [played(live_server) for _ in range(5)]
    folder = tmp_path / "records"
    folder.mkdir()
    with Store(f"sqlite:///{tmp_path / FILE}").connected(writes=True) as db:
        for id_ in ids:
            path = tmp_path / "matches" / f"{id_}.journal.jsonl"
            written = path.read_bytes()
            kept = gzip.compress(
                written.replace(b'"s":0', b'"s":1', 1) if id_ == changed else written
            )
            if id_ == sound:
                path.rename(folder / path.name)
            else:
                path.unlink()
            db.execute(
                update(matches)
                .where(matches.c.id == id_)
                .values(node=NOWHERE, journal=f"records/{path.name}")
            )
            if id_ != missing:
                content = kept[:-9] if id_ == unpacked else kept
                db.execute(insert(records), [{"match": id_, "kind": "journal", "content": content}])
    other = folder / f"{copied}.journal.jsonl"
    other.write_bytes(b"something else")

    status, output, noted = store_verb("check", "--data-dir", tmp_path)
    problems = dict(line.split(": ", 1) for line in output.splitlines())
    assert (status, noted) == (1, "5 matches, 4 problems\n")
    assert problems[changed].startswith("the journal is broken: line ")
    assert problems[unpacked].startswith("the journal in the database cannot be unpacked")
    assert problems[missing] == "the journal is missing"
    assert problems[copied].startswith(f"{other} is not the journal in the database")
    assert sound not in problems


def test_prune_deletes_matches_or_only_their_replays(tmp_path: Path, store_verb: Verb):
    with hosted(tmp_path) as live_server:
        lobby = played(live_server)
        assert live_server.get(f"/replays/{lobby}").status_code == 200

        assert store_verb("prune", "--older-than", "1h", "--data-dir", tmp_path)[1].startswith(
            "0 matches"
        )
        assert store_verb("prune", "--older-than", "0h", "--keep-journals", "--data-dir", tmp_path)[
            1
        ].startswith("1 match,")
        assert [path.name for path in tmp_path.glob("matches/*")] == [
            journal(live_server, lobby).name
        ]
        assert live_server.get(f"/replays/{lobby}").status_code == 200
        assert store_verb("prune", "--older-than", "0h", "--data-dir", tmp_path)[1].startswith(
            "1 match,"
        )
        assert live_server.get(f"/matches/{lobby}").status_code == 404
    assert list(tmp_path.glob("matches/*")) == []
    assert store_verb("check", "--data-dir", tmp_path)[::2] == (0, "0 matches, 0 problems\n")
    assert (
        "--older-than: expected"
        in store_verb("prune", "--older-than", "soon", "--data-dir", tmp_path)[2]
    )
