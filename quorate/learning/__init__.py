"""Classifiers that learn from votes: learners, parts of networks and training.

A network has a base (the layers that read items), a head (how votes depend on classes and workers), a target, a loss
and a training recipe; each kind of part has its own folder. This is the only package that imports torch, and only when
a network is used: `Linear` and learners that wrap it need at most scikit-learn. Calibrators are in
`quorate.calibration`, metrics in `quorate.metrics`, scores of ambiguous items in `quorate.ambiguity`.
"""

from typing import TYPE_CHECKING

from quorate.registry.lazy import Exports, lazy_exports

if TYPE_CHECKING:
    from quorate.learning.bases.char_cnn import CharCnn
    from quorate.learning.bases.char_word_rnn import CharWordRnn
    from quorate.learning.bases.linear import Linear as LinearBase
    from quorate.learning.bases.lstm import Lstm
    from quorate.learning.bases.mlp import Mlp
    from quorate.learning.bases.resnet import Resnet
    from quorate.learning.bases.small_cnn import SmallCnn
    from quorate.learning.bases.text_and_features import TextAndFeatures
    from quorate.learning.bases.tf_idf import TfIdf
    from quorate.learning.bases.transformer import Transformer
    from quorate.learning.bases.wide_resnet import WideResnet
    from quorate.learning.cross_fitting import cross_fit
    from quorate.learning.crowd_classifier import CrowdClassifier
    from quorate.learning.heads.anno_reg import AnnoReg
    from quorate.learning.heads.annot_mix import AnnotMix
    from quorate.learning.heads.conal import Conal
    from quorate.learning.heads.crowd_layer import CrowdLayer
    from quorate.learning.heads.geo_crowd_net import GeoCrowdNet
    from quorate.learning.heads.multi_task import MultiTask
    from quorate.learning.heads.weighted_doctor_net import WeightedDoctorNet
    from quorate.learning.learners.calibrated import Calibrated
    from quorate.learning.learners.ensemble import Ensemble
    from quorate.learning.learners.joint_em import JointEm
    from quorate.learning.learners.linear import Linear
    from quorate.learning.learners.network import Network
    from quorate.learning.learners.pruned import Pruned
    from quorate.learning.learners.search import Between, Search
    from quorate.learning.learners.self_training import SelfTraining
    from quorate.learning.losses.class_balanced_focal import ClassBalancedFocal
    from quorate.learning.losses.cross_entropy import CrossEntropy
    from quorate.learning.losses.focal import Focal
    from quorate.learning.losses.inverse_kl import InverseKl
    from quorate.learning.losses.jensen_shannon import JensenShannon
    from quorate.learning.losses.kl import Kl
    from quorate.learning.saving import load, save
    from quorate.learning.scoring import report
    from quorate.learning.steps.adaptive_sam import AdaptiveSam
    from quorate.learning.steps.sam import Sam
    from quorate.learning.targets.hard import Hard
    from quorate.learning.targets.smoothed import Smoothed
    from quorate.learning.targets.soft import Soft
    from quorate.learning.targets.soft_hard import SoftHard
    from quorate.learning.targets.stacked import Stacked
    from quorate.learning.traces import record_trace
    from quorate.learning.training.recipe import Recipe
    from quorate.learning.training.schedules import Constant, Cosine, Cyclic, Steps

_EXPORTS: Exports = {
    "AdaptiveSam": ("quorate.learning.steps.adaptive_sam", "AdaptiveSam"),
    "AnnoReg": ("quorate.learning.heads.anno_reg", "AnnoReg"),
    "AnnotMix": ("quorate.learning.heads.annot_mix", "AnnotMix"),
    "Between": ("quorate.learning.learners.search", "Between"),
    "Calibrated": ("quorate.learning.learners.calibrated", "Calibrated"),
    "CharCnn": ("quorate.learning.bases.char_cnn", "CharCnn"),
    "CharWordRnn": ("quorate.learning.bases.char_word_rnn", "CharWordRnn"),
    "ClassBalancedFocal": ("quorate.learning.losses.class_balanced_focal", "ClassBalancedFocal"),
    "Conal": ("quorate.learning.heads.conal", "Conal"),
    "Constant": ("quorate.learning.training.schedules", "Constant"),
    "Cosine": ("quorate.learning.training.schedules", "Cosine"),
    "CrossEntropy": ("quorate.learning.losses.cross_entropy", "CrossEntropy"),
    "CrowdClassifier": ("quorate.learning.crowd_classifier", "CrowdClassifier"),
    "CrowdLayer": ("quorate.learning.heads.crowd_layer", "CrowdLayer"),
    "Cyclic": ("quorate.learning.training.schedules", "Cyclic"),
    "Ensemble": ("quorate.learning.learners.ensemble", "Ensemble"),
    "Focal": ("quorate.learning.losses.focal", "Focal"),
    "GeoCrowdNet": ("quorate.learning.heads.geo_crowd_net", "GeoCrowdNet"),
    "Hard": ("quorate.learning.targets.hard", "Hard"),
    "InverseKl": ("quorate.learning.losses.inverse_kl", "InverseKl"),
    "JensenShannon": ("quorate.learning.losses.jensen_shannon", "JensenShannon"),
    "JointEm": ("quorate.learning.learners.joint_em", "JointEm"),
    "Kl": ("quorate.learning.losses.kl", "Kl"),
    "Linear": ("quorate.learning.learners.linear", "Linear"),
    "LinearBase": ("quorate.learning.bases.linear", "Linear"),
    "Lstm": ("quorate.learning.bases.lstm", "Lstm"),
    "Mlp": ("quorate.learning.bases.mlp", "Mlp"),
    "MultiTask": ("quorate.learning.heads.multi_task", "MultiTask"),
    "Network": ("quorate.learning.learners.network", "Network"),
    "Pruned": ("quorate.learning.learners.pruned", "Pruned"),
    "Recipe": ("quorate.learning.training.recipe", "Recipe"),
    "Resnet": ("quorate.learning.bases.resnet", "Resnet"),
    "Sam": ("quorate.learning.steps.sam", "Sam"),
    "Search": ("quorate.learning.learners.search", "Search"),
    "SelfTraining": ("quorate.learning.learners.self_training", "SelfTraining"),
    "SmallCnn": ("quorate.learning.bases.small_cnn", "SmallCnn"),
    "Smoothed": ("quorate.learning.targets.smoothed", "Smoothed"),
    "Soft": ("quorate.learning.targets.soft", "Soft"),
    "SoftHard": ("quorate.learning.targets.soft_hard", "SoftHard"),
    "Stacked": ("quorate.learning.targets.stacked", "Stacked"),
    "Steps": ("quorate.learning.training.schedules", "Steps"),
    "TextAndFeatures": ("quorate.learning.bases.text_and_features", "TextAndFeatures"),
    "TfIdf": ("quorate.learning.bases.tf_idf", "TfIdf"),
    "Transformer": ("quorate.learning.bases.transformer", "Transformer"),
    "WeightedDoctorNet": ("quorate.learning.heads.weighted_doctor_net", "WeightedDoctorNet"),
    "WideResnet": ("quorate.learning.bases.wide_resnet", "WideResnet"),
    "cross_fit": ("quorate.learning.cross_fitting", "cross_fit"),
    "load": ("quorate.learning.saving", "load"),
    "record_trace": ("quorate.learning.traces", "record_trace"),
    "report": ("quorate.learning.scoring", "report"),
    "save": ("quorate.learning.saving", "save"),
}

__all__ = [
    "AdaptiveSam",
    "AnnoReg",
    "AnnotMix",
    "Between",
    "Calibrated",
    "CharCnn",
    "CharWordRnn",
    "ClassBalancedFocal",
    "Conal",
    "Constant",
    "Cosine",
    "CrossEntropy",
    "CrowdClassifier",
    "CrowdLayer",
    "Cyclic",
    "Ensemble",
    "Focal",
    "GeoCrowdNet",
    "Hard",
    "InverseKl",
    "JensenShannon",
    "JointEm",
    "Kl",
    "Linear",
    "LinearBase",
    "Lstm",
    "Mlp",
    "MultiTask",
    "Network",
    "Pruned",
    "Recipe",
    "Resnet",
    "Sam",
    "Search",
    "SelfTraining",
    "SmallCnn",
    "Smoothed",
    "Soft",
    "SoftHard",
    "Stacked",
    "Steps",
    "TextAndFeatures",
    "TfIdf",
    "Transformer",
    "WeightedDoctorNet",
    "WideResnet",
    "cross_fit",
    "load",
    "record_trace",
    "report",
    "save",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = lazy_exports(__name__, _EXPORTS)
