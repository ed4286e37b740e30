"""Options of a method, typed as NAME=VALUE, and which probabilities of it are wanted."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated, Any

import typer

from quorate import registry
from quorate.errors import MethodError


class Probabilities(StrEnum):
    """Which probabilities of an aggregation method are wanted."""

    calibrated = "calibrated"
    model = "model"


ProbabilitiesOption = Annotated[
    Probabilities,
    typer.Option(help="calibrated: discounted, since votes are correlated. model: the method's own, overconfident."),
]


def parse_options(method: type[Any], name: str, texts: Sequence[str], example: str = "horizon=3") -> dict[str, Any]:
    """Return the options of a method by name, each of the type that its default has.

    Args:
        method: the class of the method.
        name: the name of the method, for messages.
        texts: the options as they were typed.
        example: an option of such a method, for messages.
    """
    options: dict[str, Any] = {}
    for text in texts:
        option, equals, value = (part.strip() for part in text.partition("="))
        if not equals:
            raise MethodError(f"--option takes NAME=VALUE, such as {example}, got {text!r}")
        options[option] = registry.parse_option(method, name, option, value)
    return options
