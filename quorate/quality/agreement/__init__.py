"""Measures of inter-annotator agreement: one number for all votes.

One file is one measure. Scores of single workers, such as agreement with their peers, are in `quorate.quality.workers`.
"""

from typing import TYPE_CHECKING

from quorate.registry.lazy import lazy_exports

# method classes: written by docs/write_map.py
if TYPE_CHECKING:
    from quorate.quality.agreement.consistency import Consistency as Consistency
    from quorate.quality.agreement.fleiss_kappa import FleissKappa as FleissKappa
    from quorate.quality.agreement.gwet_ac1 import GwetAc1 as GwetAc1
    from quorate.quality.agreement.krippendorff_alpha import KrippendorffAlpha as KrippendorffAlpha
    from quorate.quality.agreement.pairwise_agreement import PairwiseAgreement as PairwiseAgreement
    from quorate.quality.agreement.unanimous_tasks import UnanimousTasks as UnanimousTasks
    from quorate.quality.agreement.weighted_kappa import WeightedKappa as WeightedKappa
# end of method classes

if not TYPE_CHECKING:
    __getattr__, __dir__ = lazy_exports(__name__, with_methods=True)
