"""The last module that the fork server imports: does once what each of its processes would do
first."""

from __future__ import annotations

import gc
import tempfile
from pathlib import Path

import sqlalchemy.dialects.sqlite.aiosqlite
import uvicorn.lifespan.on
import uvicorn.loops.uvloop

from server.app.arena import create_app
from server.settings import Settings

__all__ = ["sqlalchemy", "uvicorn"]

with tempfile.TemporaryDirectory() as folder:
    create_app(Settings(data_dir=Path(folder))).document()
gc.collect()
gc.freeze()  # otherwise the collector of a forked process copies the pages of all this
