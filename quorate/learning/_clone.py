"""Changed copies of learners: before any fit, with other options, or with one thread."""

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


def single_threaded(learner: Any) -> Any:
    """The learner with one thread, and those inside it, where their recipes say how many."""
    changed = {name: single_threaded(one) for name, one in inner_learners(learner).items()}
    if is_dataclass(learner) and hasattr(getattr(learner, "recipe", None), "threads"):
        learner = with_option(learner, "recipe.threads", 1)
    return replace(learner, **changed) if changed else learner


def with_option(thing: Any, path: str, value: Any) -> Any:
    """A copy with the option at a dotted path changed; the path must be there (see `require_option`).

    >>> from quorate.learning.learners.linear import Linear
    >>> with_option(Linear(), "l2", 0.5).l2
    0.5
    """
    first, _, rest = path.partition(".")
    return replace(thing, **{first: with_option(getattr(thing, first), rest, value) if rest else value})
