"""Checks of options: what each takes and refuses, and how it says so."""

from dataclasses import dataclass
from math import inf, nan
from typing import Any, Literal

import numpy as np
import pytest

from quorate.data.option_checks import require_choice, require_choices, require_number, require_numbers, require_part
from quorate.errors import MethodError


@dataclass(frozen=True, kw_only=True)
class Options:
    kind: Literal["a", "b"] = "a"
    number: float = 0.5
    count: int = 1
    limit: int | None = None


def test_only_what_a_literal_names_is_taken() -> None:
    require_choices(Options(kind="b"))
    with pytest.raises(MethodError, match=r"^kind must be one of a, b, got 'c'$"):
        require_choices(Options(kind="c"))  # type: ignore[arg-type]


def test_a_choice_is_of_a_literal_or_of_a_sequence() -> None:
    require_choice("order", "b", Literal["a", "b"])
    require_choice("order", "b", ("a", "b"))
    for allowed in (Literal["a", "b"], ["a", "b"], {"a": 1, "b": 2}):
        with pytest.raises(MethodError, match=r"^order must be one of a, b, got \['a'\]$"):
            require_choice("order", ["a"], allowed)


@pytest.mark.parametrize(
    ("bounds", "good", "bad", "wanted"),
    [
        ({}, (-3, 0.5), (nan,), "a number"),
        ({"at_least": 0}, (0, 2.5), (-1e-9, -inf, nan), "zero or more"),
        ({"at_least": 1}, (1, 5), (0, -1, nan), "at least 1"),
        ({"above": 0}, (1e-9, 3), (0, -1, nan), "above zero"),
        ({"above": 1e-9}, (1e-8, 3), (0, 1e-9, nan), "above 1e-09"),
        ({"at_most": 2}, (2, -7), (2.1, nan), "at most 2"),
        ({"at_least": 0, "at_most": 1}, (0, 1), (-0.1, 1.1, inf, nan), "from 0 to 1"),
        ({"at_least": 0, "below": 1}, (0, 0.99), (1, -0.1, nan), "at least 0 and below 1"),
        ({"above": 0, "at_most": 1}, (0.01, 1), (0, 1.1, nan), "above 0 and at most 1"),
        ({"above": 0, "below": 1}, (0.01, 0.99), (0, 1, nan), "between 0 and 1, both left out"),
    ],
)
def test_numbers_are_held_to_their_bounds(bounds: Any, good: Any, bad: Any, wanted: str) -> None:
    for number in good:
        require_numbers(Options(number=number), "number", **bounds)
    for number in bad:
        with pytest.raises(MethodError, match=f"^number must be {wanted}, got {number}$"):
            require_numbers(Options(number=number), "number", **bounds)


def test_infinity_is_taken_where_it_is_asked_for() -> None:
    with pytest.raises(MethodError, match=r"^number must be above zero and finite, got inf$"):
        require_number("number", inf, above=0)
    require_number("number", inf, above=0, finite=False)
    require_number("number", -inf, finite=False)
    require_number("seed", 10**400, at_least=0, whole=True)


@pytest.mark.parametrize("value", [1.5, 2.0, "3", True, np.True_, None, np.array([1])])
def test_an_option_declared_whole_must_be(value: Any) -> None:
    with pytest.raises(MethodError, match=r"^count must be a whole number, got "):
        require_numbers(Options(count=value), "count", at_least=1)


def test_numbers_of_numpy_are_numbers() -> None:
    whole: Any = np.int64(3)
    require_numbers(Options(count=whole), "count", at_least=1)
    require_number("share", np.float32(0.5), at_least=0, at_most=1)
    with pytest.raises(MethodError, match=r"^share must be from 0 to 1, got 1\.5$"):
        require_number("share", np.float64(1.5), at_least=0, at_most=1)


def test_none_is_taken_where_the_type_names_it() -> None:
    require_numbers(Options(), "limit", at_least=1)
    with pytest.raises(MethodError, match=r"^limit must be at least 1, got 0: None is no limit$"):
        require_numbers(Options(limit=0), "limit", at_least=1, note="None is no limit")
    with pytest.raises(MethodError, match=r"^limit must be a whole number, got 1\.5$"):
        require_numbers(Options(limit=1.5), "limit", at_least=1)  # type: ignore[arg-type]


def test_a_part_is_an_object_and_no_class() -> None:
    require_part("text", "abc", "'abc'", "upper")
    with pytest.raises(MethodError, match=r"^text must be an object such as 'abc', got the class str: write str\(\)$"):
        require_part("text", str, "'abc'", "upper")
