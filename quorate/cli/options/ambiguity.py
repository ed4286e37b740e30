"""Options of `quorate identify`: what to prune, the score, and the classifier whose training is recorded."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, ClassVar

import typer

from quorate import registry
from quorate.ambiguity.prune import Pruning
from quorate.api.identify import AmbiguousItems
from quorate.api.learner_items import BASES
from quorate.cli.options.build_learner import make, make_learner
from quorate.cli.options.learner import Choice, Options
from quorate.cli.progress_bar import waiting
from quorate.errors import MethodError
from quorate.io.items import Items
from quorate.protocols import ItemScorer

EPOCHS = 50  # fewer than in training: ambiguity shows before a network fits every item


@dataclass(frozen=True, kw_only=True)
class PruningOptions:
    """Whether to leave out the most ambiguous items."""

    PANEL: ClassVar[str] = "Pruning"

    prune: Annotated[
        float | None,
        typer.Option(min=0, max=0.99, metavar="SHARE", help="Leave out this share of the items, the most ambiguous."),
    ] = None
    per_class: Annotated[bool, typer.Option("--per-class", help="Leave out this share of every class.")] = False
    votes_out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the votes on the remaining items to this file.")
    ] = None

    def require_share(self) -> None:
        """Refuse options of pruning without --prune."""
        if self.prune is None and (self.per_class or self.votes_out is not None):
            raise MethodError("--per-class and --votes-out go with --prune SHARE, such as --prune 0.05")

    def prune_items(self, items: AmbiguousItems) -> Pruning | None:
        """Return the items without the most ambiguous ones; None if none are to be left out."""
        return None if self.prune is None else items.prune(self.prune, per_class=self.per_class)


@dataclass(frozen=True, kw_only=True)
class ClassifierOptions:
    """The classifier whose training is recorded, for scores that read one."""

    PANEL: ClassVar[str] = "Classifier"

    base: Annotated[
        str,
        typer.Option(
            metavar="NAME", help="Base of a network: mlp, tf_idf, ... Default: softmax regression on features."
        ),
    ] = ""
    epochs: Annotated[int | None, typer.Option(min=1, help=f"Epochs of a network. Default: {EPOCHS}.")] = None
    lr: Annotated[float | None, typer.Option(metavar="RATE", help="Learning rate. Default: 0.001.")] = None
    processes: Annotated[
        int, typer.Option(min=1, help="For worker_waum: how many classifiers are trained at a time.")
    ] = 1


def choose_scorer(score: str, typed: Options, *, with_items: bool) -> ItemScorer:
    """Return the score that was chosen; one that reads items needs them."""
    name = score or ("waum" if with_items else "vote_entropy")
    scorer: ItemScorer = make("ambiguity", name, typed.get("score", {}))
    if scorer.reads != "votes" and not with_items:
        raise MethodError(f"{name} reads the items: quorate identify ITEMS VOTES, or --score vote_entropy")
    return scorer


def choose_learner(
    scorer: ItemScorer, items: Items | None, classifier: ClassifierOptions, typed: Options, seed: int
) -> Any:
    """Return the classifier whose training is recorded: softmax regression, or a network that reads such items.

    Args:
        scorer: the score; None is returned for one that reads votes alone.
        items: the items, if there is a file of them.
        classifier: options of the classifier.
        typed: what was typed by --option, by part.
        seed: of the network.
    """
    recipe = {"epochs": classifier.epochs, "lr": classifier.lr}
    chosen = {name: value for name, value in recipe.items() if value is not None}
    parts = {part: options for part, options in typed.items() if part not in ("score", "method")}
    if scorer.reads == "votes" or items is None:
        if classifier.base or chosen or parts:
            raise MethodError(f"{registry.name_of(scorer)} reads the votes alone: leave out what sets a classifier")
        return None
    base = classifier.base or BASES.get(items.kind, "")
    is_network = base or chosen or set(parts) - {"linear"}
    choice = Choice(
        learner="network" if base or chosen else "",
        parts={"base": base, "target": "soft" if scorer.reads == "out_of_fold" else "stacked"},
        recipe={"epochs": EPOCHS} | chosen if is_network else {},
        options=parts,
        seed=seed,
    )
    with waiting("Preparing the classifier"):  # the first use of torch takes a while
        return make_learner(choice)
