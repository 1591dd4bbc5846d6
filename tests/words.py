"""`python -m tests.words`: find words of an earlier private idiom in code, tests and documents, for
`make check`.

Plain English says it: notified, logged or returned; a client that; no one, or a passive; at most N;
again; the server."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
PLACES: Final = (
    "benchmarks",
    "botarena",
    "client_sdk",
    "deploy",
    "docs",
    "examples",
    "games",
    "maps",
    "sdk",
    "server",
    "tests",
)
FILES: Final = (".ci/run", "Dockerfile", "Makefile", "deploy/Caddyfile", "pyproject.toml")
KINDS: Final = {
    *(".css", ".html", ".md", ".toml", ".yml"),
    *(".c", ".h", ".java", ".js", ".mjs", ".py", ".rs", ".sh", ".ts"),
}
IGNORED: Final = {"build", "dist"}
"""What is built from the sources."""
LISTS: Final = {ROOT / "tests" / "words.py", ROOT / "tests" / "docs" / "test_plain_words.py"}
"""These contain the words themselves."""
WORDS: Final = re.compile(
    r"\b(told|whoever|whomever|nobody|somebody|everybody|who looks|so many|anew|the talk|the "
    r"house(?! bots?\b))\b",
    re.IGNORECASE,
)


def hits(text: str) -> Iterator[tuple[int, str]]:
    """The line number and the word of each hit, also within names and across a line break."""
    flat = re.sub(r"[\s_]", " ", text)
    for found in WORDS.finditer(flat):
        yield text.count("\n", 0, found.start()) + 1, found[0]


def files() -> Iterator[Path]:
    """All files with text by hand, except the data of tests and maps."""
    yield from sorted(ROOT.glob("*.md"))
    yield from (ROOT / name for name in FILES)
    for place in PLACES:
        found = {path for path in (ROOT / place).rglob("*") if path.suffix in KINDS}
        yield from sorted(path for path in found - LISTS if not IGNORED & {*path.parts})


def main() -> int:
    """The number of files with hits, at most 1, as an exit status."""
    found = [
        f"{path.relative_to(ROOT)}:{line}: {word}"
        for path in files()
        for line, word in hits(path.read_text(encoding="utf-8"))
    ]
    print("\n".join(found) or "plain words: no hits")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
