"""The verb: gold or votes, a method by name or as an object, and whether it helps."""

from typing import Any

import numpy as np
import pytest

from quorate import Votes, aggregate, simulate_votes
from quorate.calibration.identity_calibrator import Identity
from quorate.calibration.map_temperature import MapTemperature
from quorate.calibration.selection import SharesWarning, calibrate, vote_likelihoods
from quorate.calibration.temperature import Temperature
from quorate.errors import QuorateError, VotesError
from quorate.inference.kernels import softmax_rows
from quorate.learning.cross_fitting import cross_fit
from quorate.learning.learners.linear import Linear
from quorate.metrics import summary
from quorate.simulation.moons import two_moons
from quorate.typing import Array

CLASSES = ("a", "b", "c")


def crowd(temperature: float) -> tuple[Array, Votes, Any]:
    """Return predictions that this temperature would calibrate, and votes and gold on the same items."""
    drawn = simulate_votes(n_tasks=1500, classes=CLASSES, votes_per_task=5, seed=3)
    rng = np.random.default_rng(0)
    scores = np.eye(3)[drawn.gold] * 1.5 + rng.normal(size=(1500, 3))
    scores = scores * 1.5  # at this temperature it is calibrated: normal noise of deviation one, truth 1.5 higher
    probs = scores * temperature
    softmax_rows(probs)
    return probs, drawn.votes, drawn.gold


def temperature_of(result: Any) -> float:
    assert isinstance(result.calibrator, Temperature)
    return result.calibrator.temperature_


def test_by_gold() -> None:
    probs, _, gold = crowd(2.0)
    result = calibrate(probs, gold)
    assert temperature_of(result) == pytest.approx(2, rel=0.1)


def test_by_votes_through_workers_nearly_as_by_gold() -> None:
    """Not quite: on hard tasks all workers guess, which no model of workers alone can tell."""
    probs, votes, gold = crowd(2.0)
    by_gold, by_votes = calibrate(probs, gold), calibrate(probs, votes=votes)
    assert temperature_of(by_votes) == pytest.approx(temperature_of(by_gold), rel=0.25)
    by_one_coin = calibrate(probs, votes=votes, posterior=aggregate(votes, "one_coin"))
    assert temperature_of(by_one_coin) == pytest.approx(temperature_of(by_gold), rel=0.25)


def test_vote_shares_mislead_and_warn() -> None:
    probs, votes, gold = crowd(1.0)
    assert isinstance(calibrate(probs, votes=votes).calibrator, Identity | Temperature)
    with pytest.warns(SharesWarning, match="confidence becomes how far people agree"):
        by_shares = calibrate(probs, votes=votes, through="shares")
    assert temperature_of(by_shares) > 1.3 * Temperature().fit(probs, gold).temperature_


def test_a_method_is_a_name_or_an_object() -> None:
    probs, _, gold = crowd(2.0)
    assert isinstance(calibrate(probs, gold, method="map_temperature").calibrator, MapTemperature)
    own = MapTemperature(deviation=0.1)
    result = calibrate(probs, gold, method=own)
    assert result.note.startswith("map_temperature makes")
    assert not hasattr(own, "temperature_")  # what was given is not touched


def test_few_votes_a_worker_are_shrunk_more(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[float] = []

    class Spy:
        def __init__(self, strength: float) -> None:
            seen.append(strength)

        def aggregate(self, votes: Votes) -> Any:
            return aggregate(votes)

    monkeypatch.setattr("quorate.calibration.selection.DawidSkene", Spy)
    for votes_per_worker in (5, 10, 20, 40, 200):
        votes = Votes.from_matrix(np.arange(votes_per_worker)[:, None] % 2 + np.zeros((1, 3), dtype=int))
        vote_likelihoods(votes)
    assert seen == [32, 32, 8, 2, 2]


TWO = Votes.from_matrix([[0], [1]])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "give either targets .* or votes, and not both"),
        ({"targets": [0, 1], "votes": TWO}, "and not both"),
        ({"targets": [0, 1], "method": "warmth"}, "there is no calibrator 'warmth': choose one of beta, dirichlet"),
        ({"targets": [0, 1], "method": Temperature}, "a method is a name, or an object such as Temperature"),
        ({"targets": [0, 1], "through": "people"}, "through must be one of workers, shares, got 'people'"),
        ({"votes": Votes.from_matrix([[0, 1]] * 3)}, "probabilities of 2 items and 2 classes, but votes on 3 tasks"),
        ({"votes": "votes.csv"}, "votes must be Votes, got str"),
        ({"votes": TWO, "posterior": "dawid_skene"}, "posterior must be a Posterior, got str"),
        ({"targets": [0, 1], "seed": -1}, "seed must be zero or more, got -1"),
        ({"targets": [0, 1], "groups": [None, "a"]}, "groups must be numbers or names that can be sorted"),
        ({"targets": [0, 1], "groups": ["a"]}, r"the group of each of 2 items, got shape \(1,\)"),
    ],
)
def test_errors_are_one_line(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(QuorateError, match=message) as error:
        calibrate([[0.9, 0.1], [0.2, 0.8]], **arguments)
    assert "\n" not in str(error.value)


def test_groups_of_another_size_are_refused_by_shares_too() -> None:
    with pytest.warns(SharesWarning), pytest.raises(QuorateError, match="the group of each of 2 items"):
        calibrate([[0.9, 0.1], [0.2, 0.8]], votes=TWO, through="shares", groups=["a"])


def test_a_posterior_without_workers_is_refused() -> None:
    votes = Votes.from_matrix([[0, 1], [1, 1]])
    with pytest.raises(QuorateError, match="need a worker model"):
        calibrate([[0.9, 0.1], [0.2, 0.8]], votes=votes, posterior=aggregate(votes, "majority"))


def test_anonymous_votes_count_as_the_pools() -> None:
    probs, votes, gold = crowd(2.0)
    result = calibrate(probs, votes=Votes.from_counts(votes.counts()))
    assert temperature_of(result) == pytest.approx(temperature_of(calibrate(probs, gold)), rel=0.35)


def test_without_any_votes_there_is_nothing_to_learn() -> None:
    none = Votes.from_arrays([], [], [], n_classes=2, n_tasks=2)
    with pytest.raises(QuorateError, match="no item has a target"):
        calibrate([[0.9, 0.1], [0.2, 0.8]], votes=none)


def test_a_posterior_and_votes_in_the_wrong_place_are_told() -> None:
    votes = Votes.from_matrix([[0, 0], [1, 1]])
    posterior = aggregate(votes)
    with pytest.raises(VotesError, match=r"give its probabilities, posterior\.probs"):
        calibrate(posterior, [0, 1])
    with pytest.raises(VotesError, match=r"calibrate\(probs, votes=votes\)"):
        calibrate(posterior.probs, votes)  # type: ignore[arg-type]
    with pytest.raises(VotesError, match=r"give its probabilities, posterior\.probs"):
        summary(posterior, np.array([0, 1]))  # type: ignore[arg-type]


def test_workers_who_err_as_the_classifier_does_make_nothing_surer() -> None:
    """Use two moons: workers are classifiers of the same points; one agrees with softmax regression on any truth."""
    moons = two_moons(seed=0)
    probs = cross_fit(Linear(), moons.x, moons.votes)
    result = calibrate(probs, votes=moons.votes)
    assert not result.helped
    assert isinstance(result.calibrator, Identity)
    assert "it does not make those of all others more likely" in result.note
    assert result.gain > 2 * result.error  # item by item it looked like a gain


@pytest.mark.parametrize("anonymous", [False, True])
def test_workers_who_err_on_their_own_make_surer_what_is_not_sure_enough(anonymous: bool) -> None:
    random = np.random.default_rng(0)
    odds = 2 * random.normal(size=600)
    gold = (random.random(600) < 1 / (1 + np.exp(-odds))).astype(int)
    weak = 1 / (1 + np.exp(-odds / 4))
    right = random.random((600, 6)) < 0.8
    votes = Votes.from_matrix(np.where(right, gold[:, None], 1 - gold[:, None]))
    if anonymous:
        votes = Votes.from_counts(votes.counts())
    result = calibrate(np.column_stack([1 - weak, weak]), votes=votes)
    assert result.helped
    assert result.calibrator.temperature_ == pytest.approx(0.25, rel=0.4)  # type: ignore[attr-defined]


def test_a_single_worker_bears_nothing_out() -> None:
    random = np.random.default_rng(0)
    gold = random.integers(0, 2, 300)
    weak = np.where(gold, 0.6, 0.4)
    votes = Votes.from_matrix(gold[:, None])
    assert not calibrate(np.column_stack([1 - weak, weak]), votes=votes).helped
