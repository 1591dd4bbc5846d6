"""Turns of a match as a moving picture, or one as a still: the boards of the terminal
(`client_sdk.api.terminal`), drawn with Pillow, which the extra `clip` brings."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from client_sdk.api import terminal
from client_sdk.console import UserError
from games.core.contract import Json

if TYPE_CHECKING:
    from PIL.Image import Image
    from rich.console import Console
    from rich.text import Text

SUFFIXES: Final = (".gif", ".webp", ".png")
"""Of the files that can hold a clip."""
MISSING: Final = "this draws with Pillow, which is not installed: pip install 'botarena[clip]'"
GROUND: Final = (24, 26, 31)
INK: Final = (222, 224, 228)
CELL: Final = (10, 18)
"""Pixels of a character."""
FONT: Final = 15
MARGIN: Final = 12
HEART: Final = ((5, 8), (0, 4.5), (2.5, 2.5), (5, 4), (7.5, 2.5), (10, 4.5))
"""Corners, in tenths of a character."""
HOLD: Final = 8
"""The last picture of a clip stays this many times as long."""

Colour: TypeAlias = tuple[int, int, int]
Cell: TypeAlias = tuple[str, Colour, Colour | None]
"""A character, its colour and that of its ground."""
Picture: TypeAlias = list[list[Cell]]
"""Lines of characters."""


class Drawer:
    """Draws views of one match. Raises UserError if Pillow is missing."""

    def __init__(self, game: str, names: Sequence[str], first: Json = None) -> None:
        """`first`: the first view of the match, which may have what later ones leave out."""
        try:
            from PIL import ImageFont
        except ImportError:
            raise UserError(MISSING) from None
        self._font = ImageFont.load_default(FONT)
        self._tiles: dict[Cell, Image] = {}
        self._game = game
        self._names = names
        self._memory = terminal.Memory(game)
        self._console = _console()
        if first is not None:
            self._memory.whole(first)

    def picture(self, view: Json, caption: str) -> Picture:
        """The board of a view, with a line below it."""
        from rich.text import Text

        text = terminal.draw(self._game, self._memory.whole(view), self._names)
        text.rstrip()
        return _characters(self._console, Text("\n\n").join([text, Text(caption, "dim")]))

    def drawn(self, pictures: Sequence[Picture]) -> list[Image]:
        """All in the size of the largest."""
        from PIL import Image

        columns = max(len(line) for picture in pictures for line in picture)
        rows = max(map(len, pictures))
        size = (2 * MARGIN + columns * CELL[0], 2 * MARGIN + rows * CELL[1])
        images = [Image.new("RGB", size, GROUND) for _ in pictures]
        for image, picture in zip(images, pictures, strict=True):
            self._draw(image, picture)
        return images

    def save(self, pictures: Sequence[Picture], file: Path, turn_ms: int) -> None:
        """A clip. `turn_ms`: how long each picture is shown. Raises OSError."""
        from PIL import Image

        images = self.drawn(pictures)
        if file.suffix == ".gif":
            colours = self._palette()
            images = [image.quantize(palette=colours, dither=Image.Dither.NONE) for image in images]
        shown_ms = [turn_ms] * (len(images) - 1) + [turn_ms * HOLD]
        first, *rest = images
        first.save(file, save_all=True, append_images=rest, duration=shown_ms, loop=0)

    def _draw(self, image: Image, picture: Picture) -> None:
        for row, line in enumerate(picture):
            for column, cell in enumerate(line):
                if cell[0] != " " or cell[2] is not None:
                    at = (MARGIN + column * CELL[0], MARGIN + row * CELL[1])
                    image.paste(self._tiles.get(cell) or self._tile(cell), at)

    def _tile(self, cell: Cell) -> Image:
        """A character, drawn once."""
        from PIL import Image, ImageDraw

        character, ink, ground = cell
        width, height = CELL
        tile = self._tiles[cell] = Image.new("RGB", CELL, ground or GROUND)
        canvas = ImageDraw.Draw(tile)
        if character == "♥":  # the font has none
            canvas.polygon([(x * width / 10, y * height / 10) for x, y in HEART], ink)
        else:
            canvas.text((width / 2, height * 0.75), character, ink, self._font, anchor="ms")
        return tile

    def _palette(self) -> Image:
        """The colours of all characters that were drawn."""
        from PIL import Image

        strip = Image.new("RGB", ((len(self._tiles) + 1) * CELL[0], CELL[1]), GROUND)
        for number, tile in enumerate(self._tiles.values()):
            strip.paste(tile, (number * CELL[0], 0))
        return strip.quantize(128, dither=Image.Dither.NONE)


def png(game: str, view: Json, names: Sequence[str], caption: str, first: Json) -> bytes:
    """One view as a still."""
    drawer = Drawer(game, names, first)
    file = BytesIO()
    drawer.drawn([drawer.picture(view, caption)])[0].save(file, "PNG")
    return file.getvalue()


def _console() -> Console:
    from rich.console import Console

    return Console(file=BytesIO(), width=500, color_system="truecolor")  # type: ignore[arg-type]


def _characters(console: Console, text: Text) -> Picture:
    from rich.color import blend_rgb
    from rich.color_triplet import ColorTriplet
    from rich.terminal_theme import SVG_EXPORT_THEME

    lines: Picture = [[]]
    for segment in text.render(console):
        style = segment.style
        ink: Colour = INK
        ground: Colour | None = None
        if style is not None:
            if style.color is not None:
                ink = style.color.get_truecolor(SVG_EXPORT_THEME)
            if style.bgcolor is not None:
                ground = style.bgcolor.get_truecolor(SVG_EXPORT_THEME, foreground=False)
            if style.reverse:
                ink, ground = ground or GROUND, ink
            if style.dim:
                ink = blend_rgb(ColorTriplet(*ink), ColorTriplet(*(ground or GROUND)), 0.4)
        for part in segment.text:
            if part == "\n":
                lines.append([])
            else:
                lines[-1].append((part, ink, ground))
    return lines
