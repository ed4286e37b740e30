"""Both ways through the votes against loops over votes, and against each other in whole methods."""

import sys

import numpy as np
import pytest
from scipy.special import expit, logsumexp

from quorate import Votes, aggregate, registry, simulate_votes
from quorate.errors import MethodError
from quorate.inference.kernels import Passes, e_step, vote_passes
from quorate.inference.kernels.e_step_compiled import CompiledPasses
from quorate.registry.method_names import AggregationMethod
from quorate.typing import Array
from tests.crowds import small_crowd, some_prior

KINDS = [Passes, CompiledPasses]


def loops(votes: Votes, table: Array, log_prior: Array) -> tuple[Array, Array, Array, float]:
    """(posterior, answers, classes, evidence) of a table (n_workers + 1, said, true), vote by vote."""
    scores = np.broadcast_to(log_prior, (votes.n_tasks, table.shape[2])).copy()
    for task, worker, label in zip(votes.task, votes.worker, votes.label, strict=True):
        scores[task] += table[worker, label]
    evidence = logsumexp(scores, axis=1)
    probs = np.exp(scores - evidence[:, None])
    answers = np.zeros(table.shape)
    for task, worker, label in zip(votes.task, votes.worker, votes.label, strict=True):
        answers[worker, label] += probs[task]
    return probs, answers, probs[votes.votes_per_task > 0].sum(axis=0), evidence.sum()


def some_table(votes: Votes, width: int) -> Array:
    rng = np.random.default_rng(0)
    return np.log(rng.dirichlet(np.ones(votes.n_classes), (votes.n_workers + 1, width))).transpose(0, 2, 1)


@pytest.fixture(params=["1", "3"])
def threads(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUORATE_THREADS", request.param)


@pytest.mark.usefixtures("threads")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("n_classes", "width"), [(2, 2), (3, 3), (5, 5), (3, 12), (3, 15)])
@pytest.mark.parametrize("own_prior", [False, True])
def test_row_pass_equals_loops(kind: type[Passes], n_classes: int, width: int, own_prior: bool) -> None:
    votes = small_crowd(n_classes)
    table, rng = some_table(votes, width), np.random.default_rng(1)
    log_prior = np.log(rng.dirichlet(np.ones(width), votes.n_tasks if own_prior else 1))
    probs, answers, classes, evidence = loops(votes, table, log_prior)
    out = np.empty(probs.shape)
    tally = kind(votes).row_pass(table, log_prior, out=out)
    assert np.allclose(out, probs, atol=1e-5)
    assert np.allclose(tally.answers, answers, atol=1e-4)
    assert np.allclose(tally.classes, classes, atol=1e-4)
    assert np.isclose(tally.evidence, evidence)
    again = kind(votes).row_tally(probs)
    assert np.allclose(again.answers, answers)
    assert np.allclose(again.classes, classes)


@pytest.mark.parametrize("kind", KINDS)
def test_a_hard_row_pass_gives_everything_to_the_best(kind: type[Passes]) -> None:
    votes = small_crowd(3)
    table, log_prior = some_table(votes, 3), np.log([[0.5, 0.3, 0.2]])
    probs, _, _, _ = loops(votes, table, log_prior)
    out = np.empty(probs.shape)
    tally = kind(votes).row_pass(table, log_prior, hard=True, out=out)
    assert np.array_equal(out, np.eye(3)[probs.argmax(axis=1)])
    scores = Passes(votes)._matrix @ table.reshape(-1, 3) + log_prior
    assert np.isclose(tally.evidence, scores.max(axis=1)[votes.votes_per_task > 0].sum())
    assert np.allclose(tally.answers, Passes(votes).row_tally(out).answers)


@pytest.mark.usefixtures("threads")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n_classes", [2, 5])
def test_vote_pass_is_a_row_pass_with_a_number_on_the_class_said(kind: type[Passes], n_classes: int) -> None:
    votes = small_crowd(n_classes)
    log_odds = np.random.default_rng(0).normal(1, 1, (votes.n_workers + 1, n_classes))
    log_prior = np.log(some_prior(votes))
    table = log_odds[:, :, None] * np.eye(n_classes)
    probs, answers, classes, evidence = loops(votes, table, log_prior)
    out = np.empty(probs.shape)
    tally = kind(votes).vote_pass(log_odds, log_prior, out=out)
    assert np.allclose(out, probs, atol=1e-5)
    assert np.allclose(tally.answers, np.einsum("wss->ws", answers), atol=1e-4)
    assert np.allclose(kind(votes).vote_tally(probs).answers, np.einsum("wss->ws", answers))
    assert np.allclose(tally.classes, classes, atol=1e-4)
    assert np.isclose(tally.evidence, evidence)


@pytest.mark.usefixtures("threads")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n_classes", [2, 4])
def test_edge_pass_equals_loops(kind: type[Passes], n_classes: int) -> None:
    votes = small_crowd(n_classes)
    rng = np.random.default_rng(0)
    ability, easiness = rng.normal(1, 1, votes.n_workers + 1), np.exp(rng.normal(0, 1, votes.n_tasks))
    scores, by_worker, by_task = np.log(some_prior(votes)), np.zeros(votes.n_workers + 1), np.zeros(votes.n_tasks)
    rows = list(zip(votes.task, votes.worker, votes.label, strict=True))
    for task, worker, label in rows:
        right = expit(ability[worker] * easiness[task])
        scores[task] += np.log(np.where(np.arange(n_classes) == label, right, (1 - right) / (n_classes - 1)))
    evidence = logsumexp(scores, axis=1)
    probs = np.exp(scores - evidence[:, None])
    for task, worker, label in rows:
        surprise = probs[task, label] - expit(ability[worker] * easiness[task])
        by_worker[worker] += surprise * easiness[task]
        by_task[task] += surprise * ability[worker]
    out = np.empty(probs.shape)
    result = kind(votes).edge_pass(ability, easiness, np.log(some_prior(votes)), out=out)
    assert np.isclose(result[0], evidence.sum())
    assert np.allclose(result[1], by_worker)
    assert np.allclose(result[2], by_task)
    assert np.allclose(out, probs)


@pytest.mark.parametrize("method", registry.names("aggregation"))
@pytest.mark.parametrize("n_classes", [2, 4])
def test_a_method_has_the_same_result_by_both_ways(
    method: AggregationMethod, n_classes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    if method == "kos" and n_classes > 2:
        pytest.skip("binary")
    crowd = simulate_votes(n_tasks=300, votes_per_task=5, classes=range(n_classes), seed=1)
    gold = np.where(np.arange(300) % 10, -1, crowd.gold)
    for labels in (None, gold):
        plain = aggregate(crowd.votes, method, gold=labels)
        with monkeypatch.context() as patch:
            patch.setattr(e_step, "MIN_COMPILED_VOTES", 0)
            fast = aggregate(crowd.votes, method, gold=labels)
        assert np.allclose(plain.probs, fast.probs, atol=2e-3)
        assert np.mean(plain.labels == fast.labels) >= 0.998


def test_chooses_the_way_by_the_votes(monkeypatch: pytest.MonkeyPatch) -> None:
    votes = small_crowd(2)
    assert type(vote_passes(votes)) is Passes
    monkeypatch.setattr(e_step, "MIN_COMPILED_VOTES", len(votes))
    assert type(vote_passes(votes)) is CompiledPasses
    monkeypatch.setattr(e_step, "MAX_VOTES_PER_TASK", 1)
    assert type(vote_passes(votes)) is Passes


def test_counts_many_small_shares_of_a_busy_worker() -> None:
    """Half a million shares of .0003 are 150, of the last class as of the first; single precision would lose them."""
    n_tasks = 500_000
    votes = Votes.from_arrays(np.arange(n_tasks), np.zeros(n_tasks, int), np.zeros(n_tasks, int), n_classes=2)
    for rare in (0, 1):
        shares = np.full((1, 2), 0.9997)
        shares[0, rare] = 0.0003
        numba_loops = CompiledPasses(votes)
        by_rows = numba_loops.row_pass(np.zeros((2, 2, 2)), np.log(shares)).answers[0, 0]
        assert np.allclose(by_rows, n_tasks * shares, rtol=1e-3)
        by_votes = numba_loops.vote_pass(np.zeros((2, 2)), np.log(shares)).answers[0, 0]
        assert np.isclose(by_votes, n_tasks * shares[0, 0], rtol=1e-3)


def test_tasks_without_votes_have_no_evidence() -> None:
    votes = Votes.from_arrays([0, 1], [0, 0], [0, 1], n_classes=2, n_tasks=40)
    for kind in KINDS:
        for log_prior in (np.log([[0.3, 0.3]]), np.log(np.full((40, 2), 0.3))):  # as in variational Bayes, below one
            for hard in (False, True):
                tally = kind(votes).row_pass(np.zeros((2, 2, 2)), log_prior, hard=hard)
                assert np.isclose(tally.evidence, 2 * np.log(0.3 if hard else 0.6))
            assert np.isclose(kind(votes).vote_pass(np.zeros((2, 2)), log_prior).evidence, 2 * np.log(0.6))


def test_sums_of_many_classes_are_numbers() -> None:
    """All of 200 classes alike: the product of a block of sums is at its largest."""
    votes = Votes.from_arrays(np.arange(300), np.zeros(300, int), np.arange(300) % 200, n_classes=200)
    for kind in KINDS:
        tally = kind(votes).vote_pass(np.zeros((2, 200)), np.zeros((1, 200)))
        assert np.isclose(tally.evidence, 300 * np.log(200))
    more = Votes.from_arrays(np.arange(300), np.zeros(300, int), np.arange(300), n_classes=300)
    assert np.isclose(
        CompiledPasses(more).vote_pass(np.zeros((2, 300)), np.zeros((1, 300))).evidence, 300 * np.log(300)
    )


def test_wide_tables_go_by_scipy() -> None:
    """What does not fit into registers is quicker that way."""
    n_votes = 70_000  # more than the small integers count to which hold the rows of few workers
    votes = Votes.from_arrays(np.arange(n_votes), np.arange(n_votes) % 7, np.arange(n_votes) % 3, n_classes=3)
    table, log_prior = some_table(votes, 70), np.zeros((1, 70))
    assert np.allclose(
        CompiledPasses(votes).row_pass(table, log_prior).answers, Passes(votes).row_pass(table, log_prior).answers
    )


@pytest.mark.parametrize("threads", ["0", "-2", "two", "1.5"])
def test_says_what_is_wrong_with_the_number_of_threads(threads: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUORATE_THREADS", threads)
    with pytest.raises(MethodError, match="QUORATE_THREADS must be a whole number"):
        CompiledPasses(small_crowd(2))


def test_works_without_numba(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(e_step, "MIN_COMPILED_VOTES", 0)
    monkeypatch.setitem(sys.modules, "quorate.inference.kernels.e_step_compiled", None)  # importing it fails
    assert type(vote_passes(small_crowd(2))) is Passes
