"""Contract of aggregators: every promise is a function that fails with an assertion if it is broken."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from quorate import Votes, aggregate
from quorate.data.posterior import Posterior
from quorate.errors import MethodError, VotesError
from quorate.protocols import Aggregator
from tests.crowds import small_crowd, some_prior

Check = Callable[[Aggregator], None]


def crowds(aggregator: Aggregator) -> list[Votes]:
    """Return votes over two, three and five classes, as far as the method accepts them (two it must)."""
    taken = [small_crowd(2)]
    for n_classes in (3, 5):
        votes = small_crowd(n_classes)
        try:
            aggregator.aggregate(votes)
        except MethodError:
            continue
        taken.append(votes)
    return taken


def close(a: Posterior, b: Posterior) -> bool:
    return bool(np.allclose(a.probs, b.probs, atol=2e-3))


def gives_a_row_of_probabilities_per_task(aggregator: Aggregator) -> None:
    for votes in crowds(aggregator):
        posterior = aggregator.aggregate(votes)
        assert posterior.probs.shape == (votes.n_tasks, votes.n_classes)
        assert np.all(posterior.probs >= 0)
        assert np.allclose(posterior.probs.sum(axis=1), 1)
        assert np.isclose(posterior.class_prior.sum(), 1)


def carries_the_names(aggregator: Aggregator) -> None:
    for votes in crowds(aggregator):
        posterior = aggregator.aggregate(votes)
        assert posterior.tasks is votes.tasks
        assert posterior.classes is votes.classes
        assert posterior.workers is votes.workers
        assert posterior.frame_kind == votes.frame_kind


def gives_the_same_twice(aggregator: Aggregator) -> None:
    for votes in crowds(aggregator):
        assert np.array_equal(aggregator.aggregate(votes).probs, aggregator.aggregate(votes).probs)


def follows_a_renaming_of_classes(aggregator: Aggregator) -> None:
    for votes in crowds(aggregator):
        rename = np.random.default_rng(1).permutation(votes.n_classes)
        while np.array_equal(rename, np.arange(votes.n_classes)):
            rename = rename[::-1]
        renamed = Votes.from_arrays(
            votes.task,
            votes.worker,
            rename[votes.label],
            n_classes=votes.n_classes,
            n_tasks=votes.n_tasks,
            n_workers=votes.n_workers,
        )
        same = aggregator
        if hasattr(aggregator, "order"):  # of the classes: it is renamed with them
            same = replace(aggregator, order=tuple(rename.tolist()))  # type: ignore[type-var]
        assert np.allclose(aggregator.aggregate(votes).probs, same.aggregate(renamed).probs[:, rename], atol=2e-3)


def ignores_the_order_of_votes(aggregator: Aggregator) -> None:
    for votes in crowds(aggregator):
        shuffled = votes.subset(rows=np.random.default_rng(2).permutation(len(votes)))
        assert close(aggregator.aggregate(votes), aggregator.aggregate(shuffled))


def gives_tasks_without_votes_their_prior(aggregator: Aggregator) -> None:
    for votes in crowds(aggregator):
        empty = votes.votes_per_task == 0
        posterior = aggregator.aggregate(votes)
        assert np.allclose(posterior.probs[empty], posterior.class_prior, atol=1e-6)
        prior = some_prior(votes)
        assert np.allclose(aggregator.aggregate(votes, prior=prior).probs[empty], prior[empty], atol=1e-6)


def listens_to_the_prior(aggregator: Aggregator) -> None:
    for votes in crowds(aggregator):
        tied = (votes.votes_per_task > 0) & (votes.counts().max(axis=1) * 2 <= votes.votes_per_task)
        lean = np.full((votes.n_tasks, votes.n_classes), 0.1 / (votes.n_classes - 1))
        lean[:, 0] = 0.9
        plain, leaning = aggregator.aggregate(votes).probs, aggregator.aggregate(votes, prior=lean).probs
        assert leaning[tied, 0].mean() > plain[tied, 0].mean()


def takes_one_worker(aggregator: Aggregator) -> None:
    votes = Votes.from_arrays([0, 1, 2, 3], [0, 0, 0, 0], [0, 1, 1, 0], n_classes=2)
    assert aggregator.aggregate(votes).labels.tolist() == [0, 1, 1, 0]


def takes_anonymous_votes(aggregator: Aggregator) -> None:
    votes = Votes.from_counts([[5, 1], [0, 4], [3, 0], [1, 6]])
    assert aggregator.aggregate(votes).labels.tolist() == [0, 1, 0, 1]


def believes_unanimous_votes(aggregator: Aggregator) -> None:
    for votes in crowds(aggregator):
        truth = np.arange(votes.n_tasks) % votes.n_classes
        agreed = Votes.from_arrays(votes.task, votes.worker, truth[votes.task], n_classes=votes.n_classes)
        posterior = aggregator.aggregate(agreed)
        voted = agreed.votes_per_task > 0
        assert np.array_equal(posterior.labels[voted], truth[: agreed.n_tasks][voted])


def respects_gold(aggregator: Aggregator) -> None:
    for votes in crowds(aggregator):
        gold = np.full(votes.n_tasks, -1)
        gold[::3] = (aggregator.aggregate(votes).labels[::3] + 1) % votes.n_classes
        for prior in (None, some_prior(votes)):
            posterior = aggregator.aggregate(votes, prior=prior, gold=gold)
            assert np.array_equal(posterior.labels[::3], gold[::3])
            assert np.allclose(posterior.confidence[::3], 1)


def respects_gold_where_there_are_no_votes(aggregator: Aggregator) -> None:
    for votes in crowds(aggregator):
        empty = np.flatnonzero(votes.votes_per_task == 0)
        gold = np.full(votes.n_tasks, -1)
        gold[empty[0]] = 1
        assert np.allclose(aggregator.aggregate(votes, gold=gold).probs[empty[0]], np.eye(votes.n_classes)[1])


def never_lets_its_objective_fall(aggregator: Aggregator) -> None:
    """Check the objective or, for a method that reports changes, that no change is below zero."""
    reports_change = getattr(aggregator, "reports_change", False)
    for votes in crowds(aggregator):
        gold = np.full(votes.n_tasks, -1)
        gold[::4] = 1
        for prior, labels in ((None, None), (some_prior(votes), None), (None, gold), (some_prior(votes), gold)):
            objective = aggregator.aggregate(votes, prior=prior, gold=labels).objective
            assert np.all(np.isfinite(objective))
            gains = objective if reports_change else np.diff(objective)
            assert np.all(gains >= -1e-9 * np.abs(objective).max(initial=1))


def takes_no_votes_at_all(aggregator: Aggregator) -> None:
    for n_tasks in (3, 0):
        votes = Votes.from_arrays([], [], [], n_classes=2, n_tasks=n_tasks, n_workers=2)
        probs = aggregator.aggregate(votes).probs
        assert probs.shape == (n_tasks, 2)
        assert np.allclose(probs, 0.5)


def takes_classes_that_nobody_named(aggregator: Aggregator) -> None:
    for votes in crowds(aggregator):
        only = Votes.from_arrays(votes.task, votes.worker, np.zeros(len(votes), int), n_classes=votes.n_classes)
        posterior = aggregator.aggregate(only)
        assert np.all(np.isfinite(posterior.probs))
        assert np.all(posterior.labels[only.votes_per_task > 0] == 0)


def counts_any_number_of_workers(aggregator: Aggregator) -> None:
    """Check 128 workers, where an index no longer fits the type of the workers."""
    for n_workers in (127, 128, 129):
        task, worker = np.arange(n_workers) % 10, np.arange(n_workers)
        task, worker, label = np.append(task, 0), np.append(worker, -1), np.append(task % 2, 0)
        votes = Votes.from_arrays(task, worker, label, n_classes=2)
        assert np.array_equal(aggregator.aggregate(votes).labels, np.arange(10) % 2)


def ignores_workers_who_never_voted(aggregator: Aggregator) -> None:
    for votes in crowds(aggregator):
        crowded = replace(votes, workers=np.arange(votes.n_workers + 3000))
        assert np.allclose(aggregator.aggregate(votes).probs, aggregator.aggregate(crowded).probs, atol=1e-6)


def ignores_tasks_without_votes(aggregator: Aggregator) -> None:
    """Check that a thousand tasks without votes change neither the result nor the number of rounds."""
    for votes in crowds(aggregator):
        voted = votes.subset(tasks=votes.votes_per_task > 0)
        roomy = replace(votes, tasks=np.arange(votes.n_tasks + 1000))
        with_room, without = aggregator.aggregate(roomy), aggregator.aggregate(voted)
        assert np.allclose(with_room.probs[: voted.n_tasks], without.probs, atol=1e-6)
        assert len(with_room.objective) == len(without.objective)


def has_a_model_of_workers_that_holds(aggregator: Aggregator) -> None:
    """Check that the responses of a worker sum to one, and those of one without votes are an unknown worker's."""
    for votes in crowds(aggregator):
        model = aggregator.aggregate(votes).worker_model
        if model is None:
            return
        observed = np.arange(votes.n_classes)[:, None]
        likelihood = np.exp(model.log_likelihood(np.arange(votes.n_workers)[None, :], observed))  # (said, worker, true)
        assert np.allclose(likelihood.sum(axis=0), 1)
        idle = np.flatnonzero(votes.votes_per_worker == 0)
        assert len(idle)
        assert np.allclose(likelihood[:, idle[0]], np.exp(model.log_likelihood(-1, observed[:, 0])))


def takes_a_prior_with_zeros(aggregator: Aggregator) -> None:
    """Check that a zero of a classifier is strong evidence, not proof."""
    for votes in crowds(aggregator):
        prior = some_prior(votes)
        prior[::2] = np.eye(votes.n_classes)[0]
        posterior = aggregator.aggregate(votes, prior=prior)
        assert np.allclose(posterior.probs.sum(axis=1), 1)
        empty = np.flatnonzero(votes.votes_per_task == 0)
        certain = empty[empty % 2 == 0]
        assert np.all(posterior.labels[certain] == 0)
        assert np.all(posterior.probs[certain].min(axis=1) > 0)


def keeps_its_labels_when_it_is_calibrated(aggregator: Aggregator) -> None:
    """Check that the discount for correlated votes makes tasks less certain, and never changes a label."""
    for votes in crowds(aggregator):
        raw = aggregator.aggregate(votes)
        calibrated = aggregate(votes, aggregator)
        assert np.array_equal(calibrated.labels, raw.labels)
        assert np.all(calibrated.confidence <= raw.confidence + 1e-9)
        gold = np.full(votes.n_tasks, -1)
        gold[:8] = raw.labels[:8]
        with_gold = aggregate(votes, aggregator, gold=gold)
        assert np.array_equal(with_gold.labels, np.argmax(with_gold.probs, axis=1))
        assert np.array_equal(with_gold.labels[:8], gold[:8])


def refuses_what_does_not_fit(aggregator: Aggregator) -> None:
    votes = small_crowd(2)
    prior = some_prior(votes)
    for bad in (prior[1:], prior * 2):
        with pytest.raises(VotesError, match="prior"):
            aggregator.aggregate(votes, prior=bad)
    for labels in (np.zeros(3, int), np.full(votes.n_tasks, 2), np.zeros(votes.n_tasks)):
        with pytest.raises(VotesError, match="gold"):
            aggregator.aggregate(votes, gold=labels)


def leaves_its_input_alone(aggregator: Aggregator) -> None:
    votes = small_crowd(2)
    prior, gold = some_prior(votes), np.full(votes.n_tasks, -1)
    gold[0] = 1
    before = prior.copy(), gold.copy()
    aggregator.aggregate(votes, prior=prior, gold=gold)
    assert np.array_equal(prior, before[0])
    assert np.array_equal(gold, before[1])


def goes_on_from_a_fitted_posterior(aggregator: Aggregator) -> None:
    """Check that `partial` accepts new votes, tasks and workers, and ends where a fit of all votes ends."""
    if not hasattr(aggregator, "partial"):
        return
    for small in crowds(aggregator):
        votes = small_crowd(small.n_classes, n_tasks=400)
        gold = np.full(votes.n_tasks, -1)
        gold[::5] = 1
        old = votes.subset(tasks=np.arange(votes.n_tasks)[::-1] % 9 > 0, workers=np.arange(votes.n_workers)[::-1][2:])
        for prior, labels in ((None, None), (some_prior(votes), gold)):
            whole = aggregator.aggregate(votes, prior=prior, gold=labels)
            partial = aggregator.partial(votes, aggregator.aggregate(old), prior=prior, gold=labels)
            assert partial.tasks is votes.tasks
            assert np.mean(partial.labels == whole.labels) >= 0.98
            assert np.abs(partial.probs - whole.probs).mean() < 0.005
            if labels is not None:
                assert np.array_equal(partial.labels[::5], gold[::5])


def goes_on_from_its_own_end(aggregator: Aggregator) -> None:
    """Check that a fit without new votes ends at once."""
    if not hasattr(aggregator, "partial"):
        return
    for votes in crowds(aggregator):
        whole = aggregator.aggregate(votes)
        again = aggregator.partial(votes, whole)
        assert len(again.objective) <= max(4, len(whole.objective) * 2 // 3)
        assert np.allclose(again.probs, whole.probs, atol=0.02)


CHECKS: list[Check] = [
    gives_a_row_of_probabilities_per_task,
    carries_the_names,
    gives_the_same_twice,
    follows_a_renaming_of_classes,
    ignores_the_order_of_votes,
    gives_tasks_without_votes_their_prior,
    listens_to_the_prior,
    takes_one_worker,
    takes_anonymous_votes,
    believes_unanimous_votes,
    respects_gold,
    respects_gold_where_there_are_no_votes,
    takes_no_votes_at_all,
    takes_classes_that_nobody_named,
    counts_any_number_of_workers,
    ignores_workers_who_never_voted,
    ignores_tasks_without_votes,
    has_a_model_of_workers_that_holds,
    never_lets_its_objective_fall,
    takes_a_prior_with_zeros,
    keeps_its_labels_when_it_is_calibrated,
    refuses_what_does_not_fit,
    leaves_its_input_alone,
    goes_on_from_a_fitted_posterior,
    goes_on_from_its_own_end,
]
