"""Constants of forecasts that were tuned: how far simulations were off in replays, and how wide a band is."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

MachineKind = Literal["none", "given", "learning"]


@dataclass(frozen=True, kw_only=True)
class Correction:
    """Errors of simulations in replays, as logarithms of the votes that came over those simulated.

    shift: mean error for each kind of classifier; above zero, simulations gave too few votes. width: in spreads of
    `middle_and_spread`; four of five replays were off by at most this.
    """

    shift: Mapping[MachineKind, float]
    width: float


@dataclass(frozen=True, kw_only=True)
class Tuning:
    """Constants tuned on replays; docs/forecasting.md says on which pools."""

    # Fitted by benchmarks/decision/forecast.py to all its sets; its figures forecast each set by what the others gave.
    correction: Correction = Correction(shift={"none": 0.02, "given": -0.14, "learning": -0.06}, width=1.65)
    # Chosen on other pools of the same sets, with an earlier engine.
    least_doubt: float = 0.1  # in logarithms: halves of the tasks that agree may err together
    most_doubt: float = 0.4  # in logarithms: halves that are far apart say no more than that
    # Chosen by hand: no record says on what.
    pseudo_votes: float = 5.0  # added before logarithms: a few votes more or less do not matter where few are to come
    halves: int = 6  # models that are fitted to half of the tasks
    runs_of_half: int = 2  # simulations with each of them


TUNING = Tuning()
