"""Names to classes, and text to options."""

from dataclasses import dataclass, field
from typing import Any

import pytest

from quorate import registry
from quorate.errors import MethodError


@dataclass(frozen=True, kw_only=True)
class Part:
    share: float = 0.5


@dataclass(frozen=True, kw_only=True)
class Method:
    count: int = 3
    share: float = 0.5
    name: str = "pool"
    quick: bool = False
    sizes: tuple[int, ...] = (4, 2)
    names: tuple[str, ...] = ()
    pair: tuple[int, int] = (1, 1)
    limit: float | None = None
    most: int | None = None
    part: Part = field(default_factory=Part)


@pytest.mark.parametrize(
    ("option", "text", "value"),
    [
        ("count", "7", 7),
        ("share", "1", 1.0),
        ("share", "1e-3", 0.001),
        ("name", "3", "3"),
        ("quick", "true", True),
        ("quick", "No", False),
        ("sizes", "256, 128", (256, 128)),
        ("sizes", "8", (8,)),
        ("sizes", "", ()),
        ("names", "flip,crop", ("flip", "crop")),
        ("limit", "none", None),
        ("limit", "0.5", 0.5),
        ("limit", "2", 2),
        ("pair", "1,2", (1, 2)),
    ],
)
def test_text_becomes_what_the_default_is(option: str, text: str, value: Any) -> None:
    result = registry.parse_option(Method, "method", option, text)
    assert result == value
    assert type(result) is type(value)
    assert getattr(registry.build(Method, "method", {option: result}), option) == value


@pytest.mark.parametrize(
    ("option", "value", "wanted"),
    [
        ("count", 2.5, "a whole number, such as 3, got 2.5"),
        ("count", True, "a whole number, such as 3, got True"),
        ("share", "much", "a number, such as 0.5, got 'much'"),
        ("name", 3, "text, such as 'pool', got 3"),
        ("quick", 1, "true or false, such as False, got 1"),
        ("sizes", 8, r"a tuple of whole numbers, such as \(4, 2\), got 8"),
        ("sizes", (8, "a"), r"a tuple of whole numbers, such as \(4, 2\), got \(8, 'a'\)"),
        ("sizes", (1.5,), "a tuple of whole numbers"),
        ("names", (3,), r"a tuple of texts, got \(3,\)"),
        ("pair", (1,), r"a tuple of 2 whole numbers, such as \(1, 1\)"),
        ("limit", "much", "a number or none, got 'much'"),
        ("limit", True, "a number or none, got True"),
        ("most", 2.5, "a whole number or none, got 2.5"),
        ("part", "share", r"an object, such as Part\(share=0.5\), got 'share'"),
    ],
)
def test_a_value_of_another_kind_is_refused(option: str, value: Any, wanted: str) -> None:
    with pytest.raises(MethodError, match=f"option '{option}' of method is {wanted}"):
        registry.build(Method, "method", {option: value})


def test_a_part_may_be_given_as_an_object() -> None:
    assert registry.build(Method, "method", {"part": Part(share=0.1)}).part.share == 0.1


def test_an_option_that_is_not_there() -> None:
    with pytest.raises(MethodError, match="method has no option 'shar': it has count, limit, most"):
        registry.parse_option(Method, "method", "shar", "1")


def test_an_option_without_a_default_is_shown_as_required() -> None:
    assert registry.options("decision.policies", "fixed_votes")["costs"] == "required"
