"""A bot's file is read whatever else the process does meanwhile."""

from __future__ import annotations

import gc
import itertools
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from client_sdk import botfile


def test_a_file_is_loaded_while_the_garbage_collector_removes_modules(tmp_path: Path) -> None:
    """As finalizers and lazy imports do: modules are counted while they are looked through."""
    file = tmp_path / "mine.py"
    file.write_text("import gc\n\ngc.set_threshold(1)\n")
    numbers = itertools.count()
    made: list[str] = []

    def meddle(phase: str, info: Any) -> None:
        made.append(f"made_meanwhile_{next(numbers)}")
        sys.modules[made[-1]] = ModuleType(made[-1])

    threshold = gc.get_threshold()
    gc.callbacks.append(meddle)
    try:
        module = botfile.read(file)
    finally:
        gc.callbacks.remove(meddle)
        gc.set_threshold(*threshold)
        for name in made:
            del sys.modules[name]

    assert made
    assert module.__file__ == str(file)
