"""Scores of items: which are ambiguous or have noisy labels, and which to prune.

One file is one score, except for `prune` and `entropy`. Scores that need the trace of a classifier only read it here;
it is recorded in `quorate.learning.traces`. Scores of workers are in `quorate.quality.workers`.
"""

from typing import TYPE_CHECKING

from quorate.registry.lazy import Exports, lazy_exports

if TYPE_CHECKING:
    from quorate.ambiguity.prune import Pruning as Pruning

# method classes: written by docs/write_map.py
if TYPE_CHECKING:
    from quorate.ambiguity.aum import Aum as Aum
    from quorate.ambiguity.aumc import Aumc as Aumc
    from quorate.ambiguity.disagreement import Disagreement as Disagreement
    from quorate.ambiguity.forgetting import Forgetting as Forgetting
    from quorate.ambiguity.glad_difficulty import GladDifficulty as GladDifficulty
    from quorate.ambiguity.margin import Margin as Margin
    from quorate.ambiguity.posterior_entropy import PosteriorEntropy as PosteriorEntropy
    from quorate.ambiguity.uncertainty import Uncertainty as Uncertainty
    from quorate.ambiguity.vote_entropy import VoteEntropy as VoteEntropy
    from quorate.ambiguity.waum import Waum as Waum
    from quorate.ambiguity.worker_waum import WorkerWaum as WorkerWaum
# end of method classes

_EXPORTS: Exports = {  # besides the classes of methods
    "Pruning": ("quorate.ambiguity.prune", "Pruning"),
}

if not TYPE_CHECKING:
    __getattr__, __dir__ = lazy_exports(__name__, _EXPORTS, with_methods=True)
