"""Scores of workers: one number for each worker.

One file is one score. Files that begin with `_` are shared by several scores. Rules that turn scores into warnings are
in `quorate.quality.flags`; models of workers, such as confusion matrices, are fitted in `quorate.aggregation`.
"""

from typing import TYPE_CHECKING

from quorate.registry.lazy import lazy_exports

# method classes: written by docs/write_map.py
if TYPE_CHECKING:
    from quorate.quality.workers.accuracy import Accuracy as Accuracy
    from quorate.quality.workers.class_bias import ClassBias as ClassBias
    from quorate.quality.workers.confusion_trace import ConfusionTrace as ConfusionTrace
    from quorate.quality.workers.consensus_agreement import ConsensusAgreement as ConsensusAgreement
    from quorate.quality.workers.consensus_high import ConsensusHigh as ConsensusHigh
    from quorate.quality.workers.consensus_low import ConsensusLow as ConsensusLow
    from quorate.quality.workers.copying import Copying as Copying
    from quorate.quality.workers.glad_ability import GladAbility as GladAbility
    from quorate.quality.workers.median_seconds import MedianSeconds as MedianSeconds
    from quorate.quality.workers.peer_agreement import PeerAgreement as PeerAgreement
    from quorate.quality.workers.spam_score import SpamScore as SpamScore
    from quorate.quality.workers.speed import Speed as Speed
# end of method classes

if not TYPE_CHECKING:
    __getattr__, __dir__ = lazy_exports(__name__, with_methods=True)
