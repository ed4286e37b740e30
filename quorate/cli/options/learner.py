"""From what was typed to a learner: parts by their names, and any option of a part by --option PART.NAME=VALUE."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from quorate import registry
from quorate.errors import MethodError

LEARNING, TRAINING = "learning.learners", "learning.training"  # folders of learners, and of the recipe
FOLDERS = {
    "base": "learning.bases",
    "head": "learning.heads",
    "target": "learning.targets",
    "loss": "learning.losses",
    "step": "learning.steps",
}
USUAL = {
    "base": "mlp",
    "head": "plain",
    "target": "soft",
    "loss": "cross_entropy",
    "step": "plain",
    "schedule": "constant",
}
BASES = {  # what sees items of a kind
    "texts": "tf_idf",
    "pairs": "char_cnn",
    "images": "small_cnn",
    "texts and features": "text_and_features",
    "words in texts": "char_word_rnn",
}
OF_SELF_TRAINING = USUAL | {"head": "crowd_layer"}  # it asks what each worker would say
OF_NETWORKS = ("base", "head", "loss", "step", "schedule", "recipe")  # what linear has not
AROUND = ("joint_em", "self_training")  # learners around another one
BY_TARGET = ("plain", "multi_task")  # heads that are taught by a target, others by the votes
SCHEDULES = ("constant", "steps", "cosine", "cyclic")
METHOD = "dawid_skene"
LEARNERS = ("linear", "network", *AROUND)
Options = Mapping[str, Mapping[str, str]]  # part -> option -> what was typed


@dataclass(frozen=True, kw_only=True)
class Choice:
    """What was typed. learner, method and parts: "" where nothing was; recipe: only what was given."""

    learner: str
    parts: Mapping[str, str]
    recipe: Mapping[str, Any]
    options: Options
    members: int
    seed: int
    method: str = ""

    @property
    def of_networks(self) -> list[str]:
        """The parts that were named or given options and that only networks have."""
        given = [part for part in OF_NETWORKS if self.parts.get(part) or part in self.options]
        return given + (["recipe"] if self.recipe and "recipe" not in given else [])


def parse_options(texts: Sequence[str], also: Sequence[str] = ()) -> dict[str, dict[str, str]]:
    """Options as they were typed, by part; `also` names parts that others do not have.

    >>> parse_options(["head.shrink=0.5", "base.sizes=256,128"])
    {'head': {'shrink': '0.5'}, 'base': {'sizes': '256,128'}}
    """
    allowed = (*FOLDERS, "schedule", "recipe", "method", "linear", *AROUND, *also)
    options: dict[str, dict[str, str]] = {}
    for text in texts:
        place, equals, value = text.partition("=")
        part, dot, option = place.strip().partition(".")
        if not (equals and dot and option):
            raise MethodError(
                f"--option takes PART.NAME=VALUE, such as {_example(place.strip(), value, also)}, got {text!r}"
            )
        if part not in allowed:
            raise MethodError(f"--option knows no part {part!r}: choose one of {', '.join(allowed)}")
        options.setdefault(part, {})[option] = value.strip()
    return options


def _example(option: str, value: str, also: Sequence[str] = ()) -> str:
    """What may be meant by an option that names no part."""
    scores = registry.names("ambiguity") if "score" in also else []
    if any(option in registry.describe("ambiguity", name)[1] for name in scores):
        return f"score.{option}={value}"
    for part, folder in {"recipe": TRAINING, **dict.fromkeys(("linear", *AROUND), LEARNING)}.items():
        if option in registry.describe(folder, part)[1]:
            return f"{part}.{option}={value}"
    for part, folder in {**FOLDERS, "method": "aggregation"}.items():
        if any(option in registry.describe(folder, name)[1] for name in registry.names(folder)):
            return f"{part}.{option}={value}"
    return "head.shrink=0.5"


def make_learner(choice: Choice) -> Any:
    """The learner that was asked for: linear, unless a part of a network is named."""
    name = choice.learner or ("network" if choice.of_networks else "linear")
    registry.require_name(name, LEARNERS, "learner")
    learner = _network(choice) if _is_network(name, choice) else _linear(choice)
    if name == "linear" and choice.of_networks:
        what = choice.of_networks[0]
        raise MethodError(f"linear has no {what}: leave out what sets it, or choose --learner network")
    for other in ("linear", *AROUND):
        inside = other == "linear" and name in AROUND and not choice.of_networks
        if other in choice.options and other != name and not inside:
            raise MethodError(f"there are options of {other}, but the learner is {name}: choose --learner {other}")
    _refuse_idle(learner, choice)
    if name == "self_training":  # each member fills in votes of its own
        return _ensemble(_around(name, learner, choice), choice)
    learner = _ensemble(learner, choice)
    return _around(name, learner, choice) if name in AROUND else learner


def calibrated(learner: Any, calibrator: str, seed: int) -> Any:
    """The learner with a calibrator behind it, where one is named."""
    if not calibrator:
        return learner
    return registry.method_class(LEARNING, "calibrated")(learner=learner, calibrator=calibrator, seed=seed)


def _ensemble(learner: Any, choice: Choice) -> Any:
    if choice.members == 1:
        return learner
    return registry.method_class(LEARNING, "ensemble")(learner=learner, members=choice.members)


def _refuse_idle(learner: Any, choice: Choice) -> None:
    """Refuse what was typed and would change nothing."""
    if choice.members > 1 and not hasattr(learner, "seed") and choice.learner != "self_training":
        raise MethodError("all members of linear would be the same: leave out --members, or name a --base")
    head = registry.name_of(learner.head) if hasattr(learner, "head") else "plain"
    if head not in BY_TARGET and (choice.parts.get("target") or "target" in choice.options):
        raise MethodError(f"{head} is taught by votes, not by a target: leave out --target, or choose --head plain")


def _is_network(name: str, choice: Choice) -> bool:
    """Whether the learner, or the one inside it, is a network; self-training is of networks unless told otherwise."""
    return bool(choice.of_networks) or name == "network" or (name == "self_training" and "linear" not in choice.options)


def _around(name: str, learner: Any, choice: Choice) -> Any:
    """Self-training around a learner; joint EM too, or around its own default where nothing of a learner was typed."""
    typed = choice.options.get(name, {})
    if "aggregator" in typed:
        raise MethodError(f"the aggregator of {name} is set by --method, its options by --option method.NAME=VALUE")
    if "last" in typed:
        raise MethodError(f"'last' of {name} is a learner, which cannot be typed: set it in Python")
    chosen: dict[str, Any] = {"seed": choice.seed}
    parts = choice.of_networks or choice.members > 1 or "linear" in choice.options or choice.parts.get("target")
    if parts or name == "self_training":
        chosen["learner"] = learner
    if name == "joint_em" and (choice.method or "method" in choice.options):
        chosen["aggregator"] = make_method(choice)
    return make(LEARNING, name, typed, chosen)


def make_method(choice: Choice) -> Any:
    """The method that aggregates the votes."""
    return make("aggregation", choice.method or METHOD, choice.options.get("method", {}))


def make(folder: str, name: str, typed: Mapping[str, str], given: Mapping[str, Any] | None = None) -> Any:
    """A method by its name, with options as they were typed and others as they are."""
    return _made(registry.method_class(folder, name), name, typed, given)


def _made(found: type[Any], name: str, typed: Mapping[str, str], given: Mapping[str, Any] | None = None) -> Any:
    given = given or {}
    for option in typed:
        if option in given:
            raise MethodError(f"{option!r} of {name} has an option of its own: set it by --{option.replace('_', '-')}")
    chosen = {option: registry.parse_option(found, name, option, text) for option, text in typed.items()}
    return registry.build(found, name, {**chosen, **given})


def _part(choice: Choice, part: str) -> Any:
    usual = OF_SELF_TRAINING if choice.learner == "self_training" else USUAL
    return make(FOLDERS[part], choice.parts.get(part) or usual[part], choice.options.get(part, {}))


def _linear(choice: Choice) -> Any:
    return make(LEARNING, "linear", choice.options.get("linear", {}), {"target": _part(choice, "target")})


def _network(choice: Choice) -> Any:
    given = {**choice.recipe, "schedule": _schedule(choice), "step": _part(choice, "step")}
    parts = {part: _part(choice, part) for part in FOLDERS if part != "step"}
    recipe = make(TRAINING, "recipe", choice.options.get("recipe", {}), given)
    return registry.method_class(LEARNING, "network")(**parts, recipe=recipe, seed=choice.seed)


def _schedule(choice: Choice) -> Any:
    name = choice.parts.get("schedule") or USUAL["schedule"]
    registry.require_name(name, SCHEDULES, "schedule")
    found = getattr(registry.module("quorate.learning.training.schedules"), name.capitalize())
    return _made(found, name, choice.options.get("schedule", {}))
