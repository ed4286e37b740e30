"""Dawid-Skene written for the eye: loops over votes, products in place of logs. What the fast one must equal."""

from math import log, prod
from typing import NamedTuple

from quorate import Votes

Table = list[list[float]]


class SlowFit(NamedTuple):
    posterior: Table
    confusion: list[Table]  # by worker, [true][said]; the unknown worker last
    prior: list[float]
    objective: float


def slow_dawid_skene(votes: Votes, rounds: int, pseudo_votes: Table, pseudo_tasks: list[float]) -> SlowFit:
    """Return the fit after this number of rounds of EM, started from vote shares; pseudo_votes: [true][observed]."""
    classes = range(votes.n_classes)
    cells = [(k, a) for k in classes for a in classes]
    rows = list(zip(votes.task.tolist(), votes.worker.tolist(), votes.label.tolist(), strict=True))
    of_task = [[(worker, label) for task, worker, label in rows if task == t] for t in range(votes.n_tasks)]
    posterior = [[sum(label == k for _, label in seen) / len(seen) for k in classes] for seen in of_task]
    fit = SlowFit(posterior, [], [], 0.0)
    for _ in range(rounds):
        confusion = [_matrix(rows, posterior, worker, pseudo_votes) for worker in [*range(votes.n_workers), -1]]
        totals = [pseudo_tasks[k] + sum(row[k] for row in posterior) for k in classes]
        prior = [total / sum(totals) for total in totals]
        joint = [[prior[k] * prod(confusion[w][k][label] for w, label in seen) for k in classes] for seen in of_task]
        posterior = [[cell / sum(row) for cell in row] for row in joint]
        evidence = sum(log(sum(row)) for row in joint)
        log_prior = sum(pseudo_tasks[k] * log(prior[k]) for k in classes if pseudo_tasks[k])
        log_prior += sum(pseudo_votes[k][a] * log(m[k][a]) for m in confusion for k, a in cells if pseudo_votes[k][a])
        fit = SlowFit(posterior, confusion, prior, evidence + log_prior)
    return fit


def _matrix(rows: list[tuple[int, int, int]], posterior: Table, worker: int, pseudo_votes: Table) -> Table:
    """Return the confusion matrix of one worker; rows without votes have the counts of all workers."""
    classes = range(len(pseudo_votes))
    matrix = []
    for true in classes:
        mine = [sum(posterior[t][true] for t, w, s in rows if w == worker and s == a) for a in classes]
        mine = [count + pseudo for count, pseudo in zip(mine, pseudo_votes[true], strict=True)]
        everybodys = [sum(posterior[t][true] for t, _, s in rows if s == a) for a in classes]
        counts = mine if sum(mine) else everybodys if sum(everybodys) else [1.0 for _ in classes]
        matrix.append([count / sum(counts) for count in counts])
    return matrix
