"""What a link to the page shows in a chat or on another site: a title, a sentence and a picture.

They tell what anybody may read over HTTP without a key, and never a result."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from html import escape
from typing import Any, Final

from fastapi import Request

from server.accounts.authentication import Authenticator, Requester
from server.errors import Refusal
from server.lobbies.lobbies import Lobbies
from server.matches.archive import Archive, asked
from server.matches.lobby_record import match_record
from server.settings import Settings
from server.tournaments.service import TournamentService

LONGEST: Final = 160
"""Characters of a title."""
ID: Final = re.compile(r"[\w.~-]{1,80}", re.ASCII)
"""What may be the id of a match or a tournament; nothing else is looked up."""


@dataclass(frozen=True, slots=True)
class Preview:
    """`image`: its path on this server."""

    title: str = "Botarena"
    text: str = "Bots play five programming contests: watch their matches turn by turn."
    image: str = "/web/pictures/botarena.png"

    def tags(self, origin: str) -> str:
        """For the head of a document. `origin`: of this server, without a slash at its end."""
        properties = {
            "og:site_name": "Botarena",
            "og:type": "website",
            "og:title": textwrap.shorten(self.title, LONGEST, placeholder=" …"),
            "og:description": self.text,
            "og:image": origin + self.image,
        }
        lines = [
            f'<meta property="{name}" content="{escape(value)}" />'
            for name, value in properties.items()
        ]
        lines.append('<meta name="twitter:card" content="summary_large_image" />')
        return "".join(f"    {line}\n" for line in lines)


class Previews:
    """`origin`: where the client of a request reaches the page, an absolute URL."""

    def __init__(
        self,
        lobbies: Lobbies,
        archive: Archive,
        tournaments: TournamentService,
        authenticator: Authenticator,
        origin: Callable[[Request], str],
    ) -> None:
        self._lobbies = lobbies
        self._archive = archive
        self._tournaments = tournaments
        self._authenticator = authenticator
        self._origin = origin

    async def tags(self, request: Request) -> str:
        """For the document at the address of this request."""
        anybody = self._authenticator.anonymous()
        asked_for: Mapping[str, str] = request.path_params
        try:
            if "match" in asked_for:
                preview = await self._match(asked_for["match"], anybody)
            elif "tournament" in asked_for:
                preview = await self._tournament(asked_for["tournament"], anybody)
            else:
                preview = Preview()
        except Refusal:
            preview = Preview()
        return preview.tags(self._origin(request))

    async def _match(self, id_: str, anybody: Requester) -> Preview:
        """Raises Refusal."""
        if not ID.fullmatch(id_):
            return Preview()
        lobby = self._lobbies.unfinished.get(id_)
        found: Mapping[str, Any]
        if lobby is None:
            found = await self._archive.get(id_, anybody)
        elif lobby.state == "running":
            anybody.check("watch_private" if lobby.setup.private else "watch")
            found = match_record(lobby).running_json(None)
        else:
            return Preview()
        names = " – ".join(player.name or player.role or "?" for player in found["players"])
        game, live = self._title(found["game"]), found["state"] == "running"
        text = f"A match of {game}, live now." if live else f"A match of {game}, turn by turn."
        title = f"{names} · {game}"
        if not found["released"]:
            return Preview(title, text)
        return Preview(title, text, f"/api/v1/matches/{id_}/picture.png")

    async def _tournament(self, id_: str, anybody: Requester) -> Preview:
        """Raises Refusal."""
        anybody.check("list")
        if not ID.fullmatch(id_):
            return Preview()
        async with asked():
            row = await self._tournaments.created(id_)
        game = self._title(row.game)
        text = f"A tournament of {game}: matches, standings and bracket."
        return Preview(f"{row.name} · {game}", text)

    def _title(self, game: str) -> str:
        found = self._lobbies.games.get(game)
        return game if found is None else found.title


def origins(settings: Settings) -> Callable[[Request], str]:
    """What the operator says; else what the request says."""

    def origin(request: Request) -> str:
        url = settings.own_url
        return (str(request.base_url) if url is None else url).rstrip("/")

    return origin
