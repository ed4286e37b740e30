from typing import Any

import pytest

from quorate.errors import MethodError
from quorate.service.forecasts.design import forecast_design
from tests.service.pools import settings

OWN: dict[str, Any] = {"policy": {"name": "expected_loss"}}
CRITERIA = [{"name": name, "classes": ["no", "yes"], "holds": "yes"} for name in ("trial", "adults")]


def test_fixed_numbers_of_votes_cost_their_price() -> None:
    strategies = forecast_design(settings(**OWN, prices={"votes": {"crowd": 0.5}, "platform_fee": 0.2}), 1000, 0.8)
    assert set(strategies) == {"engine", "fixed_3", "fixed_5"}  # with a crowd alone, the engine is crowd_only
    assert strategies["fixed_3"]["votes"] == {"value": 3000, "low": 3000, "high": 3000}
    assert strategies["fixed_5"]["spend"]["value"] == pytest.approx(5 * 1000 * 0.6)
    assert strategies["fixed_5"]["errors"]["value"] < strategies["fixed_3"]["errors"]["value"]
    for strategy in strategies.values():
        for band in strategy.values():
            assert band["low"] <= band["value"] <= band["high"]


@pytest.mark.long
def test_forecasts_repeat_and_grow_in_proportion_to_the_items() -> None:
    first, second, larger = (forecast_design(settings(**OWN), items, 0.8) for items in (1000, 1000, 5000))
    assert first == second
    assert larger["engine"]["votes"]["value"] == pytest.approx(5 * first["engine"]["votes"]["value"])


def test_better_workers_and_cheaper_errors_take_fewer_votes() -> None:
    good, bad = (forecast_design(settings(**OWN), 100, accuracy)["engine"] for accuracy in (0.95, 0.65))
    assert good["votes"]["value"] < bad["votes"]["value"]
    cheap, expensive = (
        forecast_design(settings(**OWN, costs={"error": error}), 100, 0.8)["engine"] for error in (5, 200)
    )
    assert cheap["votes"]["value"] < expensive["votes"]["value"]
    assert cheap["errors"]["value"] > expensive["errors"]["value"]


@pytest.mark.long
def test_experts_and_many_questions_are_counted() -> None:
    experts = forecast_design(
        settings(**OWN, prices={"votes": {"crowd": 0.05, "expert": 0.5}}, costs={"error": 5}), 100, 0.7
    )
    assert experts["engine"] != experts["crowd_only"]
    questions = [{"name": f"q{n}", "classes": [f"c{k}" for k in range(n)]} for n in (2, 3, 5, 300)]
    several = forecast_design(settings(questions=questions), 100, 0.7)
    assert several["fixed_3"]["votes"]["value"] == 4 * 3 * 100


def test_screening_asks_criteria_one_at_a_time() -> None:
    strategies = forecast_design(settings(kind="screening", questions=CRITERIA, costs={"error": 40}), 1000, 0.85)
    assert strategies["fixed_3"]["votes"]["value"] == 6000
    assert 0 < strategies["engine"]["votes"]["value"] < strategies["fixed_5"]["votes"]["value"]
    assert strategies["engine"]["errors"]["value"] < strategies["fixed_3"]["errors"]["value"]


@pytest.mark.parametrize("accuracy", [0.5, 0.2, 1.5])
def test_workers_who_guess_are_refused(accuracy: float) -> None:
    with pytest.raises(MethodError, match="better than guessing"):
        forecast_design(settings(), 100, accuracy)
