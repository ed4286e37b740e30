"""Fusion methods: posteriors from the votes on a task and the probabilities of classifiers.

One file is one method. Aggregation of votes alone is in `quorate.aggregation`; the model of the crowd that several
methods share is in `quorate.inference.crowd_model`, the weights of classifiers in
`quorate.decision.classifier_weights`.
"""

from typing import TYPE_CHECKING

from quorate.registry.lazy import lazy_exports

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
# end of method classes

if not TYPE_CHECKING:
    __getattr__, __dir__ = lazy_exports(__name__, with_methods=True)
