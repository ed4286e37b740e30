"""Type names of stored objects: `learner/joint_em`, `fusion/product`, `policy/nguyen.FittedNguyen`.

Saved models and rows of the database name the types of the objects they hold. A type name is the kind of a type, its
file, and its class where the file does not already spell it. It does not depend on the layout of the package, so saved
models can still be loaded after a folder was moved; a file that was renamed needs an entry in `RENAMED`.
"""

import re
from collections.abc import Collection
from dataclasses import is_dataclass
from typing import Any

from quorate.registry import methods

PACKAGES = {  # kind -> package that defines its types
    "aggregation": "quorate.aggregation",
    "ambiguity": "quorate.ambiguity",
    "calibration": "quorate.calibration",
    "inference": "quorate.inference",
    "learner": "quorate.learning.learners",
    "base": "quorate.learning.bases",
    "head": "quorate.learning.heads",
    "loss": "quorate.learning.losses",
    "step": "quorate.learning.steps",
    "target": "quorate.learning.targets",
    "training": "quorate.learning.training",
    "decision": "quorate.decision",
    "fusion": "quorate.decision.fusion",
    "policy": "quorate.decision.policies",
    "service": "quorate.service.classifiers",
}
RENAMED = {  # former type name -> current one; of methods, `methods.RENAMED` has it already
    "fusion/_crowd": "inference/crowd_model.Crowd",
    "decision/crowd_model.Crowd": "inference/crowd_model.Crowd",
    "policy/_consensus.ByMajority": "policy/consensus.ByMajority",
    "policy/_consensus.ByMatrices": "policy/consensus.ByMatrices",
    "policy/_consensus.CrowdElseMachine": "policy/consensus.CrowdElseMachine",
    "learner/recipe": "training/recipe",
    "learner/schedules.Constant": "training/schedules.Constant",
    "learner/schedules.Steps": "training/schedules.Steps",
    "learner/schedules.Cosine": "training/schedules.Cosine",
    "learner/schedules.Cyclic": "training/schedules.Cyclic",
    "service/classifier.Softmax": "service/softmax",
    "service/named": "service/library_learner",
    "service/features_numeric.Numbers": "service/features_numeric.NumericFeatures",
    "service/features_text.Words": "service/features_text.TextFeatures",
    "service/features_image.Pixels": "service/features_image.ImageFeatures",
    "reader/numbers": "service/features_numeric.NumericFeatures",
    "reader/words": "service/features_text.TextFeatures",
    "reader/pixels": "service/features_image.ImageFeatures",
}
RENAMED_FIELDS = {  # (type name, former field) -> current one
    ("fusion/log_linear.FusedLogLinear", "sway"): "vote_discount",
    ("fusion/log_linear.FusedLogLinear", "doubt"): "noise",
    ("fusion/difficulty.FusedByDifficulty", "doubt"): "noise",
    ("service/softmax", "reader"): "extractor",
    ("service/library_learner", "reader"): "extractor",
}

# Format 1 named the module and the class, such as quorate.learning.learners.joint_em.JointEm. Not to be changed.
_PACKAGES_OF_FORMAT_1 = {
    "aggregation": "quorate.aggregation",
    "ambiguity": "quorate.ambiguity",
    "calibration": "quorate.calibration",
    "learner": "quorate.learning",
    "base": "quorate.learning.bases",
    "head": "quorate.learning.heads",
    "loss": "quorate.learning.losses",
    "step": "quorate.learning.steps",
    "target": "quorate.learning.targets",
    "fusion": "quorate.decision.fusion",
    "policy": "quorate.decision.policies",
    "service": "quorate.service.learner",
    "reader": "quorate.service.learner.readers",
}
_TYPE_NAME = re.compile(r"(?P<kind>[a-z]+)/(?P<file>[a-z][a-z0-9_]*)(\.(?P<class>[A-Za-z0-9]+))?")


def type_name(cls: type[Any]) -> str | None:
    """Return the name under which objects of a class are stored, None if they cannot be.

    >>> from quorate.aggregation.crowdlab import Crowdlab, Weights
    >>> type_name(Crowdlab), type_name(Weights), type_name(int)
    ('aggregation/crowdlab', 'aggregation/crowdlab.Weights', None)
    """
    name = _short_name(cls.__module__, cls.__qualname__, PACKAGES)
    return name if name is not None and stored_type(name) is cls else None


def stored_type(name: str, kinds: Collection[str] = PACKAGES.keys()) -> type[Any] | None:
    """Return the dataclass with this type name, None if it does not exist or is not of one of these kinds.

    name: as `type_name` returns it, one in `RENAMED`, or a dotted name of format 1.

    >>> stored_type("aggregation/majority").__name__, stored_type("quorate.aggregation.majority.Majority").__name__
    ('Majority', 'Majority')
    >>> stored_type("aggregation/majority", kinds=("learner",)), stored_type("os.system")
    (None, None)
    """
    if name.startswith("quorate."):
        name = _short_name(*name.rpartition(".")[::2], _PACKAGES_OF_FORMAT_1) or ""
    parts = _TYPE_NAME.fullmatch(RENAMED.get(name, name))
    if parts is None or parts["kind"] not in PACKAGES or parts["kind"] not in kinds:
        return None
    package = PACKAGES[parts["kind"]]
    file = methods.RENAMED.get((package.removeprefix("quorate."), parts["file"]), parts["file"])
    home = f"{package}.{file}"
    try:
        cls = vars(methods.module(home)).get(parts["class"] or methods.class_name(file))
    except ModuleNotFoundError:
        return None
    return cls if isinstance(cls, type) and is_dataclass(cls) and cls.__module__ == home else None


def current_fields(cls: type[Any], fields: dict[str, Any]) -> dict[str, Any]:
    """Return stored fields of an object under the names that its class has for them today."""
    name = type_name(cls)
    return {RENAMED_FIELDS.get((str(name), field), field): value for field, value in fields.items()}


def _short_name(module: str, class_name: str, packages: dict[str, str]) -> str | None:
    package, _, file = module.rpartition(".")
    for kind, folder in packages.items():
        if folder == package:
            return f"{kind}/{file}" if class_name == methods.class_name(file) else f"{kind}/{file}.{class_name}"
    return None
