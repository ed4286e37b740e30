"""Aggregation methods (truth inference, label aggregation): they turn votes into a posterior of every task.

One file is one method. Code that several methods use is in `quorate.inference`, the function `quorate.aggregate` in
`quorate.api`. Methods that combine votes with the probabilities of classifiers are in `quorate.decision.fusion`.
"""

from typing import TYPE_CHECKING

from quorate.registry.lazy import lazy_exports

# method classes: written by docs/write_map.py
if TYPE_CHECKING:
    from quorate.aggregation.clustered_dawid_skene import ClusteredDawidSkene as ClusteredDawidSkene
    from quorate.aggregation.crowdlab import Crowdlab as Crowdlab
    from quorate.aggregation.dawid_skene import DawidSkene as DawidSkene
    from quorate.aggregation.difficulty import Difficulty as Difficulty
    from quorate.aggregation.ebcc import Ebcc as Ebcc
    from quorate.aggregation.ensemble import Ensemble as Ensemble
    from quorate.aggregation.fast_dawid_skene import FastDawidSkene as FastDawidSkene
    from quorate.aggregation.glad import Glad as Glad
    from quorate.aggregation.ibcc import Ibcc as Ibcc
    from quorate.aggregation.kos import Kos as Kos
    from quorate.aggregation.la_onepass import LaOnepass as LaOnepass
    from quorate.aggregation.mace import Mace as Mace
    from quorate.aggregation.majority import Majority as Majority
    from quorate.aggregation.mmsr import Mmsr as Mmsr
    from quorate.aggregation.naive_soft import NaiveSoft as NaiveSoft
    from quorate.aggregation.one_coin import OneCoin as OneCoin
    from quorate.aggregation.select_best import SelectBest as SelectBest
    from quorate.aggregation.sparse_dawid_skene import SparseDawidSkene as SparseDawidSkene
    from quorate.aggregation.wawa import Wawa as Wawa
    from quorate.aggregation.weighted_dawid_skene import WeightedDawidSkene as WeightedDawidSkene
    from quorate.aggregation.weighted_majority import WeightedMajority as WeightedMajority
    from quorate.aggregation.zero_based_skill import ZeroBasedSkill as ZeroBasedSkill
# end of method classes

if not TYPE_CHECKING:
    __getattr__, __dir__ = lazy_exports(__name__, with_methods=True)
