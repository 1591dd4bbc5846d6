"""Each game's picture, words and controls: drawn in a real browser from what the game really
shows."""

from __future__ import annotations

import functools
import itertools
import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser

from client_sdk import replay
from client_sdk.bot import house, play_headless
from games import GAMES
from games.core import maps
from games.core.contract import Json, Reply
from games.core.dice import Seeded
from games.core.match import Match
from tests.e2e.arena import Arena
from tests.web.matches import SHORT, players, recorded
from tests.web.tab import Tab, opened

HARNESS = (Path(__file__).parent / "renderer.js").read_text(encoding="utf-8")
DRAWS = 0.75
"""What a drawing may cost the processor at 1080 lines, when what can be kept is kept: this share of
what SQUARES squares cost on the same page, so that no machine is too slow for it. With squares at
5.3 ms it is 4 ms."""
SQUARES = 4_000

every_game = pytest.mark.parametrize("game", sorted(GAMES))


@functools.cache
def film(game: str) -> tuple[replay.Replay, list[Json]]:
    """A match between house bots, and all that a spectator saw of it."""
    record = replay.read(recorded(game))
    return record, [record.view(frame) for frame in range(len(record.frames))]


def cast(game: str, count: int) -> list[dict[str, Any]]:
    roles = GAMES[game].roles
    return [
        {"seat": seat, "role": roles[seat], "name": f"player {seat + 1}", "kind": "bot"}
        for seat in range(count)
    ]


Ask = Callable[..., Any]


@pytest.fixture(scope="module")
def bench(browser: Browser, arena: Arena) -> Iterator[Tab]:
    """One tab for all that leaves nothing behind in it."""
    tab = opened(browser, arena.url)
    prepared(tab)
    yield tab
    tab.page.context.close()


def prepared(tab: Tab) -> None:
    tab.page.route(
        "**/web/renderer.js",
        lambda route: route.fulfill(body=HARNESS, content_type="text/javascript"),
    )
    tab.go("/replay")


def asking(tab: Tab) -> Ask:
    """Evaluates a function of a game's renderer and of what is given."""

    def evaluate(game: str, function: str, **given: Any) -> Any:
        script = f"""async ([game, source, given]) => {{
            globalThis.harness ??= await import(source);
            globalThis.holds ??= {{}};
            const held = globalThis.holds[game] ??= await globalThis.harness.held(game);
            return await ({function})(held, given);
        }}"""
        return tab.page.evaluate(script, [game, "/web/renderer.js", given])

    return evaluate


@pytest.fixture
def ask(bench: Tab) -> Iterator[Ask]:
    yield asking(bench)
    assert bench.complaints == []


# --- pictures -------------------------------------------------------------------------------------


@every_game
def test_at_the_end_of_a_movement_exactly_the_view_is_drawn(game: str, ask: Ask) -> None:
    _, views = film(game)
    chosen = Random(1).sample(range(1, len(views)), 8)
    pairs = [
        {"before": views[at - 1], "view": views[at], "trail": views[max(0, at - 40) : at]}
        for at in chosen
    ]

    moved, still = ask(
        game,
        """({ sceneOf, drawn, print }, { pairs, seats }) => [
            pairs.map((pair) => print(drawn(sceneOf({ ...pair, seats })))),
            pairs.map((pair) => print(drawn(sceneOf({ ...pair, seats, before: null })))),
        ]""",
        pairs=pairs,
        seats=cast(game, len(players(game, {}))),
    )

    assert moved == still


@every_game
def test_a_picture_does_not_depend_on_the_previous_one(game: str, ask: Ask) -> None:
    _, views = film(game)
    chosen = [views[at] for at in Random(2).sample(range(len(views)), 6)]

    first, again = ask(
        game,
        """({ sceneOf, drawn, print }, { chosen, seats }) => {
            const scenes = chosen.map((view) => sceneOf({ view, seats }));
            const picture = (scene) => print(drawn(scene));
            const first = scenes.map(picture);
            drawn(scenes[0], { width: 333, height: 444 }, 2);
            return [first, scenes.reverse().map(picture).reverse()];
        }""",
        chosen=chosen,
        seats=cast(game, len(players(game, {}))),
    )

    assert first == again
    assert len(set(first)) > 1


@every_game
def test_between_two_views_the_picture_moves(game: str, ask: Ask) -> None:
    _, views = film(game)
    middle = len(views) // 2
    pairs = [{"before": views[at - 1], "view": views[at]} for at in range(middle, middle + 12)]

    prints = ask(
        game,
        """({ sceneOf, drawn, print }, { pairs, seats }) => pairs.map((pair) => (
            [0, 0.3, 0.6, 1].map((fraction) => print(drawn(sceneOf({ ...pair, seats, fraction }))))
        ))""",
        pairs=pairs,
        seats=cast(game, len(players(game, {}))),
    )

    assert any(len(set(steps)) == 4 for steps in prints) or game == "botstack"
    assert any(len(set(steps)) > 2 for steps in prints)


ODD: dict[str, list[dict[str, Any]]] = {
    "pyrat": [
        {"width": 2, "height": 2, "cheese_count": 1, "symmetric": False},
        {"width": 64, "height": 64, "cheese_count": 400},
    ],
    "zooscape": [
        {"seats": 1, "map_size": 9, "map_teleports": 2},
        {"map_size": 99},
        {"zookeepers_max": 0, "seats": 3},
    ],
    "catastrophe": [
        {"map_width": 8, "map_height": 6, "min_food_chance": 0.3, "max_food_chance": 0.5},
        {"map_width": 64, "map_height": 64},
    ],
    "cookoff": [{"bots_per_team": 8}, {"rules": "awap2026"}],
    "botstack": [
        {"item_slots": 0, "start_items": 0},
        {
            "item_slots": 8,
            "start_items": 8,
            "start_health": 99,
            "rounds_per_match": 25,
            "wins_to_win": 25,
        },
        {"min_bullets": 32, "max_bullets": 32, "live_range": {"32": [10, 20]}},
    ],
}


def boards(game: str) -> Iterator[Match]:
    """Matches as they begin: on every map, and in odd configurations."""
    for name in maps.names(game):
        yield Match.begin(GAMES[game], {}, 3, maps.text(game, name))
    for config in ODD[game]:
        yield Match.begin(GAMES[game], config, 3)


@every_game
def test_every_map_and_odd_configuration_is_drawn_at_every_size(game: str, ask: Ask) -> None:
    shown = [
        {"view": match.view(None), "seats": cast(game, match.seats), "hover": {"x": 1, "y": 1}}
        for match in boards(game)
    ]

    colours = ask(
        game,
        """({ renderer, sceneOf, drawn, colourful }, { shown }) => {
            const colours = (one, most) => {
                const { width, height } = renderer.shape(one.view, {});
                const scale = most / Math.max(width, height);
                const size = { width: width * scale, height: height * scale };
                return colourful(drawn(sceneOf(one), size));
            };
            return shown.flatMap((one) => [320, 1080].map((most) => colours(one, most)));
        }""",
        shown=shown,
    )

    assert len(colours) == 2 * len(shown)
    assert min(colours) > 10


def test_the_streak_on_the_page_is_the_one_of_the_seat_s_own_view(ask: Ask) -> None:
    match = Match.begin(GAMES["zooscape"], SHORT["zooscape"] | {"seats": 4}, 11)
    views: list[Json] = [match.view(None)]
    private: list[list[float]] = []

    def keep(shown: Match) -> None:
        views.append(shown.view(None))
        private.append(
            [shown.view(seat)["you"]["streak_multiplier"] for seat in range(shown.seats)]
        )

    play_headless(match, bots("zooscape", match), shown=keep)

    found = ask(
        "zooscape",
        """async (_, { views, config }) => {
            const { streaks } = await import("/web/games/zooscape/streak.js");
            return views.slice(1).map((_, at) =>
                streaks(views.slice(Math.max(0, at - 39), at + 2), config));
        }""",
        views=views,
        config=SHORT["zooscape"],
    )

    assert {streak for streaks in private for streak in streaks} > {1.0, 4.0}
    for page, game in zip(found, private, strict=True):
        assert page == pytest.approx(game)


@every_game
def test_every_seat_s_own_views_are_drawn_and_described(game: str, ask: Ask) -> None:
    seen: list[dict[str, Any]] = []
    match = Match.begin(GAMES[game], SHORT[game], 11)
    overlays = [
        {"kind": "cell", "x": 1, "y": 1, "seat": 0},
        {"kind": "arrow", "from": {"x": 0, "y": 0}, "to": {"x": 2, "y": 1}, "colour": "#ff0000"},
        {"kind": "text", "x": 1, "y": 0, "text": "here", "seat": 1},
    ]

    def keep(shown: Match) -> None:
        if (shown.turn % 7 == 0 and len(seen) < 24) or shown.outcome is not None:
            seen.extend(
                {"view": shown.view(seat), "viewer": seat, "overlays": overlays}
                for seat in range(shown.seats)
            )

    play_headless(match, bots(game, match), shown=keep)

    sentences = ask(
        game,
        """({ renderer, sceneOf, drawn }, { seen, seats }) => seen.map((one) => {
            drawn(sceneOf({ ...one, seats }));
            return renderer.describe(one.view, one.viewer);
        })""",
        seen=seen,
        seats=cast(game, match.seats),
    )

    assert all(re.fullmatch(r"[^{}\[\]]{20,}", sentence) for sentence in sentences)
    assert not any(re.search("undefined|NaN|null|object", sentence) for sentence in sentences)
    assert any(re.search(r"\b[Yy]ou\b", sentence) for sentence in sentences)


# --- words ----------------------------------------------------------------------------------------


@every_game
def test_the_last_scores_are_the_outcome(game: str, ask: Ask) -> None:
    record, views = film(game)
    assert record.outcome is not None
    booked = {"botstack": "rounds_won", "catastrophe": "units"}.get(game, "score")

    scores = ask(
        game,
        "({ renderer }, { view, seats }) => renderer.scores(view, seats)",
        view=views[-1],
        seats=cast(game, len(record.header.seats)),
    )

    assert [(score["seat"], score["points"]) for score in scores] == [
        (seat, events_of[booked]) for seat, events_of in enumerate(record.outcome["seats"])
    ]
    assert all(
        score["text"] and all(name and value for name, value in score["facts"]) for score in scores
    )


def events_of(ask: Ask, game: str) -> list[list[dict[str, Any]]]:
    _, views = film(game)
    lists: list[list[dict[str, Any]]] = ask(
        game,
        "({ renderer }, { views, seats }) => views.map((view, at) => renderer.events(views[at - "
        "1] ?? null, view, seats))",
        views=views,
        seats=cast(game, len(players(game, {}))),
    )
    return lists


def counted(events: list[list[dict[str, Any]]], seat: int, words: str) -> int:
    return sum(one["seat"] == seat and words in one["text"] for step in events for one in step)


def test_every_piece_of_cheese_is_described(ask: Ask) -> None:
    record, _ = film("pyrat")
    assert record.outcome is not None
    events = events_of(ask, "pyrat")

    for seat, booked in enumerate(record.outcome["seats"]):
        assert (
            counted(events, seat, "eats a cheese") + counted(events, seat, "shares a cheese") / 2
            == booked["score"]
        )


def test_every_capture_is_described(ask: Ask) -> None:
    record, _ = film("zooscape")
    assert record.outcome is not None
    events = events_of(ask, "zooscape")

    assert [counted(events, seat, "is captured") for seat in range(2)] == [
        one["captured_count"] for one in record.outcome["seats"]
    ]


def test_every_order_is_described_paid_or_missed(ask: Ask) -> None:
    record, _ = film("cookoff")
    assert record.outcome is not None
    events = events_of(ask, "cookoff")

    for seat, booked in enumerate(record.outcome["seats"]):
        assert counted(events, seat, "is paid") == booked["orders_completed"]
        assert counted(events, seat, "misses an order") == booked["orders_expired"]


def test_every_shot_is_described(ask: Ask) -> None:
    _, views = film("botstack")
    events = events_of(ask, "botstack")

    for seat in range(2):
        assert counted(events, seat, "shoots") == sum(
            event["e"] == "shot" and event["seat"] == seat
            for view in views
            for event in view["events"]
        )


def test_every_conversion_is_described(ask: Ask) -> None:
    _, views = film("catastrophe")
    events = events_of(ask, "catastrophe")
    owners = [{unit["id"]: unit["owner"] for unit in view["units"]} for view in views]

    for seat in range(2):
        assert counted(events, seat, "converts a human") == sum(
            now[one] == seat and then.get(one, seat) is None
            for then, now in itertools.pairwise(owners)
            for one in now
        )


@pytest.mark.parametrize("game", ["catastrophe", "cookoff"])
def test_defaults_of_a_configuration_are_those_of_the_rules(game: str, ask: Ask) -> None:
    rules = GAMES[game].rules()

    defaults = ask(game, f"async () => (await import('/web/games/{game}.js')).DEFAULTS")

    assert defaults == {name: getattr(rules, name) for name in defaults}


# --- a person's seat ------------------------------------------------------------------------------


def bots(game: str, match: Match) -> list[Any]:
    names = players(game, {})
    return [house(game, names[seat % len(names)]) for seat in range(match.seats)]


class Watched(Match):
    """Keeps the moments before commands, a few of each kind."""

    moments: list[tuple[Any, int, Json]]
    kinds: Counter[str]

    def apply(self, seat: int, raw: Json, stamps: Json = None) -> Reply:
        kind = kind_of(raw)
        self.kinds[kind] += 1
        if self.kinds[kind] <= 5:
            self.moments.append((self.state, seat, self.view(seat)))
        return super().apply(seat, raw, stamps)


def kind_of(command: Json) -> str:
    return (
        command
        if isinstance(command, str)
        else str(command.get("cmd") or command.get("type") or command.get("action"))
    )


@every_game
def test_the_game_accepts_everything_offered_to_a_person(game: str, ask: Ask) -> None:
    """Enabled buttons and clicks that answer with a command are carried out; a key may run into a
    wall, but is understood."""
    config = {
        "catastrophe": {"map_width": 12, "map_height": 8, "max_turns": 90},
        "cookoff": {"total_turns": 120},
    }.get(game, SHORT[game])
    match = Watched.begin(
        GAMES[game], config, 5, maps.text(game, "canteen") if game == "cookoff" else None
    )
    assert isinstance(match, Watched)
    match.moments, match.kinds = [], Counter()
    play_headless(match, bots(game, match))
    asked = ask(
        game,
        "({ asked }, { seen }) => seen.map(([view, seat]) => asked(view, seat))",
        seen=[[view, seat] for _, seat, view in match.moments],
    )

    kinds = set()
    for (state, seat, _), commands in zip(match.moments, asked, strict=True):
        for sure, command in [(True, one) for one in commands["sure"]] + [
            (False, one) for one in commands["tried"]
        ]:
            reply = Match(match.game, match.rules, state, Seeded(5)).apply(seat, command)
            kinds.add(kind_of(command))
            done = reply.verdict == "ok" or (reply.code in SPENT and kind_of(command) == "move")
            assert done if sure else reply.code not in NOT_UNDERSTOOD, (command, reply)
    assert kinds >= EXPECTED[game]


SPENT = {"move_used", "move_after_action"}
"""Of a cook that is sent on all the same: the answer says why it stays."""
NOT_UNDERSTOOD = {
    "bad_action",
    "bad_command",
    "unknown_action",
    "malformed",
    "unknown_command",
    "bad_step",
    "no_such_unit",
    "unknown_bot",
}
EXPECTED = {
    "pyrat": {"UP", "RIGHT", "DOWN", "LEFT", "STAY"},
    "zooscape": {"up", "down", "left", "right", "use_item"},
    "botstack": {"abstain", "item", "shoot", "resign"},
    "catastrophe": {"move", "rest", "harvest", "change_job", "drop", "convert"},
    "cookoff": {
        "move",
        "buy",
        "place",
        "pickup",
        "start_cook",
        "take_from_pan",
        "add_food_to_plate",
    },
}


@pytest.mark.parametrize("game", sorted(set(GAMES) - {"botstack"}))
def test_every_cell_is_found_under_the_pointer(game: str, ask: Ask) -> None:
    view = film(game)[1][0]
    if game == "pyrat":
        cells = [
            (x, y) for x in range(view["maze"]["width"]) for y in range(view["maze"]["height"])
        ]
    elif game == "zooscape":
        cells = [(x, y) for y, row in enumerate(view["map"]) for x in range(len(row))]
    else:
        cells = [(x, y) for x in range(view["map"]["width"]) for y in range(view["map"]["height"])]

    found = ask(
        game, "({ points }, { view }) => [...points(view).keys()].map(JSON.parse)", view=view
    )

    assert sorted({(one["x"], one["y"]) for one in found}) == sorted(cells)
    assert len(found) == len(cells) * (2 if game == "cookoff" else 1)


# --- the bar --------------------------------------------------------------------------------------

WORST: dict[str, dict[str, Any]] = {
    "pyrat": {"width": 64, "height": 64, "cheese_count": 400, "max_turns": 20},
    "zooscape": {"seats": 4, "map_size": 99, "max_ticks": 20},
    "catastrophe": {"map_width": 64, "map_height": 64, "max_turns": 24},
    "cookoff": {"total_turns": 30, "bots_per_team": 8},
    "botstack": {},
}


@every_game
def test_a_drawing_of_the_largest_board_is_cheap(
    game: str, tab: Tab, capsys: pytest.CaptureFixture[str]
) -> None:
    """Processor time of the page's main thread, so that neighbours do not count, and in squares, so
    that the machine does not."""
    prepared(tab)
    ask = asking(tab)
    record = replay.read(recorded(game, **WORST[game]))
    last = len(record.frames) - 1
    views = [record.view(at) for at in range(max(0, last - 40), last + 1)]
    session = tab.page.context.new_cdp_session(tab.page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def spend(frames: int, draws: Literal["nothing", "board", "squares"]) -> float:
        """Milliseconds of this number of frames, with such a drawing in each."""
        before = spent(session)
        ask(
            game,
            """async ({ renderer, sceneOf }, { views, seats, frames, draws, squares }) => {
                globalThis.kept ??= (() => {
                    const canvas = document.createElement("canvas");
                    const { width, height } = renderer.shape(views[0], {});
                    [canvas.width, canvas.height] = [Math.round(1080 * width / height), 1080];
                    document.body.prepend(canvas);
                    const [before, view] = views.slice(-2);
                    const scene = sceneOf({ before, view, seats, trail: views.slice(0, -1) });
                    return { canvas, ctx: canvas.getContext("2d"), scene };
                })();
                const { canvas, ctx, scene } = globalThis.kept;
                for (let at = 0; at < frames; at += 1) {
                    await new Promise(requestAnimationFrame);
                    if (draws === "nothing") continue;
                    ctx.clearRect(0, 0, canvas.width, canvas.height);
                    const fraction = 0.55 + (0.4 * at) / frames;
                    if (draws === "board") renderer.draw(ctx, { ...scene, fraction }, canvas);
                    else for (let one = 0; one < squares; one += 1) {
                        ctx.fillStyle = `rgb(${one % 256} ${at} 0)`;
                        ctx.fillRect((one * 37) % canvas.width, (one * 91) % canvas.height, 9, 9);
                    }
                }
            }""",
            views=views if frames == 1 else [],
            seats=cast(game, len(record.header.seats)),
            frames=frames,
            draws=draws,
            squares=SQUARES,
        )
        return spent(session) - before

    def cost(draws: Literal["board", "squares"]) -> float:
        return min((spend(20, draws) - spend(20, "nothing")) / 20 for _ in range(4))

    spend(1, "board")
    spend(10, "board")
    board, squares = cost("board"), cost("squares")
    with capsys.disabled():
        share = f"{board / squares:.2f} of {SQUARES} squares"
        print(f"\n{game}: {board:.2f} ms a drawing of the largest board at 1080 lines, {share}")

    assert 0 < board <= DRAWS * squares


def spent(session: Any) -> float:
    metrics = {
        one["name"]: one["value"] for one in session.send("Performance.getMetrics")["metrics"]
    }
    return float(metrics["TaskDuration"]) * 1000


@pytest.mark.parametrize("portals", [True, False])
def test_zooscape_marks_the_cells_that_the_next_tick_can_reach(portals: bool, ask: Ask) -> None:
    rules = GAMES["zooscape"]
    config = {"seats": 2, "max_ticks": 100, "portals": portals}
    match = Match.begin(rules, config, 7, maps.text("zooscape", "learning"))
    ways = {"up": (0, -1), "right": (1, 0), "down": (0, 1), "left": (-1, 0)}
    walk, views, reached = Random(4), [], []
    for _ in range(60):
        match.apply(0, {"action": walk.choice(list(ways))})
        match.advance()
        view = match.view(0)
        animal, width, height = view["animals"][0], len(view["map"][0]), len(view["map"])
        there = []
        for way, (dx, dy) in ways.items():
            asked, _ = rules.apply(match.state, 0, rules.parse({"action": way}), Seeded(1))
            after = rules.view(rules.advance(asked, Seeded(1)), 0)["animals"][0]
            if after["distance_covered"] > animal["distance_covered"]:
                there.append(((animal["x"] + dx) % width, (animal["y"] + dy) % height))
        views.append(view)
        reached.append(sorted(there))

    marks = ask(
        "zooscape",
        """({ renderer }, { views, config }) => views.map((view) =>
            renderer.human(view, 0, config).moves.map(({ x, y }) => [x, y]))""",
        views=views,
        config=match.config,
    )

    assert [sorted(map(tuple, cells)) for cells in marks] == reached
