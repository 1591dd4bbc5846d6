"""The check of words finds them; `make check` runs it over the tree."""

from __future__ import annotations

from tests.words import ROOT, files, hits


def test_a_word_is_found_in_any_case_and_across_a_line_break():
    assert list(hits("one\nWhoever asks is\ntold so\nmany times")) == [
        (2, "Whoever"),
        (3, "told"),
        (3, "so many"),
    ]


def test_a_word_is_found_within_a_name():
    assert list(hits("def test_nobody_is_told(): anew_one = everybodys")) == [
        (1, "nobody"),
        (1, "told"),
        (1, "anew"),
    ]


def test_house_bots_and_parts_of_words_are_no_hits():
    assert list(hits("the house bots, untold, the household")) == []


def test_code_tests_and_documents_are_checked():
    found = {path.relative_to(ROOT).as_posix() for path in files()}

    assert {
        "README.md",
        "client_sdk/PROTOCOL.md",
        "server/app/arena.py",
        "games/pyrat/RULES.md",
        "server/web/match/element.js",
        "tests/server/test_lobbies.py",
        "examples/node/bot.mjs",
        ".ci/run",
        "Makefile",
    } <= found
