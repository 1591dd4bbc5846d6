"""RULES §5.5 and §5.8: whom zookeepers chase, and when they appear."""

from __future__ import annotations

from games.zooscape.board import CHAMELEON_CLOAK
from games.zooscape.maze import DIRECTIONS, IDLE, LEFT
from tests.games.zooscape.table import keeper_at, sent, table, tick, ticks

LANE = "4000000000004"


def animal(x, **more):
    """One that walks the lane; its cage is out of the way."""
    return {"at": (x, 0), "cage": (0, 0), "is_viable": True} | more


def chase(*animals, **zookeeper):
    return table(LANE, animals=animals, zookeepers=({"at": (6, 0)} | zookeeper,))


def target(state):
    return state.zookeepers[0].target


def test_the_nearest_viable_animal_is_chased():
    state = tick(chase(animal(2), animal(9)))

    assert (target(state), keeper_at(state), DIRECTIONS[state.zookeepers[0].direction]) == (
        1,
        (7, 0),
        "right",
    )


def test_animals_in_their_cages_are_not_chased():
    state = tick(chase({"cage": (0, 0)}, animal(11)))

    assert target(state) == 1


def test_distance_to_an_animal_ignores_walls():
    state = tick(
        table(
            "4000001",
            "1111111",
            "1000000",
            animals=(animal(3), animal(1)),
            zookeepers=({"at": (3, 2)},),
        )
    )

    assert (target(state), state.zookeepers[0].direction) == (None, IDLE)


def test_on_a_tie_without_a_previous_target_no_animal_is_chased():
    state = tick(chase(animal(4), animal(8)))

    assert (target(state), keeper_at(state), state.zookeepers[0].direction) == (None, (6, 0), IDLE)


def test_a_tie_keeps_the_previous_target():
    assert target(tick(chase(animal(4), animal(8), target=1, retarget_due=True))) == 1


def test_a_tie_keeps_a_viable_target_that_is_not_among_the_nearest():
    assert target(tick(chase(animal(4), animal(8), animal(11), target=2, retarget_due=True))) == 2


def test_a_tie_does_not_keep_an_unviable_target():
    assert None is target(
        tick(chase(animal(4), animal(8), {"cage": (0, 0)}, target=2, retarget_due=True))
    )


def test_a_target_is_kept_though_another_one_is_nearer():
    assert target(tick(chase(animal(1), animal(8), target=0, ticks_since_retarget=4))) == 0


def test_a_target_that_is_no_longer_viable_costs_a_tick():
    state = tick(chase({"cage": (0, 0)}, animal(9), target=0))
    assert (target(state), keeper_at(state)) == (None, (6, 0))

    assert (target(tick(state)), keeper_at(tick(state))) == (1, (7, 0))


def test_a_cloaked_target_is_dropped():
    cloaked = animal(9, active=CHAMELEON_CLOAK, ticks_remaining=5)
    state = tick(chase(cloaked, target=0))

    assert (target(state), keeper_at(state)) == (None, (6, 0))


def test_only_ticks_of_chasing_count_towards_the_next_choice_of_a_target():
    state = chase({"cage": (0, 0)}, ticks_since_retarget=7)

    assert tick(state).zookeepers[0].ticks_since_retarget == 7
    assert tick(chase(animal(9), ticks_since_retarget=7)).zookeepers[0].ticks_since_retarget == 8


def test_the_count_survives_the_loss_of_a_target():
    state = tick(chase({"cage": (0, 0)}, target=0, ticks_since_retarget=7))

    assert state.zookeepers[0][2:] == (None, 7, False)


def test_after_20_ticks_of_chasing_the_zookeeper_is_due_to_choose():
    state = tick(chase(animal(9), ticks_since_retarget=19))

    assert state.zookeepers[0][2:] == (0, 0, True)
    assert tick(state).zookeepers[0][2:] == (0, 1, False)


def test_an_unreachable_target_is_dropped():
    state = tick(
        table("40001000", animals=(animal(6),), zookeepers=({"at": (2, 0), "direction": LEFT},))
    )

    assert (target(state), state.zookeepers[0].direction, keeper_at(state)) == (None, IDLE, (2, 0))


def test_zookeepers_do_not_use_portals():
    state = tick(
        table(
            "01110",
            "00000",
            "40001",
            animals=({"at": (4, 0), "cage": (0, 2), "is_viable": True},),
            zookeepers=({"at": (0, 0)},),
        )
    )

    assert keeper_at(state) == (0, 1)


def test_zookeepers_act_in_order_of_appearance():
    state = table(
        LANE,
        animals=(animal(5, score=100),),
        zookeepers=({"at": (6, 0), "target": 0}, {"at": (4, 0), "target": 0}),
    )
    state = tick(state)

    assert [keeper_at(state, number) for number in (0, 1)] == [(5, 0), (4, 0)]
    assert state.animals[0].captured_count == 1


def test_a_zookeeper_sees_the_animals_moves_of_this_tick():
    state = table(
        "10001",
        "40001",
        "10001",
        animals=(animal(2) | {"at": (2, 1), "cage": (0, 1)},),
        zookeepers=({"at": (1, 2)},),
    )

    assert keeper_at(tick(sent(state, "up"))) == (1, 1)


def test_zookeepers_appear_by_the_timer_up_to_the_maximum_and_the_last_one_draws_it_again():
    state = table("400300", zookeeper_timer=2, zookeepers_max=2)
    state = tick(state)
    assert (state.zookeepers, state.zookeeper_timer) == ((), 1)

    state = tick(state, ("zookeeper_interval", 1))
    assert ([keeper_at(state)], state.zookeeper_timer) == ([(3, 0)], 1)
    assert (target(state), state.zookeepers[0].direction) == (None, IDLE)

    state = tick(state, ("zookeeper_interval", 5))
    assert (len(state.zookeepers), state.zookeeper_timer) == (2, 5)
    assert (len(ticks(state, *[[]] * 9).zookeepers), ticks(state, []).zookeeper_timer) == (2, 5)
