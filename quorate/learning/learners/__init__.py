"""Learners: classifiers with `fit` and `predict_proba`, fitted to items, votes and a posterior.

One file is one learner. Files that begin with `_` are shared by several learners or are steps of one. The parts of a
network are in the sibling folders, its training in `quorate.learning.training`.
"""

from typing import TYPE_CHECKING

from quorate.registry.lazy import lazy_exports

# method classes: written by docs/write_map.py
if TYPE_CHECKING:
    from quorate.learning.learners.calibrated import Calibrated as Calibrated
    from quorate.learning.learners.ensemble import Ensemble as Ensemble
    from quorate.learning.learners.joint_em import JointEm as JointEm
    from quorate.learning.learners.linear import Linear as Linear
    from quorate.learning.learners.network import Network as Network
    from quorate.learning.learners.pruned import Pruned as Pruned
    from quorate.learning.learners.search import Search as Search
    from quorate.learning.learners.self_training import SelfTraining as SelfTraining
# end of method classes

if not TYPE_CHECKING:
    __getattr__, __dir__ = lazy_exports(__name__, with_methods=True)
