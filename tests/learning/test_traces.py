"""Traces of trainings: of one classifier, and of one for each worker."""

from typing import Any

import numpy as np
import pytest

from quorate import Votes, aggregate, identify
from quorate.ambiguity.waum import Waum
from quorate.errors import MethodError
from quorate.learning.bases.mlp import Mlp
from quorate.learning.learners.ensemble import Ensemble
from quorate.learning.learners.linear import Linear
from quorate.learning.learners.network import Network
from quorate.learning.targets.stacked import Stacked
from quorate.learning.traces import record_trace
from quorate.learning.training.recipe import Recipe
from quorate.learning.training.schedules import Steps
from quorate.learning.worker_traces import worker_traces
from quorate.typing import Array

PLANTED = 7


def two_clouds(n_tasks: int = 60) -> tuple[Array, Votes]:
    """Two clouds and three workers who name them rightly; task 7 lies in cloud 1, and all call it 0."""
    random = np.random.default_rng(0)
    gold = np.arange(n_tasks) % 2
    x = random.normal(0, 0.5, (n_tasks, 2)) + np.where(gold, 2.0, -2.0)[:, None]
    said = np.repeat(gold[:, None], 3, axis=1)
    said[PLANTED] = 0
    return x, Votes.from_matrix(said)


def network(**options: Any) -> Network:
    recipe = Recipe(epochs=12, batch_size=16, lr=0.01, **options)
    return Network(base=Mlp(sizes=(8,)), target=Stacked(), recipe=recipe)


class TestRecordTrace:
    def test_has_a_row_per_task_and_epoch(self) -> None:
        x, votes = two_clouds()
        trace = record_trace(network(), x, votes, aggregate(votes))
        assert trace.shape == (12, 60, 2)
        assert trace.sum(axis=2) == pytest.approx(np.ones((12, 60)), abs=1e-5)

    def test_ends_at_the_first_drop_of_the_rate(self) -> None:
        x, votes = two_clouds()
        learner = network(schedule=Steps(at=(5, 8)))
        assert len(record_trace(learner, x, votes, aggregate(votes))) == 5
        assert learner.recipe.epochs == 12

    def test_ends_there_inside_another_learner_too(self) -> None:
        x, votes = two_clouds()
        two = Ensemble(learner=network(schedule=Steps(at=(5, 8))), members=2)
        assert len(record_trace(two, x, votes, aggregate(votes))) == 5

    def test_learner_itself_stays_unfitted(self) -> None:
        x, votes = two_clouds()
        learner = Linear(target=Stacked())
        record_trace(learner, x, votes, aggregate(votes))
        assert not hasattr(learner, "weights_")

    @pytest.mark.parametrize("score", ["aum", "aumc", "waum", "worker_waum", "disagreement"])
    def test_a_unanimous_error_is_found_by_every_score_that_sees_features(self, score: str) -> None:
        x, votes = two_clouds()
        assert identify(votes, score, x=x).worst(1).tolist() == [PLANTED]

    def test_votes_alone_cannot_find_it(self) -> None:
        _, votes = two_clouds()
        assert identify(votes, "vote_entropy").values.tolist() == [0.0] * 60

    def test_a_network_finds_it_too(self) -> None:
        x, votes = two_clouds()
        assert identify(votes, Waum(), x=x, learner=network()).worst(1).tolist() == [PLANTED]

    def test_a_trace_may_be_given(self) -> None:
        x, votes = two_clouds()
        trace = record_trace(Linear(target=Stacked()), x, votes, aggregate(votes)).astype(np.float64)
        again = identify(votes, "waum", trace=trace)
        assert again.values == pytest.approx(identify(votes, "waum", x=x).values)

    def test_says_what_is_missing(self) -> None:
        _, votes = two_clouds()
        with pytest.raises(MethodError, match=r"waum needs to know what the items look like: give their features"):
            identify(votes, "waum")
        with pytest.raises(MethodError, match="options go with a score's name"):
            identify(votes, Waum(), top=2)
        with pytest.raises(MethodError, match=r"a name, or an object such as Waum\(\)"):
            identify(votes, Waum)  # type: ignore[arg-type]

    def test_a_learner_that_tells_nothing_is_refused(self) -> None:
        class Mute(Linear):
            def fit(self, x: Any, votes: Any, posterior: Any, *, valid: Any = None, on_epoch: Any = None) -> "Mute":
                return self

        x, votes = two_clouds()
        with pytest.raises(MethodError, match="Mute tells nothing of its epochs"):
            record_trace(Mute(), x, votes, aggregate(votes))


def test_a_handful_of_tasks_has_as_many_folds() -> None:
    votes = Votes.from_matrix([[0, 0], [1, 1], [0, 1]])
    assert np.isfinite(identify(votes, "disagreement", x=[[0.0], [1.0], [0.5]]).values).all()


class TestWorkerTraces:
    def test_each_worker_is_learnt_alone(self) -> None:
        """Worker 1 says the opposite of worker 0 on the same tasks, and so do their classifiers."""
        x, _ = two_clouds()
        gold = np.arange(60) % 2
        votes = Votes.from_matrix(np.stack([gold, 1 - gold], axis=1))
        trace = worker_traces(Linear(l2=0.001), x, votes, aggregate(votes))
        assert np.array_equal(_last(trace).argmax(axis=1), votes.label)

    def test_rows_are_in_the_order_of_the_votes(self) -> None:
        x, votes = two_clouds()
        order = np.random.default_rng(1).permutation(len(votes))
        posterior = aggregate(votes)
        whole = worker_traces(Linear(), x, votes, posterior)
        shuffled = worker_traces(Linear(), x, votes.subset(rows=order), posterior)
        assert shuffled == pytest.approx(whole[:, order], nan_ok=True, abs=1e-5)

    def test_anonymous_votes_have_none(self) -> None:
        votes = Votes.from_arrays([0, 0, 1], [0, -1, 0], [0, 1, 1], n_classes=2)
        trace = worker_traces(Linear(), [[0.0], [1.0]], votes, aggregate(votes))
        assert np.isnan(trace[:, 1]).all()
        assert not np.isnan(trace[0, [0, 2]]).any()

    def test_a_worker_of_a_single_vote_and_one_of_a_single_class(self) -> None:
        votes = Votes.from_arrays([0, 0, 1, 2], [0, 1, 1, 1], [0, 1, 1, 1], n_classes=2)
        trace = worker_traces(network(), [[0.0], [1.0], [2.0]], votes, aggregate(votes))
        assert trace.shape == (12, 4, 2)
        assert not np.isnan(trace).any()

    @pytest.mark.long
    def test_several_processes_give_the_same(self) -> None:
        x, votes = two_clouds(20)
        posterior = aggregate(votes)
        alone = worker_traces(network(), x, votes, posterior)
        assert worker_traces(network(), x, votes, posterior, processes=2) == pytest.approx(alone)

    def test_refuses_no_processes(self) -> None:
        x, votes = two_clouds(20)
        with pytest.raises(MethodError, match="processes must be at least 1, got 0"):
            worker_traces(Linear(), x, votes, aggregate(votes), processes=0)


def _last(trace: Any) -> Array:
    last = np.full(trace.shape[1:], np.nan)
    for epoch in trace:
        met = ~np.isnan(epoch[:, 0])
        last[met] = epoch[met]
    return last
