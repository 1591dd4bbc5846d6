"""A match while it is played: exactly what the server sends."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Route

from client_sdk import replay
from client_sdk.wire.delta import patch
from games import GAMES
from games.core.contract import SPECTATOR
from games.core.journal import lines
from games.core.rerun import Rerun
from tests.e2e.arena import PATIENCE_S, Arena, free_port, hello, receive, send, started
from tests.web.matches import SHORT, begun, players, recorded
from tests.web.tab import Tab

OpenTab = Callable[..., Tab]
HEARD = {"hello", "start", "view", "delta", "event", "end", "ping", "error"}
"""The messages of a viewer. Results and stop are for seats only."""


def spectator_views(journal: str) -> dict[str, list[Any]]:
    """What a spectator sees of this match, by turn, from playing it again: as each turn opened, and
    the end."""
    rerun = Rerun(GAMES)
    seen: dict[str, list[Any]] = {}
    for line in lines(journal):
        rerun.take(line)
        assert rerun.match is not None
        turn = str(rerun.match.turn)
        if turn not in seen or line.fields["k"] in ("advance", "end"):
            seen.setdefault(turn, []).append(json.loads(json.dumps(rerun.match.view(SPECTATOR))))
    return seen


def views_of(frames: list[dict[str, Any]]) -> list[tuple[int, Any]]:
    """The views in a page's traffic, deltas applied, with their turns."""
    views: list[tuple[int, Any]] = []
    for frame in frames:
        if frame["type"] in ("start", "view"):
            views.append((frame["turn"], frame["view"]))
        elif frame["type"] == "delta":
            views.append((frame["turn"], patch(views[-1][1], frame["delta"])))
    return views


HELD = """() => {
  const { source } = document.querySelector("arena-match");
  const held = [];
  for (let index = source.first; index < source.end; index += 1)
    held.push([source.turnAt(index), source.viewAt(index)]);
  return held;
}"""

PLOTTED = """(() => {
  const dispatch = EventTarget.prototype.dispatchEvent;
  EventTarget.prototype.dispatchEvent = function (event) {
    const done = dispatch.call(this, event);
    if (event.type === "history")
      window.plotted = [...document.querySelectorAll(".plot .score")].map((line) =>
        line.getAttribute("points"));
    return done;
  };
})()"""
"""Notes what is plotted right after the history has come: nothing, until it is read."""

REPLACED = """async (text) => {
  const { ReplaySource } = await import("/web/sources/replay.js");
  class Seen extends ReplaySource {
    get end() { return 5; }
    turnAt(index) { return super.turnAt(index < this.end ? 3 * index : -1); }
    viewAt(index) { return super.viewAt(3 * index); }
    indexOf(turn) { return Math.min(4, Math.ceil(super.indexOf(turn) / 3)); }
  }
  const shown = document.querySelector("arena-match");
  await shown.show(new Seen(text));
  shown.seek(4);
  const before = shown.timeline.turn;
  await shown.show(new ReplaySource(text), { keep: true });
  return [before, shown.timeline.turn];
}"""


@pytest.mark.parametrize("game", GAMES)
def test_a_live_match_shows_the_spectators_view_and_then_its_record(
    tabs: OpenTab, arena: Arena, game
):
    """What is hidden is neither in the page's state nor in its traffic: all of it is what
    spectators see. A match of fast bots goes on at a pace for people when it is over, and its end
    is not revealed before it is shown."""
    config = SHORT[game]
    first, *others = players(game, config)
    made = arena.rest.create(game, config=config, bots=others)
    match = made["lobby"]
    tab = tabs(arena.url)
    tab.go(f"/match/{match}")
    tab.shows(status="waiting")
    tab.page.get_by_label("Speed").select_option("0.25")  # the match is over before its picture is
    tab.page.evaluate(
        "document.querySelector('arena-match').source.addEventListener('end', () => {"
        f"window.held = ({HELD})(); }})"
    )
    arena.rest.add_bot(match, first, made["owner_token"])
    tab.until(lambda: (now := tab.now()) and now["turn"] is not None)
    if game in ("botstack", "catastrophe"):  # those with a bank
        assert tab.until(lambda: "bank" in tab.page.inner_text(".scores"))
    tab.until(lambda: tab.page.evaluate("window.held !== undefined"))
    held = tab.page.evaluate("window.held")
    tab.shows(status="replay")
    if game != "zooscape":  # its clock has a pace for people
        assert "behind live" in tab.page.inner_text(".match-head .pill")
        assert tab.page.is_hidden(".banner")
        assert tab.now()["playing"]
    tab.page.keyboard.press("l")
    tab.shows(onAir=False)
    assert tab.until(lambda: tab.page.is_visible(".banner"))
    assert tab.page.inner_text(".match-head .pill") == "Replay"

    true = spectator_views(arena.record(match, "journal").decode())
    traffic = views_of(tab.frames)
    assert len(traffic) > 10
    assert {frame["type"] for frame in tab.frames} <= HEARD
    for turn, view in traffic:
        assert view in true[str(turn)]
    for turn, view in held:
        assert view in true[str(turn)]
    assert held[-1] == list(traffic[-1])
    record = replay.read(arena.record(match, "replay"))
    state = tab.state()
    assert state["index"] == state["last"] == len(record.frames) - 1
    assert state["view"] == record.view(len(record.frames) - 1)
    assert state["outcome"] == json.loads(json.dumps(record.outcome))


def seated(arena: Arena, game: str, **options: Any) -> tuple[str, list[str]]:
    """A match that waits for its two players, and their tokens."""
    match = str(arena.rest.create(game, **options)["lobby"])
    return match, [arena.rest.join(match, game, name)["token"] for name in ("one", "two")]


def test_a_peeked_bullet_reaches_no_viewer_of_the_page(tabs: OpenTab, arena: Arena):
    """BotStack: one seat looks at the next bullet. The page of a viewer never holds the word for it
    but in words for all."""
    match, tokens = seated(arena, "botstack", config={"start_items": 2}, seed=11)
    tab = tabs(arena.url)
    tab.go(f"/match/{match}")
    tab.shows(status="waiting")
    with arena.socket("play") as one, arena.socket("play") as two:
        hello(one, token=tokens[0])
        hello(two, token=tokens[1])
        own = [receive(socket, "view")["view"] for socket in (one, two)]
        tab.until(lambda: (now := tab.now()) and now["turn"] is not None)
        shown = tab.state()["view"]

    hidden = {key for view in own for key in view if key not in shown}
    for key in hidden:
        assert key not in json.dumps(tab.frames)
    assert shown["seat"] is None
    assert [view["seat"] for view in own] == [0, 1]


def test_a_sealed_move_stays_hidden_until_the_turn_closes(tabs: OpenTab, arena: Arena):
    """PyRat: one seat has moved, the other has not. Nothing about it has reached the page."""
    config = {
        "preset": "tiny",
        "mud_density": 0,
        "move_timeout_ms": 0,
        "preprocessing_timeout_ms": 0,
    }
    match, tokens = seated(arena, "pyrat", config=config)
    tab = tabs(arena.url)
    tab.go(f"/match/{match}")
    with arena.socket("play") as one, arena.socket("play") as two:
        hello(one, token=tokens[0])
        hello(two, token=tokens[1])
        moves = [receive(socket, "view")["view"]["moves"] for socket in (one, two)]
        tab.until(lambda: (now := tab.now()) and now["turn"] == 0)
        before = tab.state()["view"]
        send(one, type="commands", turn=0, commands=[moves[0][0]])
        assert receive(one, "results")["results"][0]["code"] == "ok"
        seen = len(tab.frames)
        tab.match_call("source.connection.send", {"type": "resync"})
        tab.until(lambda: any(frame["type"] == "start" for frame in tab.frames[seen:]))
        after = [frame for frame in tab.frames[seen:] if frame["type"] != "ping"]
        assert [(frame["type"], frame["view"]) for frame in after] == [("start", before)]
        assert tab.state()["view"] == before
        send(two, type="commands", turn=0, commands=[moves[1][0]])
        tab.shows(turn=1)
        assert tab.state()["view"]["rat"]["last_move"] == moves[0][0]


def facts(tab: Tab) -> list[str]:
    """What the scoreboard says of each seat, its clock too."""
    return [row.inner_text() for row in tab.page.query_selector_all(".score-row .facts")]


BANKS = SHORT["catastrophe"] | {"time_bank_s": 600}
HIDE = """(hidden) => {
  Object.defineProperty(document, "hidden", { get: () => hidden, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


def test_the_clock_of_the_seat_that_is_asked_runs_while_the_page_is_shown(
    tabs: OpenTab, arena: Arena
):
    match, tokens = seated(arena, "catastrophe", config=BANKS)
    tab = tabs(arena.url)
    tab.page.clock.install()
    tab.go(f"/match/{match}")
    tab.shows(status="waiting")

    with arena.socket("play") as one, arena.socket("play") as two:
        hello(one, token=tokens[0])
        hello(two, token=tokens[1])
        tab.until(lambda: "bank" in str(facts(tab)))
        asked, other = facts(tab)
        tab.page.clock.run_for(3_000)
        assert facts(tab)[0] != asked
        assert facts(tab)[1] == other
        tab.page.evaluate(HIDE, True)
        asked = facts(tab)[0]
        tab.page.clock.run_for(5_000)
        assert facts(tab)[0] == asked
        tab.page.evaluate(HIDE, False)
        assert facts(tab)[0] != asked
        tab.page.clock.fast_forward(590_000)
        assert tab.until(lambda: "(low)" in facts(tab)[0])
        tab.shot("clocks")


def test_a_page_that_is_opened_in_the_middle_of_a_turn_shows_its_clocks(
    tabs: OpenTab, arena: Arena
):
    match, tokens = seated(arena, "catastrophe", config=BANKS)
    tab = tabs(arena.url)
    tab.page.clock.install()
    with arena.socket("play") as one, arena.socket("play") as two:
        hello(one, token=tokens[0])
        hello(two, token=tokens[1])
        assert receive(one, "view")["act"]
        tab.go(f"/match/{match}")
        tab.until(lambda: "bank" in str(facts(tab)))
        asked, other = facts(tab)
        tab.page.clock.run_for(3_000)
        assert facts(tab)[0] != asked
        assert facts(tab)[1] == other


def test_a_live_match_can_be_paused_rewound_and_followed_again(tabs: OpenTab, arena: Arena):
    match = begun(arena, "zooscape", max_ticks=100_000, tick_ms=60)
    tab = tabs(arena.url)
    tab.go(f"/match/{match}")
    tab.shows(status="live", following=True)
    tab.until(lambda: tab.now()["last"] > 8)
    tab.page.keyboard.press(" ")
    still = tab.now()
    tab.until(lambda: tab.now()["last"] > still["last"] + 3)
    assert tab.now()["index"] == still["index"]
    tab.page.keyboard.press("ArrowLeft")
    assert tab.now()["index"] == still["index"] - 1
    assert tab.until(lambda: "behind live" in tab.page.inner_text(".match-head .pill"))
    seen = dict(views_of(tab.frames))
    assert tab.state()["view"] == seen[tab.now()["turn"]]
    tab.page.click(".live")
    tab.shows(following=True)
    tab.until(lambda: tab.now()["index"] > still["last"] + 3)


def test_who_comes_late_can_go_back_to_the_first_turn(tabs: OpenTab, arena: Arena):
    match = begun(arena, "zooscape", max_ticks=100_000, tick_ms=20)
    with arena.socket("watch") as early:
        hello(early, match=match)
        first = receive(early, "start")
        while receive(early, "view", "start")["turn"] < 150:
            pass
    tab = tabs(arena.url)
    asked: list[Route] = []

    def held(route: Route) -> None:
        asked.append(route)

    tab.page.route("**/history", held, times=1)
    tab.page.add_init_script(PLOTTED)
    tab.go(f"/match/{match}")
    read = "document.querySelector('arena-match')?.digest?.end ?? 0"
    tab.until(lambda: tab.page.evaluate(read) > 3 and asked)
    asked.pop().continue_()
    tab.until(lambda: (now := tab.now()) and now["last"] >= 150 and now["turn"] == now["index"])
    assert tab.page.evaluate("window.plotted") == ["", ""]
    assert tab.now()["playing"]
    points = "document.querySelector('arena-match').digest.points.filter(Boolean).length"
    tab.until(lambda: tab.page.evaluate(points) > 150)
    tab.page.keyboard.press("Home")
    tab.shows(turn=0, playing=False)
    tab.page.evaluate(f"document.querySelector('arena-match').seek({first['turn']})")

    assert tab.state()["view"] == first["view"]


def test_a_viewer_that_missed_a_delta_requests_the_whole_view(tabs: OpenTab, arena: Arena):
    match = begun(arena, "zooscape", max_ticks=100_000, tick_ms=60)
    tab = tabs(arena.url)
    tab.go(f"/match/{match}")
    tab.until(lambda: (now := tab.now()) and now["last"] > 3)
    tab.page.evaluate("document.querySelector('arena-match').source.seq = -5")
    tab.until(lambda: any(frame["type"] == "resync" for frame in tab.sent))
    at = tab.now()["last"]
    tab.until(lambda: tab.now()["last"] > at + 3)

    turn, view = views_of(tab.frames)[-1]
    tab.until(lambda: tab.now()["turn"] >= turn)
    assert len([frame for frame in tab.sent if frame["type"] == "resync"]) == 1
    assert len([frame for frame in tab.frames if frame["type"] == "start"]) == 2
    assert view.keys() == tab.state()["view"].keys()


@pytest.mark.parametrize("end", ["kill", "terminate"])
def test_the_page_reconnects_when_the_server_returns(tabs: OpenTab, tmp_path: Path, end):
    port = free_port()
    with started(tmp_path, port=port, BOTARENA_DRAIN_MS="0") as first:
        match = begun(first, "zooscape", max_ticks=100_000, tick_ms=60)
        tab = tabs(first.url)
        tab.go(f"/match/{match}")
        tab.until(lambda: (now := tab.now()) and now["last"] > 5)
        getattr(first.process, end)()
        first.process.wait(PATIENCE_S)
        tab.shows(status="lost")
        assert "trying again" in tab.page.inner_text(".match-head .pill")
        before = tab.now()["turn"]
    with started(tmp_path, port=port):
        tab.shows(status="live")
        tab.until(lambda: tab.now()["turn"] > before + 5)

    expected = "ERR_CONNECTION_", "503"  # it is away, then it resumes the match
    tab.complaints[:] = [one for one in tab.complaints if not any(each in one for each in expected)]


def test_a_record_with_more_turns_than_were_seen_goes_on_at_the_same_turn(
    tabs: OpenTab, arena: Arena
):
    """Of a viewer that could not keep up: the record takes the place of fewer views."""
    tab = tabs(arena.url)
    tab.go(f"/match/{begun(arena, 'pyrat')}")
    tab.shows(status="replay")
    turns = tab.page.evaluate(REPLACED, recorded("pyrat"))
    assert turns == [12, 12]
