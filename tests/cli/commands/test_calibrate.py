"""`quorate calibrate`: before and after, by gold and by votes; errors are one line."""

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from quorate.inference.kernels import softmax_rows
from quorate.metrics import log_loss
from quorate.typing import Array
from tests.cli.running import Run

N = 300
TASKS = [f"t{row:03d}" for row in range(N)]
RANDOM = np.random.default_rng(0)
CLASSES = np.array(["cat", "dog", "owl"])
GOLD = RANDOM.integers(0, 3, N)
SCORES = 3 * (1.5 * np.eye(3)[GOLD] + RANDOM.normal(size=(N, 3)))  # twice what would be calibrated
softmax_rows(SCORES)


@pytest.fixture
def run(call: Run) -> Run:
    """Write probabilities of three hundred tasks, all too sure; gold of two thirds; votes of six workers."""
    probs = {f"p_{name}": SCORES[:, column] for column, name in enumerate(CLASSES)}
    pl.DataFrame({"task": TASKS, **probs}).write_csv("probs.csv")
    pl.DataFrame({"task": TASKS[:200], "label": CLASSES[GOLD[:200]].tolist()}).write_csv("gold.csv")
    random = np.random.default_rng(1)
    labels = np.where(random.random((N, 6)) < 0.75, GOLD[:, None], random.integers(0, 3, (N, 6)))
    rows = [(TASKS[task], f"w{worker}", CLASSES[labels[task, worker]]) for task in range(N) for worker in range(6)]
    pl.DataFrame(rows, schema=["task", "worker", "label"], orient="row").write_csv("votes.csv")
    return call


def written(name: str) -> Array:
    return pl.read_csv(name).select(pl.col("^p_.*$")).to_numpy()


def record(out: str) -> dict[str, float]:
    figures: dict[str, float] = json.loads(out)
    return figures


def test_by_gold_shows_before_and_after(run: Run) -> None:
    code, out, err = run("calibrate probs.csv gold.csv")
    assert (code, err) == (0, "")
    for part in ("before", "temperature", "items with gold", "200", "ECE (calibration)", "NLL", "Brier", "accuracy"):
        assert part in out
    assert "Temperature makes the targets more likely by +0." in out


def test_figures_for_programs(run: Run) -> None:
    figures = record(run("calibrate probs.csv gold.csv --format json")[1])
    assert figures["helped"]
    assert figures["items"] == 200
    assert figures["after_ece"] < figures["before_ece"]
    assert figures["after_nll"] < figures["before_nll"]
    assert figures["after_accuracy"] == figures["before_accuracy"]
    assert "log_likelihood" not in " ".join(figures)
    assert run("calibrate probs.csv gold.csv --format csv")[1].startswith("name,value\nmethod,temperature\n")


def test_by_votes_needs_no_gold(run: Run) -> None:
    code, out, _ = run("calibrate probs.csv votes.csv")
    assert code == 0
    assert "log-likelihood of votes" in out
    assert "items with gold" not in out


def test_by_votes_nearly_as_by_gold(run: Run) -> None:
    for targets in ("gold.csv", "votes.csv"):
        assert run(f"calibrate probs.csv {targets} --out {targets}.out.csv")[0] == 0
    by_gold, by_votes = (written(f"{targets}.out.csv") for targets in ("gold.csv", "votes.csv"))
    assert np.abs(by_gold - by_votes).mean() < 0.03
    assert np.abs(by_gold - SCORES).mean() > 0.03


def test_gold_measures_what_votes_have_taught(run: Run) -> None:
    figures = record(run("calibrate probs.csv votes.csv --gold gold.csv --format json")[1])
    assert figures["items"] == 300
    assert figures["after_ece"] < figures["before_ece"]
    assert figures["after_votes_log_likelihood"] > figures["before_votes_log_likelihood"]


def test_applies_to_another_table_whose_columns_may_be_turned(run: Run) -> None:
    pl.read_csv("probs.csv").select("task", "p_owl", "p_dog", "p_cat").head(5).write_csv("other.csv")
    assert "Written: out.csv" in run("calibrate probs.csv gold.csv --apply other.csv --out out.csv")[1]
    assert run("calibrate probs.csv gold.csv --out all.csv")[0] == 0
    some, whole = pl.read_csv("out.csv"), pl.read_csv("all.csv")
    assert some.columns == ["task", "label", "confidence", "p_cat", "p_dog", "p_owl"]
    assert some["p_owl"].to_list() == pytest.approx(whole["p_owl"].to_list()[:5])


def test_what_it_writes_can_be_calibrated_again_and_is_left_alone(run: Run) -> None:
    assert run("calibrate probs.csv gold.csv --out once.csv")[0] == 0
    assert (
        "does not make the targets more likely beyond chance" in run("calibrate once.csv gold.csv --out twice.csv")[1]
    )
    assert written("twice.csv") == pytest.approx(written("once.csv"))


def test_draws(run: Run, tmp_path: Path) -> None:
    assert "Written: r.png" in run("calibrate probs.csv gold.csv --plot r.png")[1]
    assert (tmp_path / "r.png").stat().st_size > 10_000
    assert run("calibrate probs.csv votes.csv --gold gold.csv --plot v.svg")[0] == 0


def test_votes_as_gold_mislead_and_say_so(run: Run) -> None:
    out = run("calibrate probs.csv votes.csv --through shares")[1]
    assert "Each vote was taken for gold" in out


def test_votes_as_gold_are_measured_on_tasks_that_were_not_fitted_to(run: Run) -> None:
    """Compare what is written, fitted to all tasks, with what is shown, which is not and scores worse on them."""
    pl.read_csv("votes.csv").filter(pl.col("task") < "t150").write_csv("half.csv")
    command = "calibrate probs.csv half.csv --through shares --method isotonic --gold gold.csv --out after.csv"
    shown = record(run(f"{command} --format json")[1])
    assert shown["helped"]
    fitted = log_loss(written("after.csv")[:200], GOLD[:200])
    assert shown["after_nll"] > fitted + 1e-3
    assert shown["after_nll"] == pytest.approx(fitted, abs=0.1)


def test_votes_on_other_tasks_are_welcome_and_tasks_without_votes_too(run: Run) -> None:
    pl.read_csv("probs.csv").head(100).write_csv("some.csv")
    assert "over 100 items" in run("calibrate some.csv votes.csv")[1]
    pl.read_csv("votes.csv").filter(pl.col("task") < "t150").write_csv("half.csv")
    assert "over 150 items" in run("calibrate probs.csv half.csv")[1]


def test_kind_may_be_forced_and_columns_named(run: Run) -> None:
    pl.read_csv("gold.csv").with_columns(worker=pl.lit("me")).rename({"task": "id"}).write_csv("odd.csv")
    assert "200 items" in run("calibrate probs.csv odd.csv --kind gold --columns task=id")[1]
    pl.read_csv("votes.csv").rename({"worker": "who"}).write_csv("who.csv")
    assert "log-likelihood of votes" in run("calibrate probs.csv who.csv --columns worker=who")[1]


def test_few_tasks_are_left_as_they_are(run: Run) -> None:
    pl.read_csv("gold.csv").head(6).write_csv("few.csv")
    code, out, _ = run("calibrate probs.csv few.csv")
    assert code == 0
    assert "too few items with targets (6)" in out


@pytest.mark.parametrize("method", ["map_temperature --option deviation=0.2", "vector", "isotonic", "ensemble"])
def test_other_methods(run: Run, method: str) -> None:
    assert record(run(f"calibrate probs.csv gold.csv --format json --method {method}")[1])["helped"]


@pytest.mark.parametrize("width", ["60", "80", "120"])
def test_fits_the_terminal(run: Run, monkeypatch: pytest.MonkeyPatch, width: str) -> None:
    monkeypatch.setenv("COLUMNS", width)
    table = run("calibrate probs.csv votes.csv --gold gold.csv --method map_temperature")[1].rpartition("\nMap_")[0]
    assert max(len(line.rstrip()) for line in table.splitlines()) <= int(width)


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("calibrate none.csv gold.csv", "there is no such file"),
        ("calibrate probs.csv none.csv", "there is no such file"),
        ("calibrate odd.csv gold.csv", "odd.csv: probabilities, row 1 (task 't000'): "),
        ("calibrate probs.csv other.csv", "other.csv: it has no label for any of the tasks"),
        ("calibrate probs.csv strange.csv", "'fox'"),
        ("calibrate probs.csv faraway.csv", "there is no vote on any task of the probabilities (such as 't000')"),
        ("calibrate probs.csv same.csv", "all targets are of class 0: a calibrator needs items of two classes"),
        ("calibrate probs.csv gold.csv --method warmth", "there is no calibrator 'warmth'"),
        ("calibrate probs.csv gold.csv --method platt", "Platt is for two classes, got 3"),
        ("calibrate probs.csv gold.csv --option deviation", "--option takes NAME=VALUE"),
        ("calibrate probs.csv gold.csv --option deviation=1", "temperature has no option 'deviation'"),
        (
            "calibrate probs.csv gold.csv --apply two.csv",
            "two.csv: it has classes ['cat', 'dog'], but the other table has",
        ),
        ("calibrate probs.csv votes.csv --plot r.png", "needs gold labels: give them by --gold"),
        ("calibrate probs.csv gold.csv --plot r.xyz", "cannot draw 'xyz'"),
        ("calibrate probs.csv gold.csv --out p.xyz", "cannot tell the format"),
        ("calibrate probs.csv gold.csv --out probs.csv", "two of the files are the same"),
    ],
)
def test_errors_are_one_line(run: Run, tmp_path: Path, command: str, message: str) -> None:
    (tmp_path / "odd.csv").write_text("task,p_cat,p_dog\nt000,0.5,0.7\n")
    (tmp_path / "two.csv").write_text("task,p_cat,p_dog\nt000,0.5,0.5\n")
    (tmp_path / "other.csv").write_text("task,label\nx,cat\n")
    (tmp_path / "strange.csv").write_text("task,label\nt000,fox\n")
    (tmp_path / "faraway.csv").write_text("task,worker,label\nx,w,cat\nx,v,dog\n")
    (tmp_path / "same.csv").write_text("task,label\nt000,cat\nt001,cat\n")
    code, _, err = run(command)
    assert code == 2
    assert message in err
    assert err.count("\n") == 1


def test_shares_say_that_they_were_fitted_to_what_is_shown(run: Run) -> None:
    assert "On the tasks that it was fitted to" in run("calibrate probs.csv votes.csv --through shares")[1]
    assert "On tasks that it was not fitted to" in run("calibrate probs.csv votes.csv")[1]


def test_too_few_targets_promise_no_fit(run: Run) -> None:
    pl.read_csv("gold.csv").head(3).write_csv("few.csv")
    out = run("calibrate probs.csv few.csv")[1]
    assert out.startswith("As they are")
    assert "nothing is changed" in out


def test_options_of_votes_are_refused_with_known_labels(run: Run) -> None:
    pl.read_csv("gold.csv").write_csv("other.csv")
    for option in ("--gold other.csv", "--through shares"):
        code, _, err = run(f"calibrate probs.csv gold.csv {option}")
        assert code == 2
        assert f"{option.split()[0]} is for" in err
        assert "gold.csv holds gold labels: leave it out" in err


def test_a_table_without_probabilities_is_told_in_a_short_line(run: Run) -> None:
    pl.read_csv("votes.csv").head(1).drop("worker").write_csv("labels.csv")
    assert (
        "there are no probabilities (columns: task, label): give a column p_..."
        in run("calibrate labels.csv gold.csv")[2]
    )
    pl.DataFrame({"task": ["t000"], **{f"x{column}": [0.5] for column in range(100)}}).write_csv("items.csv")
    err = run("calibrate items.csv gold.csv")[2]
    assert "[0.5, 0.5, 0.5, 0.5, 0.5, 0.5, ...], sum 50, but entries must be zero or more and sum to 1" in err


def test_known_labels_tell_where_votes_mislead(run: Run) -> None:
    """Take three workers who all say what the classifier says, right or wrong: the votes call it surer than it is."""
    warning = "By the gold labels it is worse, as where votes err together"
    assert warning not in run("calibrate probs.csv votes.csv --gold gold.csv")[1]
    labels = CLASSES[SCORES.argmax(axis=1)]
    rows = [(task, f"w{worker}", label) for task, label in zip(TASKS, labels, strict=True) for worker in range(3)]
    pl.DataFrame(rows, schema=["task", "worker", "label"], orient="row").write_csv("alike.csv")
    out = run("calibrate probs.csv alike.csv --gold gold.csv --out calibrated.csv")[1]
    assert "makes the targets more likely" in out
    assert warning in out
    assert warning not in run("calibrate probs.csv alike.csv")[1]


def test_what_is_not_changed_is_not_called_worse(run: Run) -> None:
    """Take two moons, whose workers err as softmax regression does: nothing is changed, so nothing is to be undone."""
    run("simulate two_moons --out moons.csv --items-out items.csv --gold-out truth.csv")
    run("train items.csv moons.csv --out model --out-of-fold said.csv")
    out = run("calibrate said.csv moons.csv --gold truth.csv --out same.csv")[1]
    assert "nothing is changed" in out
    assert "it is worse" not in out
    assert pl.read_csv("same.csv")["p_0"].to_list() == pytest.approx(pl.read_csv("said.csv")["p_0"].to_list())
