"""Run the conformance cases against the driver of an SDK: `python -m tests.sdk node driver.js`.
`--lacks FEATURE` leaves out cases."""

from __future__ import annotations

import argparse
import asyncio
import sys

from tests.sdk.registry import cases, lines, run


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.sdk", description=__doc__)
    parser.add_argument("--lacks", action="append", default=[], metavar="FEATURE")
    parser.add_argument("--only", default="", metavar="TEXT", help="cases whose name has this")
    parser.add_argument("driver", nargs=argparse.REMAINDER, help="the command that starts it")
    given = parser.parse_args()
    chosen = [case for case in cases() if given.only in case["name"]]
    faults = asyncio.run(run(given.driver, chosen, given.lacks))
    for line in lines(faults):
        print(line)
    print(f"{len(chosen)} cases, {len(faults)} failed")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
