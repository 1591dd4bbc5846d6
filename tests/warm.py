"""The last module that the fork server imports: does once what each of its processes would do
first."""

from __future__ import annotations

import gc

import sqlalchemy.dialects.sqlite.aiosqlite
import uvicorn.lifespan.on
import uvicorn.loops.uvloop

from tests.signatures import read_once

__all__ = ["sqlalchemy", "uvicorn"]

read_once()
gc.collect()
gc.freeze()  # otherwise the collector of a forked process copies the pages of all this
