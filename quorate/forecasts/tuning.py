"""Constants of forecasts that were tuned: how far simulations were off in replays, and how wide a band is."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

MachineKind = Literal["none", "given", "learning"]


@dataclass(frozen=True, kw_only=True)
class Usual:
    """How simulations were off in replays, in logarithms of the votes that came over those simulated.

    shift: by how much they said too little, for each kind of machine. width: in spreads of `middle_and_spread`; four of
    five replays were off by at most this.
    """

    shift: Mapping[MachineKind, float]
    width: float


@dataclass(frozen=True, kw_only=True)
class Tuning:
    """What was tuned on replays; docs/forecasting.md says which pools the rule was chosen on."""

    # Fitted by benchmarks/decision/forecast.py to all its sets; its figures hold each set against what the others gave.
    usual: Usual = Usual(shift={"none": 0.02, "given": -0.14, "learning": -0.06}, width=1.65)
    # Chosen on other pools of the same sets, with an earlier engine.
    least_doubt: float = 0.1  # in logarithms: halves of the tasks that agree may err together
    most_doubt: float = 0.4  # in logarithms: halves that are far apart say no more than that
    # Chosen by hand: no record says on what.
    few_votes: float = 5.0  # added before logarithms: where hardly any are to come, a few more are no matter
    halves: int = 6  # models that are fitted to half of the tasks
    runs_of_half: int = 2  # simulations by each of them


TUNING = Tuning()
