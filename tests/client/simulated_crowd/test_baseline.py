import pytest

from quorate.client.simulated_crowd.baseline import fixed_majority
from quorate.client.simulated_crowd.people import people
from quorate.client.simulated_crowd.truth import Truth
from quorate.errors import MethodError

CLASSES = {"label": ["cat", "dog", "fox"]}
TRUTH = Truth({"label": {str(number): CLASSES["label"][number % 3] for number in range(400)}})


def test_more_votes_cost_more_and_err_less() -> None:
    crowd = people(20, n_experts=1, seed=1)
    one, five = (fixed_majority(crowd, TRUTH, CLASSES, n, seed=1) for n in (1, 5))
    assert (one.votes, five.votes) == (400, 2000)
    assert five.error < one.error / 2
    assert fixed_majority(crowd, TRUTH, CLASSES, 5, seed=1) == five


def test_each_question_is_asked() -> None:
    truth = Truth({"a": {"x": "yes"}, "b": {"x": "no"}})
    both = fixed_majority(people(5), truth, {"a": ["no", "yes"], "b": ["no", "yes"]}, 3)
    assert both.votes == 6


def test_experts_are_not_among_them() -> None:
    with pytest.raises(MethodError, match="3 votes an item need as many workers, got 2"):
        fixed_majority(people(2, n_experts=5), TRUTH, CLASSES, 3)


def test_what_is_screened_is_wrong_only_where_it_is_included_wrongly() -> None:
    truth = Truth({name: {str(number): "no" for number in range(200)} for name in ("a", "b", "c")})
    classes = {name: ["no", "yes"] for name in truth.labels}
    crowd = people(10, seed=2)
    each = fixed_majority(crowd, truth, classes, 1, seed=2)
    screened = fixed_majority(crowd, truth, classes, 1, seed=2, holds=dict.fromkeys(("a", "b", "c"), "yes"))
    assert screened.error < each.error / 5  # all three must be wrong at once
