"""Methods counted as crowd-kit counts them, in plain numpy: where labels differ from Quorate's, this is why.

Each takes votes and returns a score for every class of every task. `order` is the order in which the classes appear.
"""

import numpy as np
from numpy.typing import NDArray

from quorate.data.votes import Votes
from quorate.inference.kernels import sum_at
from quorate.typing import Array

LEAST = 1e-10  # crowd-kit takes no probability for less


def order_of_classes(votes: Votes) -> NDArray[np.int64]:
    """Return the classes in the order in which they first appear in the votes."""
    classes, first = np.unique(votes.label, return_index=True)
    return classes[np.argsort(first)].astype(np.int64)


def wawa(votes: Votes) -> Array:
    """Return scores where a tie goes to the class that appears first; Quorate splits it among the tied classes."""
    return _weighted(votes, _agreement(votes, votes.counts().astype(np.float64)))


def zero_based_skill(votes: Votes, rounds: int = 100) -> Array:
    """Return scores with this rule in every round; crowd-kit takes the lowest class, by first appearance."""
    skill = np.full(votes.n_workers + 1, 1 / len(order_of_classes(votes)) + 1e-5)
    step = 1.0
    for number in range(1, rounds + 1):
        step *= 0.5 if number % 20 == 0 else 1.0
        skill += step * (_agreement(votes, _weighted(votes, skill)) - skill)
    return _weighted(votes, skill)


def _weighted(votes: Votes, skill: Array) -> Array:
    return sum_at(votes.cell, skill[votes.voter], (votes.n_tasks, votes.n_classes))


def _agreement(votes: Votes, scores: Array) -> Array:
    """Share of each worker's votes that name the leading class of their task; the first named of the tied leads."""
    order = order_of_classes(votes)
    leader = order[scores[:, order].argmax(axis=1)]
    right = (leader[votes.task] == votes.label).astype(np.float64)
    return sum_at(votes.voter, right, votes.votes_per_voter.shape) / np.maximum(votes.votes_per_voter, 1)


def dawid_skene(votes: Votes, rounds: int, least: float = LEAST) -> Array:
    """Return scores where an answer that a worker gave counts at least `least` votes; Quorate's is nearly 0."""
    voted, n_classes = votes.votes_per_task > 0, votes.n_classes
    cells = votes.voter.astype(np.int64) * n_classes + votes.label
    has_votes = np.isin(np.arange((votes.n_workers + 1) * n_classes), cells)[:, None]
    probs = votes.counts() / np.maximum(votes.votes_per_task, 1)[:, None]
    for _ in range(rounds):
        class_prior = np.maximum(probs[voted].mean(axis=0), least)
        counts = np.zeros((len(has_votes), n_classes))
        np.add.at(counts, cells, probs[votes.task])
        answers = np.where(has_votes, np.maximum(counts, least), 0).reshape(-1, n_classes, n_classes)
        total = answers.sum(axis=1, keepdims=True)
        confusion = answers / np.where(total > 0, total, 1)  # (worker, said, true)
        scores = np.tile(np.log(class_prior), (votes.n_tasks, 1))
        np.add.at(scores, votes.task, np.log(confusion[votes.voter, votes.label]))
        probs = np.exp(scores - scores.max(axis=1, keepdims=True))
        probs /= probs.sum(axis=1, keepdims=True)
    return probs


def one_coin(votes: Votes, rounds: int, *, learn_classes: bool = True) -> Array:
    """Accuracies without a prior; the class prior is learnt, where Quorate takes all classes for equally likely."""
    voted, others = votes.votes_per_task > 0, votes.n_classes - 1
    probs = votes.counts() / np.maximum(votes.votes_per_task, 1)[:, None]
    for _ in range(rounds):
        right = sum_at(votes.voter, probs[votes.task, votes.label], votes.votes_per_voter.shape)
        accuracy = np.clip(right / np.maximum(votes.votes_per_voter, 1), LEAST, 1 - LEAST)
        wrong = np.clip((1 - accuracy) / others, LEAST, None)
        class_prior = probs[voted].mean(axis=0) if learn_classes else np.full(votes.n_classes, 1 / votes.n_classes)
        scores = _weighted(votes, np.log(accuracy / wrong)) + np.log(np.maximum(class_prior, LEAST))
        probs = np.exp(scores - scores.max(axis=1, keepdims=True))
        probs /= probs.sum(axis=1, keepdims=True)
    return probs


def mace(votes: Votes, rounds: int = 50, seed: int = 0) -> Array:
    """Variational Bayes with priors of its own, from a random start: one, for all its restarts draw the same.

    Beta(.5, .5) on honesty and 10 pseudo-votes for every class on habits; Quorate's priors are the crowd's averages.
    """
    from scipy.special import digamma
    from scipy.stats import uniform

    order = order_of_classes(votes)
    rank = np.empty(votes.n_classes, dtype=np.int64)
    rank[order] = np.arange(len(order))
    labels, n_classes, n_workers = rank[votes.label], len(order), votes.n_workers
    task, worker = votes.task.astype(np.int64), votes.worker.astype(np.int64)
    of_task, of_worker = task * n_classes + labels, worker * n_classes + labels
    spamming = uniform(1, 1.5).rvs(size=(n_workers, 2), random_state=seed)
    habit = uniform(1, 1.5).rvs(size=(n_workers, n_classes), random_state=seed)
    spamming /= spamming.sum(axis=1, keepdims=True)
    habit /= habit.sum(axis=1, keepdims=True)

    def expected(counts: Array, pseudo: float) -> Array:
        counts = counts + pseudo
        weights: Array = np.exp(digamma(counts) - digamma(counts.sum(axis=1, keepdims=True)))
        return weights

    for number in range(rounds + 1):
        spam = spamming[votes.worker, 0] * habit[votes.worker, labels]
        honest = spamming[votes.worker, 1]
        scores = sum_at(of_task, np.log1p(honest / spam), (votes.n_tasks, n_classes))
        probs = np.exp(scores - scores.max(axis=1, keepdims=True))
        probs /= probs.sum(axis=1, keepdims=True)
        if number < rounds:
            knew = probs[votes.task, labels] * honest / (honest + spam)
            habits = sum_at(of_worker, 1 - knew, (n_workers, n_classes))
            honesty = sum_at(votes.worker, knew, (n_workers,))
            spamming = expected(np.column_stack([habits.sum(axis=1), honesty]), 0.5)
            habit = expected(habits, 10.0)
    full = np.zeros((votes.n_tasks, votes.n_classes))
    full[:, order] = probs
    return full


def kos(votes: Votes, rounds: int = 100, seed: int = 0) -> Array:
    """Return scores from random messages that are never flipped; Quorate flips them if most votes contradict them."""
    first, _ = order_of_classes(votes)
    sign = np.where(votes.label == first, 1.0, -1.0)
    message = np.random.RandomState(seed).normal(loc=1, scale=1, size=len(votes))
    for _ in range(rounds):
        asked = sum_at(votes.task, sign * message, (votes.n_tasks,))[votes.task] - sign * message
        message = sum_at(votes.voter, sign * asked, votes.votes_per_voter.shape)[votes.voter] - sign * asked
        message /= np.abs(message).max() or 1.0
    score = sum_at(votes.task, sign * message, (votes.n_tasks,))
    scores = np.zeros((votes.n_tasks, 2))
    scores[:, first], scores[:, 1 - first] = score, -score
    return scores
