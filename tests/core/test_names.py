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
def test_a_name_that_no_one_can_see_is_none(name):
    with pytest.raises(BadName):
        checked_name(name)
    with pytest.raises(BadName):
        checked_name(name * 3)


@pytest.mark.parametrize(
    "name", ["\u3164", "\u2800", "\u115f", "\u200b", "\ufe0f", "\U000e0041", "\n", "\0", "\ud800"]
)
def test_no_name_holds_what_no_one_can_see(name):
    for where in (f"A{name}da", f"Ada{name}", f"{name}Ada"):
        if where.strip() == where:
            with pytest.raises(BadName):
                checked_name(where)


@pytest.mark.parametrize(
    "name", ["Ada", "a", "Ada's bot", "Zoë", "日本", "한국", "🤖", "⠓⠊", "नमस्ते", "=1+1", "x" * 80]
)
def test_names_of_all_scripts_are_kept_as_they_are(name):
    assert checked_name(name) == name


def test_a_name_is_kept_without_outer_spaces_and_composed():
    assert checked_name("  Ada\u00a0") == "Ada"
    assert checked_name("Zoe\u0308") == "Zoë"
    assert unicodedata.is_normalized("NFC", checked_name("Zoe\u0308"))


def test_a_name_is_not_longer_than_what_holds_it():
    assert checked_name("x" * 64, 64) == "x" * 64
    for name in ("x" * 65, "e\u0301" * 65):
        with pytest.raises(BadName, match="64"):
            checked_name(name, 64)
    assert checked_name("e\u0301" * 64, 64) == "é" * 64


@pytest.mark.parametrize(
    "other", ["Ada L", " Ada L", "Ada L\u3000", "Ada  L", "Ada\u00a0L", "Ａda L", "Ada Ｌ"]
)
def test_names_that_differ_only_in_spaces_or_forms_are_alike(other):
    assert likeness(other) == likeness("Ada L")


def test_names_that_people_tell_apart_are_not_alike():
    assert len({likeness(name) for name in ("Ada", "ada", "Ada 2", "Àda", "\u0410da")}) == 5
