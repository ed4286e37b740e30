"""Contract of calibrators: every promise is a function that fails with an assertion if it is broken."""

import json
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate import registry
from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.data.worker_models import Coin
from quorate.errors import MethodError
from quorate.inference.bayes import likelihoods
from quorate.inference.kernels import softmax_rows
from quorate.metrics import expected_calibration_error
from quorate.typing import Array

N_ITEMS = 4000


@dataclass(frozen=True, eq=False)
class Case:
    """Items whose classes are drawn from `true`, (n, n_classes), and their gold labels."""

    true: Array
    gold: NDArray[np.int64]

    def predictions(self, temperature: float) -> Array:
        """Return the predictions of a classifier that is overconfident (below one) or underconfident (above one)."""
        scores = np.log(self.true) / temperature
        softmax_rows(scores)
        return scores


Check = Callable[[Any], None]


def calibrators() -> list[Any]:
    return [registry.method("calibration", name) for name in registry.names("calibration")]


@cache
def case(n_classes: int, n_items: int = N_ITEMS) -> Case:
    rng = np.random.default_rng(n_classes)
    scores = rng.normal(scale=1.5, size=(n_items, n_classes))
    softmax_rows(scores)
    gold = (rng.random((n_items, 1)) > scores.cumsum(axis=1)[:, :-1]).sum(axis=1)
    return Case(scores, gold)


def cases(calibrator: Any, n_items: int = N_ITEMS) -> list[Case]:
    """Return examples with two and four classes; only two if the calibrator refuses more in one line."""
    four = case(4, n_items)
    try:
        deepcopy(calibrator).fit(four.true, four.gold)
    except MethodError as error:
        message = str(error)
    else:
        return [case(2, n_items), four]
    assert "two classes" in message
    assert "\n" not in message
    return [case(2, n_items)]


def calibrated_probs(calibrator: Any, pred_probs: Array, targets: Any, new: Array | None = None) -> Array:
    """Return the same or new probabilities, calibrated by a copy of the calibrator that is fitted to the targets."""
    calibrated = deepcopy(calibrator).fit(pred_probs, targets).transform(pred_probs if new is None else new)
    assert isinstance(calibrated, np.ndarray)
    return calibrated


def same(a: Array, b: Array, tolerance: float = 1e-4) -> bool:
    return bool(np.allclose(a, b, atol=tolerance))


def gives_rows_that_sum_to_one(calibrator: Any) -> None:
    for example in cases(calibrator):
        for temperature in (0.5, 2.0):
            result = calibrated_probs(calibrator, example.predictions(temperature), example.gold)
            assert result.shape == example.true.shape
            assert result.dtype == np.float64
            assert (result >= 0).all()
            assert np.allclose(result.sum(axis=1), 1)


def gives_the_same_twice(calibrator: Any) -> None:
    for example in cases(calibrator, 300):
        first, second = (calibrated_probs(calibrator, example.predictions(0.5), example.gold) for _ in range(2))
        assert np.array_equal(first, second)


def follows_a_renaming_of_classes(calibrator: Any) -> None:
    for example in cases(calibrator, 300):
        rename = np.roll(np.arange(example.true.shape[1]), 1)  # class k becomes column rename^-1(k)
        turned = np.argsort(rename)[example.gold]
        pred_probs = example.predictions(0.5)
        assert same(
            calibrated_probs(calibrator, pred_probs, example.gold)[:, rename],
            calibrated_probs(calibrator, pred_probs[:, rename], turned),
        )


def ignores_the_order_of_items(calibrator: Any) -> None:
    for example in cases(calibrator, 300):
        order, pred_probs = np.random.default_rng(1).permutation(300), example.predictions(0.5)
        assert same(
            calibrated_probs(calibrator, pred_probs, example.gold),
            calibrated_probs(calibrator, pred_probs[order], example.gold[order], pred_probs),
            1e-5,
        )


def leaves_its_input_alone(calibrator: Any) -> None:
    for example in cases(calibrator, 300):
        pred_probs, targets = example.predictions(0.5), np.eye(example.true.shape[1])[example.gold]
        before = pred_probs.copy(), targets.copy()
        calibrated_probs(calibrator, pred_probs, targets)
        assert np.array_equal(pred_probs, before[0])
        assert np.array_equal(targets, before[1])


def takes_zeros_and_ones(calibrator: Any) -> None:
    for example in cases(calibrator, 300):
        pred_probs = example.predictions(0.5)
        pred_probs[::3] = np.eye(pred_probs.shape[1])[pred_probs[::3].argmax(axis=1)]
        result = calibrated_probs(calibrator, pred_probs, example.gold)
        assert np.isfinite(result).all()
        assert np.allclose(result.sum(axis=1), 1)


def leaves_calibrated_probabilities_nearly_as_they_are(calibrator: Any) -> None:
    for example in cases(calibrator):
        assert np.abs(calibrated_probs(calibrator, example.true, example.gold) - example.true).mean() < 0.03


def corrects_over_and_underconfidence(calibrator: Any) -> None:
    """Check items that it was not fitted to."""
    for example in cases(calibrator):
        for temperature in (0.4, 2.5):
            pred_probs, half = example.predictions(temperature), N_ITEMS // 2
            result = calibrated_probs(calibrator, pred_probs[:half], example.gold[:half], pred_probs[half:])
            before = expected_calibration_error(pred_probs[half:], example.gold[half:])
            assert expected_calibration_error(result, example.gold[half:]) < 0.5 * before


def takes_gold_as_rows_with_a_single_one(calibrator: Any) -> None:
    for example in cases(calibrator, 300):
        pred_probs, rows = example.predictions(0.5), np.eye(example.true.shape[1])[example.gold]
        scaled = rows * np.random.default_rng(2).uniform(0.1, 9, size=(len(rows), 1))  # a factor per row says nothing
        assert same(
            calibrated_probs(calibrator, pred_probs, example.gold), calibrated_probs(calibrator, pred_probs, rows)
        )
        assert same(
            calibrated_probs(calibrator, pred_probs, example.gold), calibrated_probs(calibrator, pred_probs, scaled)
        )


def learns_nothing_from_items_without_targets(calibrator: Any) -> None:
    for example in cases(calibrator, 300):
        pred_probs = example.predictions(0.5)
        half = np.where(np.arange(300) < 150, example.gold, -1)
        rows = np.where(half[:, None] < 0, 7.0, np.eye(pred_probs.shape[1])[half])
        alone = calibrated_probs(calibrator, pred_probs[:150], example.gold[:150], pred_probs)
        assert same(alone, calibrated_probs(calibrator, pred_probs, half))
        assert same(alone, calibrated_probs(calibrator, pred_probs, rows))


def learns_from_votes_what_it_learns_from_gold(calibrator: Any) -> None:
    """Five votes an item by workers who are right seven times in ten, whose models are known."""
    for example in cases(calibrator):
        pred_probs = example.predictions(0.4)
        seen = likelihoods(*noisy_votes(example))
        by_gold, by_votes = (
            calibrated_probs(calibrator, pred_probs, example.gold),
            calibrated_probs(calibrator, pred_probs, seen),
        )
        assert np.abs(by_votes - by_gold).mean() < 0.03


def takes_few_items(calibrator: Any) -> None:
    for example in cases(calibrator, 300):
        for size in (2, 3, 5):
            rows = np.concatenate(
                [np.flatnonzero(example.gold == 0)[:1], np.flatnonzero(example.gold == 1)[: size - 1]]
            )
            result = calibrated_probs(calibrator, example.predictions(0.5)[rows], example.gold[rows], example.true)
            assert np.isfinite(result).all()
            assert np.allclose(result.sum(axis=1), 1)


def takes_no_items_to_transform(calibrator: Any) -> None:
    for example in cases(calibrator, 300):
        none = np.empty((0, example.true.shape[1]))
        assert calibrated_probs(calibrator, example.true, example.gold, none).shape == none.shape


def says_that_it_is_not_fitted(calibrator: Any) -> None:
    message = ""
    try:
        deepcopy(calibrator).transform([[0.5, 0.5]])
    except MethodError as error:
        message = str(error)
    assert "not fitted" in message
    assert "\n" not in message


def keeps_its_state_in_plain_numbers(calibrator: Any) -> None:
    for example in cases(calibrator, 300):
        pred_probs = example.predictions(0.5)
        fitted = deepcopy(calibrator).fit(pred_probs, example.gold)
        state = json.loads(json.dumps(fitted.state()))
        assert np.array_equal(deepcopy(calibrator).restore(state).transform(pred_probs), fitted.transform(pred_probs))


def noisy_votes(example: Case) -> tuple[Votes, Posterior]:
    """Return votes of twenty workers, and a posterior with their true worker model."""
    rng, (n_items, n_classes) = np.random.default_rng(3), example.true.shape
    task = np.repeat(np.arange(n_items), 5)
    worker = (np.arange(n_items)[:, None] + np.arange(5) * 4).ravel() % 20
    wrong = (example.gold[task] + rng.integers(1, n_classes, len(task))) % n_classes
    label = np.where(rng.random(len(task)) < 0.7, example.gold[task], wrong)
    votes = Votes.from_arrays(task, worker, label, n_classes=n_classes)
    prior = np.full(n_classes, 1 / n_classes)
    model = Coin(np.full(21, 0.7), n_classes)
    return votes, Posterior.of(votes, example.true, class_prior=prior, worker_model=model)


CHECKS: list[Check] = [
    gives_rows_that_sum_to_one,
    gives_the_same_twice,
    follows_a_renaming_of_classes,
    ignores_the_order_of_items,
    leaves_its_input_alone,
    takes_zeros_and_ones,
    leaves_calibrated_probabilities_nearly_as_they_are,
    corrects_over_and_underconfidence,
    takes_gold_as_rows_with_a_single_one,
    learns_nothing_from_items_without_targets,
    learns_from_votes_what_it_learns_from_gold,
    takes_few_items,
    takes_no_items_to_transform,
    says_that_it_is_not_fitted,
    keeps_its_state_in_plain_numbers,
]
