"""Logs: one line an event on stderr, with the match it is about. Tokens are never logged."""

from __future__ import annotations

import logging
import sys
from typing import Literal

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

Level = Literal["debug", "info", "warning", "error"]
LogFormat = Literal["logfmt", "json"]
ORDER = ["timestamp", "level", "event", "match"]


class Logfmt(structlog.processors.LogfmtRenderer):
    """Lines in which a client's values cannot move the cursor or begin another line."""

    def __call__(self, logger: WrappedLogger, name: str, event_dict: EventDict) -> str:
        return printable(super().__call__(logger, name, event_dict))


def printable(line: str) -> str:
    """The line with every character escaped that a terminal might obey."""
    if line.isprintable():
        return line
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in line)


def configure(level: Level, format_: LogFormat = "logfmt") -> None:
    """What libraries log comes out in the same shape, from warnings on."""
    said: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.StackInfoRenderer(),
        structlog.processors.format_exc_info,
    ]
    line: Processor = Logfmt(key_order=ORDER, drop_missing=True)
    if format_ == "json":
        line = structlog.processors.JSONRenderer()
    number = getattr(logging, level.upper())
    structlog.configure(
        processors=[*said, line],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=structlog.WriteLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[structlog.stdlib.add_logger_name, *said],
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, line],
        )
    )
    logging.basicConfig(level=max(logging.WARNING, number), handlers=[handler])
