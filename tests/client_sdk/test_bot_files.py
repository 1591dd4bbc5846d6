"""Which files are a bot's own, and what of them is copied."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from client_sdk.bot_files import copied, copy_files, owned


def folder(top: Path, *names: str) -> Path:
    for name in names:
        path = top / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
    return top


def names(top: Path) -> list[str]:
    return sorted(path.relative_to(top).as_posix() for path in top.rglob("*") if path.is_file())


def test_a_folder_with_one_bot_only_is_its_own(tmp_path: Path) -> None:
    ada, bob = tmp_path / "ada" / "ada.py", tmp_path / "bob" / "bob.py"
    assert (ada, ada.parent) == owned(ada.parent, [ada], [ada, bob, tmp_path / "spring.toml"])


@pytest.mark.parametrize("other", ["bob.py", "lib/bob.py", "spring.toml"])
def test_in_a_shared_folder_only_the_bots_file_is_its_own(other: str, tmp_path: Path) -> None:
    ada = tmp_path / "ada.py"
    assert (ada,) == owned(tmp_path, [ada], [ada, tmp_path / other])


def test_a_copy_holds_only_the_bots_own_files(tmp_path: Path) -> None:
    home = folder(tmp_path / "bots", "ada.py", "helper.py", "bob.py", "data/weights")
    copy = copied(home / "ada.py", tmp_path / "one", [home / "ada.py"])
    more = copied(home / "ada.py", tmp_path / "other", [home / "ada.py", home / "data"])

    assert names(copy.parent) == ["ada.py"]
    assert names(more.parent) == ["ada.py", "data/weights"]


def test_a_tournaments_folder_is_not_copied(tmp_path: Path) -> None:
    home = folder(
        tmp_path / "bots",
        "ada.py",
        "new/tournament.toml",
        "new/bots/1/bob.py",
        "old/facts.jsonl",
        "old/games/x",
    )
    assert names(copied(home / "ada.py", tmp_path / "copy", [home]).parent) == ["ada.py"]


@pytest.mark.skipif(os.name != "posix", reason="who may make links is another matter there")
def test_a_link_out_of_its_folder_is_not_followed(tmp_path: Path) -> None:
    home = folder(tmp_path / "ada", "ada.py", "data/one")
    folder(tmp_path, "bob/bob.py", "bob/lib/x")
    (home / "theirs.py").symlink_to(tmp_path / "bob" / "bob.py")
    (home / "lib").symlink_to(tmp_path / "bob" / "lib")
    (home / "shadow").symlink_to("/etc/shadow")
    (home / "two").symlink_to("data/one")

    copy = copied(home / "ada.py", tmp_path / "copy", [home])

    assert names(copy.parent) == ["ada.py", "data/one", "two"]


@pytest.mark.skipif(os.name != "posix", reason="files have no such modes there")
def test_a_copy_is_private_and_keeps_programs_executable(tmp_path: Path) -> None:
    home = folder(tmp_path / "ada", "run", "data/weights")
    (home / "run").chmod(0o755)
    old = os.umask(0)
    try:
        copy_files(home, tmp_path / "copy", [home])
    finally:
        os.umask(old)
    modes = {path.name: path.stat().st_mode & 0o777 for path in (tmp_path / "copy").rglob("*")}
    assert modes == {"run": 0o700, "data": 0o700, "weights": 0o600}
