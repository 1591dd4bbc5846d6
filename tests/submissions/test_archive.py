"""What a stranger packs is unpacked as regular files below one folder, or refused with a code."""

from __future__ import annotations

import contextlib
import gzip
import io
import random
import stat
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from client_sdk.packing import PACKED_BYTES, PACKED_FILES, pack
from server.errors import Refusal
from server.submissions.archive import unpack


def zipped(
    *files: tuple[str | zipfile.ZipInfo, bytes], method: int = zipfile.ZIP_DEFLATED
) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", method) as archive:
        for name, content in files:
            archive.writestr(name, content)
    return packed.getvalue()


def tarred(*entries: tuple[str, bytes | bytes], **fields: object) -> bytes:
    """`fields`: of every entry's head."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        for name, content in entries:
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            for field, value in fields.items():
                setattr(entry, field, value)
            archive.addfile(entry, io.BytesIO(content))
    return packed.getvalue()


def with_header(kind: bytes, content: bytes, size: int | None = None) -> bytes:
    """A tar whose entry of this kind has this content, and says that it has this size."""
    entry = tarfile.TarInfo("odd")
    entry.type, entry.size = kind, len(content) if size is None else size
    return tarred(("bot.py", BOT))[:1024] + entry.tobuf(tarfile.GNU_FORMAT) + content + bytes(1024)


def of_kind(mode: int) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo("odd")
    entry.create_system = 3
    entry.external_attr = mode << 16
    return entry


BOT = b"print('bot')\n"
MANY = [(f"files/{number}.txt", b"x") for number in range(10_000)]
HUGE = bytes(PACKED_BYTES + 1)


@pytest.mark.parametrize(
    ("name", "make", "code"),
    [
        ("a.zip", lambda: zipped((of_kind(stat.S_IFLNK), b"/etc/passwd")), "archive_link"),
        ("a.zip", lambda: zipped((of_kind(stat.S_IFCHR), b"")), "archive_device"),
        ("a.zip", lambda: zipped((of_kind(stat.S_IFIFO), b"")), "archive_device"),
        ("a.tar", lambda: tarred(("x", b""), type=tarfile.SYMTYPE, linkname="/"), "archive_link"),
        ("a.tar", lambda: tarred(("x", b""), type=tarfile.LNKTYPE, linkname="y"), "archive_link"),
        ("a.tar", lambda: tarred(("x", b""), type=tarfile.CHRTYPE), "archive_device"),
        ("a.tar", lambda: tarred(("x", b""), type=tarfile.BLKTYPE), "archive_device"),
        ("a.tar", lambda: tarred(("x", b""), type=tarfile.FIFOTYPE), "archive_device"),
        ("a.zip", lambda: zipped(("../bot.py", BOT)), "archive_name"),
        ("a.zip", lambda: zipped(("a/../../bot.py", BOT)), "archive_name"),
        ("a.zip", lambda: zipped(("/etc/bot.py", BOT)), "archive_name"),
        ("a.zip", lambda: zipped(("C:/bot.py", BOT)), "archive_name"),
        ("a.zip", lambda: zipped(("a\\bot.py", BOT)), "archive_name"),
        ("a.zip", lambda: zipped(("a\nb.py", BOT)), "archive_name"),
        ("a.zip", lambda: zipped(("\u202eyp.tob", BOT)), "archive_name"),
        ("a.zip", lambda: zipped(("x" * 300, BOT)), "archive_name"),
        ("a.zip", lambda: zipped(("d/" * 30 + "bot.py", BOT)), "archive_name"),
        ("a.zip", lambda: zipped(("a", BOT), ("a/b", BOT)), "archive_name"),
        ("a.zip", lambda: zipped(("a/b", BOT), ("a", BOT)), "archive_name"),
        ("a.zip", lambda: zipped(("tmp", BOT), ("bot.py", BOT)), "archive_name"),
        ("a.tar", lambda: tarred(("bot.py", BOT), ("bot.py", BOT)), "archive_name"),
        ("a.tar", lambda: tarred(("../bot.py", BOT)), "archive_name"),
        ("a.tar", lambda: tarred(("/bot.py", BOT)), "archive_name"),
        ("a.zip", lambda: zipped(("zeros", bytes(8 << 20))), "archive_too_large"),
        ("a.zip", lambda: zipped(("zeros", HUGE), method=0), "archive_too_large"),
        ("a.tar", lambda: tarred(("zeros", HUGE)), "archive_too_large"),
        ("a.tgz", lambda: gzip.compress(bytes(200 << 20)), "archive_too_large"),
        ("a.tar.gz", lambda: gzip.compress(tarred(("zeros", HUGE))), "archive_too_large"),
        ("a.zip", lambda: zipped(*MANY), "archive_too_many"),
        ("a.tar", lambda: tarred(*MANY), "archive_too_many"),
        ("a.zip", lambda: zipped(("more.zip", b"PK")), "archive_nested"),
        ("a.tar", lambda: tarred(("lib/more.TAR.GZ", b"")), "archive_nested"),
        ("a.zip", lambda: b"no archive", "archive_unreadable"),
        ("a.zip", zipped, "archive_unreadable"),
        ("a.zip", lambda: zipped(("bot.py", BOT), method=zipfile.ZIP_LZMA), "archive_unreadable"),
        ("a.zip", lambda: zipped(("bot.py", BOT))[:-30], "archive_unreadable"),
        ("a.tar.gz", lambda: gzip.compress(tarred(("bot.py", BOT)))[:-30], "archive_unreadable"),
        ("a.tar", lambda: b"no archive", "archive_unreadable"),
        ("a.tar", lambda: with_header(tarfile.XHDTYPE, b"1" * (64 << 20)), "archive_unreadable"),
        ("a.tar", lambda: with_header(tarfile.REGTYPE, b"", -512), "archive_unreadable"),
        ("bot.7z", lambda: BOT, "archive_nested"),
        ("", lambda: BOT, "archive_name"),
    ],
)
def test_what_is_no_plain_archive_is_refused_with_a_sentence_and_a_code(
    tmp_path: Path, name: str, make: Callable[[], bytes], code: str
):
    inside = tmp_path / "inside"

    with pytest.raises(Refusal) as refused:
        unpack(make(), name, inside)

    assert (refused.value.status, refused.value.code) == (422, code)
    assert len(refused.value.text) > 20
    assert [*tmp_path.iterdir()] in ([inside], [])
    assert not any(path.is_symlink() for path in tmp_path.rglob("*"))


@pytest.mark.parametrize("name", ["bot.zip", "bot.tar", "bot.tar.gz", "bot.TGZ"])
def test_the_files_of_an_archive_lie_where_its_only_folder_is(tmp_path: Path, name: str):
    files = (("top/bot.py", BOT), ("top/data/weights.bin", b"\0\1"))
    content = zipped(*files, ("__MACOSX/._bot.py", b"")) if name == "bot.zip" else tarred(*files)

    home = unpack(
        content if name[-3:] in ("zip", "tar") else gzip.compress(content), name, tmp_path
    )

    assert home == tmp_path / "top"
    assert (home / "bot.py").read_bytes() == BOT
    assert (home / "data/weights.bin").read_bytes() == b"\0\1"
    assert sorted(path.name for path in home.iterdir()) == ["bot.py", "data", "tmp"]


def test_a_single_file_is_kept_under_its_name_and_programs_stay_executable(tmp_path: Path):
    assert (unpack(BOT, "mybot.py", tmp_path / "one") / "mybot.py").read_bytes() == BOT
    program = unpack(tarred(("run", BOT), mode=0o4755), "a.tar", tmp_path / "two") / "run"
    assert stat.S_IMODE(program.stat().st_mode) == 0o700


def test_the_same_files_are_packed_to_the_same_bytes(tmp_path: Path):
    for name in ("b.py", "a.py"):
        (tmp_path / name).write_bytes(BOT)

    packed = pack(tmp_path, [tmp_path / "b.py", tmp_path / "a.py"])

    assert packed == pack(tmp_path, [tmp_path / "a.py", tmp_path / "b.py"])
    home = unpack(packed, "bot.tar.gz", tmp_path / "again")
    assert {path.name for path in home.iterdir()} == {"a.py", "b.py", "tmp"}
    assert len(MANY) > PACKED_FILES


def test_a_damaged_archive_is_unpacked_or_refused_and_never_anything_else(tmp_path: Path):
    dice = random.Random(7)
    whole = {
        "a.zip": zipped(("bot.py", BOT * 20), ("data/x", bytes(999))),
        "a.tar": tarred(("bot.py", BOT * 20), ("data/x", bytes(999))),
        "a.tgz": gzip.compress(tarred(("bot.py", BOT * 20))),
    }
    for number in range(600):
        name = dice.choice([*whole])
        damaged = bytearray(whole[name])
        for _ in range(dice.choice((1, 2, 8))):
            damaged[dice.randrange(len(damaged))] = dice.randrange(256)
        with contextlib.suppress(Refusal):
            unpack(
                bytes(damaged[: dice.choice((len(damaged), dice.randrange(1, len(damaged))))]),
                name,
                tmp_path / str(number),
            )
        assert not any(path.is_symlink() for path in (tmp_path / str(number)).rglob("*"))
