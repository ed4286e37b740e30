"""What every calibrator promises: each promise a function that fails where it is broken."""

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

MANY = 4000


@dataclass(frozen=True, eq=False)
class Case:
    """Items of which the truth is drawn from `true`: (n, n_classes); and their gold."""

    true: Array
    gold: NDArray[np.int64]

    def said(self, temperature: float) -> Array:
        """What a classifier says that is too sure (below one) or not sure enough (above one)."""
        scores = np.log(self.true) / temperature
        softmax_rows(scores)
        return scores


Check = Callable[[Any], None]


def calibrators() -> list[Any]:
    return [registry.method("calibration", name) for name in registry.names("calibration")]


@cache
def case(n_classes: int, n_items: int = MANY) -> Case:
    rng = np.random.default_rng(n_classes)
    scores = rng.normal(scale=1.5, size=(n_items, n_classes))
    softmax_rows(scores)
    gold = (rng.random((n_items, 1)) > scores.cumsum(axis=1)[:, :-1]).sum(axis=1)
    return Case(scores, gold)


def cases(calibrator: Any, n_items: int = MANY) -> list[Case]:
    """Two and four classes; only two where a calibrator says in one line that it takes no more."""
    four = case(4, n_items)
    try:
        deepcopy(calibrator).fit(four.true, four.gold)
    except MethodError as error:
        said = str(error)
    else:
        return [case(2, n_items), four]
    assert "two classes" in said
    assert "\n" not in said
    return [case(2, n_items)]


def mended(calibrator: Any, said: Array, targets: Any, new: Array | None = None) -> Array:
    """What a copy of the calibrator, fitted to these targets, makes of the same or of new probabilities."""
    found = deepcopy(calibrator).fit(said, targets).transform(said if new is None else new)
    assert isinstance(found, np.ndarray)
    return found


def same(a: Array, b: Array, tolerance: float = 1e-4) -> bool:
    return bool(np.allclose(a, b, atol=tolerance))


def gives_rows_that_sum_to_one(calibrator: Any) -> None:
    for each in cases(calibrator):
        for temperature in (0.5, 2.0):
            found = mended(calibrator, each.said(temperature), each.gold)
            assert found.shape == each.true.shape
            assert found.dtype == np.float64
            assert (found >= 0).all()
            assert np.allclose(found.sum(axis=1), 1)


def gives_the_same_twice(calibrator: Any) -> None:
    for each in cases(calibrator, 300):
        first, second = (mended(calibrator, each.said(0.5), each.gold) for _ in range(2))
        assert np.array_equal(first, second)


def follows_a_renaming_of_classes(calibrator: Any) -> None:
    for each in cases(calibrator, 300):
        rename = np.roll(np.arange(each.true.shape[1]), 1)  # class k becomes column rename^-1(k)
        turned = np.argsort(rename)[each.gold]
        said = each.said(0.5)
        assert same(mended(calibrator, said, each.gold)[:, rename], mended(calibrator, said[:, rename], turned))


def ignores_the_order_of_items(calibrator: Any) -> None:
    for each in cases(calibrator, 300):
        order, said = np.random.default_rng(1).permutation(300), each.said(0.5)
        assert same(mended(calibrator, said, each.gold), mended(calibrator, said[order], each.gold[order], said), 1e-5)


def leaves_its_input_alone(calibrator: Any) -> None:
    for each in cases(calibrator, 300):
        said, targets = each.said(0.5), np.eye(each.true.shape[1])[each.gold]
        before = said.copy(), targets.copy()
        mended(calibrator, said, targets)
        assert np.array_equal(said, before[0])
        assert np.array_equal(targets, before[1])


def takes_zeros_and_ones(calibrator: Any) -> None:
    for each in cases(calibrator, 300):
        said = each.said(0.5)
        said[::3] = np.eye(said.shape[1])[said[::3].argmax(axis=1)]
        found = mended(calibrator, said, each.gold)
        assert np.isfinite(found).all()
        assert np.allclose(found.sum(axis=1), 1)


def leaves_calibrated_probabilities_nearly_as_they_are(calibrator: Any) -> None:
    for each in cases(calibrator):
        assert np.abs(mended(calibrator, each.true, each.gold) - each.true).mean() < 0.03


def mends_what_is_too_sure_or_not_sure_enough(calibrator: Any) -> None:
    """On items that it was not fitted to."""
    for each in cases(calibrator):
        for temperature in (0.4, 2.5):
            said, half = each.said(temperature), MANY // 2
            found = mended(calibrator, said[:half], each.gold[:half], said[half:])
            before = expected_calibration_error(said[half:], each.gold[half:])
            assert expected_calibration_error(found, each.gold[half:]) < 0.5 * before


def takes_gold_as_rows_with_a_single_one(calibrator: Any) -> None:
    for each in cases(calibrator, 300):
        said, rows = each.said(0.5), np.eye(each.true.shape[1])[each.gold]
        scaled = rows * np.random.default_rng(2).uniform(0.1, 9, size=(len(rows), 1))  # a factor per row says nothing
        assert same(mended(calibrator, said, each.gold), mended(calibrator, said, rows))
        assert same(mended(calibrator, said, each.gold), mended(calibrator, said, scaled))


def learns_nothing_from_items_without_targets(calibrator: Any) -> None:
    for each in cases(calibrator, 300):
        said = each.said(0.5)
        half = np.where(np.arange(300) < 150, each.gold, -1)
        rows = np.where(half[:, None] < 0, 7.0, np.eye(said.shape[1])[half])
        alone = mended(calibrator, said[:150], each.gold[:150], said)
        assert same(alone, mended(calibrator, said, half))
        assert same(alone, mended(calibrator, said, rows))


def learns_from_votes_what_it_learns_from_gold(calibrator: Any) -> None:
    """Five votes an item by workers who are right seven times in ten, whose models are known."""
    for each in cases(calibrator):
        said = each.said(0.4)
        seen = likelihoods(*noisy_votes(each))
        by_gold, by_votes = mended(calibrator, said, each.gold), mended(calibrator, said, seen)
        assert np.abs(by_votes - by_gold).mean() < 0.03


def takes_few_items(calibrator: Any) -> None:
    for each in cases(calibrator, 300):
        for size in (2, 3, 5):
            rows = np.concatenate([np.flatnonzero(each.gold == 0)[:1], np.flatnonzero(each.gold == 1)[: size - 1]])
            found = mended(calibrator, each.said(0.5)[rows], each.gold[rows], each.true)
            assert np.isfinite(found).all()
            assert np.allclose(found.sum(axis=1), 1)


def takes_no_items_to_transform(calibrator: Any) -> None:
    for each in cases(calibrator, 300):
        none = np.empty((0, each.true.shape[1]))
        assert mended(calibrator, each.true, each.gold, none).shape == none.shape


def says_that_it_is_not_fitted(calibrator: Any) -> None:
    said = ""
    try:
        deepcopy(calibrator).transform([[0.5, 0.5]])
    except MethodError as error:
        said = str(error)
    assert "not fitted" in said
    assert "\n" not in said


def keeps_its_state_in_plain_numbers(calibrator: Any) -> None:
    for each in cases(calibrator, 300):
        said = each.said(0.5)
        fitted = deepcopy(calibrator).fit(said, each.gold)
        state = json.loads(json.dumps(fitted.state()))
        assert np.array_equal(deepcopy(calibrator).restore(state).transform(said), fitted.transform(said))


def noisy_votes(each: Case) -> tuple[Votes, Posterior]:
    """Votes of twenty workers, and a posterior whose model of them is right."""
    rng, (n_items, n_classes) = np.random.default_rng(3), each.true.shape
    task = np.repeat(np.arange(n_items), 5)
    worker = (np.arange(n_items)[:, None] + np.arange(5) * 4).ravel() % 20
    wrong = (each.gold[task] + rng.integers(1, n_classes, len(task))) % n_classes
    label = np.where(rng.random(len(task)) < 0.7, each.gold[task], wrong)
    votes = Votes.from_arrays(task, worker, label, n_classes=n_classes)
    prior = np.full(n_classes, 1 / n_classes)
    model = Coin(np.full(21, 0.7), n_classes)
    return votes, Posterior.of(votes, each.true, class_prior=prior, worker_model=model)


CHECKS: list[Check] = [
    gives_rows_that_sum_to_one,
    gives_the_same_twice,
    follows_a_renaming_of_classes,
    ignores_the_order_of_items,
    leaves_its_input_alone,
    takes_zeros_and_ones,
    leaves_calibrated_probabilities_nearly_as_they_are,
    mends_what_is_too_sure_or_not_sure_enough,
    takes_gold_as_rows_with_a_single_one,
    learns_nothing_from_items_without_targets,
    learns_from_votes_what_it_learns_from_gold,
    takes_few_items,
    takes_no_items_to_transform,
    says_that_it_is_not_fitted,
    keeps_its_state_in_plain_numbers,
]
