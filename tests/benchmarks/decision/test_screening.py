import numpy as np
import pytest

import benchmarks.decision.screening as bench
from benchmarks.decision.screening import FixedVotes, Loss, Pool, State, UntilSure, World
from benchmarks.harness import Figures
from quorate.data.costs import Costs

EVEN = Costs.binary(false_positive=10, false_negative=10)
SMALL = World(name="small", shares=(0.5, 0.7), right=(0.8, 0.9), prices=(1.0, 3.0))


def test_votes_and_errors_are_counted_by_hand() -> None:
    """One item that the machine would exclude: a vote on each criterion says yes, and it is included, rightly."""
    pool = Pool(
        name="one",
        holds=np.array([[True, True]]),
        prior=np.array([[0.5, 0.6]]),
        answers=np.array([[[0.9, 0.1], [0.1, 0.9]]] * 2),
        votes=np.ones((1, 2, 1), dtype=np.int64),
        prices=np.array([1.0, 3.0]),
    )
    assert bench.play(pool, EVEN, FixedVotes(0)) == Loss(0, 0, 10)
    assert bench.play(pool, EVEN, FixedVotes(1)) == Loss(4, 2, 0)


def test_the_machine_is_calibrated_and_votes_are_as_right_as_the_world_says() -> None:
    pool = Pool.drawn(World(name="x", shares=(0.3, 0.8), right=(0.7, 0.9), prices=(1, 1), together=1.0), 20_000, seed=0)
    for low, high in ((0.1, 0.3), (0.4, 0.6), (0.7, 0.9)):
        near = (pool.prior > low) & (pool.prior < high)
        assert pool.holds[near].mean() == pytest.approx(pool.prior[near].mean(), abs=0.02)
    right = (pool.votes == pool.holds[:, :, None]).mean(axis=(0, 2))
    assert right == pytest.approx([0.7, 0.9], abs=0.01)


def test_rules_ask_in_their_order_and_stop() -> None:
    pool = Pool.drawn(SMALL, 3, seed=0)
    probs = np.array([[0.5, 0.5], [0.99, 0.5], [0.05, 0.5]])
    state = State(probs, np.zeros((3, 2), dtype=np.int64), pool, EVEN)
    assert UntilSure(0.1, 0.9, "given", stop=True)(state).tolist() == [0, 1, -1]
    assert UntilSure(0.1, 0.9, "given", stop=False)(state).tolist() == [0, 1, 1]
    dear_first = np.array([[0.8, 0.2]])  # 1 / .2 against 3 / .8
    assert UntilSure(0.1, 0.9, "ratio", stop=True)(State(dear_first, state.asked[:1], pool, EVEN)).tolist() == [1]


def test_every_rule_has_its_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "WORLDS", (SMALL,))
    monkeypatch.setattr(bench, "ERRORS", ((50, 50),))
    figures = Figures()
    bench.measure(figures, quick=True)
    against = [row["details"] for row in figures.rows if "against" in row["details"]]
    assert [row["against"] for row in against] == [rule for rule in bench.RULES if rule != "engine"]
    assert all(row["best"] == row["worst"] == pytest.approx(row["geometric_mean"]) for row in against)
    assert len(figures.rows) == len(bench.RULES) + len(against)
