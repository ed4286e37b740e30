"""Scores of items: which are ambiguous or have noisy labels, and which to prune.

One file is one score, except for `prune` and `entropy`. Scores that need the trace of a classifier only read it here;
it is recorded in `quorate.learning.traces`. Scores of workers are in `quorate.quality.workers`.
"""

from typing import TYPE_CHECKING

from quorate.registry.lazy import Exports, lazy_exports

if TYPE_CHECKING:
    from quorate.ambiguity.aum import Aum
    from quorate.ambiguity.aumc import Aumc
    from quorate.ambiguity.disagreement import Disagreement
    from quorate.ambiguity.forgetting import Forgetting
    from quorate.ambiguity.glad_difficulty import GladDifficulty
    from quorate.ambiguity.margin import Margin
    from quorate.ambiguity.posterior_entropy import PosteriorEntropy
    from quorate.ambiguity.prune import Pruning
    from quorate.ambiguity.uncertainty import Uncertainty
    from quorate.ambiguity.vote_entropy import VoteEntropy
    from quorate.ambiguity.waum import Waum
    from quorate.ambiguity.worker_waum import WorkerWaum

_EXPORTS: Exports = {
    "Aum": ("quorate.ambiguity.aum", "Aum"),
    "Aumc": ("quorate.ambiguity.aumc", "Aumc"),
    "Disagreement": ("quorate.ambiguity.disagreement", "Disagreement"),
    "Forgetting": ("quorate.ambiguity.forgetting", "Forgetting"),
    "GladDifficulty": ("quorate.ambiguity.glad_difficulty", "GladDifficulty"),
    "Margin": ("quorate.ambiguity.margin", "Margin"),
    "PosteriorEntropy": ("quorate.ambiguity.posterior_entropy", "PosteriorEntropy"),
    "Pruning": ("quorate.ambiguity.prune", "Pruning"),
    "Uncertainty": ("quorate.ambiguity.uncertainty", "Uncertainty"),
    "VoteEntropy": ("quorate.ambiguity.vote_entropy", "VoteEntropy"),
    "Waum": ("quorate.ambiguity.waum", "Waum"),
    "WorkerWaum": ("quorate.ambiguity.worker_waum", "WorkerWaum"),
}

__all__ = [
    "Aum",
    "Aumc",
    "Disagreement",
    "Forgetting",
    "GladDifficulty",
    "Margin",
    "PosteriorEntropy",
    "Pruning",
    "Uncertainty",
    "VoteEntropy",
    "Waum",
    "WorkerWaum",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = lazy_exports(__name__, _EXPORTS)
