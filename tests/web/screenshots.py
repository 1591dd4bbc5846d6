"""`python -m tests.web.screenshots` writes an index of the pictures that the tests have saved."""

from __future__ import annotations

from html import escape

from tests.web.tab import LOOKS, SHOTS

HEAD = """<!doctype html><meta charset="utf-8"><title>Screenshots</title>
<style>body{font:16px sans-serif} img{height:270px;border:1px solid #999} td{padding:4px}</style>"""


def index() -> str:
    """A row for each page, a column for each screen and theme."""
    names = {path.stem for path in SHOTS.glob("*.png")}
    looks = [f"{theme}-{size}" for theme, size in LOOKS]
    pages: dict[str, list[str]] = {}
    for name in sorted(names):
        look = next((look for look in looks if name.endswith(f"-{look}")), "")
        pages.setdefault(name.removesuffix(f"-{look}") if look else name, []).append(name)
    rows = [
        f"<h2>{escape(page)}</h2>" + " ".join(map(_picture, shots)) for page, shots in pages.items()
    ]
    return HEAD + "".join(rows)


def _picture(name: str) -> str:
    file = f"{escape(name)}.png"
    return f'<a href="{file}"><img src="{file}" alt=""></a>'


if __name__ == "__main__":
    path = SHOTS / "index.html"
    path.write_text(index(), encoding="utf-8")
    print(path)
