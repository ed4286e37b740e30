"""Distances to people's votes: by hand, by scipy, and floors against simulated people whose shares are known."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.spatial.distance import jensenshannon
from scipy.stats import entropy

from quorate import Votes
from quorate.errors import VotesError
from quorate.metrics import against_people
from quorate.metrics.distance_to_votes import DISTANCES
from tests.sizes import sized

Floats = NDArray[np.float64]


def test_by_hand() -> None:
    probs = np.array([[0.5, 0.5], [0.25, 0.75], [0.9, 0.1]])
    result = against_people(probs, np.array([[3, 1], [0, 2], [0, 0]]))
    assert result.items == 2
    cross = np.array([-np.log(0.5), -np.log(0.75)])
    own = -0.75 * np.log(0.75) - 0.25 * np.log(0.25)
    assert result.cross_entropy.score == pytest.approx(cross.mean())
    assert result.kl.score == pytest.approx(cross.mean() - own / 2)
    assert result.total_variation.score == pytest.approx((0.25 + 0.25) / 2)


def test_as_scipy_has_them() -> None:
    random = np.random.default_rng(0)
    probs, counts = random.dirichlet(np.ones(3), size=20), 1 + random.integers(0, 5, size=(20, 3))
    result = against_people(probs, counts)
    assert result.kl.score == pytest.approx(entropy(counts, probs, axis=1).mean())
    assert result.jensen_shannon.score == pytest.approx((jensenshannon(counts, probs, axis=1) ** 2).mean())


def test_votes_are_counted() -> None:
    votes = Votes.from_matrix([[0, 0, 1], [1, 1, -1], [-1, -1, -1]])
    probs = np.array([[0.9, 0.1], [0.3, 0.7], [0.5, 0.5]])
    assert against_people(probs, votes) == against_people(probs, votes.counts())


def test_a_sure_model_is_not_infinitely_far() -> None:
    assert against_people(np.array([[1.0, 0.0]]), np.array([[0, 1]])).cross_entropy.score == pytest.approx(
        13.8, abs=0.1
    )


def test_one_vote_each_tells_no_floor() -> None:
    result = against_people(np.array([[0.9, 0.1], [0.2, 0.8]]), np.array([[1, 0], [0, 1]]))
    assert np.isnan(result.kl.floor)
    assert result.kl.score > 0


def test_without_votes_there_is_no_score() -> None:
    result = against_people(np.full((2, 2), 0.5), np.zeros((2, 2), dtype=int))
    assert result.items == 0
    assert np.isnan([result.cross_entropy.score, result.total_variation.score, result.kl.floor]).all()


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(VotesError, match=r"2 items and 2 classes of the predictions, got \(3, 2\)"):
        against_people(np.full((2, 2), 0.5), np.ones((3, 2), dtype=int))
    for odd in ([[0.5, 0.5]], [[-1, 2]]):
        with pytest.raises(VotesError, match="whole numbers"):
            against_people(np.full((1, 2), 0.5), np.array(odd))


# --- the floor, with known true shares


def per_class(random: np.random.Generator) -> Floats:
    """Return shares with one profile per class."""
    profiles = np.array([[0.6, 0.4, 0.0], [0.1, 0.8, 0.1], [0.05, 0.05, 0.9]])
    return profiles[random.integers(0, 3, size=1000)]


def spread_out(random: np.random.Generator) -> Floats:
    return random.dirichlet(np.full(3, 0.4), size=1000)


def all_alike(random: np.random.Generator) -> Floats:
    return np.tile([0.5, 0.3, 0.2], (1000, 1))


WORLDS = {"per class": per_class, "spread out": spread_out, "all alike": all_alike}


def drawn(truth: Floats, random: np.random.Generator, most: int = 9) -> NDArray[np.int64]:
    """Draw five to nine votes per item."""
    return random.multinomial(random.integers(5, most + 1, size=len(truth)), truth)


@pytest.mark.parametrize("world", WORLDS)
def test_the_floor_is_what_the_truth_scores(world: str) -> None:
    random = np.random.default_rng(1)
    truth = WORLDS[world](random)
    result = against_people(truth, drawn(truth, random))
    for name in DISTANCES:
        distance = getattr(result, name)
        assert distance.floor == pytest.approx(distance.score, rel=0.05 if name == "cross_entropy" else 0.1), name


def test_plain_shares_would_be_a_floor_too_low() -> None:
    """The entropy of the shares themselves, the naive floor of cross-entropy, is much too low with few votes."""
    random = np.random.default_rng(2)
    truth = spread_out(random)
    counts = drawn(truth, random)
    result = against_people(truth, counts)
    naive = entropy(counts, axis=1).mean()
    assert abs(result.cross_entropy.excess) < 0.2 * (result.cross_entropy.score - naive)


def test_the_excess_is_the_models_own() -> None:
    """A model that is wrong: the excess of kl and cross-entropy is its distance from the truth, votes being few."""
    random = np.random.default_rng(3)
    truth = spread_out(random)
    model = 0.7 * truth + 0.1
    result = against_people(model, drawn(truth, random))
    own = entropy(truth, model, axis=1).mean()
    assert result.kl.excess == pytest.approx(result.cross_entropy.excess)
    assert result.kl.excess == pytest.approx(own, abs=0.02)
    assert result.kl.score > 2 * own  # most of the distance is that votes are few


def test_the_floor_does_not_depend_on_the_model() -> None:
    counts = np.array([[3, 1], [0, 4], [2, 2]])
    first, other = (against_people(np.tile(row, (3, 1)), counts) for row in ([0.5, 0.5], [0.9, 0.1]))
    assert [getattr(first, name).floor for name in DISTANCES] == [getattr(other, name).floor for name in DISTANCES]


def test_the_seed_matters_to_what_is_drawn_alone_and_little() -> None:
    counts = np.array([[3, 1], [0, 4], [2, 2]])
    first, other = (against_people(np.full((3, 2), 0.5), counts, seed=seed) for seed in (0, 1))
    assert first.kl == other.kl
    assert first.total_variation.floor != other.total_variation.floor
    assert first.total_variation.floor == pytest.approx(other.total_variation.floor, rel=0.05)


@settings(max_examples=sized(8, 50), deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 12), st.integers(2, 4))
def test_what_always_holds(seed: int, n_items: int, n_classes: int) -> None:
    random = np.random.default_rng(seed)
    probs = random.dirichlet(np.full(n_classes, 0.3), size=n_items)
    counts = random.multinomial(random.integers(0, 5, size=n_items), random.dirichlet(np.ones(n_classes)))
    result = against_people(probs, counts)
    if result.items:
        assert result.kl.score >= -1e-12
        assert result.cross_entropy.score >= result.kl.score - 1e-12
        assert 0 <= result.jensen_shannon.score <= np.log(2)
        assert 0 <= result.total_variation.score <= 1
        # Pinsker: total variation is at most the root of half of kl.
        assert result.total_variation.score <= np.sqrt(result.kl.score / 2) + 1e-9
    if (counts.sum(axis=1) > 1).any():
        assert result.kl.floor >= -1e-9
        assert 0 <= result.jensen_shannon.floor <= np.log(2)
        assert 0 <= result.total_variation.floor <= 1
    more = np.vstack([counts, np.zeros((1, n_classes), dtype=int)])
    again = against_people(np.vstack([probs, probs[:1]]), more)
    for name in DISTANCES:
        first, second = getattr(result, name), getattr(again, name)
        assert [first.score, first.floor] == pytest.approx([second.score, second.floor], nan_ok=True)
