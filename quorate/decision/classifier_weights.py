"""Priors of tasks from classifiers, and how much weight the votes give to each classifier."""

import numpy as np

from quorate.decision.base import Machines
from quorate.decision.tuning import TUNING
from quorate.inference.kernels import safe_log, softmax_rows
from quorate.typing import Array


def log_machines(machines: Machines, parts: Array | None = None) -> Array | None:
    """Return the weighted mean of the classifiers' log-probabilities, (n_tasks, n_classes); None without classifiers.

    parts: (n_machines,), weight of each classifier in the mean; all are equal if it is None or of another length.
    """
    if not machines:
        return None
    logs = [safe_log(np.maximum(probs, TUNING.min_class_prob)) for probs in machines.values()]
    if parts is None or len(parts) != len(logs):
        parts = np.full(len(logs), 1 / len(logs))
    mean: Array = np.tensordot(parts, logs, axes=1)
    return mean


def machine_prior(logs: Array | None, class_prior: Array, weight: float, noise: float, n_tasks: int) -> Array:
    """Return the probability of each class before the votes: (n_tasks, n_classes).

    Args:
        logs: (n_tasks, n_classes), log-probabilities of the classifiers; None = no classifier.
        class_prior: (n_classes,), how common each class is.
        weight: power of the classifiers' probabilities; if it is below one, the class prior makes up the rest.
        noise: probability that the classifiers know nothing about a task.
        n_tasks: number of tasks, needed where `logs` is None.
    """
    if logs is None:
        return np.broadcast_to(class_prior, (n_tasks, len(class_prior)))
    scores = weight * logs + max(0.0, 1 - weight) * np.log(class_prior)
    softmax_rows(scores)
    return (1 - noise) * scores + noise * class_prior


def fit_parts(machines: Machines, class_prior: Array, likelihood: Array) -> Array:
    """Fit the weight of each classifier in the mean of all, and return them: (n_machines,), sums to one.

    Starting from equal weights, each classifier in turn takes the weight that maximises the likelihood, less a penalty
    for unequal weights.

    Args:
        machines: probabilities of each classifier.
        class_prior: (n_classes,), how common each class is.
        likelihood: (n_tasks, n_classes), of the votes of each task, or of its gold label, under each class.
    """
    n_machines = len(machines)
    parts = np.full(n_machines, 1 / max(n_machines, 1))
    if n_machines < 2 or not len(likelihood):
        return parts

    def score(tried: Array) -> float:
        prior = machine_prior(log_machines(machines, tried), class_prior, 1.0, TUNING.default_noise, len(likelihood))
        log_likelihood = np.log((prior * likelihood).sum(axis=1)).sum()
        return float(log_likelihood - TUNING.nats_to_earn * np.abs(tried - 1 / n_machines).sum())

    for index in [*range(n_machines)] * 2:
        others = np.where(np.arange(n_machines) == index, 0.0, parts)
        others = others / others.sum() if others.sum() else np.full(n_machines, 1 / (n_machines - 1))
        others[index] = 0
        tries = [
            parts,
            *((1 - part) * others + part * (np.arange(n_machines) == index) for part in TUNING.machine_parts),
        ]
        parts = max(tries, key=score)
    return parts


def fit_weight_and_noise(
    logs: Array, class_prior: Array, likelihood: Array, *, taught: bool = False
) -> tuple[float, float]:
    """Return the weight and the noise rate of the classifiers at which the votes are most likely.

    A classifier trained on votes is judged here by votes: how well it predicts them is not how often it is right.

    Args:
        logs: (n_tasks, n_classes), mean log-probabilities of the classifiers.
        class_prior: (n_classes,), how common each class is.
        likelihood: (n_tasks, n_classes), of the votes of each task under each class.
        taught: whether the classifier was trained on votes on other tasks; it then has no weight until the votes
            confirm it.
    """

    by_class_prior = likelihood @ class_prior
    best = (-np.inf, 1.0, TUNING.noise_rates[0])
    for weight in TUNING.machine_weights:
        by_machine = (machine_prior(logs, class_prior, weight, 0.0, len(logs)) * likelihood).sum(axis=1)
        for noise in TUNING.noise_rates:
            score = np.log((1 - noise) * by_machine + noise * by_class_prior).sum()
            if taught:
                score -= TUNING.nats_to_earn * weight
            else:
                score -= TUNING.nats_per_weight_off * (weight - 1) ** 2 + TUNING.nats_per_noise * noise
            best = max(best, (float(score), weight, noise))
    return best[1:]
