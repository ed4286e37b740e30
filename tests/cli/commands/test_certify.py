"""`quorate certify`: the error of what was accepted, from a file of decisions and an audit."""

import json

import numpy as np
import polars as pl
import pytest

from tests.cli.running import Run

N = 600
CONFIDENCE = np.linspace(0.5, 1, N)
RIGHT = np.random.default_rng(0).random(N) < CONFIDENCE


@pytest.fixture
def run(call: Run, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Six hundred decisions, all "no", the last hundred by experts; an audit of half of the others."""
    monkeypatch.setenv("COLUMNS", "100")
    tasks = [f"t{row}" for row in range(N)]
    decisions = pl.DataFrame({"task": tasks, "action": ["accept"] * N, "label": ["no"] * N, "confidence": CONFIDENCE})
    source = pl.Series("source", ["model"] * 500 + ["expert"] * 100)
    decisions.with_columns(source, reason=pl.lit("enough votes agree")).write_csv("decisions.csv")
    labels = np.where(RIGHT, "no", "yes").tolist()
    pl.DataFrame({"task": tasks, "label": labels})[:500:2].write_csv("audit.csv")
    pl.DataFrame({"task": tasks, "label": labels})[500:].write_csv("known.csv")
    return call


def test_shows_error_certificate_and_classes(run: Run) -> None:
    code, out, err = run("certify decisions.csv audit.csv --target 0.2")
    assert (code, err) == (0, "")
    wrong = (~RIGHT[:500:2]).mean()
    assert f"All accepted: error {100 * wrong:.2f}% (90% interval " in out
    assert "from an audit of 250 of 500." in out
    assert "Certificate: at most 20% of the " in out
    yes = next(line for line in out.splitlines() if line.strip().startswith("yes"))
    assert yes.split()[1:] == [str((~RIGHT[:500:2]).sum()), "100.0%", "100.0%"]  # all were taken for "no"
    assert "is not certified for any" in run("certify decisions.csv audit.csv")[1]


def test_figures_for_programs(run: Run) -> None:
    figures = json.loads(run("certify decisions.csv audit.csv --target 0.2 --format json")[1])
    assert (figures["accepted"], figures["audited"]) == (500, 250)
    assert 0 < figures["certified"] < 500
    assert figures["error_low"] < figures["error"] < figures["error_high"]
    watched = json.loads(run("certify decisions.csv audit.csv --target 0.2 --watched --format json")[1])
    assert watched["certified"] <= figures["certified"]


@pytest.mark.parametrize("sentence", ["an expert said so", "an expert has labelled it", ""])
def test_no_sentence_changes_a_certificate(run: Run, sentence: str) -> None:
    decisions = pl.read_csv("decisions.csv")
    decisions.with_columns(reason=pl.lit(sentence)).write_csv("edited.csv")
    decisions.drop("reason").write_csv("without.csv")
    command = "certify {} audit.csv --target 0.2 --format json"
    assert run(command.format("edited.csv")) == run(command.format("decisions.csv"))
    assert run(command.format("without.csv")) == run(command.format("decisions.csv"))


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ("decisions.csv known.csv", "accepted because an expert said so: certify what was decided without this audit"),
        ("audit.csv audit.csv", "audit.csv: there is no column 'action'"),
        ("decisions.csv none.csv", "none.csv"),
        ("asks.csv audit.csv", "asks.csv: no label was accepted but those of experts"),
        ("odd.csv audit.csv", "odd.csv: action must be one of accept, ask, undecided, unclassifiable, got 'keep'"),
        ("someone.csv audit.csv", "someone.csv: source must be one of model, expert, got 'someone'"),
        ("older.csv audit.csv", "older.csv: there is no column 'source', which says whether a label comes from the"),
        ("older.csv audit.csv", "an older version wrote this file, so run `quorate decide --out` again"),
        ("twice.csv audit.csv", "twice.csv: some tasks come twice"),
        ("decisions.csv shouted.csv", "shouted.csv: the audit's label 'NO' and the decisions' label 'no' differ only"),
        ("decisions.csv numbers.csv", "numbers.csv: none of the audit's labels (such as '1') occurs in the decisions"),
        ("decisions.csv audit.csv --target 2", "target"),
    ],
)
def test_what_is_wrong_is_told_in_one_line(run: Run, files: str, message: str) -> None:
    decisions = pl.read_csv("decisions.csv")
    decisions.with_columns(action=pl.lit("ask")).write_csv("asks.csv")
    decisions.with_columns(action=pl.lit("keep")).write_csv("odd.csv")
    decisions.with_columns(source=pl.lit("someone")).write_csv("someone.csv")
    decisions.drop("source").write_csv("older.csv")
    pl.concat([decisions, decisions]).write_csv("twice.csv")
    audit = pl.read_csv("audit.csv")
    audit.with_columns(pl.col("label").str.to_uppercase()).write_csv("shouted.csv")
    audit.with_columns(label=pl.lit(1)).write_csv("numbers.csv")
    code, out, err = run(f"certify {files}")
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1
