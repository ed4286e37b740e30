from typing import Any

import pytest

from quorate.errors import MethodError
from quorate.service.forecasts.design import foretold
from tests.service.pools import settings

OWN: dict[str, Any] = {"policy": {"name": "expected_loss"}}
CRITERIA = [{"name": name, "classes": ["no", "yes"], "holds": "yes"} for name in ("trial", "adults")]


def test_fixed_numbers_of_votes_cost_what_they_cost() -> None:
    found = foretold(settings(**OWN, prices={"votes": {"crowd": 0.5}, "platform_fee": 0.2}), 1000, 0.8)
    assert set(found) == {"engine", "fixed_3", "fixed_5"}  # of the crowd alone, the engine is crowd_only
    assert found["fixed_3"]["votes"] == {"value": 3000, "low": 3000, "high": 3000}
    assert found["fixed_5"]["spend"]["value"] == pytest.approx(5 * 1000 * 0.6)
    assert found["fixed_5"]["errors"]["value"] < found["fixed_3"]["errors"]["value"]
    for strategy in found.values():
        for band in strategy.values():
            assert band["low"] <= band["value"] <= band["high"]


def test_the_same_is_foretold_again_and_in_proportion() -> None:
    idea = settings(**OWN)
    once, again, more = foretold(idea, 1000, 0.8), foretold(idea, 1000, 0.8), foretold(idea, 5000, 0.8)
    assert once == again
    assert more["engine"]["votes"]["value"] == pytest.approx(5 * once["engine"]["votes"]["value"])


def test_better_workers_and_cheaper_errors_take_fewer_votes() -> None:
    good, bad = (foretold(settings(**OWN), 100, accuracy)["engine"] for accuracy in (0.95, 0.65))
    assert good["votes"]["value"] < bad["votes"]["value"]
    cheap, dear = (foretold(settings(**OWN, costs={"error": error}), 100, 0.8)["engine"] for error in (5, 200))
    assert cheap["votes"]["value"] < dear["votes"]["value"]
    assert cheap["errors"]["value"] > dear["errors"]["value"]


def test_experts_and_many_questions_are_counted() -> None:
    experts = foretold(settings(**OWN, prices={"votes": {"crowd": 0.05, "expert": 0.5}}, costs={"error": 5}), 100, 0.7)
    assert experts["engine"] != experts["crowd_only"]
    questions = [{"name": f"q{n}", "classes": [f"c{k}" for k in range(n)]} for n in (2, 3, 5, 300)]
    several = foretold(settings(questions=questions), 100, 0.7)
    assert several["fixed_3"]["votes"]["value"] == 4 * 3 * 100


def test_screening_takes_its_criteria_one_at_a_time() -> None:
    found = foretold(settings(kind="screening", questions=CRITERIA, costs={"error": 40}), 1000, 0.85)
    assert found["fixed_3"]["votes"]["value"] == 6000
    assert 0 < found["engine"]["votes"]["value"] < found["fixed_5"]["votes"]["value"]
    assert found["engine"]["errors"]["value"] < found["fixed_3"]["errors"]["value"]


@pytest.mark.parametrize("accuracy", [0.5, 0.2, 1.5])
def test_workers_who_guess_are_refused(accuracy: float) -> None:
    with pytest.raises(MethodError, match="better than guessing"):
        foretold(settings(), 100, accuracy)
