"""python -m tests.vectors GAME DIR: run every vector of a folder, subfolders included, print what
differs, close with a count."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tests.vectors.runner import Adapter, Difference, adapter_of, read, run

SHOWN = 20


def differing_in(path: Path, adapter: Adapter) -> list[Difference]:
    """A file that is no JSON is this file's failure; the next one still runs."""
    try:
        vector = read(path)
    except ValueError as fault:
        return [Difference(None, "file", "JSON", str(fault))]
    return run(adapter, vector)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.vectors", description=__doc__)
    parser.add_argument("game", help="the game whose adapter reads the files")
    parser.add_argument(
        "folder", type=Path, help="a folder of .json vectors, inside the project or not"
    )
    asked = parser.parse_args()
    try:
        adapter = adapter_of(asked.game)
    except ModuleNotFoundError:
        parser.error(f"no vectors are known for {asked.game!r}")
    files = sorted(asked.folder.rglob("*.json"))
    if not files:
        parser.error(f"no .json file in {asked.folder}")
    failed = 0
    for path in files:
        differing = differing_in(path, adapter)
        failed += bool(differing)
        for difference in differing[:SHOWN]:
            print(f"{path.relative_to(asked.folder)}: {difference}")
        if len(differing) > SHOWN:
            print(f"{path.relative_to(asked.folder)}: and {len(differing) - SHOWN} more")
    print(f"{len(files) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
