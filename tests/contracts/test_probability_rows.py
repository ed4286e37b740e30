"""One rule for rows of probabilities, wherever they come in: a sum within 0.01 of one is scaled, all else refused."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from quorate import Costs, Posterior, Votes, aggregate, calibrate, decide, forecast, plots, try_policies
from quorate.calibration.temperature import Temperature
from quorate.cli.options.probabilities import read_probs
from quorate.decision.policies.fixed_votes import FixedVotes
from quorate.decision.screening.screen import screen
from quorate.errors import QuorateError
from quorate.learning.learners.joint_em import JointEm
from quorate.metrics import accuracy, against_people, bootstrap, brier, summary
from quorate.replay.classifiers import FixedClassifier
from quorate.replay.pool import replay
from quorate.typing import Array

SAID = np.array([0, 0, 1, 1, 0, 1])
VOTES = Votes.from_matrix(np.repeat(SAID[:, None], 3, axis=1))
GOLD = np.array([0, 1, 1, 1, 0, 0])
ROWS = np.array([[0.8, 0.2], [0.7, 0.3], [0.4, 0.6], [0.1, 0.9], [0.6, 0.4], [0.3, 0.7]])
ROW = 2  # the row that differs: the third

FREE: dict[str, Any] = {"cost_error": 5, "policy": "fixed_votes", "n": 1}


def posterior(rows: Array) -> Posterior:
    """A posterior that was not read from a frame, so that nothing has looked at its rows yet."""
    return replace(Posterior.from_frame(frame(ROWS)), probs=rows)


def frame(rows: Array) -> pl.DataFrame:
    return pl.DataFrame({"task": np.arange(len(rows)), "0": rows[:, 0], "1": rows[:, 1]})


def by_file(rows: Array) -> Any:
    frame(rows).write_csv("probs.csv")
    return read_probs(Path("probs.csv"), "").probs


def by_replay(rows: Array) -> Any:
    return replay(FixedVotes(costs=Costs.of_error(5, 2), n=1), VOTES, GOLD, FixedClassifier(rows)).loss


def by_screening(rows: Array) -> Any:
    return screen([[0.5, 0.6, 0.7]], Costs.of_error(20, 2), 1, rows.reshape(3, 2, 2)).value


ENTRIES: dict[str, Callable[[Array], Any]] = {
    "aggregate(prior=)": lambda rows: aggregate(VOTES, "dawid_skene", prior=rows).probs,
    "calibrate": lambda rows: calibrate(rows, GOLD, method="temperature").transform(ROWS),
    "calibrator.fit": lambda rows: Temperature().fit(rows, GOLD).transform(ROWS),
    "calibrator.transform": lambda rows: Temperature().fit(ROWS, GOLD).transform(rows),
    "decide(machines=array)": lambda rows: decide(VOTES, machines=rows, cost_error=5).probs,
    "decide(machines=mapping)": lambda rows: decide(VOTES, machines={"mine": rows}, cost_error=5).probs,
    "decide(machines=posterior)": lambda rows: decide(VOTES, machines=posterior(rows), cost_error=5).probs,
    "forecast(machines=)": lambda rows: forecast(VOTES, machines=rows, runs=1, **FREE).votes.value,
    "try_policies(machine=)": lambda rows: try_policies(VOTES, GOLD, ["fixed_votes"], machine=rows, seeds=1).votes,
    "replay": by_replay,
    "FixedClassifier": lambda rows: FixedClassifier(rows).probs,
    "Posterior.from_frame": lambda rows: Posterior.from_frame(frame(rows)).probs,
    "file": by_file,
    "metrics.summary, gold": lambda rows: list(summary(rows, GOLD).values()),
    "metrics.summary, votes": lambda rows: list(summary(rows, None, VOTES).values()),
    "metrics.bootstrap": lambda rows: bootstrap(brier, rows, GOLD, repeats=3).value,
    "metrics.bootstrap, a right answer": lambda rows: bootstrap(accuracy, rows, GOLD, repeats=3).value,
    "metrics.against_people": lambda rows: against_people(rows, VOTES).kl.score,
    "plots.reliability": lambda rows: drawn_ece(rows),
    "screen(answers=)": by_screening,
}


def drawn_ece(rows: Array) -> str:
    legend = plots.reliability(rows, GOLD).axes[0].get_legend()
    assert legend is not None
    return legend.get_title().get_text()


def with_row(row: list[float]) -> Array:
    rows = ROWS.copy()
    rows[ROW] = row
    return rows


@pytest.fixture(autouse=True)
def in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("total", [1.0, 1.009, 0.991, 1.01, 0.99])
@pytest.mark.parametrize("entry", ENTRIES.values(), ids=ENTRIES)
def test_a_sum_near_one_counts_as_one(entry: Callable[[Array], Any], total: float) -> None:
    rows = with_row((total * ROWS[ROW]).tolist())
    before = rows.copy()
    np.testing.assert_equal(np.asarray(entry(rows)).shape, np.asarray(entry(ROWS)).shape)
    assert same(entry(rows), entry(ROWS))
    assert np.array_equal(rows, before)  # what the caller gave is not changed


def same(first: Any, other: Any) -> bool:
    first, other = np.asarray(first), np.asarray(other)
    return bool(np.allclose(first, other, equal_nan=True) if first.dtype.kind == "f" else (first == other).all())


@pytest.mark.parametrize(
    ("row", "total"),
    [
        ([0.415, 0.6], "1.015"),
        ([0.385, 0.6], "0.985"),
        ([-0.1, 1.1], "1"),
        ([-0.001, 1.0], "0.999"),
        ([np.nan, 0.6], "nan"),
        ([np.inf, 0.6], "inf"),
        ([0.0, 0.0], "0"),
    ],
    ids=str,
)
@pytest.mark.parametrize("entry", ENTRIES.values(), ids=ENTRIES)
def test_other_rows_are_refused(entry: Callable[[Array], Any], row: list[float], total: str) -> None:
    with pytest.raises(QuorateError) as error:
        entry(with_row(row))
    message = str(error.value)
    assert f"row {ROW + 1}" in message
    assert f"sum {total}, " in message
    assert "divide each row by its sum" in message
    assert "\n" not in message


@pytest.mark.parametrize("prior", [(0.5, 0.515), (0.5, 0.485), (-0.1, 1.1), (np.nan, 0.5)], ids=str)
def test_the_same_holds_for_a_class_prior(prior: tuple[float, float]) -> None:
    x = np.arange(6.0)[:, None]
    with pytest.raises(QuorateError, match=r"class_prior.* sum "):
        JointEm(class_prior=prior).fit(x, VOTES, aggregate(VOTES))
