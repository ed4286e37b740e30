"""The training loop of all networks. What it calls is a small function below it or a part of the recipe."""

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
from quorate.learning.training.augment import augment_batch
from quorate.learning.training.checkpoint import Progress, fingerprint, load_checkpoint, save_checkpoint
from quorate.learning.training.examples import Batch, Examples, whole_batches
from quorate.learning.training.recipe import Recipe
from quorate.learning.training.rows import Rows
from quorate.protocols import OnEpoch
from quorate.typing import Array

ScoreValid = Callable[[], float]  # the score of the current network on validation; higher is better


@dataclass(frozen=True, eq=False)
class History:
    """History of a training: mean loss and, with validation, score of every epoch; the epoch whose weights are kept."""

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
    score_valid: ScoreValid | None = None,
    on_epoch: OnEpoch | None = None,
    context: str = "",
) -> History:
    """Train a network in place and return the history of the training.

    Args:
        network: network(batch, criterion) -> (loss, log-probabilities of the examples).
        examples: what it learns from.
        criterion: the loss.
        recipe: how it is trained.
        seed: of the order of the examples, mixup and augmentation.
        score_valid: returns the score of the current network on validation; the best weights are kept.
        on_epoch: receives the epoch and the probabilities of every task: the trace.
        context: identifies what the other arguments do not show, such as options of the loss; a training is only
            resumed from a checkpoint with the same context.
    """
    require_batches_of_two(network, examples, recipe)
    optimiser = make_optimiser(network, recipe)
    random = torch.Generator().manual_seed(seed)
    progress, training = Progress(), ""
    if recipe.checkpoint:
        training = fingerprint(network, examples, recipe, seed, context)
        progress = load_checkpoint(Path(recipe.checkpoint), network, optimiser, random, training) or progress
    while progress.epoch < recipe.epochs and not out_of_patience(progress, recipe):
        set_learning_rate(optimiser, recipe.lr * recipe.schedule.rate(progress.epoch, recipe.epochs))
        recorder = Recorder(examples, recipe) if on_epoch is not None else None
        network.train()
        losses = []
        for batch in batches(examples, recipe, random):
            loss, log_probs = recipe.step.take(partial(network, batch, criterion), optimiser)
            losses.append(loss.detach())
            if recorder is not None:
                recorder.add(batch, log_probs)
        network.eval()
        progress.losses.append(finite_mean(losses, progress.epoch))
        if score_valid is not None:
            progress.add_score(score_valid(), network)
        if recorder is not None and on_epoch is not None:
            on_epoch(progress.epoch, recorder.probs(network))
        progress.epoch += 1
        report_round(progress.epoch, recipe.epochs)
        if recipe.checkpoint and (progress.epoch % recipe.every == 0 or progress.epoch == recipe.epochs):
            save_checkpoint(Path(recipe.checkpoint), network, optimiser, random, progress, training)
    if score_valid is not None and progress.best_weights is not None:
        network.load_state_dict(progress.best_weights)
    network.eval()
    return History(progress.losses, progress.scores, progress.best_epoch if score_valid else progress.epoch - 1)


def require_batches_of_two(network: nn.Module, examples: Examples, recipe: Recipe) -> None:
    """Refuse batches of a single example if the network has batch norm."""
    if min(len(examples), recipe.batch_size) < 2 and any(isinstance(part, _BatchNorm) for part in network.modules()):
        raise MethodError(
            "batch norm needs two examples or more in a batch: raise batch_size, or do without batch norm"
        )


def make_optimiser(network: nn.Module, recipe: Recipe) -> Optimizer:
    """Return the optimiser of all trainable parameters.

    Only the weights of layers decay; biases do not, nor do the tables of workers, which have their own prior.
    """
    trainable = [(name, weight) for name, weight in network.named_parameters() if weight.requires_grad]
    decays = [weight for name, weight in trainable if _decays(name, weight)]
    others = [weight for name, weight in trainable if not _decays(name, weight)]
    groups = [{"params": decays, "weight_decay": recipe.weight_decay}, {"params": others, "weight_decay": 0.0}]
    if recipe.optimiser == "sgd":
        return SGD(groups, lr=recipe.lr, momentum=recipe.momentum)
    return (Adam if recipe.optimiser == "adam" else AdamW)(groups, lr=recipe.lr)


def _decays(name: str, weight: Tensor) -> bool:
    *modules, last = name.split(".")
    return weight.ndim > 1 and "weight" in last and "own" not in modules  # also weight_ih_l0; own: tables of workers


def set_learning_rate(optimiser: Optimizer, rate: float) -> None:
    """Set the learning rate of all parameters."""
    for group in optimiser.param_groups:
        group["lr"] = rate


def out_of_patience(progress: Progress, recipe: Recipe) -> bool:
    """Return True if the validation score has not improved for `patience` epochs."""
    return 0 < recipe.patience <= progress.epoch - 1 - progress.best_epoch and bool(progress.scores)


def batches(examples: Examples, recipe: Recipe, random: torch.Generator) -> Iterator[Batch]:
    """Yield batches of all examples in random order; balanced, mixed and augmented according to the recipe."""
    weighted = reweight(examples) if recipe.balance == "reweight" else examples
    if recipe.balance == "resample":
        order = torch.multinomial(class_balance(examples), len(examples), replacement=True, generator=random)
    else:
        order = torch.randperm(len(examples), generator=random)
    for chosen in whole_batches(order, recipe.batch_size):
        if recipe.mixup:
            other = chosen[torch.randperm(len(chosen), generator=random)]
            batch = weighted.batch(chosen, other, beta_shares(recipe.mixup, len(chosen), random))
        else:
            batch = weighted.batch(chosen)
        yield augment_batch(batch, recipe.augment, random) if recipe.augment else batch


def beta_shares(a: float, n: int, random: torch.Generator) -> Tensor:
    """Draw the share of the first of two mixed items from Beta(a, a): (n,)."""
    numpy_random = np.random.default_rng(int(torch.randint(2**31, (1,), generator=random)))
    return torch.from_numpy(numpy_random.beta(a, a, n).astype(np.float32))


def class_balance(examples: Examples) -> Tensor:
    """Return weights of examples with which all classes count the same (soft targets: about); mean 1: (n,)."""
    totals = examples.weight @ examples.target
    present = totals > 0
    per_class = torch.where(present, totals.sum() / (present.sum() * totals.clamp_min(1e-12)), 0.0)
    return examples.target @ per_class


def reweight(examples: Examples) -> Examples:
    """Return the examples with weights that balance the classes."""
    return replace(examples, weight=examples.weight * class_balance(examples))


def finite_mean(losses: list[Tensor], epoch: int) -> float:
    """Return the mean loss of an epoch; refuse one that is not finite."""
    mean = float(torch.stack(losses).mean())
    if not np.isfinite(mean):
        raise MethodError(f"the loss became {mean} in epoch {epoch + 1}: lower lr, or standardise the features")
    return mean


class Recorder:
    """Records the probabilities of each task in an epoch."""

    def __init__(self, examples: Examples, recipe: Recipe) -> None:
        self.examples = examples
        self.after = recipe.record == "after" or recipe.mixup > 0 or bool(recipe.augment)
        n_tasks, n_classes = len(examples.rows), examples.target.shape[1]
        self.log_probs = torch.full((n_tasks, n_classes), torch.nan)

    def add(self, batch: Batch, log_probs: Tensor) -> None:
        """Record the log-probabilities of a batch in the training pass."""
        if not self.after:
            self.log_probs[batch.task] = log_probs.detach()

    def probs(self, network: nn.Module) -> Array:
        """Return the probabilities of all tasks, NaN for tasks that were not in the pass: (n_tasks, n_classes)."""
        if self.after:
            self.log_probs = predict(network, self.examples.rows)
        return self.log_probs.double().exp().numpy()  # double, so that the log of a tiny one stays exact


@torch.no_grad()
def predict(network: Any, rows: Rows, batch_size: int = 1024) -> Tensor:
    """Return the log-probabilities of the classes in evaluation mode: (n, n_classes)."""
    network.eval()
    parts = torch.arange(len(rows)).split(batch_size)
    return torch.cat([network.log_probs(rows.take(part)) for part in parts])


@contextmanager
def torch_threads(wanted: int) -> Iterator[None]:
    """Limit torch to this number of threads; 0: half of the available processors, and no more than torch had before.

    With two processors that is one thread: on busy processors, two threads wait for each other.
    """
    available = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    before = torch.get_num_threads()
    torch.set_num_threads(wanted or max(1, min(available // 2, before)))
    try:
        yield
    finally:
        torch.set_num_threads(before)
