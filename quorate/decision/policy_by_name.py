"""A policy by its name, with costs, prices and options."""

from collections.abc import Mapping
from typing import Any

from quorate import registry
from quorate.data.costs import CROWD, EXPERT, Costs, Prices
from quorate.data.option_checks import require_number
from quorate.decision.base import Policy
from quorate.errors import MethodError

FOLDER, FUSIONS = "decision.policies", "decision.fusion"
PRICES = {CROWD: 1.0, EXPERT: 10.0}


def policy_of(
    policy: str | Policy,
    n_classes: int,
    *,
    cost_error: float = 100.0,
    costs: Costs | None = None,
    prices: Mapping[str, float] | Prices = PRICES,
    options: Mapping[str, Any] | None = None,
) -> Policy:
    """Return a policy by its name, for these costs and prices; a policy object is returned as it is.

    Args:
        policy: name of a policy, or a policy.
        n_classes: number of classes of the votes.
        cost_error: cost of every error, if `costs` is None.
        costs: costs by true and accepted class.
        prices: price of a vote of each annotator kind.
        options: options of the policy; a fusion may be given by its name.

    >>> type(policy_of("expected_loss", 2, options={"fusion": "product"}).fusion).__name__
    'Product'
    """
    if not isinstance(policy, str):
        if isinstance(policy, type) or not hasattr(policy, "decide"):
            raise MethodError(f"a policy is a name, or an object such as ExpectedLoss(costs=...), got {policy!r}")
        if options:
            raise MethodError("options go with a policy's name: a policy given as an object has its own")
        _require_classes(policy.costs, n_classes)
        return policy
    if costs is None:
        require_number("cost_error", cost_error, at_least=0)
    matrix = costs if costs is not None else Costs.of_error(cost_error, n_classes)
    _require_classes(matrix, n_classes)
    of_votes = prices if isinstance(prices, Prices) else Prices(votes=dict(prices))
    chosen = dict(options or {})
    if isinstance(chosen.get("fusion"), str):
        chosen["fusion"] = registry.method(FUSIONS, chosen["fusion"])
    named: Policy = registry.method(FOLDER, policy, costs=matrix, prices=of_votes, **chosen)
    return named


def _require_classes(costs: Costs, n_classes: int) -> None:
    if costs.n_classes != n_classes:
        raise MethodError(f"the costs are for {costs.n_classes} classes, but there are {n_classes}")


def parse_options(name: str, typed: str) -> dict[str, Any]:
    """Return the options of a policy that were typed after its name.

    >>> parse_options("threshold", "t=0.8:n=5")
    {'t': 0.8, 'n': 5}
    """
    policy_class = registry.method_class(FOLDER, name)
    options: dict[str, Any] = {}
    for text in filter(None, typed.split(":")):
        option, equals, value = (part.strip() for part in text.partition("="))
        if not equals:
            raise MethodError(f"options of a policy are typed as {name}:OPTION=VALUE, got {text!r}")
        options[option] = registry.parse_option(policy_class, name, option, value)
    return options
