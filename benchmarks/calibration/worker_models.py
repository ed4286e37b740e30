"""Which models of workers bring a temperature fitted to votes near the one fitted to gold of the same items.

A part of benchmarks/calibration/by_votes.py. Gold is of the training items, and judges only.
"""

from dataclasses import replace

import numpy as np

from benchmarks.harness import Figures
from benchmarks.learning.runs import mean
from benchmarks.learning.sets import Task
from quorate import Posterior, Votes, aggregate
from quorate.calibration.temperature import Temperature
from quorate.data.worker_models import Confusion
from quorate.inference.bayes import likelihoods
from quorate.learning.cross_fitting import cross_fit, split_folds
from quorate.learning.learners.linear import Linear
from quorate.typing import Array

L2 = 0.1


def measure(figures: Figures, task: Task, seeds: int) -> None:
    """Temperatures of softmax regression on a set, by each model of workers, as multiples of that by gold."""
    by_gold, by_model = [], dict[str, list[float]]()
    for seed in range(seeds):
        out_of_fold = cross_fit(Linear(l2=L2), task.x, task.votes, task.posterior, seed=seed)
        by_gold.append(Temperature().fit(out_of_fold, task.gold).temperature_)
        for model, seen in _seen(task, out_of_fold, seed).items():
            by_model.setdefault(model, []).append(Temperature().fit(out_of_fold, seen).temperature_)
    for model, temperatures in by_model.items():
        details = {
            "set": task.name,
            "workers": model,
            "temperature": mean(temperatures),
            "temperature_by_gold": mean(by_gold),
        }
        figures.add(
            f"{task.name}: temperature against gold's, {model}",
            mean(temperatures) / mean(by_gold),
            "",
            details=details,
        )


def _seen(task: Task, out_of_fold: Array, seed: int) -> dict[str, Array]:
    """Return the likelihoods of the votes on each task, by each model of workers."""
    votes, little = task.votes, aggregate(task.votes, "dawid_skene", strength=2.0)
    fitted = Temperature().fit(out_of_fold, likelihoods(votes, little)).transform(out_of_fold)
    prior = 0.999 * fitted + 0.001 / votes.n_classes
    return {
        "workers shrunk to the pool by 2": likelihoods(votes, little),
        "workers shrunk to the pool by 8": likelihoods(votes, aggregate(votes)),
        "all workers alike": likelihoods(votes, _alike(little)),
        "workers learnt from other items": _from_other_items(votes, seed),
        "workers learnt with the classifier": likelihoods(
            votes, aggregate(votes, "dawid_skene", strength=2.0, prior=prior)
        ),
        "workers learnt from gold": likelihoods(votes, aggregate(votes, "dawid_skene", strength=2.0, gold=task.gold)),
    }


def _alike(posterior: Posterior) -> Posterior:
    """Return the same with the model of the whole pool for every worker."""
    assert isinstance(posterior.worker_model, Confusion)
    table = posterior.worker_model.log_matrices
    return replace(posterior, worker_model=Confusion(np.repeat(table[-1:], len(table), axis=0)))


def _from_other_items(votes: Votes, seed: int) -> Array:
    """Return the likelihoods of the votes on each task, by models of workers that were fitted without those votes."""
    seen = np.ones((votes.n_tasks, votes.n_classes))
    for held_out in split_folds(votes, 5, seed):
        rest = np.setdiff1d(np.arange(votes.n_tasks), held_out)
        posterior = aggregate(votes.subset(tasks=rest), "dawid_skene", strength=2.0)
        seen[held_out] = likelihoods(votes.subset(tasks=held_out), posterior)
    return seen
