"""PyRat's API (RULES §10), on boards drawn by hand and against the engine."""

import copy
import json
import math
import time
from pathlib import Path

import pytest

from client_sdk.api.pyrat import Bot, Context, Direction, GameResult, GameState, Player
from client_sdk.bot import HeadlessLink, play_headless, start_of
from games import GAMES
from games.core.match import Match

# A 3x2 board: a wall right of (0,0), mud of cost 3 between (1,0) and (1,1), cheese on (1,1) and
# (0,1).
CONFIG = {
    "width": 3,
    "height": 2,
    "walls": [[[0, 0], [1, 0]]],
    "mud": [[[1, 0], [1, 1], 3]],
    "cheese": [[1, 1], [0, 1]],
    "rat_start": [2, 1],
    "python_start": [0, 0],
    "max_turns": 20,
}
RAT, PYTHON = 0, 1


def begun(**config):
    return Match.begin(GAMES["pyrat"], CONFIG | config, seed=1)


def state_of(match, seat=RAT, start=None, view=None):
    """The state as a bot at this seat sees it."""
    seen = []

    class Watching(Bot):
        def think(self, state, ctx):
            seen.append(state)
            return Direction.STAY

    bot = Watching()
    bot.on_start(start or start_of(match, seat))
    bot.decide((view or match.view(seat)) | {"must_act": True})
    return seen[0]


class Fixed(Bot):
    def __init__(self, answer):
        self.answer = answer

    def think(self, state, ctx):
        return self.answer


def decided(bot, match=None, **fields):
    match = match or begun()
    bot.on_start(start_of(match, RAT))
    return list(bot.decide(match.view(RAT) | fields))


# --- the bot --------------------------------------------------------------------------------------


@pytest.mark.parametrize("direction", list(Direction))
def test_a_direction_becomes_its_name(direction):
    assert [direction.name] == decided(Fixed(direction))


@pytest.mark.parametrize("answer", [None, "UP", 5, -1, True, 1.0, (0, 1)])
def test_an_invalid_direction_stays_with_a_warning(answer, caplog):
    assert decided(Fixed(answer)) == ["STAY"]
    assert repr(answer) in caplog.text


def test_an_exception_stays_with_a_traceback(caplog):
    class Failing(Bot):
        def think(self, state, ctx):
            raise RuntimeError("lost in the maze")

    assert decided(Failing()) == ["STAY"]
    assert "lost in the maze" in caplog.text


def test_a_bot_in_mud_is_not_asked():
    class Failing(Bot):
        def think(self, state, ctx):
            raise AssertionError("asked in mud")

    assert decided(Failing(), must_act=False) == []


def test_preprocessing_gets_the_first_state_and_its_time():
    class Early(Fixed):
        def preprocess(self, state, ctx):
            self.seen = state.turn, state.my_position, ctx.time_remaining_ms()

    bot = Early(Direction.STAY)
    decided(bot)

    turn, position, left = bot.seen
    assert (turn, position) == (0, (2, 1))
    assert 9_000 < left <= 10_000


def test_a_failing_preprocess_costs_nothing(caplog):
    class Failing(Fixed):
        def preprocess(self, state, ctx):
            raise RuntimeError("no maze")

    assert decided(Failing(Direction.UP)) == ["UP"]
    assert "no maze" in caplog.text


def test_a_maze_that_is_only_in_the_first_view_suffices():
    match = begun()
    start = start_of(match, RAT)
    match.advance()
    view = {key: value for key, value in match.view(RAT).items() if key != "maze"}

    assert state_of(match, start=start, view=view).move_cost(Direction.UP, (1, 0)) == 3


@pytest.mark.parametrize(
    ("winner", "result"),
    [(RAT, GameResult.PLAYER2), (PYTHON, GameResult.PLAYER1), (None, GameResult.DRAW)],
)
def test_the_end_names_winner_and_scores_of_player_1_and_2(winner, result):
    class Last(Fixed):
        def on_game_over(self, result, scores):
            self.heard = result, scores

    bot = Last(0)
    bot.on_end(
        {"winner": winner, "seats": [{"seat": RAT, "score": 1.5}, {"seat": PYTHON, "score": 2}]}
    )

    assert (result, (2.0, 1.5)) == bot.heard


def test_a_first_bot_is_ten_lines_and_plays():
    text = (
        "from client_sdk.api.pyrat import Bot, Direction\n"
        "class Mine(Bot):\n"
        "    name = 'mine'\n"
        "    def think(self, state, ctx):\n"
        "        best = state.nearest_cheese()\n"
        "        return best.first_moves[0] if best else Direction.STAY\n"
    )
    space = {}
    exec(text, space)
    match = Match.begin(GAMES["pyrat"], {"preset": "tiny"}, seed=4)

    play_headless(match, [space["Mine"](), Fixed(Direction.STAY)])

    assert match.outcome.winner == RAT


# --- the time -------------------------------------------------------------------------------------


def test_a_context_counts_down_and_ends_five_milliseconds_early():
    now = time.monotonic()

    assert Context(HeadlessLink(), now, now + 0.004).should_stop()
    assert not Context(HeadlessLink(), now, now + 60).should_stop()
    assert 59_000 < Context(HeadlessLink(), now, now + 60).time_remaining_ms() <= 60_000
    assert Context(HeadlessLink(), now - 1, None).think_elapsed_ms() >= 1000


def test_without_a_limit_the_time_is_infinite():
    context = Context(HeadlessLink(), 0.0, None)

    assert math.inf == context.time_remaining_ms()
    assert not context.should_stop()


def test_a_headless_turn_has_the_clocks_time():
    class Timed(Fixed):
        def think(self, state, ctx):
            self.left = ctx.time_remaining_ms()
            return Direction.STAY

    bot = Timed(0)
    decided(bot, begun(move_timeout_ms=300))
    assert 200 < bot.left <= 300

    decided(bot, begun(move_timeout_ms=0))
    assert math.inf == bot.left


def test_infos_sent_while_thinking_reach_the_link():
    sent = []

    class Link(HeadlessLink):
        def stopped(self):
            return True

        def provisional(self, commands):
            sent.append(commands)

        def info(self, data):
            sent.append(data)

    context = Context(Link(), time.monotonic(), None)
    context.send_provisional(Direction.LEFT)
    context.send_info(
        player=Player.PLAYER1, depth=3, target=(1, 2), pv=[Direction.UP], score=0.5, message="hm"
    )

    assert context.should_stop()
    assert sent[0] == ["LEFT"]
    assert sent[1] == {
        "player": "player1",
        "multipv": 0,
        "target": [1, 2],
        "depth": 3,
        "nodes": 0,
        "score": 0.5,
        "pv": ["UP"],
        "message": "hm",
    }


# --- the state ------------------------------------------------------------------------------------


def test_a_state_is_seen_from_ones_own_side():
    rat, python = state_of(begun(), RAT), state_of(begun(), PYTHON)

    assert (rat.my_player, rat.my_position, rat.opponent_position) == (
        Player.PLAYER2,
        (2, 1),
        (0, 0),
    )
    assert (python.my_player, python.my_position, python.opponent_position) == (
        Player.PLAYER1,
        (0, 0),
        (2, 1),
    )


def test_the_raw_sides_are_the_same_for_both_players():
    for seat in (RAT, PYTHON):
        state = state_of(begun(), seat)
        assert (state.player1_position, state.player2_position) == ((0, 0), (2, 1))


def test_every_property_matches_the_view():
    match = begun()
    for rat, python in (("DOWN", "STAY"), ("LEFT", "UP"), ("UP", "LEFT")):
        match.apply(RAT, rat)
        match.apply(PYTHON, python)
        match.advance()
    state, view = state_of(match), match.view(RAT)

    assert (view["turn"], 20, 3, 2, 2) == (
        state.turn,
        state.max_turns,
        state.width,
        state.height,
        state.total_cheese,
    )
    for mine, theirs, mine_of in ((state, "player2", "rat"), (state, "player1", "python")):
        seen = view[mine_of]
        assert seen["score"] == getattr(mine, f"{theirs}_score")
        assert seen["mud_turns"] == getattr(mine, f"{theirs}_mud_turns")
        assert seen["misses"] == getattr(mine, f"{theirs}_misses")
        assert seen["last_move"] == getattr(mine, f"{theirs}_last_move").name
        assert tuple(seen["position"]) == getattr(mine, f"{theirs}_position")
    assert state.my_score == state.player2_score
    assert state.opponent_score == state.player1_score
    assert (state.my_mud_turns, state.my_misses, state.my_last_move) == (
        state.player2_mud_turns,
        state.player2_misses,
        state.player2_last_move,
    )
    assert (state.opponent_mud_turns, state.opponent_misses, state.opponent_last_move) == (
        state.player1_mud_turns,
        state.player1_misses,
        state.player1_last_move,
    )
    assert view["state_hash"] == state.state_hash
    assert (state.move_timeout_ms, state.preprocessing_timeout_ms) == (1000, 10_000)


def test_cheese_is_a_sorted_list_of_cells_and_a_matrix():
    state = state_of(begun())

    assert state.cheese == [(0, 1), (1, 1)]
    assert state.cheese_matrix == [[0, 1], [0, 1], [0, 0]]


def test_the_movement_matrix_marks_walls_free_ways_and_mud():
    state = state_of(begun())

    assert state.movement_matrix[0][0] == [0, -1, -1, -1]
    assert state.movement_matrix[1][0] == [3, 0, -1, -1]


def test_moves_and_their_costs_from_any_cell():
    state = state_of(begun())

    assert state.effective_moves() == [Direction.DOWN, Direction.LEFT]
    assert state.effective_moves((0, 0)) == [Direction.UP]
    assert state.move_cost(Direction.UP, (1, 0)) == 3
    assert state.move_cost(Direction.DOWN) == 1
    assert state.move_cost(Direction.STAY) == 1
    assert state.move_cost(Direction.UP) is None


def test_a_cell_outside_the_board_is_refused():
    with pytest.raises(ValueError, match="3x2"):
        state_of(begun()).effective_moves((3, 0))


def test_a_path_has_moves_cells_cost_and_all_first_moves():
    way = state_of(begun()).shortest_path((1, 0), (1, 1))

    assert (way.target, way.cost, way.first_moves) == ((1, 1), 3, [Direction.UP, Direction.RIGHT])
    assert way.path[0] in way.first_moves
    assert way.target == way.cells[-1]


def test_a_path_to_ones_own_cell_is_empty():
    way = state_of(begun()).shortest_path((1, 0), (1, 0))

    assert (way.path, way.cells, way.first_moves, way.cost) == ([], [], [], 0)


def test_following_a_path_leads_to_its_target():
    state = state_of(Match.begin(GAMES["pyrat"], {"preset": "swamp"}, seed=2))
    way = state.shortest_path(state.my_position, state.opponent_position)

    here, cost = state.my_position, 0
    for move in way.path:
        cost += state.move_cost(move, here)
        here = move.apply_to(here)
    assert (state.opponent_position, way.cost) == (here, cost)


def test_an_unreachable_path_is_none():
    state = state_of(begun(walls=[[[0, 0], [1, 0]], [[0, 0], [0, 1]]], connected=False))

    assert state.shortest_path((0, 0), (2, 1)) is None
    assert (0, 0) not in state.distances_from((2, 1))
    assert state.nearest_cheese((0, 0)) is None


VECTORS = sorted((Path(__file__).parents[2] / "vectors" / "pyrat").glob("paths_*.json"))


@pytest.mark.parametrize("path", VECTORS, ids=lambda path: path.stem)
def test_paths_match_the_vectors(path):
    vector = json.loads(path.read_text())
    first = vector["initial"]
    maze = {
        key: first[key] for key in ("width", "height", "walls", "mud", "cheese") if key in first
    } | vector.get("config", {})
    for query in vector["queries"]:
        config = maze | {"rat_start": query["from"], "python_start": [0, 0], "connected": False}
        config.pop("cheese_count", None)
        state = state_of(Match.begin(GAMES["pyrat"], config, seed=1))

        assert {(x, y): cost for x, y, cost in query["distances"]} == state.distances_from()
        assert query["nearest_cheeses"] == [
            {
                "target": [*way.target],
                "cost": way.cost,
                "first_moves": [move.name for move in way.first_moves],
            }
            for way in state.nearest_cheeses()
        ]
        for expected in query["shortest_paths"]:
            way = state.shortest_path(tuple(query["from"]), tuple(expected["to"]))
            assert (expected["cost"], expected["first_moves"]) == (
                way.cost,
                [move.name for move in way.first_moves],
            )


# --- the board to search on -----------------------------------------------------------------------


def test_a_board_plays_like_the_match_and_can_undo_everything():
    match = Match.begin(GAMES["pyrat"], {"preset": "swamp"}, seed=9)
    sim = state_of(match).to_sim()
    undone = []
    for turn in range(60):
        rat, python = Direction(turn * 7 % 5), Direction(turn * 3 % 5)
        undone.append((sim.make_move(python, rat), sim.state_hash))
        match.apply(RAT, rat.name)
        match.apply(PYTHON, python.name)
        match.advance()
        assert match.view(RAT)["state_hash"] == sim.state_hash
    for undo, reached in reversed(undone):
        assert reached == sim.state_hash
        sim.unmake_move(undo)
    assert sim.turn == 0


def test_an_undo_token_has_the_state_before_and_the_cheese_taken():
    sim = state_of(begun()).to_sim()

    undo = sim.make_move(Direction.UP, Direction.LEFT)

    assert (undo.player1_position, undo.player2_position, undo.turn, undo.player1_score) == (
        (0, 0),
        (2, 1),
        0,
        0.0,
    )
    assert undo.collected_cheese == [(0, 1), (1, 1)]
    assert (sim.player1_position, sim.player2_position, sim.turn, sim.player1_score) == (
        (0, 1),
        (1, 1),
        1,
        1.0,
    )
    assert sim.cheese_positions == []
    assert sim.is_game_over


def test_a_copy_is_independent():
    sim = state_of(begun()).to_sim()
    for other in (copy.copy(sim), sim.copy()):
        other.make_move(Direction.UP, Direction.STAY)
        assert (sim.turn, other.turn) == (0, 1)


def test_a_state_in_mid_match_gives_the_same_board_as_the_engine():
    match = Match.begin(GAMES["pyrat"], {"preset": "swamp"}, seed=9)
    for turn in range(40):
        match.apply(RAT, Direction(turn * 7 % 5).name)
        match.apply(PYTHON, Direction(turn * 3 % 5).name)
        match.advance()
        assert match.view(RAT)["state_hash"] == state_of(match).to_sim().state_hash


def test_apply_to_follows_the_arrows():
    assert [direction.apply_to((2, 3)) for direction in Direction] == [
        (2, 4),
        (3, 3),
        (2, 2),
        (1, 3),
        (2, 3),
    ]


def test_states_are_created_lazily():
    """What a bot does not ask for costs nothing."""
    state = state_of(begun())

    assert isinstance(state, GameState)
    assert "_now" not in vars(state)
