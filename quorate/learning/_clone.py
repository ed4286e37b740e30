"""Copies of a learner that know nothing yet."""

from copy import deepcopy
from dataclasses import fields, is_dataclass, replace
from typing import Any


def fresh(learner: Any, shift: int = 0) -> Any:
    """The same learner before any fit, its seed (and that of a learner inside) moved by `shift`.

    It keeps no checkpoint: its file would be that of all copies, and the second would find the training of the first.

    >>> from quorate.learning.learners.linear import Linear
    >>> fresh(Linear(l2=0.5)).l2
    0.5
    """
    if not is_dataclass(learner) or isinstance(learner, type):
        return deepcopy(learner)
    changed: dict[str, Any] = {}
    for field in fields(learner):
        value = getattr(learner, field.name)
        if field.name == "seed":
            changed["seed"] = value + shift
        elif field.name == "recipe" and hasattr(value, "checkpoint"):
            changed["recipe"] = replace(value, checkpoint="")
        elif hasattr(value, "fit") and hasattr(value, "predict_proba"):
            changed[field.name] = fresh(value, shift)
    return replace(learner, **changed)
