"""Bayes' rule, the EM loop and worker responses: what aggregation and decision methods have in common.

Only code that several methods use belongs here. A method itself is one file of `quorate.aggregation`, a policy one of
`quorate.decision.policies`. Inner loops over all votes are in `kernels`.
"""

from typing import TYPE_CHECKING

from quorate.registry.lazy import Exports, lazy_exports

if TYPE_CHECKING:
    from quorate.inference.bayes import Known, item, likelihoods

_EXPORTS: Exports = {
    "Known": ("quorate.inference.bayes", "Known"),
    "item": ("quorate.inference.bayes", "item"),
    "likelihoods": ("quorate.inference.bayes", "likelihoods"),
}

__all__ = [
    "Known",
    "item",
    "likelihoods",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = lazy_exports(__name__, _EXPORTS)
