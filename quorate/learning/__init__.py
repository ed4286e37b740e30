"""Classifiers that learn from votes: learners, parts of networks and training.

A network has a base (the layers that read items), a head (how votes depend on classes and workers), a target, a loss
and a training recipe; each kind of part has its own folder. This is the only package that imports torch, and only when
a network is used: `Linear` and learners that wrap it need at most scikit-learn. Calibrators are in
`quorate.calibration`, metrics in `quorate.metrics`, scores of ambiguous items in `quorate.ambiguity`.
"""

from typing import TYPE_CHECKING

from quorate.registry.lazy import Exports, lazy_exports

if TYPE_CHECKING:
    from quorate.learning.bases.linear import Linear as _LinearBase
    from quorate.learning.cross_fitting import cross_fit as cross_fit
    from quorate.learning.crowd_classifier import CrowdClassifier as CrowdClassifier
    from quorate.learning.features import feature_table as feature_table
    from quorate.learning.features import fit_features as fit_features
    from quorate.learning.learners.linear import Linear as Linear
    from quorate.learning.learners.search import Between as Between
    from quorate.learning.saving import load as load
    from quorate.learning.saving import save as save
    from quorate.learning.scoring import report as report
    from quorate.learning.traces import record_trace as record_trace
    from quorate.learning.training.recipe import Recipe as Recipe
    from quorate.learning.training.schedules import Constant as Constant
    from quorate.learning.training.schedules import Cosine as Cosine
    from quorate.learning.training.schedules import Cyclic as Cyclic
    from quorate.learning.training.schedules import Steps as Steps

    LinearBase = _LinearBase  # Linear is the learner

# method classes: written by docs/write_map.py
if TYPE_CHECKING:
    from quorate.learning.bases.char_cnn import CharCnn as CharCnn
    from quorate.learning.bases.char_word_rnn import CharWordRnn as CharWordRnn
    from quorate.learning.bases.lstm import Lstm as Lstm
    from quorate.learning.bases.mlp import Mlp as Mlp
    from quorate.learning.bases.resnet import Resnet as Resnet
    from quorate.learning.bases.small_cnn import SmallCnn as SmallCnn
    from quorate.learning.bases.text_and_features import TextAndFeatures as TextAndFeatures
    from quorate.learning.bases.tf_idf import TfIdf as TfIdf
    from quorate.learning.bases.transformer import Transformer as Transformer
    from quorate.learning.bases.wide_resnet import WideResnet as WideResnet
    from quorate.learning.heads.anno_reg import AnnoReg as AnnoReg
    from quorate.learning.heads.annot_mix import AnnotMix as AnnotMix
    from quorate.learning.heads.conal import Conal as Conal
    from quorate.learning.heads.crowd_layer import CrowdLayer as CrowdLayer
    from quorate.learning.heads.geo_crowd_net import GeoCrowdNet as GeoCrowdNet
    from quorate.learning.heads.multi_task import MultiTask as MultiTask
    from quorate.learning.heads.weighted_doctor_net import WeightedDoctorNet as WeightedDoctorNet
    from quorate.learning.learners.calibrated import Calibrated as Calibrated
    from quorate.learning.learners.ensemble import Ensemble as Ensemble
    from quorate.learning.learners.joint_em import JointEm as JointEm
    from quorate.learning.learners.network import Network as Network
    from quorate.learning.learners.pruned import Pruned as Pruned
    from quorate.learning.learners.search import Search as Search
    from quorate.learning.learners.self_training import SelfTraining as SelfTraining
    from quorate.learning.losses.class_balanced_focal import ClassBalancedFocal as ClassBalancedFocal
    from quorate.learning.losses.cross_entropy import CrossEntropy as CrossEntropy
    from quorate.learning.losses.focal import Focal as Focal
    from quorate.learning.losses.inverse_kl import InverseKl as InverseKl
    from quorate.learning.losses.jensen_shannon import JensenShannon as JensenShannon
    from quorate.learning.losses.kl import Kl as Kl
    from quorate.learning.steps.adaptive_sam import AdaptiveSam as AdaptiveSam
    from quorate.learning.steps.sam import Sam as Sam
    from quorate.learning.targets.hard import Hard as Hard
    from quorate.learning.targets.smoothed import Smoothed as Smoothed
    from quorate.learning.targets.soft import Soft as Soft
    from quorate.learning.targets.soft_hard import SoftHard as SoftHard
    from quorate.learning.targets.stacked import Stacked as Stacked
# end of method classes

_EXPORTS: Exports = {  # besides the classes of methods
    "Between": ("quorate.learning.learners.search", "Between"),
    "Constant": ("quorate.learning.training.schedules", "Constant"),
    "Cosine": ("quorate.learning.training.schedules", "Cosine"),
    "CrowdClassifier": ("quorate.learning.crowd_classifier", "CrowdClassifier"),
    "Cyclic": ("quorate.learning.training.schedules", "Cyclic"),
    "Linear": ("quorate.learning.learners.linear", "Linear"),
    "LinearBase": ("quorate.learning.bases.linear", "Linear"),
    "Recipe": ("quorate.learning.training.recipe", "Recipe"),
    "Steps": ("quorate.learning.training.schedules", "Steps"),
    "cross_fit": ("quorate.learning.cross_fitting", "cross_fit"),
    "feature_table": ("quorate.learning.features", "feature_table"),
    "fit_features": ("quorate.learning.features", "fit_features"),
    "load": ("quorate.learning.saving", "load"),
    "record_trace": ("quorate.learning.traces", "record_trace"),
    "report": ("quorate.learning.scoring", "report"),
    "save": ("quorate.learning.saving", "save"),
}

if not TYPE_CHECKING:
    __getattr__, __dir__ = lazy_exports(__name__, _EXPORTS, with_methods=True)
