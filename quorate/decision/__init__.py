"""Decisions: accept a label or ask for one more vote, at the least expected cost.

Functions and classes on arrays; no file is read or written here. Policies are in `policies`, and how votes are combined
with classifiers is in `fusion`. The function `quorate.decide` is in `quorate.api`, trials of policies on recorded votes
are in `quorate.replay`, and costs and prices are in `quorate.data`.
"""

from typing import TYPE_CHECKING

from quorate.registry.lazy import Exports, lazy_exports

if TYPE_CHECKING:
    from quorate.decision.base import Fused as Fused
    from quorate.decision.base import Fusion as Fusion
    from quorate.decision.base import Policy as Policy
    from quorate.decision.base import PoolState as PoolState
    from quorate.decision.base import WarmUp as WarmUp
    from quorate.decision.batch import Batch as Batch
    from quorate.decision.diversity import cluster as cluster
    from quorate.decision.screening.screen import screen as screen
    from quorate.decision.selection import choose as choose
    from quorate.decision.selection import first_batch as first_batch
    from quorate.decision.selection import settle as settle
    from quorate.decision.summary import Summary as Summary
    from quorate.decision.summary import summarise as summarise

# method classes: written by docs/write_map.py
if TYPE_CHECKING:
    from quorate.decision.fusion.auto import Auto as Auto
    from quorate.decision.fusion.average import Average as Average
    from quorate.decision.fusion.calibrated import Calibrated as Calibrated
    from quorate.decision.fusion.crowdlab import Crowdlab as Crowdlab
    from quorate.decision.fusion.difficulty import Difficulty as Difficulty
    from quorate.decision.fusion.log_linear import LogLinear as LogLinear
    from quorate.decision.fusion.ml_as_annotator import MlAsAnnotator as MlAsAnnotator
    from quorate.decision.fusion.product import Product as Product
    from quorate.decision.fusion.weighted_average import WeightedAverage as WeightedAverage
    from quorate.decision.policies.crowd_only import CrowdOnly as CrowdOnly
    from quorate.decision.policies.expected_loss import ExpectedLoss as ExpectedLoss
    from quorate.decision.policies.first_agreeing import FirstAgreeing as FirstAgreeing
    from quorate.decision.policies.fixed_votes import FixedVotes as FixedVotes
    from quorate.decision.policies.krivosheev import Krivosheev as Krivosheev
    from quorate.decision.policies.machine_only import MachineOnly as MachineOnly
    from quorate.decision.policies.nguyen import Nguyen as Nguyen
    from quorate.decision.policies.swap import Swap as Swap
    from quorate.decision.policies.threshold import Threshold as Threshold
# end of method classes

_EXPORTS: Exports = {  # besides the classes of methods
    "Batch": ("quorate.decision.batch", "Batch"),
    "Fused": ("quorate.decision.base", "Fused"),
    "Fusion": ("quorate.decision.base", "Fusion"),
    "Policy": ("quorate.decision.base", "Policy"),
    "PoolState": ("quorate.decision.base", "PoolState"),
    "Summary": ("quorate.decision.summary", "Summary"),
    "WarmUp": ("quorate.decision.base", "WarmUp"),
    "choose": ("quorate.decision.selection", "choose"),
    "cluster": ("quorate.decision.diversity", "cluster"),
    "first_batch": ("quorate.decision.selection", "first_batch"),
    "screen": ("quorate.decision.screening.screen", "screen"),
    "settle": ("quorate.decision.selection", "settle"),
    "summarise": ("quorate.decision.summary", "summarise"),
}

if not TYPE_CHECKING:
    __getattr__, __dir__ = lazy_exports(__name__, _EXPORTS, with_methods=True)
