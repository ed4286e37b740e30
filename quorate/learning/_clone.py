"""Changed copies of learners: unfitted, with other options, or with a single thread."""

from copy import deepcopy
from dataclasses import fields, is_dataclass, replace
from typing import Any


def fresh(learner: Any, shift: int = 0) -> Any:
    """Return an unfitted copy of a learner, with `shift` added to its seed and to those of learners inside it.

    The copy writes no checkpoint: all copies would share one file, and the second would resume the training of the
    first.

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


def inner_learners(learner: Any) -> dict[str, Any]:
    """Return the learners among the options of a learner, by name.

    >>> from quorate.learning.learners.joint_em import JointEm
    >>> list(inner_learners(JointEm()))
    ['learner']
    """
    options = {field.name: getattr(learner, field.name) for field in fields(learner)} if is_dataclass(learner) else {}
    return {name: value for name, value in options.items() if hasattr(value, "fit") and hasattr(value, "predict_proba")}


def has_seed(learner: Any) -> bool:
    """Return True if a learner, or one inside it, has a seed.

    >>> from quorate.learning.learners.joint_em import JointEm
    >>> from quorate.learning.learners.linear import Linear
    >>> has_seed(Linear()), has_seed(JointEm(learner=Linear()))
    (False, True)
    """
    return hasattr(learner, "seed") or any(has_seed(value) for value in inner_learners(learner).values())


def single_threaded(learner: Any) -> Any:
    """Return a copy whose recipes, and those of learners inside it, ask for a single thread."""
    changed = {name: single_threaded(value) for name, value in inner_learners(learner).items()}
    if is_dataclass(learner) and hasattr(getattr(learner, "recipe", None), "threads"):
        learner = with_option(learner, "recipe.threads", 1)
    return replace(learner, **changed) if changed else learner


def with_option(options: Any, path: str, value: Any) -> Any:
    """Return a copy with the option at a dotted path changed; the path must exist (see `require_option`).

    >>> from quorate.learning.learners.linear import Linear
    >>> with_option(Linear(), "l2", 0.5).l2
    0.5
    """
    first, _, rest = path.partition(".")
    return replace(options, **{first: with_option(getattr(options, first), rest, value) if rest else value})
