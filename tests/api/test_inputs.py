"""Verbs take votes, gold labels and probabilities as objects, frames or files alike."""

from collections.abc import Callable
from inspect import isfunction, signature
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import quorate
from quorate import Posterior, Votes
from quorate.api.inputs import GoldFile, as_gold, as_machines, as_probs, as_votes
from quorate.errors import FileError, MethodError, VotesError
from quorate.io.votes import to_polars

TABLE = {"task": ["a", "a", "b", "b"], "worker": ["x", "y", "x", "y"], "label": ["no", "no", "yes", "no"]}
GOLD = {"task": ["a", "b"], "label": ["no", "yes"]}
PROBS = {"task": ["b", "a"], "p_no": [0.1, 0.8], "p_yes": [0.9, 0.2]}
VOTES = Votes.from_frame(pl.DataFrame(TABLE))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, table in (("votes", TABLE), ("gold", GOLD), ("probs", PROBS)):
        pl.DataFrame(table).write_csv(tmp_path / f"{name}.csv")
    return tmp_path


VERBS: dict[str, Callable[[Any], Any]] = {
    "aggregate": lambda votes: quorate.aggregate(votes, gold=None).probs.tolist(),
    "join": lambda votes: quorate.join(votes, quorate.aggregate(VOTES)).probs.tolist(),
    "compare": lambda votes: to_polars(quorate.compare(votes, [0, 1], ["majority"]))["accuracy"].to_list(),
    "decide": lambda votes: to_polars(quorate.decide(votes, cost_error=5).to_frame()).rows(),
    "forecast": lambda votes: quorate.forecast(votes, cost_error=0.5, prices={"crowd": 1}).votes.value,
    "identify": lambda votes: quorate.identify(votes, "vote_entropy").values.tolist(),
    "workers": lambda votes: to_polars(quorate.workers(votes))["worker"].to_list(),
    "items": lambda votes: to_polars(quorate.items(votes))["label"].to_list(),
    "copies": lambda votes: len(quorate.copies(votes)),
    "agreement": lambda votes: quorate.agreement(votes)["pairwise_agreement"],
    "try_policies": lambda votes: quorate.try_policies(votes, [0, 1], ["fixed_votes"], seeds=1).votes.tolist(),
}


@pytest.mark.parametrize("name", VERBS)
def test_votes_are_the_same_from_a_frame_or_a_file(folder: Path, name: str) -> None:
    verb = VERBS[name]
    expected = verb(VOTES)
    assert verb(pl.DataFrame(TABLE)) == expected
    assert verb(pd.DataFrame(TABLE)) == expected
    assert verb(folder / "votes.csv") == expected
    assert verb(str(folder / "votes.csv")) == expected


@pytest.mark.parametrize("name", VERBS)
def test_a_missing_file_is_reported_as_on_the_command_line(folder: Path, name: str) -> None:
    with pytest.raises(FileError, match=r"none\.csv: there is no such file"):
        VERBS[name](folder / "none.csv")


def test_other_types_are_refused() -> None:
    with pytest.raises(VotesError, match="votes must be Votes, a frame of pandas, polars or pyarrow, or the path of a"):
        as_votes(np.zeros((2, 2)))  # type: ignore[arg-type]


def test_results_come_in_the_kind_of_frame_that_went_in() -> None:
    assert isinstance(quorate.workers(pd.DataFrame(TABLE)), pd.DataFrame)


def test_gold_labels(folder: Path) -> None:
    for gold in (pl.DataFrame(GOLD), pd.DataFrame(GOLD), folder / "gold.csv", str(folder / "gold.csv")):
        assert as_gold(gold, VOTES).tolist() == [0, 1]
    pl.DataFrame(GOLD).rename({"label": "truth"}).write_csv(folder / "named.csv")
    assert as_gold(GoldFile(path=folder / "named.csv", label="truth"), VOTES).tolist() == [0, 1]
    assert as_gold(None, VOTES) is None
    array = np.array([1, -1])
    assert as_gold(array, VOTES) is array
    fixed = quorate.aggregate(VOTES, gold=folder / "gold.csv")
    assert fixed.probs.argmax(axis=1).tolist() == [0, 1]


def test_probabilities_of_classifiers(folder: Path) -> None:
    path = folder / "probs.csv"
    (name, posterior), *_ = as_machines(path).items()
    assert (name, posterior.tasks.tolist()) == ("probs", ["b", "a"])
    files: list[str | Path] = [path, str(path)]
    assert list(as_machines(files)) == [str(path)]  # two files of one name go by their paths
    assert isinstance(as_probs(pl.DataFrame(PROBS)), Posterior)
    assert as_machines(None) is None
    by_array = quorate.decide(VOTES, machines=[[0.8, 0.2], [0.1, 0.9]], cost_error=5)
    for machines in (path, {"probs": path}, [path], pl.DataFrame(PROBS), {"one": pd.DataFrame(PROBS)}):
        decisions = quorate.decide(VOTES, machines=machines, cost_error=5)
        np.testing.assert_allclose(decisions.probs, by_array.probs)


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_a_frame_of_probabilities_without_tasks_is_an_array(frame: Any) -> None:
    probs = np.array([[0.8, 0.2], [0.1, 0.9]])
    assert np.array_equal(as_probs(frame(probs)), probs)
    assert (
        quorate.decide(VOTES, machines=frame(probs)).label.tolist()
        == quorate.decide(VOTES, machines=probs).label.tolist()
    )


def test_classes_that_no_vote_has_are_those_of_the_classifier(folder: Path) -> None:
    pl.DataFrame({"task": ["a"], "p_no": [0.7], "p_yes": [0.2], "p_maybe": [0.1]}).write_csv(folder / "three.csv")
    decisions = quorate.decide(folder / "votes.csv", machines=folder / "three.csv")
    assert sorted(decisions.classes.tolist()) == ["maybe", "no", "yes"]


@pytest.mark.parametrize("call", [lambda result: quorate.decide(VOTES, gold=result), np.asarray])
def test_a_result_is_not_taken_for_an_array(call: Callable[[Any], Any]) -> None:
    """numpy would make an array of the names of the tasks, which may be numbers."""
    with pytest.raises(VotesError, match="Posterior is not an array: use an attribute of it, such as labels"):
        call(quorate.aggregate(Votes.from_matrix([[0, 1], [1, 1]])))


def test_advice_about_columns_with_other_names_is_a_call_that_works(tmp_path: Path) -> None:
    frame = pl.DataFrame(TABLE).rename({"task": "item", "worker": "Worker"})
    frame.write_csv(path := tmp_path / "votes.csv")
    advice = r"no column 'task' .*: name yours, as in Votes\.from_frame\(frame, task='item', worker='Worker'\)$"
    with pytest.raises(VotesError, match=advice):
        quorate.aggregate(frame)
    assert quorate.aggregate(Votes.from_frame(frame, task="item", worker="Worker")).tasks.tolist() == ["a", "b"]
    with pytest.raises(VotesError, match=r"^votes\.csv: no column 'task' .*: name yours, as in (.*)$") as error:
        quorate.aggregate(path)
    assert len(eval(str(error.value).partition("as in ")[2], {"quorate": quorate})) == 4
    with pytest.raises(VotesError, match=r"as in votes\.gold\(frame, label='truth'\)$"):
        quorate.aggregate(VOTES, gold=pl.DataFrame({"task": ["a"], "truth": ["no"]}))
    with pytest.raises(VotesError, match=r"as in Posterior\.from_frame\(frame, task='\.\.\.'\)$"):
        quorate.decide(VOTES, machines=pl.DataFrame({"x": ["a"], "p_no": [0.5], "p_yes": [0.5]}))
    with pytest.raises(VotesError, match=r"as in Items\.from_frame\(frame, task='id'\)$"):
        quorate.train(pl.DataFrame({"id": ["a", "b"], "size": [1, 2]}), VOTES)


def test_advice_of_a_reader_names_its_option_and_that_of_the_command(tmp_path: Path) -> None:
    pl.DataFrame(TABLE).rename({"task": "item"}).write_csv(path := tmp_path / "votes.csv")
    with pytest.raises(VotesError, match=r"name yours with task='item' \(--columns task=item\)$"):
        quorate.read_votes(path)


@pytest.mark.parametrize(
    ("verb", "option", "parameter"),
    [
        (quorate.decide, "price", "prices"),
        (quorate.decide, "probs", "machines"),
        (quorate.forecast, "vote_per_day", "votes_per_day"),
        (quorate.aggregate, "priors", "prior"),
        (quorate.identify, "items", "x"),
    ],
)
def test_an_unknown_option_that_is_close_to_a_parameter_suggests_it(
    verb: Callable[..., Any], option: str, parameter: str
) -> None:
    with pytest.raises(MethodError, match=rf"has no option '{option}': did you mean {parameter}=\.\.\.\?$"):
        verb(VOTES, **{option: 1})


def test_other_unknown_options_are_left_to_the_method() -> None:
    with pytest.raises(MethodError, match="one_coin has no option 'max_round': it has max_rounds, strength, tol"):
        quorate.aggregate(VOTES, "one_coin", max_round=1)


@pytest.mark.parametrize("name", [name for name in quorate.__all__ if isfunction(getattr(quorate, name))])
def test_help_shows_the_names_of_types_and_not_what_they_stand_for(name: str) -> None:
    function = getattr(quorate, name)
    if function.__module__.startswith("quorate.api"):
        assert len(str(signature(function))) < 800
        assert "_nested_sequence" not in str(signature(function))
