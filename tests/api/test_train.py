"""`quorate.train` and `quorate.predict`."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from quorate import predict, read_items, train
from quorate.errors import FileError, MethodError, UnknownNameError, VotesError
from quorate.learning import Calibrated, JointEm, Linear

N = 40
TRUE = np.arange(N) % 2
TASKS = [f"t{row:02d}" for row in range(N)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Forty items of two features; votes of three workers on thirty of them; gold labels of all."""
    x = TRUE[:, None] + 0.1 * np.random.default_rng(0).normal(size=(N, 2))
    pl.DataFrame({"task": TASKS, "a": x[:, 0], "b": x[:, 1]}).write_csv(tmp_path / "items.csv")
    rows = [(TASKS[row], worker, ["no", "yes"][TRUE[row]]) for row in range(30) for worker in "xyz"]
    pl.DataFrame(rows, schema=["task", "worker", "label"], orient="row").write_csv(tmp_path / "votes.csv")
    pl.DataFrame({"task": TASKS, "label": [["no", "yes"][true] for true in TRUE]}).write_csv(tmp_path / "gold.csv")
    return tmp_path


def test_from_files_to_predictions_of_a_saved_classifier(folder: Path) -> None:
    result = train(folder / "items.csv", folder / "votes.csv", gold=folder / "gold.csv")
    assert isinstance(result.learner, Linear)
    assert result.predictions.labels.tolist() == TRUE.tolist()
    scores = result.scores()
    assert list(scores) == ["taught", "crowd", "not taught"]
    assert scores["not taught"]["items"] == 10
    assert result.consensus is None
    result.save(folder / "model")
    pl.read_csv(folder / "items.csv").select("b", "task", "a").write_csv(folder / "turned.csv")
    again = predict(folder / "model", folder / "turned.csv")
    np.testing.assert_allclose(again.probs, result.predictions.probs)


def test_stages_are_reported(folder: Path) -> None:
    stages: list[str] = []
    train(folder / "items.csv", folder / "votes.csv", method="majority", out_of_fold=True, on_stage=stages.append)
    assert stages == ["Aggregating by majority", "Training Linear", "Predicting", "Predicting out of fold"]


def test_gold_labels_that_choose_an_epoch_are_not_trained_on(folder: Path) -> None:
    pl.read_csv(folder / "gold.csv").head(10).write_csv(folder / "valid.csv")
    result = train(folder / "items.csv", folder / "votes.csv", valid=folder / "valid.csv")
    assert len(result.votes) == 60
    assert result.scores()["valid"]["items"] == 10


def test_votes_are_held_out(folder: Path) -> None:
    result = train(folder / "items.csv", folder / "votes.csv", hold_out=0.2)
    assert result.held_out is not None
    assert len(result.held_out) + len(result.votes) == 90
    assert "held out" in result.scores()


def test_joint_em_has_a_consensus_also_when_calibrated(folder: Path) -> None:
    joint = JointEm(rounds=1, folds=2)
    for learner in (joint, Calibrated(learner=joint)):
        consensus = train(folder / "items.csv", folder / "votes.csv", learner).consensus
        assert consensus is not None
        assert len(consensus.tasks) == N


def test_what_does_not_fit_is_refused(folder: Path) -> None:
    items, votes = folder / "items.csv", folder / "votes.csv"
    with pytest.raises(FileError, match=r"none\.csv: there is no such file"):
        train(folder / "none.csv", votes)
    with pytest.raises(VotesError, match=r"every vote is on an item of valid \(--valid\)"):
        train(items, votes, valid=folder / "gold.csv")
    with pytest.raises(MethodError, match="give one of the two"):
        train(items, votes, valid=folder / "gold.csv", hold_out=0.1)
    with pytest.raises(MethodError, match="leave out --image-size"):
        train(items, votes, image_size=8)
    pl.read_csv(votes).head(6).write_csv(folder / "few.csv")
    with pytest.raises(MethodError, match="--out-of-fold needs 5 items with votes at least, and there are 2"):
        train(items, folder / "few.csv", out_of_fold=True)


def test_predict_takes_what_train_returns_and_a_fitted_learner(folder: Path) -> None:
    result = train(folder / "items.csv", folder / "votes.csv")
    pl.read_csv(folder / "items.csv").select("b", "task", "a").write_csv(folder / "turned.csv")
    np.testing.assert_allclose(predict(result, folder / "turned.csv").probs, result.predictions.probs)
    np.testing.assert_allclose(predict(result.learner, folder / "items.csv").probs, result.predictions.probs)
    with pytest.raises(MethodError, match="a model is the result of train, a fitted learner or a folder, got 3"):
        predict(3, folder / "items.csv")  # type: ignore[arg-type]


@pytest.mark.parametrize("read", [pl.read_csv, pd.read_csv])
def test_items_may_be_a_frame(folder: Path, read: Callable[[Path], Any]) -> None:
    expected = train(folder / "items.csv", folder / "votes.csv")
    result = train(read(folder / "items.csv"), read(folder / "votes.csv"))
    np.testing.assert_array_equal(result.predictions.probs, expected.predictions.probs)
    assert predict(result, read(folder / "items.csv")).tasks.tolist() == TASKS


def test_items_may_be_an_array_in_the_order_of_the_votes(folder: Path) -> None:
    items = read_items(folder / "items.csv")
    expected = train(items, folder / "votes.csv")
    result = train(items.x[:30], folder / "votes.csv")
    np.testing.assert_array_equal(result.predictions.labels, expected.predictions.labels[:30])
    assert predict(result, items.x).tasks.tolist() == list(range(N))
    with pytest.raises(VotesError, match="the items have 40 rows, but the votes have 30 tasks: give one row per task"):
        train(items.x, folder / "votes.csv")
    with pytest.raises(VotesError, match=r"items must be Items, a frame .*, got ndarray of shape \(40,\)"):
        train(items.x[:, 0], folder / "votes.csv")


def test_a_learner_may_be_given_by_its_name(folder: Path) -> None:
    items, votes = folder / "items.csv", folder / "votes.csv"
    assert isinstance(train(items, votes, "linear").learner, Linear)
    with pytest.raises(UnknownNameError, match="there is no learner 'liner': did you mean 'linear'"):
        train(items, votes, "liner")
    with pytest.raises(MethodError, match=r"ensemble needs options: .* quorate\.learning\.Ensemble\(learner=\.\.\.\)"):
        train(items, votes, "ensemble")
    with pytest.raises(MethodError, match=r"learner must be an object .*, got the class Linear: write Linear\(\)"):
        train(items, votes, Linear)  # type: ignore[arg-type]


def test_a_trained_classifier_is_shown_in_one_line(folder: Path) -> None:
    shown = repr(train(folder / "items.csv", folder / "votes.csv"))
    assert shown == "TrainedClassifier(Linear, 2 classes, 40 items, 30 with votes)"
