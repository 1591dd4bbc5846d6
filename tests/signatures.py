"""What FastAPI reads of a route, read once per process: hundreds of tests start a server of their
own, and reading its seventy routes takes most of the time of that."""

from __future__ import annotations

import copy
import inspect
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from fastapi import routing

from server.app.arena import create_app
from server.settings import Settings


def read_once() -> None:
    """From now on FastAPI reads each route once in this process, the first time now.
    The handlers of two servers are different closures of one `def`, with the same annotations and
    defaults: neither names anything that belongs to a server."""
    if routing.get_dependant is not _dependant:
        routing.get_dependant = _dependant
        routing.get_typed_return_annotation = _return_annotation
        routing.create_model_field = cache(routing.create_model_field)
        with tempfile.TemporaryDirectory() as folder:
            create_app(Settings(data_dir=Path(folder)))


_read: Any = routing.get_dependant
_read_return_annotation: Any = routing.get_typed_return_annotation
_dependants: dict[tuple[object, ...], Any] = {}
_annotations: dict[object, Any] = {}


def _definition(handler: Callable[..., Any]) -> object:
    """What the closures of one `def` share."""
    return getattr(inspect.unwrap(handler), "__code__", handler)


def _dependant(*, path: str, call: Callable[..., Any], scope: str) -> Any:
    key = (_definition(call), path, scope)
    if key not in _dependants:
        _dependants[key] = _read(path=path, call=call, scope=scope)
    found = copy.copy(_dependants[key])
    found.call, found.dependencies = call, [*found.dependencies]  # FastAPI adds those of routers
    return found


def _return_annotation(handler: Callable[..., Any]) -> Any:
    key = _definition(handler)
    if key not in _annotations:
        _annotations[key] = _read_return_annotation(handler)
    return _annotations[key]
