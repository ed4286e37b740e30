"""Quality of votes: scores of workers and measures of inter-annotator agreement.

Scores of items are in `quorate.ambiguity`, measures of predicted probabilities in `quorate.metrics`, and error rates of
decisions in `quorate.audit`. The functions `quorate.workers` and `quorate.agreement`, which return tables of these
scores, are in `quorate.api`.
"""

from typing import TYPE_CHECKING

from quorate.registry.lazy import Exports, lazy_exports

if TYPE_CHECKING:
    from quorate.quality.intervals import agreement_interval as agreement_interval
    from quorate.quality.intervals import wilson as wilson

# method classes: written by docs/write_map.py
if TYPE_CHECKING:
    from quorate.quality.agreement.consistency import Consistency as Consistency
    from quorate.quality.agreement.fleiss_kappa import FleissKappa as FleissKappa
    from quorate.quality.agreement.gwet_ac1 import GwetAc1 as GwetAc1
    from quorate.quality.agreement.krippendorff_alpha import KrippendorffAlpha as KrippendorffAlpha
    from quorate.quality.agreement.pairwise_agreement import PairwiseAgreement as PairwiseAgreement
    from quorate.quality.agreement.unanimous_tasks import UnanimousTasks as UnanimousTasks
    from quorate.quality.agreement.weighted_kappa import WeightedKappa as WeightedKappa
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

_EXPORTS: Exports = {  # besides the classes of methods
    "agreement_interval": ("quorate.quality.intervals", "agreement_interval"),
    "wilson": ("quorate.quality.intervals", "wilson"),
}

if not TYPE_CHECKING:
    __getattr__, __dir__ = lazy_exports(__name__, _EXPORTS, with_methods=True)
