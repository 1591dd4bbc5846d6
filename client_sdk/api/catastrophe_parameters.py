"""The parameters of a match of Catastrophe, by the names of the contest."""

from __future__ import annotations

from typing import Final

from games.catastrophe.rules import Rules


class Parameters:
    """The parameters of the match (RULES §2). Each is an attribute, hence their number."""

    def __init__(self, rules: Rules) -> None:
        self.max_turns: Final = rules.max_turns
        """The maximum of turns, of both players together."""
        self.cat_energy_mult: Final = rules.cat_energy_mult
        """The factor for rest near the overlord."""
        self.starving_energy_mult: Final = rules.starving_energy_mult
        """The factor for rest while starving."""
        self.monument_cost_mult: Final = rules.monument_cost_mult
        """The factor for costs of energy near an own monument."""
        self.turns_between_harvests: Final = rules.turns_between_harvests
        """The turns until a harvested tile is ready again."""
        self.harvest_cooldown: Final = rules.turns_between_harvests
        """`turns_between_harvests`."""
        self.lower_harvest_amount: Final = rules.lower_harvest_amount
        """What the harvest rates lose each time."""
        self.turns_to_lower_harvest: Final = rules.turns_to_lower_harvest
        """The turns after which the harvest rates fall."""
        self.turns_to_create_human: Final = rules.turns_to_create_human
        """The turns between two humans on the same row of the road."""
        self.starting_food: Final = rules.starting_food
        """The food of a player at the start."""
        self.wall_materials: Final = rules.wall_materials
        """The materials of a wall."""
        self.shelter_materials: Final = rules.shelter_materials
        """The materials of a shelter."""
        self.monument_materials: Final = rules.monument_materials
        """The materials of a monument."""
        self.neutral_materials: Final = rules.neutral_materials
        """The materials of a neutral structure."""
        self.time_added_per_turn: Final = rules.time_added_per_turn_s
        """What the bank gains at the start of a turn, in seconds."""
