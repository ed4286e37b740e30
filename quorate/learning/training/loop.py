"""The one training loop. Everything that it calls is a small function below it or a part of the recipe."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.modules.batchnorm import _BatchNorm
from torch.optim import SGD, Adam, AdamW, Optimizer

from quorate.errors import MethodError
from quorate.inference.progress import report_round
from quorate.learning.losses.base import Criterion
from quorate.learning.training.augment import augmented
from quorate.learning.training.checkpoint import Progress, fingerprint, load_checkpoint, save_checkpoint
from quorate.learning.training.examples import Batch, Examples, whole_batches
from quorate.learning.training.recipe import Recipe
from quorate.learning.training.rows import Rows
from quorate.protocols import OnEpoch
from quorate.typing import Array

Judge = Callable[[], float]  # the score of the network as it is now, on validation; higher is better


@dataclass(frozen=True, eq=False)
class History:
    """What happened: the mean loss and, where there was validation, the score of every epoch; the epoch kept."""

    losses: list[float] = field(default_factory=list)
    scores: list[float] = field(default_factory=list)
    kept: int = 0


def train(
    network: nn.Module,
    examples: Examples,
    criterion: Criterion,
    recipe: Recipe,
    *,
    seed: int,
    judge: Judge | None = None,
    on_epoch: OnEpoch | None = None,
    what: str = "",
) -> History:
    """Train a network in place: network(batch, criterion) -> (loss, log-probabilities of the examples).

    what: tells of what the arguments do not show, such as options of the loss; a checkpoint is of the same text only.
    """
    require_pairs(network, examples, recipe)
    optimiser = make_optimiser(network, recipe)
    random = torch.Generator().manual_seed(seed)
    progress, of = Progress(), ""
    if recipe.checkpoint:
        of = fingerprint(network, examples, recipe, seed, what)
        progress = load_checkpoint(Path(recipe.checkpoint), network, optimiser, random, of) or progress
    while progress.epoch < recipe.epochs and not out_of_patience(progress, recipe):
        set_rate(optimiser, recipe.lr * recipe.schedule.rate(progress.epoch, recipe.epochs))
        recorder = Recorder(examples, recipe) if on_epoch is not None else None
        network.train()
        losses = []
        for batch in batches(examples, recipe, random):
            loss, log_probs = recipe.step.take(partial(network, batch, criterion), optimiser)
            losses.append(loss.detach())
            if recorder is not None:
                recorder.note(batch, log_probs)
        network.eval()
        progress.losses.append(finite_mean(losses, progress.epoch))
        if judge is not None:
            progress.judged(judge(), network)
        if recorder is not None and on_epoch is not None:
            on_epoch(progress.epoch, recorder.probs(network))
        progress.epoch += 1
        report_round(progress.epoch, recipe.epochs)
        if recipe.checkpoint and (progress.epoch % recipe.every == 0 or progress.epoch == recipe.epochs):
            save_checkpoint(Path(recipe.checkpoint), network, optimiser, random, progress, of)
    if judge is not None and progress.best_weights is not None:
        network.load_state_dict(progress.best_weights)
    network.eval()
    return History(progress.losses, progress.scores, progress.best_epoch if judge else progress.epoch - 1)


def require_pairs(network: nn.Module, examples: Examples, recipe: Recipe) -> None:
    """Refuse batches of one where a layer compares the examples of a batch with each other."""
    if min(len(examples), recipe.batch_size) < 2 and any(isinstance(part, _BatchNorm) for part in network.modules()):
        raise MethodError("batch norm needs batches of at least two examples: raise batch_size, or leave it out")


def make_optimiser(network: nn.Module, recipe: Recipe) -> Optimizer:
    """The optimiser over all that is to be learnt.

    Only the weights of layers decay: biases do not, nor the tables of workers, which have a prior of their own.
    """
    learnt = [(name, weight) for name, weight in network.named_parameters() if weight.requires_grad]
    decays = [weight for name, weight in learnt if _decays(name, weight)]
    others = [weight for name, weight in learnt if not _decays(name, weight)]
    groups = [{"params": decays, "weight_decay": recipe.weight_decay}, {"params": others, "weight_decay": 0.0}]
    if recipe.optimiser == "sgd":
        return SGD(groups, lr=recipe.lr, momentum=recipe.momentum)
    return (Adam if recipe.optimiser == "adam" else AdamW)(groups, lr=recipe.lr)


def _decays(name: str, weight: Tensor) -> bool:
    *places, last = name.split(".")
    return weight.ndim > 1 and "weight" in last and "own" not in places  # also weight_ih_l0; own: of each worker


def set_rate(optimiser: Optimizer, rate: float) -> None:
    """Set the learning rate."""
    for group in optimiser.param_groups:
        group["lr"] = rate


def out_of_patience(progress: Progress, recipe: Recipe) -> bool:
    """Whether validation has not become better for as many epochs as the recipe waits."""
    return 0 < recipe.patience <= progress.epoch - 1 - progress.best_epoch and bool(progress.scores)


def batches(examples: Examples, recipe: Recipe, random: torch.Generator) -> Iterator[Batch]:
    """All examples once, in random order; balanced, mixed and augmented as the recipe says."""
    shown = reweighted(examples) if recipe.balance == "reweight" else examples
    if recipe.balance == "resample":
        order = torch.multinomial(class_balance(examples), len(examples), replacement=True, generator=random)
    else:
        order = torch.randperm(len(examples), generator=random)
    for chosen in whole_batches(order, recipe.batch_size):
        if recipe.mixup:
            other = chosen[torch.randperm(len(chosen), generator=random)]
            batch = shown.batch(chosen, other, beta_shares(recipe.mixup, len(chosen), random))
        else:
            batch = shown.batch(chosen)
        yield augmented(batch, recipe.augment, random) if recipe.augment else batch


def beta_shares(a: float, n: int, random: torch.Generator) -> Tensor:
    """Shares of the first of two mixed items, from Beta(a, a): (n,)."""
    drawn = np.random.default_rng(int(torch.randint(2**31, (1,), generator=random)))
    return torch.from_numpy(drawn.beta(a, a, n).astype(np.float32))


def class_balance(examples: Examples) -> Tensor:
    """Weight of each example by which every class comes to count alike (soft targets: about so); 1 on average: (n,)."""
    totals = examples.weight @ examples.target
    there = totals > 0
    per_class = torch.where(there, totals.sum() / (there.sum() * totals.clamp_min(1e-12)), 0.0)
    return examples.target @ per_class


def reweighted(examples: Examples) -> Examples:
    """The examples with their weights balanced."""
    return replace(examples, weight=examples.weight * class_balance(examples))


def finite_mean(losses: list[Tensor], epoch: int) -> float:
    """The mean loss of an epoch."""
    mean = float(torch.stack(losses).mean())
    if not np.isfinite(mean):
        raise MethodError(f"the loss became {mean} in epoch {epoch + 1}: lower lr, or standardise the features")
    return mean


class Recorder:
    """What the network said of each task in one epoch."""

    def __init__(self, examples: Examples, recipe: Recipe) -> None:
        self.examples = examples
        self.after = recipe.record == "after" or recipe.mixup > 0 or bool(recipe.augment)
        n_tasks, n_classes = len(examples.rows), examples.target.shape[1]
        self.seen = torch.full((n_tasks, n_classes), torch.nan)

    def note(self, batch: Batch, log_probs: Tensor) -> None:
        """Take down what the pass that trains has said."""
        if not self.after:
            self.seen[batch.task] = log_probs.detach()

    def probs(self, network: nn.Module) -> Array:
        """Probabilities of all tasks: (n_tasks, n_classes); NaN for those that the pass did not meet."""
        if self.after:
            self.seen = predict(network, self.examples.rows)
        return self.seen.double().exp().numpy()  # in double: the log of a small one is still the margin of a logit


@torch.no_grad()
def predict(network: Any, rows: Rows, batch_size: int = 1024) -> Tensor:
    """Log-probabilities of the classes, in evaluation mode: (n, n_classes)."""
    network.eval()
    parts = torch.arange(len(rows)).split(batch_size)
    return torch.cat([network.log_probs(rows.take(part)) for part in parts])


@contextmanager
def torch_threads(asked: int) -> Iterator[None]:
    """So many threads inside; 0 takes half the processors that are ours, and no more than torch has been given.

    Of two, one: on busy processors two threads wait for each other.
    """
    ours = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    before = torch.get_num_threads()
    torch.set_num_threads(asked or max(1, min(ours // 2, before)))
    try:
        yield
    finally:
        torch.set_num_threads(before)
