"""A bot is handed in on the page, which shows what became of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tests.e2e.arena import Arena
from tests.web.tab import LOOKS, Tab
from tests.web.test_contests import signed_in

OpenTab = Callable[..., Tab]
BROKEN = "raise ValueError('no move for me')\n"
SAYS_ITS_FILES = """
from pathlib import Path

files = {path.relative_to(Path(__file__).parent).as_posix(): path.stat().st_size
         for path in Path(__file__).parent.rglob("*") if path.is_file() and path.suffix != ".pyc"}
raise ValueError(f"found {', '.join(sorted(files))} of {max(files.values())} bytes")
"""


def test_a_file_is_handed_in_and_its_check_is_shown(
    tabs: OpenTab, club: tuple[Arena, str], tmp_path: Path
):
    arena, key = club
    tab = tabs(arena.url)
    tab.go("/submit?game=pyrat")
    tab.until(lambda: tab.page.query_selector("text=Use this key"))
    tab.page.get_by_label("key", exact=True).fill(key)
    tab.page.click("text=Use this key")
    tab.until(lambda: tab.page.query_selector("text=Hand it in"))
    tab.page.click("button:has-text('Hand it in')")
    assert "Name the bot" in tab.until(tab.page.locator(".fault:not(:empty)").first.inner_text)

    (tmp_path / "mine.py").write_text(BROKEN)
    tab.page.get_by_label("name", exact=True).fill("Mine")
    tab.page.get_by_label("file", exact=True).set_input_files(tmp_path / "mine.py")
    tab.page.click("button:has-text('Hand it in')")
    tab.until(lambda: tab.page.query_selector("text=Mine, version 1"))
    tab.until(lambda: tab.page.query_selector(".pill[data-kind='lost']"))
    tab.page.click("summary:has-text('build and check')")
    tab.until(lambda: "no move for me" in tab.page.inner_text("main"))
    for theme, size in LOOKS:
        tab.look(theme, size)
        tab.shot(f"handed-in-{theme}-{size}")


def test_a_folder_is_packed_and_handed_in(tabs: OpenTab, club: tuple[Arena, str], tmp_path: Path):
    arena, key = club
    deep = "deep" * 20
    files = {
        "bot.py": SAYS_ITS_FILES,
        f"{deep}/{deep}/notes.txt": "ü" * 700,
        ".git/config": "secret",
        "node_modules/far/away.js": "",
    }
    for name, text in files.items():
        path = tmp_path / "mybot" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    tab = tabs(arena.url)
    signed_in(tab, key)
    tab.go("/submit?game=pyrat")
    tab.until(lambda: tab.page.query_selector("text=Hand it in"))
    tab.page.get_by_label("name", exact=True).fill("Folder")
    tab.page.click("button:has-text('Hand it in')")
    assert "a folder" in tab.until(tab.page.locator(".fault:not(:empty)").first.inner_text)
    tab.page.get_by_label("or a folder", exact=True).set_input_files(tmp_path / "mybot")
    tab.page.click("button:has-text('Hand it in')")
    card = tab.page.locator(".card", has_text="Folder, version 1")
    tab.until(card.count)
    card.locator("summary").click()  # it stays open when the state changes
    tab.until(lambda: card.locator(".pill[data-kind='lost']").count())
    shown = f"found bot.py, {deep}/{deep}/notes.txt of 1400 bytes"
    tab.until(lambda: shown in card.inner_text())
