"""The browser in which the page is tried. `python -m tests.web.chromium` says which one that is, or
what to install."""

from __future__ import annotations

import os
import shutil
import sys

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
MISSING = (
    "The tests of the page need Chromium, and none was found.\n"
    "  Debian, Ubuntu: apt-get install chromium\n"
    "  Fedora: dnf install chromium\n"
    "  macOS: brew install --cask chromium\n"
    "or name one: make web-test CHROMIUM=/path/to/chrome"
)


def found() -> str | None:
    """The path of a Chromium; None: there is none."""
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)


if __name__ == "__main__":
    path = found()
    print(path or MISSING)
    sys.exit(path is None)
