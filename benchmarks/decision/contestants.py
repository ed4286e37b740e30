"""The policies that are replayed, by name: the engine, and what it is measured against."""

from collections.abc import Callable
from dataclasses import MISSING, dataclass, fields, is_dataclass
from typing import Any, Literal

from benchmarks.decision.average_value import AverageValue
from benchmarks.decision.tuned_stop import TunedStop
from quorate.data.costs import Costs
from quorate.decision.base import Policy
from quorate.decision.fusion.average import Average
from quorate.decision.fusion.log_linear import LogLinear
from quorate.decision.fusion.product import Product
from quorate.decision.fusion.weighted_average import WeightedAverage
from quorate.decision.policies.crowd_only import CrowdOnly
from quorate.decision.policies.expected_loss import ExpectedLoss
from quorate.decision.policies.first_agreeing import FirstAgreeing
from quorate.decision.policies.fixed_votes import FixedVotes
from quorate.decision.policies.krivosheev import Krivosheev
from quorate.decision.policies.machine_only import MachineOnly
from quorate.decision.policies.nguyen import Nguyen
from quorate.decision.policies.swap import Swap
from quorate.decision.policies.threshold import Threshold

ENGINE, CROWD_ONLY = "engine", "crowd only"
LOG_LINEAR, AVERAGE = "log-linear + value", "average + value"


@dataclass(frozen=True)
class Contestant:
    """A policy of the table.

    asks_cost: whether what an error costs changes what it does; else one replay serves all costs.
    needs_gold: without gold it equals another policy. machine: whether it uses a classifier; otherwise none is trained.
    batch: the share of the tasks that ask which get a vote in a round; all, where nothing is learnt between rounds.
    """

    name: str
    make: Callable[[Costs], Policy]
    asks_cost: bool = True
    needs_gold: bool = False
    machine: bool = True
    batch: float = 0.2


def _fixed(n: int, method: Literal["majority", "dawid_skene"]) -> Contestant:
    return Contestant(
        f"{n or 'all'} votes, {method}",
        lambda costs: FixedVotes(costs=costs, n=n, method=method),
        asks_cost=False,
        machine=False,
        batch=1.0,
    )


ALL = (
    Contestant(ENGINE, lambda costs: ExpectedLoss(costs=costs)),
    Contestant("machine only", lambda costs: MachineOnly(costs=costs), asks_cost=False),
    Contestant(CROWD_ONLY, lambda costs: CrowdOnly(costs=costs), machine=False),
    *(_fixed(n, method) for method in ("majority", "dawid_skene") for n in (1, 3, 5, 0)),
    Contestant("threshold .9", lambda costs: Threshold(costs=costs), asks_cost=False),
    Contestant("threshold .95", lambda costs: Threshold(costs=costs, t=0.95), asks_cost=False),
    Contestant("SWAP .95", lambda costs: Swap(costs=costs), asks_cost=False, machine=False),
    Contestant("SWAP .99", lambda costs: Swap(costs=costs, retire=0.99), asks_cost=False, machine=False),
    Contestant(
        "3 agree, 5 at most", lambda costs: FirstAgreeing(costs=costs), asks_cost=False, machine=False, batch=1.0
    ),
    Contestant("Krivosheev", lambda costs: Krivosheev(costs=costs), asks_cost=False),
    Contestant("Nguyen", lambda costs: Nguyen(costs=costs)),
    Contestant("product + value", lambda costs: ExpectedLoss(costs=costs, fusion=Product())),
    Contestant("product + value of one vote", lambda costs: ExpectedLoss(costs=costs, fusion=Product(), horizon=1)),
    Contestant(LOG_LINEAR, lambda costs: ExpectedLoss(costs=costs, fusion=LogLinear()), needs_gold=True),
    Contestant(
        "log-linear + value of one vote",
        lambda costs: ExpectedLoss(costs=costs, fusion=LogLinear(), horizon=1),
        needs_gold=True,
    ),
    Contestant(AVERAGE, lambda costs: AverageValue(costs=costs)),
    Contestant("weighted average + value", lambda costs: AverageValue(costs=costs, fusion=WeightedAverage())),
    Contestant("average, tuned threshold", lambda costs: TunedStop(costs=costs, fusion=Average()), needs_gold=True),
    Contestant("threshold, tuned", lambda costs: Threshold(costs=costs, tuned=True), needs_gold=True),
)
CONTESTANTS = {contestant.name: contestant for contestant in ALL}


def modules(policy: Policy) -> tuple[str, ...]:
    """Return the modules of a policy and of its parts, such as its fusion."""
    names = {type(policy).__module__}
    for part in _parts(policy):
        names.add(type(part).__module__)
    return tuple(sorted(names))


def replaced(policy: Policy) -> frozenset[str]:
    """Return the modules of defaults that this policy replaces: their code does not matter to it."""
    defaults = [field.default_factory() for field in fields(policy) if field.default_factory is not MISSING]  # type: ignore[arg-type]
    return frozenset(type(part).__module__ for part in defaults) - {*modules(policy)}


def _parts(value: Any) -> list[Any]:
    if not is_dataclass(value):
        return []
    inner = [part for field in fields(value) if is_dataclass(part := getattr(value, field.name))]
    return inner + [deeper for part in inner for deeper in _parts(part)]
