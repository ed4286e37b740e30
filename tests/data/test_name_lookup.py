"""Values with a row per task are looked up by the names of tasks."""

import numpy as np
import pytest

from quorate import Votes, aggregate, decide, identify
from quorate.data.ids import as_names
from quorate.data.name_lookup import find_name, index_of_task
from quorate.errors import QuorateError, UnknownNameError

VOTES = Votes(
    task=np.array([0, 0, 1, 1, 2]),
    worker=np.array([0, 1, 0, 1, 0]),
    label=np.array([0, 0, 1, 1, 1]),
    tasks=as_names(["task 1", "task 2", "task 3"]),
    workers=as_names(["ann", "bob"]),
    classes=as_names(["cat", "dog"]),
)


def test_a_task_of_a_posterior() -> None:
    posterior = aggregate(VOTES, "naive_soft")
    task = posterior["task 2"]
    assert task.label == "dog"
    assert task.confidence == 1.0
    assert task.probs == {"cat": 0.0, "dog": 1.0}


def test_a_task_of_decisions() -> None:
    decisions = decide(VOTES, cost_error=1000)
    task, row = decisions["task 3"], decisions.to_frame().row(2, named=True)
    for name in ("action", "label", "confidence", "expected_cost", "value", "source", "reason"):
        assert getattr(task, name) == row[name]
    assert (task.ask or "") == row["ask"]


def test_a_task_without_label_or_voter_to_ask() -> None:
    decisions = decide(VOTES, cost_error=1.5)
    assert decisions["task 1"].ask is None
    decisions.label[0] = -1
    assert decisions["task 1"].label is None


def test_a_score_of_a_task() -> None:
    scores = identify(VOTES, "margin")
    assert scores["task 3"] == scores.values[2]


def test_len_in_and_iteration_are_of_tasks() -> None:
    for value in (aggregate(VOTES), decide(VOTES), identify(VOTES, "margin")):
        assert len(value) == 3
        assert list(value) == ["task 1", "task 2", "task 3"]
        assert "task 2" in value
        assert "task 4" not in value
        assert None not in value
        with pytest.raises(QuorateError, match="there is no task 'tsk 2': did you mean 'task 2'"):
            value["tsk 2"]


@pytest.mark.parametrize("name", [7, "7", 7.0, np.int64(7)])
def test_numbers_and_their_text_are_one_name(name: object) -> None:
    assert find_name(name, as_names([5, 7])) == 1
    assert find_name(name, as_names(["5", "7"])) == 1


def test_an_unknown_name_is_a_lookup_error_that_lists_examples() -> None:
    with pytest.raises(LookupError, match=r"^there is no task 9: there are 4 tasks, such as 0, 1, 2$"):
        index_of_task(9, as_names([0, 1, 2, 3]))
    with pytest.raises(UnknownNameError, match=r"^there is no task \('a',\): there are 0 tasks$"):
        index_of_task(("a",), as_names([]))
