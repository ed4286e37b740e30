"""Tuned constants: each is read from the dataclass of its package, so that a test can vary it."""

from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import quorate
from quorate import Votes
from quorate.audit import drift, value_of_audit
from quorate.audit import tuning as audit_tuning
from quorate.calibration import tuning as calibration_tuning
from quorate.decision import classifier_trust, classifier_weights
from quorate.decision import tuning as decision_tuning
from quorate.forecasts import forecast, projection
from quorate.forecasts import tuning as forecast_tuning
from quorate.forecasts.rollout import Rehearsed
from quorate.inference import class_balance, crowd_model, pool_prior
from quorate.inference import tuning as inference_tuning
from quorate.learning import tuning as learning_tuning
from quorate.learning import value_of_labels
from quorate.quality import tuning as quality_tuning
from quorate.quality.workers import copying
from quorate.replay import session
from quorate.replay import tuning as replay_tuning

VOTES = Votes.from_matrix([[0, 0, 1], [1, 1, 1], [0, 1, 0], [1, 0, 1]] * 5)
PROBS = np.tile([[0.8, 0.2], [0.1, 0.9], [0.7, 0.3], [0.3, 0.7]], (5, 1))
LIKELIHOOD = np.tile([[0.9, 0.1], [0.2, 0.8], [0.4, 0.6], [0.5, 0.5]], (5, 1))


def crowd() -> Any:
    return crowd_model.fit_crowd(VOTES, PROBS).table


def common_classes() -> Any:
    return pool_prior.class_prior(VOTES, PROBS, None)


def fitted_power() -> Any:
    return value_of_labels.LearningCurve.fit([9, 20, 40], [9, 5, 4]).fall


def machine_weight() -> Any:
    return classifier_weights.fit_weight_and_noise(np.log(PROBS), np.full(2, 0.5), LIKELIHOOD)


def trust_in_weak_classifier() -> Any:
    return classifier_trust.earned_trust(PROBS, LIKELIHOOD, 0.0)


@pytest.mark.parametrize(
    "tuning",
    [
        audit_tuning,
        calibration_tuning,
        decision_tuning,
        forecast_tuning,
        inference_tuning,
        learning_tuning,
        quality_tuning,
        replay_tuning,
    ],
)
def test_every_constant_is_read(tuning: ModuleType) -> None:
    folder = Path(quorate.__file__).parent / tuning.__name__.split(".")[1]
    code = "".join(path.read_text(encoding="utf-8") for path in folder.rglob("*.py"))
    assert [one.name for one in fields(tuning.TUNING) if f"TUNING.{one.name}" not in code] == []


@pytest.mark.parametrize(
    ("module", "name", "value", "result"),
    [
        (crowd_model, "anchor_votes", 5.0, crowd),
        (crowd_model, "anchor_share", 0.9, crowd),
        (crowd_model, "min_answer_prob", 0.1, crowd),
        (crowd_model, "typical_accuracy", 0.6, crowd),
        (pool_prior, "prior_even_tasks", 500.0, common_classes),
        (classifier_weights, "machine_weights", (0.5,), machine_weight),
        (value_of_audit, "max_effect", 0.1, lambda: value_of_audit.learning_effect(200, stakes=5)),
        (drift, "checks_to_know", 5, lambda: drift.Disagreement(differs=[True] * 18).usual() is None),
        (class_balance, "max_entropy_gap", 0.5, lambda: class_balance.is_balanced(VOTES)),
        (copying, "false_alarm", 0.5, lambda: copying._threshold(100)),
        (projection, "pseudo_votes", 50.0, lambda: simulated().doubt),
        (session, "min_batch", 1, lambda: session.batch_size(30, 0.2, 1000)),
        (session, "batch_of_pool", 0.1, lambda: session.batch_size(900, 0.2, 1000)),
        (classifier_trust, "gain_share_ignored", 0.0, trust_in_weak_classifier),
        (classifier_trust, "gain_share_trusted", 0.5, trust_in_weak_classifier),
        (value_of_labels, "powers", (1.0, 1.0, 1), fitted_power),
        (forecast, "least_doubt", 1.0, lambda: forecast.middle_and_spread(simulated())),
    ],
)
def test_a_constant_can_be_varied(
    module: Any, name: str, value: float, result: Callable[[], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = result()
    monkeypatch.setattr(module, "TUNING", replace(module.TUNING, **{name: value}))
    assert not np.array_equal(result(), before)


def simulated() -> projection.Simulated:
    runs = Rehearsed(votes=np.array([[40], [60]]), error_cost=np.zeros(2))
    return projection.Simulated(n_asking=10, runs=runs, halves=np.array([30.0, 80.0]))
