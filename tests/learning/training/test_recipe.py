from typing import Any

import pytest

from quorate.errors import MethodError
from quorate.learning.training.recipe import Recipe


def test_refuses_recipes_that_make_no_sense() -> None:
    bad: list[dict[str, Any]] = [
        {"optimiser": "x"}, {"balance": "x"}, {"record": "x"}, {"metric": "x"}, {"epochs": 0}, {"batch_size": 0},
        {"every": 0}, {"lr": 0.0}, {"weight_decay": -1.0}, {"mixup": -1.0}, {"patience": -1}, {"threads": -1},
    ]  # fmt: skip
    for options in bad:
        with pytest.raises(MethodError):
            Recipe(**options)
