"""What machines say of every task before its votes, and how far the votes bear it out."""

import numpy as np

from quorate.decision.base import Machines
from quorate.decision.tuning import TUNING
from quorate.inference.kernels import safe_log, softmax_rows
from quorate.typing import Array


def log_machines(machines: Machines, parts: Array | None = None) -> Array | None:
    """Log-probabilities by the machines, the mean of all: (n_tasks, n_classes); None where there is none.

    parts: (n_machines,), what each counts in the mean; the same for all where it is not given, or of other machines.
    """
    if not machines:
        return None
    logs = [safe_log(np.maximum(said, TUNING.least_by_machine)) for said in machines.values()]
    if parts is None or len(parts) != len(logs):
        parts = np.full(len(logs), 1 / len(logs))
    mean: Array = np.tensordot(parts, logs, axes=1)
    return mean


def machine_prior(logs: Array | None, class_prior: Array, weight: float, doubt: float, n_tasks: int) -> Array:
    """Probability of each class before the votes: (n_tasks, n_classes).

    weight: power of what the machine says; what is missing to one comes from the class prior. doubt: probability that
    the machine knows nothing of a task.
    """
    if logs is None:
        return np.broadcast_to(class_prior, (n_tasks, len(class_prior)))
    scores = weight * logs + max(0.0, 1 - weight) * np.log(class_prior)
    softmax_rows(scores)
    return (1 - doubt) * scores + doubt * class_prior


def apportioned(machines: Machines, class_prior: Array, likelihood: Array) -> Array:
    """What each machine should count in the mean of all, by what is known of the tasks: (n_machines,), sums to one.

    likelihood: (n_tasks, n_classes), of the votes of each task if it is of each class, or of its gold. Starting alike,
    each in turn takes the share at which that is most likely; far from alike must be told by much.
    """
    n_machines = len(machines)
    parts = np.full(n_machines, 1 / max(n_machines, 1))
    if n_machines < 2 or not len(likelihood):
        return parts

    def score(tried: Array) -> float:
        prior = machine_prior(log_machines(machines, tried), class_prior, 1.0, TUNING.usual_doubt, len(likelihood))
        told = np.log((prior * likelihood).sum(axis=1)).sum()
        return float(told - TUNING.nats_to_earn * np.abs(tried - 1 / n_machines).sum())

    for one in [*range(n_machines)] * 2:
        others = np.where(np.arange(n_machines) == one, 0.0, parts)
        others = others / others.sum() if others.sum() else np.full(n_machines, 1 / (n_machines - 1))
        others[one] = 0
        tries = [
            parts,
            *((1 - part) * others + part * (np.arange(n_machines) == one) for part in TUNING.machine_shares),
        ]
        parts = max(tries, key=score)
    return parts


def borne_out(logs: Array, class_prior: Array, likelihood: Array, *, taught: bool = False) -> tuple[float, float]:
    """The weight and the doubt of the machine at which the votes are most likely.

    taught: whether the machine was taught by votes on other tasks: then it weighs nothing until they bear it out.
    likelihood: (n_tasks, n_classes), of the votes of each task if it is of each class. It is a classifier trained on
    votes that is weighed here: how well it foretells them is not how often it is right.
    """

    by_class_prior = likelihood @ class_prior
    best = (-np.inf, 1.0, TUNING.machine_doubts[0])
    for weight in TUNING.machine_weights:
        by_machine = (machine_prior(logs, class_prior, weight, 0.0, len(logs)) * likelihood).sum(axis=1)
        for doubt in TUNING.machine_doubts:
            score = np.log((1 - doubt) * by_machine + doubt * by_class_prior).sum()
            if taught:
                score -= TUNING.nats_to_earn * weight
            else:
                score -= TUNING.nats_per_weight_off * (weight - 1) ** 2 + TUNING.nats_per_doubt * doubt
            best = max(best, (float(score), weight, doubt))
    return best[1:]
