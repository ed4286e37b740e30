from dataclasses import dataclass
from math import inf, nan
from typing import Literal

import pytest

from quorate import registry
from quorate.errors import MethodError
from quorate.learning._checks import (
    require_above_zero,
    require_choices,
    require_one_or_more,
    require_shares,
    require_zero_or_more,
)


@dataclass(frozen=True, kw_only=True)
class Options:
    kind: Literal["a", "b"] = "a"
    number: float = 0.5


def test_only_what_a_literal_names_is_taken() -> None:
    require_choices(Options(kind="b"))
    with pytest.raises(MethodError, match="kind must be one of a, b, got 'c'"):
        require_choices(Options(kind="c"))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("check", "good", "bad"),
    [
        (require_one_or_more, (1, 5), (0, -1, nan)),
        (require_zero_or_more, (0, 2.5), (-1e-9, inf, nan)),
        (require_above_zero, (1e-9, 3), (0, -1, inf, nan)),
        (require_shares, (0, 0.99), (1, -0.1, nan)),
    ],
)
def test_numbers_are_held_to_their_bounds(check, good, bad) -> None:  # type: ignore[no-untyped-def]
    for number in good:
        check(Options(number=number), "number")
    for number in bad:
        with pytest.raises(MethodError, match=f"number must be .*, got {number}"):
            check(Options(number=number), "number")


@pytest.mark.parametrize("folder", ["bases", "heads", "targets", "losses", "steps"])
def test_every_choice_of_every_part_is_checked(folder: str) -> None:
    for name in registry.names(f"learning.{folder}"):
        part = registry.method_class(f"learning.{folder}", name)
        for option, default in registry.options(f"learning.{folder}", name).items():
            if "Literal" in str(part.__annotations__[option]):
                with pytest.raises(MethodError, match=f"{option} must be one of"):
                    part(**{option: f"no {default}"})
