"""Build a learner from the options that were typed."""

from collections.abc import Mapping
from typing import Any

from quorate import registry
from quorate.cli.options.learner import FOLDERS, LEARNING, TRAINING, WRAPPERS, Choice
from quorate.errors import MethodError

DEFAULTS = {
    "base": "mlp",
    "head": "plain",
    "target": "soft",
    "loss": "cross_entropy",
    "step": "plain",
    "schedule": "constant",
}
SELF_TRAINING_DEFAULTS = DEFAULTS | {"head": "crowd_layer"}  # it predicts the votes of each worker
TARGET_HEADS = ("plain", "multi_task")  # heads that are trained on a target, others on the votes
SCHEDULES = ("constant", "steps", "cosine", "cyclic")
METHOD = "dawid_skene"
LEARNERS = ("linear", "network", *WRAPPERS)


def make_learner(choice: Choice) -> Any:
    """Return the learner that was chosen: linear, unless a part of a network is named."""
    name = choice.learner or ("network" if choice.network_parts else "linear")
    registry.require_name(name, LEARNERS, "learner")
    learner = _network(choice) if _is_network(name, choice) else _linear(choice)
    if name == "linear" and choice.network_parts:
        part = choice.network_parts[0]
        raise MethodError(f"linear has no {part}: leave out what sets it, or choose --learner network")
    for other in ("linear", *WRAPPERS):
        inside = other == "linear" and name in WRAPPERS and not choice.network_parts
        if other in choice.options and other != name and not inside:
            raise MethodError(f"there are options of {other}, but the learner is {name}: choose --learner {other}")
    _refuse_idle(learner, choice)
    if name == "self_training":  # each member fills in votes of its own
        return _calibrated(_ensemble(_wrapped(name, learner, choice), choice), choice)
    learner = _ensemble(learner, choice)
    return _calibrated(_wrapped(name, learner, choice) if name in WRAPPERS else learner, choice)


def _calibrated(learner: Any, choice: Choice) -> Any:
    if not choice.calibrator:
        return learner
    calibrated = registry.method_class(LEARNING, "calibrated")
    return calibrated(learner=learner, calibrator=choice.calibrator, seed=choice.seed)


def _ensemble(learner: Any, choice: Choice) -> Any:
    if choice.members == 1:
        return learner
    return registry.method_class(LEARNING, "ensemble")(learner=learner, members=choice.members)


def _refuse_idle(learner: Any, choice: Choice) -> None:
    """Refuse options that would change nothing."""
    if choice.members > 1 and not hasattr(learner, "seed") and choice.learner != "self_training":
        raise MethodError("all members of linear would be the same: leave out --members, or name a --base")
    head = registry.name_of(learner.head) if hasattr(learner, "head") else "plain"
    if head not in TARGET_HEADS and (choice.parts.get("target") or "target" in choice.options):
        raise MethodError(f"{head} is taught by votes, not by a target: leave out --target, or choose --head plain")


def _is_network(name: str, choice: Choice) -> bool:
    """Return whether the learner, or the one inside it, is a network; inside self-training it is by default."""
    return (
        bool(choice.network_parts) or name == "network" or (name == "self_training" and "linear" not in choice.options)
    )


def _wrapped(name: str, learner: Any, choice: Choice) -> Any:
    """Return self-training, or joint EM, around a learner; joint EM has a default of its own where none is chosen."""
    typed = choice.options.get(name, {})
    if "aggregator" in typed:
        raise MethodError(f"the aggregator of {name} is set by --method, its options by --option method.NAME=VALUE")
    if "last" in typed:
        raise MethodError(f"'last' of {name} is a learner, which cannot be typed: set it in Python")
    chosen: dict[str, Any] = {"seed": choice.seed}
    parts = choice.network_parts or choice.members > 1 or "linear" in choice.options or choice.parts.get("target")
    if parts or name == "self_training":
        chosen["learner"] = learner
    if name == "joint_em" and (choice.method or "method" in choice.options):
        chosen["aggregator"] = make_method(choice)
    return make(LEARNING, name, typed, chosen)


def make_method(choice: Choice) -> Any:
    """Return the method that aggregates the votes."""
    return make("aggregation", choice.method or METHOD, choice.options.get("method", {}))


def make(folder: str, name: str, typed: Mapping[str, str], values: Mapping[str, Any] | None = None) -> Any:
    """Return a method by its name, with options as text (`typed`) and others as they are (`values`)."""
    return _build(registry.method_class(folder, name), name, typed, values or {})


def _build(method: type[Any], name: str, typed: Mapping[str, str], values: Mapping[str, Any]) -> Any:
    for option in typed:
        if option in values:
            raise MethodError(f"{option!r} of {name} has an option of its own: set it by --{option.replace('_', '-')}")
    chosen = {option: registry.parse_option(method, name, option, text) for option, text in typed.items()}
    return registry.build(method, name, {**chosen, **values})


def _part(choice: Choice, part: str) -> Any:
    defaults = SELF_TRAINING_DEFAULTS if choice.learner == "self_training" else DEFAULTS
    return make(FOLDERS[part], choice.parts.get(part) or defaults[part], choice.options.get(part, {}))


def _linear(choice: Choice) -> Any:
    return make(LEARNING, "linear", choice.options.get("linear", {}), {"target": _part(choice, "target")})


def _network(choice: Choice) -> Any:
    values = {**choice.recipe, "schedule": _schedule(choice), "step": _part(choice, "step")}
    parts = {part: _part(choice, part) for part in FOLDERS if part != "step"}
    recipe = make(TRAINING, "recipe", choice.options.get("recipe", {}), values)
    return registry.method_class(LEARNING, "network")(**parts, recipe=recipe, seed=choice.seed)


def _schedule(choice: Choice) -> Any:
    name = choice.parts.get("schedule") or DEFAULTS["schedule"]
    registry.require_name(name, SCHEDULES, "schedule")
    schedule = getattr(registry.module("quorate.learning.training.schedules"), name.capitalize())
    return _build(schedule, name, choice.options.get("schedule", {}), {})
