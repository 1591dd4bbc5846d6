"""What may be a name, and which two names are too alike."""

from __future__ import annotations

import unicodedata

import pytest

from games.core.names import BadName, checked_name, likeness

INVISIBLE = {
    "Hangul filler": "\u3164",
    "Braille blank": "\u2800",
    "Hangul choseong filler": "\u115f",
    "Hangul jungseong filler": "\u1160",
    "halfwidth Hangul filler": "\uffa0",
    "zero width space": "\u200b",
    "zero width joiner": "\u200d",
    "word joiner": "\u2060",
    "soft hyphen": "\u00ad",
    "byte order mark": "\ufeff",
    "combining grapheme joiner": "\u034f",
    "variation selector": "\ufe0f",
    "tag": "\U000e0041",
    "variation selector supplement": "\U000e0100",
    "musical null notehead": "\U0001d159",
    "right-to-left override": "\u202e",
    "no-break space": "\u00a0",
    "ideographic space": "\u3000",
    "line separator": "\u2028",
    "a lone accent": "\u0301",
    "accents alone": "\u0301\u0308",
    "nothing": "",
    "a space": " ",
}


@pytest.mark.parametrize("name", INVISIBLE.values(), ids=INVISIBLE.keys())
def test_an_invisible_name_is_refused(name):
    with pytest.raises(BadName):
        checked_name(name)
    with pytest.raises(BadName):
        checked_name(name * 3)


@pytest.mark.parametrize(
    "name", ["\u3164", "\u2800", "\u115f", "\u200b", "\ufe0f", "\U000e0041", "\n", "\0", "\ud800"]
)
def test_invisible_characters_are_removed_from_names(name):
    for where in (f"A{name}da", f"Ada{name}", f"{name}Ada"):
        if where.strip() == where:
            with pytest.raises(BadName):
                checked_name(where)


@pytest.mark.parametrize(
    "name", ["Ada", "a", "Ada's bot", "Zoë", "日本", "한국", "🤖", "⠓⠊", "नमस्ते", "=1+1", "x" * 80]
)
def test_names_in_all_scripts_are_kept(name):
    assert checked_name(name) == name


def test_a_name_is_stripped_and_normalised():
    assert checked_name("  Ada\u00a0") == "Ada"
    assert checked_name("Zoe\u0308") == "Zoë"
    assert unicodedata.is_normalized("NFC", checked_name("Zoe\u0308"))


def test_a_name_has_a_limited_length():
    assert checked_name("x" * 64, 64) == "x" * 64
    for name in ("x" * 65, "e\u0301" * 65):
        with pytest.raises(BadName, match="64"):
            checked_name(name, 64)
    assert checked_name("e\u0301" * 64, 64) == "é" * 64


@pytest.mark.parametrize(
    "other", ["Ada L", " Ada L", "Ada L\u3000", "Ada  L", "Ada\u00a0L", "Ａda L", "Ada Ｌ"]
)
def test_names_that_differ_only_in_spaces_or_forms_are_equal(other):
    assert likeness(other) == likeness("Ada L")


def test_names_that_people_can_distinguish_are_not_equal():
    assert len({likeness(name) for name in ("Ada", "ada", "Ada 2", "Àda", "\u0410da")}) == 5
