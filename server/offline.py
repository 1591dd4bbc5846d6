"""A server's settings and its database for the verbs that work on them directly, whether the server
runs or not."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from client_sdk.console import UserError

if TYPE_CHECKING:
    from server.settings import Settings
    from server.store.store import Store

_HELP = "The server's (its BOTARENA_DATA_DIR, BOTARENA_DATABASE_URL count too)."
DataDir = Annotated[Path | None, typer.Option(help=_HELP, show_default="data")]


@contextmanager
def offline(data_dir: Path | None) -> Iterator[tuple[Settings, Store]]:
    """The store is not open yet. Errors within the block become one line: raises UserError."""
    from pydantic import ValidationError
    from sqlalchemy.exc import SQLAlchemyError

    from server import log
    from server.errors import Refusal
    from server.settings import Settings
    from server.store.store import Store, StoreProblem, reason, sqlite_url

    log.configure("error")
    given: dict[str, Any] = {} if data_dir is None else {"data_dir": data_dir}
    try:
        settings = Settings(**given)
        yield settings, Store(settings.database_url or sqlite_url(settings.data_dir))
    except Refusal as fault:
        of = "" if not fault.allowed else f": {', '.join(fault.allowed)}"
        raise UserError(f"{fault.text}{of}") from None
    except StoreProblem as fault:
        raise UserError(str(fault)) from None
    except SQLAlchemyError as fault:
        raise UserError(f"the database cannot be used: {reason(fault)}") from None
    except ValidationError as fault:
        first = fault.errors(include_url=False, include_input=False)[0]
        name, why = str(first["loc"][0]).upper(), first["msg"].removeprefix("Value error, ")
        raise UserError(f"BOTARENA_{name}: {why}") from None
    except OSError as fault:
        file = fault.filename or settings.data_dir
        raise UserError(f"{file}: {fault.strerror or fault}") from None
