"""Aggregation methods (truth inference, label aggregation): they turn votes into a posterior of every task.

One file is one method. Code that several methods use is in `quorate.inference`, the function `quorate.aggregate` in
`quorate.api`. Methods that combine votes with the probabilities of classifiers are in `quorate.decision.fusion`.
"""

from typing import TYPE_CHECKING

from quorate.registry.lazy import Exports, lazy_exports

if TYPE_CHECKING:
    from quorate.aggregation.clustered_dawid_skene import ClusteredDawidSkene
    from quorate.aggregation.crowdlab import Crowdlab
    from quorate.aggregation.dawid_skene import DawidSkene
    from quorate.aggregation.ebcc import Ebcc
    from quorate.aggregation.fast_dawid_skene import FastDawidSkene
    from quorate.aggregation.glad import Glad
    from quorate.aggregation.ibcc import Ibcc
    from quorate.aggregation.kos import Kos
    from quorate.aggregation.la_onepass import LaOnepass
    from quorate.aggregation.mace import Mace
    from quorate.aggregation.majority import Majority
    from quorate.aggregation.mmsr import Mmsr
    from quorate.aggregation.naive_soft import NaiveSoft
    from quorate.aggregation.one_coin import OneCoin
    from quorate.aggregation.select_best import SelectBest
    from quorate.aggregation.sparse_dawid_skene import SparseDawidSkene
    from quorate.aggregation.wawa import Wawa
    from quorate.aggregation.weighted_dawid_skene import WeightedDawidSkene
    from quorate.aggregation.weighted_majority import WeightedMajority
    from quorate.aggregation.zero_based_skill import ZeroBasedSkill

_EXPORTS: Exports = {
    "ClusteredDawidSkene": ("quorate.aggregation.clustered_dawid_skene", "ClusteredDawidSkene"),
    "Crowdlab": ("quorate.aggregation.crowdlab", "Crowdlab"),
    "DawidSkene": ("quorate.aggregation.dawid_skene", "DawidSkene"),
    "Ebcc": ("quorate.aggregation.ebcc", "Ebcc"),
    "FastDawidSkene": ("quorate.aggregation.fast_dawid_skene", "FastDawidSkene"),
    "Glad": ("quorate.aggregation.glad", "Glad"),
    "Ibcc": ("quorate.aggregation.ibcc", "Ibcc"),
    "Kos": ("quorate.aggregation.kos", "Kos"),
    "LaOnepass": ("quorate.aggregation.la_onepass", "LaOnepass"),
    "Mace": ("quorate.aggregation.mace", "Mace"),
    "Majority": ("quorate.aggregation.majority", "Majority"),
    "Mmsr": ("quorate.aggregation.mmsr", "Mmsr"),
    "NaiveSoft": ("quorate.aggregation.naive_soft", "NaiveSoft"),
    "OneCoin": ("quorate.aggregation.one_coin", "OneCoin"),
    "SelectBest": ("quorate.aggregation.select_best", "SelectBest"),
    "SparseDawidSkene": ("quorate.aggregation.sparse_dawid_skene", "SparseDawidSkene"),
    "Wawa": ("quorate.aggregation.wawa", "Wawa"),
    "WeightedDawidSkene": ("quorate.aggregation.weighted_dawid_skene", "WeightedDawidSkene"),
    "WeightedMajority": ("quorate.aggregation.weighted_majority", "WeightedMajority"),
    "ZeroBasedSkill": ("quorate.aggregation.zero_based_skill", "ZeroBasedSkill"),
}

__all__ = [
    "ClusteredDawidSkene",
    "Crowdlab",
    "DawidSkene",
    "Ebcc",
    "FastDawidSkene",
    "Glad",
    "Ibcc",
    "Kos",
    "LaOnepass",
    "Mace",
    "Majority",
    "Mmsr",
    "NaiveSoft",
    "OneCoin",
    "SelectBest",
    "SparseDawidSkene",
    "Wawa",
    "WeightedDawidSkene",
    "WeightedMajority",
    "ZeroBasedSkill",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = lazy_exports(__name__, _EXPORTS)
