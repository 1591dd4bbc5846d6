"""Unpack what a stranger has packed: regular files and folders below one folder, and nothing else.

Sizes are counted as they come, whatever an archive says of itself. Blocks: not for the loop."""

from __future__ import annotations

import gzip
import io
import stat
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import IO, Final, NamedTuple, Self

from client_sdk.bounds import MB
from client_sdk.packing import PACKED_BYTES, PACKED_FILES, SUFFIXES, is_archive
from server.errors import Refusal

RATIO: Final = 100
"""How many times its size an archive may unpack to, beyond `FREE_BYTES`."""
FREE_BYTES: Final = MB
FILE_CHARACTERS: Final = 80
"""Of the name of what is handed in."""
NAME_CHARACTERS: Final = 200
"""Of a file with its folders."""
DEPTH: Final = 20
"""Folders within folders."""
NESTED: Final = (*SUFFIXES, ".gz", ".bz2", ".xz", ".zst", ".7z", ".rar")
"""Names that are archives: nothing would unpack them."""
LEFT_OUT: Final = "__MACOSX"
"""A folder that one system puts beside the files of an archive."""
TAR_OVERHEAD: Final = 8 * MB
"""What a tar has besides its files."""
TAR_HEADER: Final = 8 << 10
"""Bytes of the attributes of one file: the standard library searches them in the square of the
time."""
_TAR_ATTRIBUTES: Final = (
    tarfile.XHDTYPE,
    tarfile.XGLTYPE,
    tarfile.SOLARIS_XHDTYPE,
    tarfile.GNUTYPE_LONGNAME,
    tarfile.GNUTYPE_LONGLINK,
)
CHUNK: Final = 1 << 16
_BROKEN: Final = (
    tarfile.TarError,
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    OSError,
    ValueError,
    OverflowError,
    NotImplementedError,
    RuntimeError,
    LookupError,
)
"""What the standard library raises for archives that are none."""


class PackedFile(NamedTuple):
    """A file or, without content, a folder."""

    name: str
    executable: bool
    content: IO[bytes] | None


class _Header(tarfile.TarInfo):
    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> Self:
        """Raises TarError."""
        found = super().frombuf(buf, encoding, errors)
        if found.size < 0 or (found.type in _TAR_ATTRIBUTES and found.size > TAR_HEADER):
            raise tarfile.ReadError("a header in it has an impossible size")
        return found


def unpack(content: bytes, name: str, folder: Path, *, exact: bool = False) -> Path:
    """Unpack an archive below `folder`, which is empty; any other file is put there under its
    name. Returns the folder in which the bot's files are, with a `tmp`: where all are below one
    folder, that one. `exact`: what a build has left, which is taken as it is. Raises Refusal,
    OSError."""
    if not 0 < len(name) <= FILE_CHARACTERS or not name.isprintable() or "/" in name:
        text = f"a file's name has 1 to {FILE_CHARACTERS} printable characters, without /"
        raise _odd(name, text)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if is_archive(name):
        _unpack(_entries(content, name), len(content), folder, exact)
    else:
        _unpack([PackedFile(name, False, io.BytesIO(content))], len(content), folder, exact)
    found = [*folder.iterdir()]
    if not any(path.is_file() for path in folder.rglob("*")):
        raise _unreadable(f"{name}: there is no file in it")
    home = found[0] if len(found) == 1 and found[0].is_dir() and not exact else folder
    if (home / "tmp").is_file():
        raise _odd("tmp", "this name is for the folder that a bot has for its temporary files")
    (home / "tmp").mkdir(mode=0o700, exist_ok=True)
    return home


def _unpack(
    entries: Iterator[PackedFile] | list[PackedFile], size: int, folder: Path, exact: bool
) -> None:
    room = min(PACKED_BYTES, max(FREE_BYTES, RATIO * size))
    seen: set[PurePosixPath] = set()
    for number, entry in enumerate(entries):
        if number == PACKED_FILES:
            text = f"more than {PACKED_FILES} files: leave out libraries and what is built"
            raise Refusal(422, "archive_too_many", text, field="file")
        path = _path(entry.name)
        if path.parts[:1] == (LEFT_OUT,) or not path.parts:
            continue
        target = folder / path
        if path in seen and entry.content is not None:
            raise _odd(entry.name, "it is there twice")
        if any(above in seen and (folder / above).is_file() for above in (path, *path.parents)):
            raise _odd(entry.name, "it is a file and a folder")
        seen.add(path)
        if entry.content is None:
            target.mkdir(parents=True, exist_ok=True)
            continue
        if path.name.lower().endswith(NESTED) and not exact:
            text = f"{_shown(entry.name)}: an archive in an archive; pack its files instead"
            raise Refusal(422, "archive_nested", text, field="file")
        if target.exists():
            raise _odd(entry.name, "it is a file and a folder")
        target.parent.mkdir(parents=True, exist_ok=True)
        room -= _write(entry, target, room)


def _write(entry: PackedFile, target: Path, room: int) -> int:
    """The bytes that were written."""
    assert entry.content is not None
    written = 0
    with target.open("xb") as file:
        while chunk := _read(entry.content):
            written += len(chunk)
            if written > room:
                raise _too_large()
            file.write(chunk)
    target.chmod(0o700 if entry.executable else 0o600)
    return written


def _read(content: IO[bytes]) -> bytes:
    try:
        return content.read(CHUNK)
    except _BROKEN as fault:
        raise _unreadable(str(fault)) from None


def _path(name: str) -> PurePosixPath:
    """Where an entry goes, below the folder. Raises Refusal."""
    path = PurePosixPath(name)
    if not name or not name.isprintable() or "\\" in name:
        raise _odd(name, "names have printable characters without \\")
    if name.startswith("/") or name[1:2] == ":":
        raise _odd(name, "names are below the archive's folder, not absolute")
    if ".." in path.parts:
        raise _odd(name, "names do not lead out of the archive's folder")
    if len(name.encode()) > NAME_CHARACTERS or len(path.parts) > DEPTH:
        raise _odd(name, f"names have at most {NAME_CHARACTERS} bytes and {DEPTH} folders")
    return path


def _entries(content: bytes, name: str) -> Iterator[PackedFile]:
    """What an archive holds, in its order. Raises Refusal."""
    try:
        if name.lower().endswith(".zip"):
            yield from _zipped(content)
        else:
            yield from _tarred(content, name)
    except _BROKEN as fault:
        raise _unreadable(f"{name}: {fault}") from None


def _zipped(content: bytes) -> Iterator[PackedFile]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        for found in archive.infolist():
            mode = found.external_attr >> 16
            _check_kind(found.orig_filename, mode)
            if found.flag_bits & 1:
                raise _unreadable(f"{_shown(found.filename)}: it is encrypted")
            if found.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                text = f"{_shown(found.filename)}: expected the usual compression (deflate)"
                raise _unreadable(text)
            if found.is_dir():
                yield PackedFile(found.orig_filename, False, None)
                continue
            with archive.open(found) as file:
                yield PackedFile(found.orig_filename, bool(mode & 0o100), file)


def _tarred(content: bytes, name: str) -> Iterator[PackedFile]:
    plain = content if name.lower().endswith(".tar") else _inflated(content)
    with tarfile.open(fileobj=io.BytesIO(plain), mode="r:", tarinfo=_Header) as archive:
        for found in archive:
            if found.issym() or found.islnk():
                raise _link(found.name)
            if not (found.isreg() or found.isdir()):
                raise _device(found.name)
            if not 0 <= found.size <= PACKED_BYTES:
                raise _too_large()
            file = archive.extractfile(found) if found.isreg() else None
            yield PackedFile(found.name, bool(found.mode & 0o100), file)


def _inflated(content: bytes) -> bytes:
    most = min(PACKED_BYTES, max(FREE_BYTES, RATIO * len(content))) + TAR_OVERHEAD
    with gzip.GzipFile(fileobj=io.BytesIO(content)) as file:
        plain = file.read(most + 1)
    if len(plain) > most:
        raise _too_large()
    return plain


def _check_kind(name: str, mode: int) -> None:
    """`mode`: as the system that has packed it says, or 0."""
    if stat.S_ISLNK(mode):
        raise _link(name)
    if stat.S_IFMT(mode) not in (0, stat.S_IFREG, stat.S_IFDIR):
        raise _device(name)


def _link(name: str) -> Refusal:
    text = f"{_shown(name)}: it is a link; pack the file that it leads to"
    return Refusal(422, "archive_link", text, field="file")


def _device(name: str) -> Refusal:
    text = f"{_shown(name)}: it is no file (a device, a pipe); leave it out"
    return Refusal(422, "archive_device", text, field="file")


def _odd(name: str, why: str) -> Refusal:
    return Refusal(422, "archive_name", f"{_shown(name)}: {why}", field="file")


def _too_large() -> Refusal:
    text = (
        f"it unpacks to more than {PACKED_BYTES // MB} MB, or to more than {RATIO} times its size: "
        "leave out what is built, and data that can be computed"
    )
    return Refusal(422, "archive_too_large", text, field="file")


def _unreadable(why: str) -> Refusal:
    text = f"{why}; expected a file, or an archive .zip, .tar or .tar.gz"
    return Refusal(422, "archive_unreadable", text, field="file")


def _shown(name: str) -> str:
    return repr(name[:100])
