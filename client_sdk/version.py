"""Which Botarena this is, by what is installed."""

from __future__ import annotations


def installed() -> str | None:
    """The version; None: this runs without being installed."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("botarena")
    except PackageNotFoundError:
        return None
