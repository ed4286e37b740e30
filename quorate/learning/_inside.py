"""What is inside a learner: other learners, seeds."""

from dataclasses import fields, is_dataclass
from typing import Any


def inner_learners(learner: Any) -> dict[str, Any]:
    """The learners among the options of a learner, by name.

    >>> from quorate.learning.learners.joint_em import JointEm
    >>> list(inner_learners(JointEm()))
    ['learner']
    """
    options = {field.name: getattr(learner, field.name) for field in fields(learner)} if is_dataclass(learner) else {}
    return {name: one for name, one in options.items() if hasattr(one, "fit") and hasattr(one, "predict_proba")}


def has_seed(learner: Any) -> bool:
    """Whether a learner, or one inside it, goes by a seed.

    >>> from quorate.learning.learners.joint_em import JointEm
    >>> from quorate.learning.learners.linear import Linear
    >>> has_seed(Linear()), has_seed(JointEm(learner=Linear()))
    (False, True)
    """
    return hasattr(learner, "seed") or any(has_seed(one) for one in inner_learners(learner).values())
