"""Decisions: accept a label or ask for one more vote, at the least expected cost.

Functions and classes on arrays; no file is read or written here. Policies are in `policies`, and how votes are combined
with classifiers is in `fusion`. The function `quorate.decide` is in `quorate.api`, trials of policies on recorded votes
are in `quorate.replay`, and costs and prices are in `quorate.data`.
"""

from typing import TYPE_CHECKING

from quorate.registry.lazy import Exports, lazy_exports

if TYPE_CHECKING:
    from quorate.decision.base import Fused, Fusion, Policy, PoolState, WarmUp
    from quorate.decision.batch import Batch
    from quorate.decision.diversity import cluster
    from quorate.decision.fusion.auto import Auto
    from quorate.decision.fusion.average import Average
    from quorate.decision.fusion.calibrated import Calibrated
    from quorate.decision.fusion.crowdlab import Crowdlab
    from quorate.decision.fusion.difficulty import Difficulty
    from quorate.decision.fusion.log_linear import LogLinear
    from quorate.decision.fusion.ml_as_annotator import MlAsAnnotator
    from quorate.decision.fusion.product import Product
    from quorate.decision.fusion.weighted_average import WeightedAverage
    from quorate.decision.policies.crowd_only import CrowdOnly
    from quorate.decision.policies.expected_loss import ExpectedLoss
    from quorate.decision.policies.first_agreeing import FirstAgreeing
    from quorate.decision.policies.fixed_votes import FixedVotes
    from quorate.decision.policies.krivosheev import Krivosheev
    from quorate.decision.policies.machine_only import MachineOnly
    from quorate.decision.policies.nguyen import Nguyen
    from quorate.decision.policies.swap import Swap
    from quorate.decision.policies.threshold import Threshold
    from quorate.decision.screening.screen import screen
    from quorate.decision.selection import choose, first_batch, settle
    from quorate.decision.summary import Summary, summarise

_EXPORTS: Exports = {
    "Auto": ("quorate.decision.fusion.auto", "Auto"),
    "Average": ("quorate.decision.fusion.average", "Average"),
    "Batch": ("quorate.decision.batch", "Batch"),
    "Calibrated": ("quorate.decision.fusion.calibrated", "Calibrated"),
    "CrowdOnly": ("quorate.decision.policies.crowd_only", "CrowdOnly"),
    "Crowdlab": ("quorate.decision.fusion.crowdlab", "Crowdlab"),
    "Difficulty": ("quorate.decision.fusion.difficulty", "Difficulty"),
    "ExpectedLoss": ("quorate.decision.policies.expected_loss", "ExpectedLoss"),
    "FirstAgreeing": ("quorate.decision.policies.first_agreeing", "FirstAgreeing"),
    "FixedVotes": ("quorate.decision.policies.fixed_votes", "FixedVotes"),
    "Fused": ("quorate.decision.base", "Fused"),
    "Fusion": ("quorate.decision.base", "Fusion"),
    "Krivosheev": ("quorate.decision.policies.krivosheev", "Krivosheev"),
    "LogLinear": ("quorate.decision.fusion.log_linear", "LogLinear"),
    "MachineOnly": ("quorate.decision.policies.machine_only", "MachineOnly"),
    "MlAsAnnotator": ("quorate.decision.fusion.ml_as_annotator", "MlAsAnnotator"),
    "Nguyen": ("quorate.decision.policies.nguyen", "Nguyen"),
    "Policy": ("quorate.decision.base", "Policy"),
    "PoolState": ("quorate.decision.base", "PoolState"),
    "Product": ("quorate.decision.fusion.product", "Product"),
    "Summary": ("quorate.decision.summary", "Summary"),
    "Swap": ("quorate.decision.policies.swap", "Swap"),
    "Threshold": ("quorate.decision.policies.threshold", "Threshold"),
    "WarmUp": ("quorate.decision.base", "WarmUp"),
    "WeightedAverage": ("quorate.decision.fusion.weighted_average", "WeightedAverage"),
    "choose": ("quorate.decision.selection", "choose"),
    "cluster": ("quorate.decision.diversity", "cluster"),
    "first_batch": ("quorate.decision.selection", "first_batch"),
    "screen": ("quorate.decision.screening.screen", "screen"),
    "settle": ("quorate.decision.selection", "settle"),
    "summarise": ("quorate.decision.summary", "summarise"),
}

__all__ = [
    "Auto",
    "Average",
    "Batch",
    "Calibrated",
    "CrowdOnly",
    "Crowdlab",
    "Difficulty",
    "ExpectedLoss",
    "FirstAgreeing",
    "FixedVotes",
    "Fused",
    "Fusion",
    "Krivosheev",
    "LogLinear",
    "MachineOnly",
    "MlAsAnnotator",
    "Nguyen",
    "Policy",
    "PoolState",
    "Product",
    "Summary",
    "Swap",
    "Threshold",
    "WarmUp",
    "WeightedAverage",
    "choose",
    "cluster",
    "first_batch",
    "screen",
    "settle",
    "summarise",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = lazy_exports(__name__, _EXPORTS)
