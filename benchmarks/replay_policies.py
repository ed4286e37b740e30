"""The policies that are replayed, by name: the engine, and what it is measured against."""

from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

from quorate.costs import Costs
from quorate.decision.policies.expected_loss import ExpectedLoss
from quorate.protocols import Policy

ENGINE = "engine"


@dataclass(frozen=True)
class Contestant:
    """A policy of the table.

    asks_cost: whether what an error costs changes what it does; else one replay serves all costs.
    needs_gold: it is no different from another without gold.
    """

    name: str
    make: Callable[[Costs], Policy]
    asks_cost: bool = True
    needs_gold: bool = False


CONTESTANTS = {
    one.name: one
    for one in (Contestant(ENGINE, lambda costs: ExpectedLoss(costs=costs)),)
}


def modules(policy: Policy) -> tuple[str, ...]:
    """The modules of a policy and of what it is made of, such as its fusion."""
    found = {type(policy).__module__}
    for part in _parts(policy):
        found.add(type(part).__module__)
    return tuple(sorted(found))


def replaced(policy: Policy) -> frozenset[str]:
    """The modules of defaults that this policy has something else in place of: their code does not matter to it."""
    usual = type(policy)(costs=policy.costs)  # type: ignore[call-arg]
    return frozenset(modules(usual)) - {*modules(policy)}


def _parts(value: Any) -> list[Any]:
    if not is_dataclass(value):
        return []
    inner = [part for field in fields(value) if is_dataclass(part := getattr(value, field.name))]
    return inner + [deeper for part in inner for deeper in _parts(part)]
