"""Statistical inference shared by methods: Bayes' rule, expectation-maximization (EM) and worker responses.

Only code that several methods use belongs here. A method itself is one file of `quorate.aggregation`, a policy one of
`quorate.decision.policies`. Inner loops over all votes are in `kernels`.
"""

from typing import TYPE_CHECKING

from quorate.registry.lazy import Exports, lazy_exports

if TYPE_CHECKING:
    from quorate.inference.bayes import PriorKnowledge, item_posterior, likelihoods

_EXPORTS: Exports = {
    "PriorKnowledge": ("quorate.inference.bayes", "PriorKnowledge"),
    "item_posterior": ("quorate.inference.bayes", "item_posterior"),
    "likelihoods": ("quorate.inference.bayes", "likelihoods"),
}

__all__ = [
    "PriorKnowledge",
    "item_posterior",
    "likelihoods",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = lazy_exports(__name__, _EXPORTS)
