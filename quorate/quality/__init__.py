"""Quality of votes: scores of workers and measures of inter-annotator agreement.

Scores of items are in `quorate.ambiguity`, measures of predicted probabilities in `quorate.metrics`, and error rates of
decisions in `quorate.audit`. The functions `quorate.workers` and `quorate.agreement`, which return tables of these
scores, are in `quorate.api`.
"""

from typing import TYPE_CHECKING

from quorate.registry.lazy import Exports, lazy_exports

if TYPE_CHECKING:
    from quorate.quality.agreement.consistency import Consistency
    from quorate.quality.agreement.fleiss_kappa import FleissKappa
    from quorate.quality.agreement.krippendorff_alpha import KrippendorffAlpha
    from quorate.quality.agreement.pairwise_agreement import PairwiseAgreement
    from quorate.quality.intervals import wilson
    from quorate.quality.workers.accuracy import Accuracy
    from quorate.quality.workers.class_bias import ClassBias
    from quorate.quality.workers.confusion_trace import ConfusionTrace
    from quorate.quality.workers.consensus_agreement import ConsensusAgreement
    from quorate.quality.workers.consensus_high import ConsensusHigh
    from quorate.quality.workers.consensus_low import ConsensusLow
    from quorate.quality.workers.copying import Copying
    from quorate.quality.workers.glad_ability import GladAbility
    from quorate.quality.workers.median_seconds import MedianSeconds
    from quorate.quality.workers.peer_agreement import PeerAgreement
    from quorate.quality.workers.spam_score import SpamScore
    from quorate.quality.workers.speed import Speed

_EXPORTS: Exports = {
    "Accuracy": ("quorate.quality.workers.accuracy", "Accuracy"),
    "ClassBias": ("quorate.quality.workers.class_bias", "ClassBias"),
    "ConfusionTrace": ("quorate.quality.workers.confusion_trace", "ConfusionTrace"),
    "ConsensusAgreement": ("quorate.quality.workers.consensus_agreement", "ConsensusAgreement"),
    "ConsensusHigh": ("quorate.quality.workers.consensus_high", "ConsensusHigh"),
    "ConsensusLow": ("quorate.quality.workers.consensus_low", "ConsensusLow"),
    "Consistency": ("quorate.quality.agreement.consistency", "Consistency"),
    "Copying": ("quorate.quality.workers.copying", "Copying"),
    "FleissKappa": ("quorate.quality.agreement.fleiss_kappa", "FleissKappa"),
    "GladAbility": ("quorate.quality.workers.glad_ability", "GladAbility"),
    "KrippendorffAlpha": ("quorate.quality.agreement.krippendorff_alpha", "KrippendorffAlpha"),
    "MedianSeconds": ("quorate.quality.workers.median_seconds", "MedianSeconds"),
    "PairwiseAgreement": ("quorate.quality.agreement.pairwise_agreement", "PairwiseAgreement"),
    "PeerAgreement": ("quorate.quality.workers.peer_agreement", "PeerAgreement"),
    "SpamScore": ("quorate.quality.workers.spam_score", "SpamScore"),
    "Speed": ("quorate.quality.workers.speed", "Speed"),
    "wilson": ("quorate.quality.intervals", "wilson"),
}

__all__ = [
    "Accuracy",
    "ClassBias",
    "ConfusionTrace",
    "ConsensusAgreement",
    "ConsensusHigh",
    "ConsensusLow",
    "Consistency",
    "Copying",
    "FleissKappa",
    "GladAbility",
    "KrippendorffAlpha",
    "MedianSeconds",
    "PairwiseAgreement",
    "PeerAgreement",
    "SpamScore",
    "Speed",
    "wilson",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = lazy_exports(__name__, _EXPORTS)
