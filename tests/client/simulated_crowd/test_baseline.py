import pytest

from quorate.client.simulated_crowd.baseline import fixed_majority
from quorate.client.simulated_crowd.people import people
from quorate.client.simulated_crowd.truth import Truth
from quorate.errors import MethodError

CLASSES = {"label": ["cat", "dog", "fox"]}
TRUTH = Truth({"label": {str(number): CLASSES["label"][number % 3] for number in range(400)}})


def test_more_votes_cost_more_and_err_less() -> None:
    crowd = people(20, n_experts=1, seed=1)
    single, five = (fixed_majority(crowd, TRUTH, CLASSES, n, seed=1) for n in (1, 5))
    assert (single.votes, five.votes) == (400, 2000)
    assert five.error < single.error / 2
    assert fixed_majority(crowd, TRUTH, CLASSES, 5, seed=1) == five


def test_each_question_is_asked() -> None:
    truth = Truth({"a": {"x": "yes"}, "b": {"x": "no"}})
    both = fixed_majority(people(5), truth, {"a": ["no", "yes"], "b": ["no", "yes"]}, 3)
    assert both.votes == 6


def test_experts_do_not_vote() -> None:
    with pytest.raises(MethodError, match="votes_per_task must be from 1 to 2, the workers, got 3"):
        fixed_majority(people(2, n_experts=5), TRUTH, CLASSES, 3)


def test_screening_counts_wrong_inclusions_only() -> None:
    truth = Truth({name: {str(number): "no" for number in range(200)} for name in ("a", "b", "c")})
    classes = {name: ["no", "yes"] for name in truth.labels}
    crowd = people(10, seed=2)
    labelled = fixed_majority(crowd, truth, classes, 1, seed=2)
    screened = fixed_majority(crowd, truth, classes, 1, seed=2, holds=dict.fromkeys(("a", "b", "c"), "yes"))
    assert screened.error < labelled.error / 5  # all three must be wrong at once
