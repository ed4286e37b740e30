"""Options of a method, typed as NAME=VALUE."""

from collections.abc import Sequence
from typing import Any

from quorate import registry
from quorate.errors import MethodError


def parse_options(found: type[Any], name: str, typed: Sequence[str], such: str = "horizon=3") -> dict[str, Any]:
    """The options of a class by name, each of the kind that its default is."""
    chosen: dict[str, Any] = {}
    for text in typed:
        option, equals, value = (part.strip() for part in text.partition("="))
        if not equals:
            raise MethodError(f"--option takes NAME=VALUE, such as {such}, got {text!r}")
        chosen[option] = registry.parse_option(found, name, option, value)
    return chosen
