"""Options for a policy and for the budget of its votes."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any, ClassVar, cast

import typer

from quorate import registry
from quorate.cli.options.method import parse_options
from quorate.decision.policy_by_name import FOLDER
from quorate.registry.method_names import PolicyName


class Rest(StrEnum):
    """What to do with tasks that the budget does not cover."""

    cheapest = "cheapest"
    undecided = "undecided"


RestOption = Annotated[
    Rest,
    typer.Option(
        help="What to do with tasks the budget does not cover: accept the cheapest label, or leave undecided."
    ),
]


@dataclass(frozen=True, kw_only=True)
class PolicyOptions:
    """A policy by its name, and options of it."""

    PANEL: ClassVar[str] = "Policy"

    policy: Annotated[
        str, typer.Option(metavar="NAME", help="How to decide; `quorate methods` lists all policies.")
    ] = "expected_loss"
    option: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=VALUE", help="An option of the policy, such as horizon=3. Repeatable."),
    ] = None

    @property
    def name(self) -> PolicyName:
        """The name of the policy; the verb refuses one that does not exist."""
        return cast(PolicyName, self.policy)

    def options(self) -> dict[str, Any]:
        """Return the options of the policy by name."""
        return parse_options(registry.method_class(FOLDER, self.policy), self.policy, self.option or [])
