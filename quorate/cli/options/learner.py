"""Options for a learner: its parts by name, and any option of a part as --option PART.NAME=VALUE."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import typer

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
NETWORK_PARTS = ("base", "head", "loss", "step", "schedule", "recipe")  # linear has none of them
WRAPPERS = ("joint_em", "self_training")  # learners around another one
Options = Mapping[str, Mapping[str, str]]  # part -> option -> value as text


SeedOption = Annotated[int, typer.Option(min=0, max=2**31, help="The same seed gives the same result.")]


@dataclass(frozen=True, kw_only=True)
class LearnerOptions:
    """The classifier to train, by the names of its parts; an empty name is the default."""

    PANEL: ClassVar[str] = "Classifier"

    learner: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="linear, network, joint_em or self_training. Default: network if a part is named, otherwise linear.",
        ),
    ] = ""
    base: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="Base of a network, by the kind of items: linear, mlp, small_cnn, tf_idf, lstm, ... Default: mlp. "
            "`quorate methods` lists all bases and other parts.",
        ),
    ] = ""
    head: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="Head of a network, which models the votes: plain, crowd_layer, ... Default: plain (crowd_layer in "
            "self_training).",
        ),
    ] = ""
    target: Annotated[
        str,
        typer.Option(
            metavar="NAME", help="What to train on: hard, soft, smoothed, soft_hard or stacked. Default: soft."
        ),
    ] = ""
    loss: Annotated[
        str, typer.Option(metavar="NAME", help="Loss: cross_entropy, kl, focal, ... Default: cross_entropy.")
    ] = ""
    method: Annotated[
        str,
        typer.Option(
            metavar="NAME", help="Aggregation method for the votes, also inside joint_em. Default: dawid_skene."
        ),
    ] = ""
    members: Annotated[
        int, typer.Option(min=1, help="Train this many, each with its own seed, and average their predictions.")
    ] = 1
    calibrator: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="Calibrate the model, by out-of-fold votes or by --valid: temperature, vector, ... Default: do not.",
        ),
    ] = ""
    option: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PART.NAME=VALUE",
            help="Any option of a part that is used: base.sizes=256,128, or head.shrink=0.5 with --head crowd_layer. "
            "`quorate methods` lists the options of all parts. Repeatable.",
        ),
    ] = None


@dataclass(frozen=True, kw_only=True)
class RecipeOptions:
    """How a network is trained."""

    PANEL: ClassVar[str] = "Training of a network"

    epochs: Annotated[int | None, typer.Option(min=1, help="Passes over the items. Default: 100.")] = None
    batch_size: Annotated[int | None, typer.Option(min=1, help="Items per step. Default: 64.")] = None
    lr: Annotated[float | None, typer.Option(metavar="RATE", help="Learning rate. Default: 0.001.")] = None
    weight_decay: Annotated[float | None, typer.Option(metavar="NUMBER", help="Weight decay.")] = None
    mixup: Annotated[
        float | None, typer.Option(metavar="A", help="Mix pairs of items, with weights drawn from Beta(A, A).")
    ] = None
    balance: Annotated[
        str | None, typer.Option(metavar="NAME", help="For rare classes: none, resample or reweight.")
    ] = None
    patience: Annotated[
        int | None,
        typer.Option(min=0, help="Stop after this many epochs without a gain on --valid or --hold-out."),
    ] = None
    step: Annotated[
        str, typer.Option(metavar="NAME", help="Optimisation step: plain, sam or adaptive_sam. Default: plain.")
    ] = ""
    schedule: Annotated[
        str,
        typer.Option(
            metavar="NAME", help="Learning-rate schedule: constant, steps, cosine or cyclic. Default: constant."
        ),
    ] = ""


@dataclass(frozen=True, kw_only=True)
class Choice:
    """A learner as it was typed.

    Attributes:
        learner: its name, "" for the default.
        parts: names of its parts, "" for the default.
        recipe: fields of the recipe that were typed.
        options: other options, by part.
        members: the size of an ensemble.
        seed: draws weights and batches.
        method: the aggregation method, "" for the default.
        calibrator: a calibrator around the learner, "" for none.
    """

    learner: str
    parts: Mapping[str, str]
    recipe: Mapping[str, Any]
    options: Options
    members: int = 1
    seed: int = 0
    method: str = ""
    calibrator: str = ""

    @classmethod
    def typed(cls, learner: LearnerOptions, recipe: RecipeOptions, seed: int) -> "Choice":
        """Return what these options choose."""
        parts = {"base": learner.base, "head": learner.head, "target": learner.target, "loss": learner.loss}
        names = ("epochs", "batch_size", "lr", "weight_decay", "mixup", "balance", "patience")
        typed = {name: getattr(recipe, name) for name in names}
        return cls(
            learner=learner.learner,
            parts=parts | {"step": recipe.step, "schedule": recipe.schedule},
            recipe={name: value for name, value in typed.items() if value is not None},
            options=parse_options(learner.option or []),
            members=learner.members,
            seed=seed,
            method=learner.method,
            calibrator=learner.calibrator,
        )

    @property
    def network_parts(self) -> list[str]:
        """Parts that were named or given options and that only networks have."""
        named = [part for part in NETWORK_PARTS if self.parts.get(part) or part in self.options]
        return named + (["recipe"] if self.recipe and "recipe" not in named else [])

    @property
    def stops_early(self) -> bool:
        """Whether training is to stop early."""
        return bool(self.recipe.get("patience") or "patience" in self.options.get("recipe", {}))


def parse_options(texts: Sequence[str], also: Sequence[str] = ()) -> dict[str, dict[str, str]]:
    """Return options that are typed as PART.NAME=VALUE, by part; `also` names parts beyond those of learners.

    >>> parse_options(["head.shrink=0.5", "base.sizes=256,128"])
    {'head': {'shrink': '0.5'}, 'base': {'sizes': '256,128'}}
    """
    allowed = (*FOLDERS, "schedule", "recipe", "method", "linear", *WRAPPERS, *also)
    options: dict[str, dict[str, str]] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        part, dot, option = name.strip().partition(".")
        if not (equals and dot and option):
            raise MethodError(
                f"--option takes PART.NAME=VALUE, such as {_example(name.strip(), value, also)}, got {text!r}"
            )
        if part not in allowed:
            raise MethodError(f"--option knows no part {part!r}: choose one of {', '.join(allowed)}")
        options.setdefault(part, {})[option] = value.strip()
    return options


def _example(option: str, value: str, also: Sequence[str] = ()) -> str:
    """Return what may be meant by an option that names no part."""
    scores = registry.names("ambiguity") if "score" in also else []
    if any(option in registry.describe("ambiguity", name)[1] for name in scores):
        return f"score.{option}={value}"
    for part, folder in {"recipe": TRAINING, **dict.fromkeys(("linear", *WRAPPERS), LEARNING)}.items():
        if option in registry.describe(folder, part)[1]:
            return f"{part}.{option}={value}"
    for part, folder in {**FOLDERS, "method": "aggregation"}.items():
        if any(option in registry.describe(folder, name)[1] for name in registry.names(folder)):
            return f"{part}.{option}={value}"
    return "base.sizes=256,128"
