"""What cannot be measured is refused in one line, whatever would measure it."""

from typing import Any

import numpy as np
import pytest

from quorate.errors import VotesError
from quorate.metrics import accuracy, bootstrap, summary

PROBS = np.random.default_rng(0).dirichlet(np.ones(6), size=40)
GOLD = np.random.default_rng(1).integers(-1, 6, size=40)


@pytest.mark.parametrize(
    ("probs", "gold", "message"),
    [
        (PROBS, GOLD + 1, r"gold of row \d+ is 6: use -1 or 0 to 5"),
        (PROBS, GOLD.astype(float), "-1 where there is none: 40 whole numbers, got float64"),
        (PROBS, ["cat"] * 40, "gold must be one class index per task"),
        (PROBS[0], GOLD[:6], "a row per task and a column per class"),
        (PROBS * np.nan, GOLD, "row 1: .*, sum nan"),
        ([["a", "b"]], [0], "probabilities must be numbers"),
    ],
)
def test_what_cannot_be_measured_is_refused_in_one_line(probs: Any, gold: Any, message: str) -> None:
    with pytest.raises(VotesError, match=message):
        summary(probs, gold)
    with pytest.raises(VotesError, match=message):
        bootstrap(accuracy, probs, gold, repeats=2)
