"""`quorate.calibrate` on arrays and on tables with names."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from quorate import Posterior, Votes, calibrate
from quorate.api.calibrate import TableCalibration
from quorate.calibration import SharesWarning
from quorate.calibration import calibrate as calibrate_array
from quorate.errors import MethodError, VotesError

N = 200
GOLD = np.arange(N) % 2
GOLD[::10] = 1 - GOLD[::10]  # wrong once in ten
YES = np.where(np.arange(N) % 2 == 1, 0.99, 0.01)
TABLE = pl.DataFrame({"task": [f"t{row}" for row in range(N)], "p_no": 1 - YES, "p_yes": YES})
LABELS = pl.DataFrame({"task": TABLE["task"], "label": np.array(["no", "yes"])[GOLD].tolist()})
VOTES = pl.DataFrame(
    {
        "task": np.repeat(TABLE["task"].to_numpy(), 3).tolist(),
        "worker": ["x", "y", "z"] * N,
        "label": np.array(["no", "yes"])[np.repeat(GOLD, 3)].tolist(),
    }
)


def test_a_table_is_calibrated_as_an_array_is(tmp_path: Path) -> None:
    by_array = calibrate(np.column_stack([1 - YES, YES]), GOLD)
    assert not isinstance(by_array, TableCalibration)
    TABLE.write_csv(tmp_path / "probs.csv")
    LABELS.write_csv(tmp_path / "gold.csv")
    for probs, gold in ((TABLE, LABELS), (tmp_path / "probs.csv", tmp_path / "gold.csv"), (TABLE, GOLD)):
        result = calibrate(probs, gold)
        assert isinstance(result, TableCalibration)
        assert (result.helped, result.gain, result.note) == (by_array.helped, by_array.gain, by_array.note)


def test_names_bring_targets_into_order() -> None:
    result = calibrate(TABLE, LABELS.reverse())
    assert result.gain == calibrate(TABLE, LABELS).gain


def test_scores_before_and_after() -> None:
    result = calibrate(TABLE, LABELS)
    assert isinstance(result, TableCalibration)
    scores = result.scores()
    assert list(scores) == ["before", "after"]
    assert scores["after"]["nll"] < scores["before"]["nll"]
    assert not result.is_worse_by_gold
    few = calibrate(TABLE, LABELS.head(5))
    assert isinstance(few, TableCalibration)
    assert few.cross_probs is None
    assert list(few.scores()) == ["before"]


def test_another_table_is_calibrated_whatever_the_order_of_its_classes() -> None:
    result = calibrate(TABLE, LABELS)
    assert isinstance(result, TableCalibration)
    turned = Posterior.from_frame(TABLE.select("task", "p_yes", "p_no"), classes=["yes", "no"])
    applied = result.apply(turned)
    assert applied.classes.tolist() == ["no", "yes"]
    np.testing.assert_array_equal(applied.probs, result.transform(result.table.probs))
    with pytest.raises(VotesError, match="it has classes"):
        result.apply(Posterior.from_frame(pl.DataFrame({"task": ["a"], "p_no": [0.5], "p_maybe": [0.5]})))


def test_votes_count_through_workers_or_as_shares() -> None:
    result = calibrate(TABLE, votes=VOTES, gold=LABELS)
    assert isinstance(result, TableCalibration)
    by_array = calibrate_array(np.column_stack([1 - YES, YES]), votes=Votes.from_frame(VOTES, classes=["no", "yes"]))
    assert result.gain == pytest.approx(by_array.gain)
    assert "votes_log_likelihood" in result.scores()["before"]
    with pytest.warns(SharesWarning):
        shares = calibrate(TABLE, votes=VOTES, through="shares")
    assert isinstance(shares, TableCalibration)
    assert shares.cross_probs is not None


def test_what_does_not_go_together_is_refused() -> None:
    with pytest.raises(VotesError, match="and not both"):
        calibrate(TABLE)
    with pytest.raises(VotesError, match="and not both"):
        calibrate(TABLE, LABELS, votes=VOTES)
    with pytest.raises(MethodError, match="posterior and groups are for probabilities without names"):
        calibrate(TABLE, LABELS, groups=np.arange(N))
    with pytest.raises(MethodError, match="gold is for probabilities with names"):
        calibrate([[0.9, 0.1]], [0], gold=[0])
    with pytest.raises(VotesError, match="there is no vote on any task of the probabilities"):
        calibrate(TABLE, votes=VOTES.with_columns(task=pl.lit("other"), worker=pl.int_range(len(VOTES))))


def test_targets_of_a_table_may_be_a_list_or_likelihoods() -> None:
    table = Posterior.from_frame(pl.DataFrame({"task": range(40), "p_a": [0.9, 0.2] * 20, "p_b": [0.1, 0.8] * 20}))
    gold = [0, 1] * 20
    by_list, by_likelihood = calibrate(table, gold), calibrate(table, np.eye(2)[gold])
    assert isinstance(by_list, TableCalibration)
    assert isinstance(by_likelihood, TableCalibration)
    assert by_list.scores()["before"]["accuracy"] == 1
    assert by_likelihood.gold is None
    assert "votes_log_likelihood" in by_likelihood.scores()["before"]


def test_a_calibration_is_shown_by_its_note() -> None:
    probs = np.tile([[0.8, 0.2], [0.3, 0.7]], (50, 1))
    frame = pl.DataFrame({"task": np.arange(100), "p_0": probs[:, 0], "p_1": probs[:, 1]})
    gold = np.arange(100) % 2
    by_array, by_table = calibrate(probs, gold), calibrate(frame, gold)
    assert repr(by_array) == f"Calibration({by_array.note})"
    assert repr(by_table) == f"TableCalibration({by_table.note})"


def test_votes_in_place_of_gold_labels_are_recognised() -> None:
    votes = VOTES.with_columns(label=pl.Series(["no", "yes", "no"] * N))
    with pytest.raises(
        VotesError, match=r"gold has two labels for task 't0' \(row 2\): these look like votes, .* votes="
    ):
        calibrate(TABLE, votes)
    with pytest.raises(VotesError, match=r"gold has two labels for task 't0' .*: keep one$"):
        calibrate(TABLE, votes.drop("worker"))
