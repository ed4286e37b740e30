import numpy as np
import polars as pl
import pytest

from quorate import Posterior, Votes
from quorate.decision.alignment import align_machines
from quorate.errors import VotesError

VOTES = Votes.from_frame(pl.DataFrame({"task": [7, 8], "worker": ["x", "x"], "label": ["no", "yes"]}))


def said(**columns: list[object]) -> Posterior:
    return Posterior.from_frame(pl.DataFrame(columns))


def test_rows_go_by_names_whatever_their_order_and_type() -> None:
    machine = said(task=["9", "8"], p_yes=[0.9, 0.4], p_no=[0.1, 0.6])
    votes, machines = align_machines(VOTES, {"first": machine})
    assert [str(name) for name in votes.tasks.tolist()] == ["7", "8", "9"]
    assert votes.votes_per_task.tolist() == [1, 1, 0]
    # of task 7 the machine says nothing: what it says on average
    np.testing.assert_allclose(machines["first"], [[0.35, 0.65], [0.6, 0.4], [0.1, 0.9]])


def test_an_array_is_of_the_tasks_of_the_votes() -> None:
    other = said(task=[7, 8, 9], p_no=[0.5, 0.5, 0.5], p_yes=[0.5, 0.5, 0.5])
    votes, machines = align_machines(VOTES, {"array": [[0.2, 0.8], [0.4, 0.6]], "table": other})
    assert votes.n_tasks == 3
    np.testing.assert_allclose(machines["array"], [[0.2, 0.8], [0.4, 0.6], [0.3, 0.7]])
    assert align_machines(VOTES, None) == (VOTES, {})


@pytest.mark.parametrize(
    ("machine", "message"),
    [
        ([[0.5, 0.5]], "1 tasks and 2 classes, but the votes have 2 tasks"),
        ([0.5, 0.5], r"got shape \(2,\)"),
        ([[0.5, 0.4], [0.5, 0.5]], r"probabilities of the machine, row 1: \[0.5, 0.4\], sum 0.9"),
        ([[0.5, 0.5], [1.5, -0.5]], r"row 2: \[1.5, -0.5\]"),
        (said(task=[7], p_no=[0.5], p_maybe=[0.5]), "has classes .* but the votes have"),
        (said(task=[1], p_no=[0.5], p_yes=[0.5]), r"no probabilities for any task of the votes \(such as 7\)"),
    ],
)
def test_wrong_arguments_are_refused(machine: object, message: str) -> None:
    with pytest.raises(VotesError, match=message):
        align_machines(VOTES, machine)  # type: ignore[arg-type]
