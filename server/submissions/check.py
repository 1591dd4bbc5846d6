"""The steps of one version, each a function of what was handed in. They block, and run in a process
of their own: what comes from its author is opened there, and started in the sandbox."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from client_sdk.bots import HOUSE, default_opponent
from client_sdk.local.players import BotKind
from client_sdk.sandbox import NoSandbox
from games import GAMES
from games.core.contract import Json
from games.core.errors import BotarenaError
from server.errors import Refusal
from server.submissions.archive import unpack
from server.submissions.build import NotBuilt, built
from server.submissions.players import BOUNDS, spec
from server.submissions.recipe import Recipe, recipe

CHECK_S: Final = 60.0
"""A check's match that takes longer is ended; what was seen of it counts."""
SEED: Final = 1


@dataclass(frozen=True, slots=True)
class HandedIn:
    """A file with what its author says of it. `exact`: it is what a build has left.
    `trial`: it is to be tested against the version that plays."""

    game: str
    name: str
    """The bot's."""
    file: str
    content: bytes
    entry: str | None = None
    language: str | None = None
    exact: bool = False
    trial: bool = False


@dataclass(frozen=True, slots=True)
class StepResult:
    """What became of a step. `reason`: why it ends here; None: it does not."""

    reason: str | None = None
    built: bytes | None = None
    sha256: str | None = None
    """Of what was built."""
    build_log: str | None = None
    phases: list[dict[str, Json]] = field(default_factory=list)


def examine(given: HandedIn) -> tuple[Recipe, str]:
    """How the bot is played, and the SHA-256 of its file; nothing of it is started. Raises
    Refusal."""
    with TemporaryDirectory(prefix="botarena-submission-") as folder:
        home = unpack(given.content, given.file, Path(folder) / "files")
        how = recipe(given.game, home, given.entry, given.language)
    return how, sha256(given.content).hexdigest()


def build(given: HandedIn) -> StepResult:
    """Build it, if something has to be built."""
    with TemporaryDirectory(prefix="botarena-submission-") as folder:
        try:
            home = unpack(given.content, given.file, Path(folder) / "files")
            how = recipe(given.game, home, given.entry, given.language)
            if how.build is None:
                return StepResult()
            content, log = built(home, how.build, given.game, Path(folder) / "built")
        except NotBuilt as fault:
            return StepResult(str(fault), build_log=fault.log)
        except (Refusal, NoSandbox) as fault:
            return StepResult(str(fault))
    return StepResult(built=content, sha256=sha256(content).hexdigest(), build_log=log)


def check(given: HandedIn, kind: BotKind, entry: str) -> StepResult:
    """Let it play one match against the usual house bot, as `botarena check-bot` does."""
    # only the child process that plays imports what plays
    from client_sdk.local.check.match import observe
    from client_sdk.local.check.phases import Report, judge
    from client_sdk.local.server import local_server

    game, opponents = GAMES[given.game], HOUSE.get(given.game)
    if not opponents:
        return StepResult()
    report = Report()
    with TemporaryDirectory(prefix="botarena-submission-") as folder:
        try:
            home = unpack(given.content, given.file, Path(folder) / "files", exact=given.exact)
            with local_server(Path(folder) / "server") as url:
                seen = observe(
                    game,
                    spec(kind, entry, home, given.name),
                    default_opponent(opponents),
                    dict(game.short),
                    SEED,
                    CHECK_S,
                    lambda _: None,
                    url,
                    BOUNDS,
                )
        except (Refusal, NoSandbox, BotarenaError) as fault:
            return StepResult(f"the check could not be played: {fault}")
        judge(seen, report)
    failed = [phase for phase in report.phases if phase.grade == "fail"]
    reason = f"the check failed: {failed[0].name}: {failed[0].why}" if failed else None
    return StepResult(reason, phases=[asdict(phase) for phase in report.phases])
