"""What every score of workers, items and agreement promises: each promise a function that fails where it is broken."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np

from quorate import Votes, aggregate, registry
from quorate.data.item_scores import ItemScores
from quorate.data.posterior import Posterior
from quorate.protocols import Agreement, ItemScorer, WorkerScorer
from quorate.registry.method_names import AggregationMethod
from quorate.typing import Array
from tests.crowds import small_crowd

Scorer = WorkerScorer | ItemScorer | Agreement


@dataclass(frozen=True)
class Kind:
    """A kind of score: its folder, and how long a score is."""

    folder: str
    size: Callable[[Votes], int | None]

    def scorers(self) -> list[Any]:
        return [registry.method(self.folder, name) for name in registry.names(self.folder)]

    def score(self, scorer: Scorer, votes: Votes, posterior: Posterior) -> Array:
        """The score as an array, that of agreement as one of a single number."""
        trace = () if self.folder != "ambiguity" else (trace_for(scorer, votes),)
        values = scorer.score(votes, posterior, *trace)
        if self.size(votes) is None:
            assert isinstance(values, float)
            return np.array([values])
        assert isinstance(values, np.ndarray)
        assert values.shape == (self.size(votes),)
        assert values.dtype == np.float64
        return values


def trace_for(scorer: Any, votes: Votes) -> Array | None:
    """What a score reads: a classifier that becomes ever surer of what most votes say."""
    logs = np.log(votes.counts() + 0.5)
    return in_the_shape_of(scorer, votes, np.stack([exp / exp.sum(axis=1, keepdims=True) for exp in _sharper(logs)]))


def in_the_shape_of(scorer: Any, votes: Votes, trace: Array) -> Array | None:
    """A trace of tasks as a score reads it: by task, by vote, or the end of it."""
    shapes = {"votes": None, "trace": trace, "worker_traces": trace[:, votes.task], "out_of_fold": trace[-1:]}
    return shapes[scorer.reads]


def _sharper(logs: Array) -> list[Array]:
    return [np.exp(logs * sharpness) for sharpness in (0.2, 0.6, 1.0)]


WORKERS = Kind("quality.workers", lambda votes: votes.n_workers)
ITEMS = Kind("ambiguity", lambda votes: votes.n_tasks)
AGREEMENT = Kind("quality.agreement", lambda votes: None)
KINDS = [WORKERS, ITEMS, AGREEMENT]

Check = Callable[[Kind, Scorer], None]
METHODS: tuple[AggregationMethod, ...] = ("majority", "dawid_skene", "glad")


def crowds() -> list[tuple[Votes, Posterior]]:
    """Votes over two and four classes with times, tasks without votes and an idle worker; and their posteriors."""
    return [(votes, replace(posterior, probs=posterior.probs.copy())) for votes, posterior in _crowds()]


@cache
def _crowds() -> list[tuple[Votes, Posterior]]:
    cases = []
    for n_classes in (2, 4):
        plain = small_crowd(n_classes)
        seconds = np.random.default_rng(n_classes).exponential(5, len(plain)).astype(np.float32)
        votes = replace(plain, seconds=seconds)
        cases += [(votes, aggregate(votes, method)) for method in METHODS]
    return cases


def same(a: Array, b: Array) -> bool:
    return bool(np.allclose(a, b, atol=1e-4, equal_nan=True))


def gives_a_number_for_each(kind: Kind, scorer: Scorer) -> None:
    for votes, posterior in crowds():
        score = kind.score(scorer, votes, posterior)
        assert not np.isinf(score).any()


def knows_something_of_all_who_voted(kind: Kind, scorer: Scorer) -> None:
    """With a posterior that fits, only those without votes have no score."""
    has_score = []
    for votes, posterior in crowds():
        score = kind.score(scorer, votes, posterior)
        counts = {WORKERS: votes.votes_per_worker, ITEMS: votes.votes_per_task, AGREEMENT: np.array([len(votes)])}[kind]
        has_score.append(bool(np.isfinite(score[counts > 0]).all()))
    assert any(has_score)


def says_nothing_where_there_are_no_votes(kind: Kind, scorer: Scorer) -> None:
    for votes, posterior in crowds():
        score = kind.score(scorer, votes, posterior)
        counts = {WORKERS: votes.votes_per_worker, ITEMS: votes.votes_per_task, AGREEMENT: np.array([1])}[kind]
        assert np.isnan(score[counts == 0]).all()


def gives_the_same_twice(kind: Kind, scorer: Scorer) -> None:
    for votes, posterior in crowds():
        first, second = (kind.score(scorer, votes, posterior) for _ in range(2))
        assert np.array_equal(first, second, equal_nan=True)


def follows_a_renaming_of_classes(kind: Kind, scorer: Scorer) -> None:
    """The posterior has no model of workers here: a model would have to be renamed, too."""
    for votes, _ in crowds():
        posterior = aggregate(votes, "majority")
        rename = np.arange(votes.n_classes)[::-1]
        renamed = replace(votes, label=rename[votes.label])
        turned = replace(posterior, probs=posterior.probs[:, rename], class_prior=posterior.class_prior[rename])
        assert same(kind.score(scorer, votes, posterior), kind.score(scorer, renamed, turned))


def ignores_the_order_of_votes(kind: Kind, scorer: Scorer) -> None:
    for votes, posterior in crowds():
        shuffled = votes.subset(rows=np.random.default_rng(2).permutation(len(votes)))
        assert same(kind.score(scorer, votes, posterior), kind.score(scorer, shuffled, posterior))


def ignores_workers_who_never_voted(kind: Kind, scorer: Scorer) -> None:
    """By a method without a model of workers, which would have to know them."""
    for votes, _ in crowds():
        posterior = aggregate(votes, "majority")
        crowded = replace(votes, workers=np.arange(votes.n_workers + 200))
        before, after = kind.score(scorer, votes, posterior), kind.score(scorer, crowded, posterior)
        assert same(before, after[: len(before)])


def takes_no_votes_at_all(kind: Kind, scorer: Scorer) -> None:
    for n_tasks, n_workers in ((3, 2), (0, 0)):
        votes = Votes.from_arrays([], [], [], n_classes=2, n_tasks=n_tasks, n_workers=n_workers)
        for timed in (votes, replace(votes, seconds=np.empty(0, np.float32))):
            assert np.isnan(kind.score(scorer, timed, aggregate(votes, "dawid_skene"))).all()


def takes_one_worker(kind: Kind, scorer: Scorer) -> None:
    votes = Votes.from_arrays([0, 1, 2, 3], [0, 0, 0, 0], [0, 1, 1, 0], n_classes=2)
    for method in METHODS:
        kind.score(scorer, votes, aggregate(votes, method))


def takes_anonymous_votes(kind: Kind, scorer: Scorer) -> None:
    """Votes of nobody, and votes of somebody beside which they stand."""
    nobody = Votes.from_counts([[5, 1], [0, 4], [3, 0], [1, 6]])
    somebody = Votes.from_arrays([0, 0, 1, 1, 1], [0, -1, 0, -1, -1], [0, 0, 1, 1, 0], n_classes=2)
    for votes in (nobody, somebody):
        timed = replace(votes, seconds=np.ones(len(votes), np.float32))
        for method in METHODS:
            kind.score(scorer, timed, aggregate(votes, method))


def takes_times_that_are_missing(kind: Kind, scorer: Scorer) -> None:
    votes, posterior = crowds()[0]
    assert votes.seconds is not None
    for seconds in (None, np.full(len(votes), np.nan, np.float32), np.where(votes.worker == 0, np.nan, votes.seconds)):
        kind.score(scorer, replace(votes, seconds=seconds), posterior)


def takes_classes_that_nobody_named(kind: Kind, scorer: Scorer) -> None:
    votes, _ = crowds()[0]
    only = Votes.from_arrays(votes.task, votes.worker, np.zeros(len(votes), int), n_classes=3)
    for method in METHODS:
        kind.score(scorer, only, aggregate(only, method))


def leaves_its_input_alone(kind: Kind, scorer: Scorer) -> None:
    for votes, posterior in crowds():
        before = posterior.probs.copy(), posterior.class_prior.copy()
        kind.score(scorer, votes, posterior)
        assert np.array_equal(posterior.probs, before[0])
        assert np.array_equal(posterior.class_prior, before[1])


def ranks_a_planted_ambiguous_item_worst(kind: Kind, scorer: Scorer) -> None:
    """Among tasks of which all say the same, one that splits both the crowd and the classifier (task 7)."""
    if kind is not ITEMS:
        return
    planted, n_tasks = 7, 30
    matrix = np.repeat(np.arange(n_tasks)[:, None] % 2, 6, axis=1)
    matrix[planted] = [0, 1, 0, 1, 0, 1]
    votes = Votes.from_matrix(matrix)
    own = np.where(np.arange(n_tasks) % 2 == 0, 1, -1)
    trace = np.array([1 / (1 + np.exp(np.stack([-own * step, own * step], axis=1))) for step in (0.5, 1.5, 2.5)])
    trace[:, planted] = [[0.55, 0.45], [0.45, 0.55], [0.55, 0.45]]
    posterior = aggregate(votes, getattr(scorer, "aggregated_by", "dawid_skene"))
    item_scorer: Any = scorer
    values = item_scorer.score(votes, posterior, in_the_shape_of(scorer, votes, trace))
    ranked = ItemScores(name="any", values=values, ambiguous=item_scorer.ambiguous, tasks=votes.tasks)
    assert ranked.worst(1).tolist() == [planted]
    others = np.delete(ranked.ambiguity, planted)
    assert (ranked.ambiguity[planted] > others).all()


CHECKS: list[Check] = [
    gives_a_number_for_each,
    knows_something_of_all_who_voted,
    says_nothing_where_there_are_no_votes,
    gives_the_same_twice,
    follows_a_renaming_of_classes,
    ignores_the_order_of_votes,
    ignores_workers_who_never_voted,
    takes_no_votes_at_all,
    takes_one_worker,
    takes_anonymous_votes,
    takes_times_that_are_missing,
    takes_classes_that_nobody_named,
    leaves_its_input_alone,
    ranks_a_planted_ambiguous_item_worst,
]
