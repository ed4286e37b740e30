"""Dawid-Skene with hard labels, in loops: what fast_dawid_skene must equal."""

from math import log

from quorate import Votes

Table = list[list[float]]


def slow_fast_dawid_skene(votes: Votes, rounds: int, pseudo_votes: Table, pseudo_tasks: list[float]) -> list[float]:
    """Return the objective of each round, started from vote shares; pseudo_votes: [true][observed]."""
    classes = range(votes.n_classes)
    rows = list(zip(votes.task.tolist(), votes.worker.tolist(), votes.label.tolist(), strict=True))
    workers = range(votes.n_workers + 1)  # the last is the unknown one, who has pseudo-votes only
    weight: Table = (votes.counts() / votes.counts().sum(axis=1, keepdims=True)).tolist()
    objective = []
    for _ in range(rounds):
        counts = [[[pseudo_votes[k][a] for a in classes] for k in classes] for _ in workers]
        for task, worker, label in rows:
            for k in classes:
                counts[worker][k][label] += weight[task][k]
        log_table = [[[log(c / sum(row)) for c in row] for row in matrix] for matrix in counts]
        totals = [pseudo_tasks[k] + sum(row[k] for row in weight) for k in classes]
        log_prior = [log(total / sum(totals)) for total in totals]
        scores = [list(log_prior) for _ in range(votes.n_tasks)]
        for task, worker, label in rows:
            for k in classes:
                scores[task][k] += log_table[worker][k][label]
        weight = [[float(k == row.index(max(row))) for k in classes] for row in scores]
        of_model = sum(pseudo_votes[k][a] * m[k][a] for m in log_table for k in classes for a in classes)
        of_model += sum(pseudo * term for pseudo, term in zip(pseudo_tasks, log_prior, strict=True))
        objective.append(sum(max(row) for row in scores) + of_model)
    return objective
