import numpy as np
import pytest

from quorate import Votes
from quorate.aggregation.crowdlab import Crowdlab
from tests.crowds import small_crowd, some_prior

VOTES = Votes.from_matrix([[0, 0, 1], [1, 1, 1], [0, 0, 0], [1, 1, 1], [0, 1, -1]])
CLASSIFIER = np.array([[0.8, 0.2], [0.3, 0.7], [0.9, 0.1], [0.4, 0.6], [0.1, 0.9]])


def test_by_hand() -> None:
    """The majority says 0, 1, 0, 1 and half of each: P = (2/3 + 1 + 1 + 1 + 1/2) / 5 = 5/6, A = 1/2.

    Agreement with the others: 7 of 9 pairs, 7 of 9, 6 of 8, so weights 1 - (2/9) / (1/2) = 5/9, 5/9, 1/2. The
    classifier is with the majority on 4.5 of 5 tasks: 1 - .1 / .5 = .8, times sqrt(14 / 5).
    """
    machine = 0.8 * np.sqrt(14 / 5)
    probs = Crowdlab().aggregate(VOTES, prior=CLASSIFIER).probs
    zero, first = 10 / 9, 1 / 2
    expected = (5 / 6 * zero + 1 / 6 * first + machine * 0.8) / (zero + first + machine)
    assert np.isclose(probs[0, 0], expected)
    assert np.isclose(probs[4, 0], (5 / 9 + machine * 0.1) / (10 / 9 + machine))


def test_without_a_classifier_by_hand() -> None:
    probs = Crowdlab().aggregate(VOTES).probs
    assert np.isclose(probs[0, 0], (5 / 6 * 10 / 9 + 1 / 6 / 2) / (10 / 9 + 1 / 2))
    assert np.allclose(probs[4], 0.5)


def test_a_classifier_no_better_than_the_commonest_class_counts_for_nothing() -> None:
    votes = small_crowd(3)
    constant = np.full((votes.n_tasks, 3), 0.05)
    constant[:, 0] = 0.9
    plain, with_constant = Crowdlab().aggregate(votes), Crowdlab().aggregate(votes, prior=constant)
    voted = votes.votes_per_task > 0
    assert np.allclose(plain.probs[voted], with_constant.probs[voted], atol=1e-4)


@pytest.mark.parametrize("n_classes", [2, 3, 5])
def test_equals_a_slow_reference(n_classes: int) -> None:
    votes, k = small_crowd(n_classes), n_classes
    prior = 0.3 * some_prior(votes) + 0.7 * np.eye(k)[votes.counts().argmax(axis=1)]
    prior = 0.98 * prior + 0.02 / k
    by_task = [[(w, x) for t, w, x in zip(votes.task, votes.worker, votes.label, strict=True) if t == task]
               for task in range(votes.n_tasks)]  # fmt: skip
    consensus, shares, errors = np.zeros(k), [], []
    pairs, agree = np.zeros(votes.n_workers), np.zeros(votes.n_workers)
    for task, labels in enumerate(by_task):
        counts = [sum(x == c for _, x in labels) for c in range(k)]
        leads = [c for c in range(k) if counts[c] == max(counts)]
        for w, x in labels:
            pairs[w] += len(labels) - 1
            agree[w] += counts[x] - 1
        if len(labels) > 1:
            shares.append(max(counts) / len(labels))
            consensus[leads] += 1 / len(leads)
            errors.append(1 - (int(prior[task].argmax()) in leads) / len(leads))
    baseline = 1 - consensus.max() / consensus.sum()
    worker = [max(1 - (1 - agree[w] / pairs[w]) / baseline, 1e-6) if pairs[w] else 0 for w in range(votes.n_workers)]
    machine = max(1 - np.mean(errors) / baseline, 1e-6) * np.sqrt(
        np.mean([len(labels) for labels in by_task if labels])
    )
    posterior = Crowdlab().aggregate(votes, prior=prior)
    for task, labels in enumerate(by_task):
        total, row = machine, machine * prior[task]
        for w, x in labels:
            total += worker[w]
            wrong = (1 - np.mean(shares)) / (k - 1)
            row = row + worker[w] * np.where(np.arange(k) == x, np.mean(shares), wrong)
        assert np.allclose(posterior.probs[task], row / total)
