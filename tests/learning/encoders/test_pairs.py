import numpy as np
import pytest

from quorate.learning.encoders.pairs import PairFeatures

WORDS = [("a b", "a b"), ("a", "b"), ("b a", "a c"), ("", "a")]
FIRST = np.array([[1.0, 0], [3, 4], [0, 2], [1, 1]])
SECOND = np.array([[1.0, 0], [0, 1], [1, 0], [0, 0]])


def blocks() -> list[np.ndarray]:
    """Return u.v and the two overlaps of words and of letters, u * v, and |u - v|, worked out by hand."""
    u, v = np.array([[1, 0], [0.6, 0.8], [0, 1], [0.5**0.5, 0.5**0.5]]), np.array([[1.0, 0], [0, 1], [1, 0], [0, 0]])
    # Texts with a: 6, with b: 4, with c: 1, of 8 texts.
    a, b, c = np.log(9 / np.array([7, 5, 2])) + 1
    cosine = a * a / np.hypot(a, b) / np.hypot(a, c)
    similarities = [[1, 1, 1], [0.8, 0, 0], [0, cosine, 1 / 3], [0, 0, 0]]
    return [np.array(similarities), u * v, np.abs(u - v)]


def test_similarities_products_and_differences_are_as_worked_out_by_hand() -> None:
    features = PairFeatures.fit(WORDS, FIRST, SECOND)
    seen = features.apply(WORDS, FIRST, SECOND)
    assert seen.shape == (4, 5 + 4)
    similarities, products, differences = blocks()
    # Each similarity of five has a tenth of the variance, which is half of it in all.
    expected = (similarities - similarities.mean(axis=0)) / similarities.std(axis=0) * np.sqrt(0.1)
    np.testing.assert_allclose(seen[:, :3], expected, atol=1e-6)
    for block, share, columns in ((products, 0.35, seen[:, 5:7]), (differences, 0.15, seen[:, 7:])):
        centred = block - block.mean(axis=0)
        np.testing.assert_allclose(columns, centred * np.sqrt(share / (centred**2).sum(axis=1).mean()), atol=1e-6)


def test_shares_of_the_variance() -> None:
    rng = np.random.default_rng(0)
    first, second = rng.normal(size=(2, 50, 20))
    pairs = [(" ".join(rng.choice(list("abcdef"), 4)), " ".join(rng.choice(list("abcdef"), 4))) for _ in range(50)]
    variance = PairFeatures.fit(pairs, first, second).apply(pairs, first, second).var(axis=0)
    assert [variance[:5].sum(), variance[5:25].sum(), variance[25:].sum()] == pytest.approx([0.5, 0.35, 0.15], rel=1e-5)


def test_what_does_not_vary_has_no_share() -> None:
    pairs = [("a", "a"), ("b", "b"), ("", "")]
    same = np.eye(3)
    seen = PairFeatures.fit(pairs[:2], same[:2], same[:2]).apply(pairs, same, same)
    assert np.isfinite(seen).all()
    assert np.array_equal(seen[:, [0, 1, 2]], np.zeros((3, 3)))
    assert np.array_equal(seen[:, 8:], np.zeros((3, 3)))


def test_new_pairs_are_scaled_like_the_pool() -> None:
    features = PairFeatures.fit(WORDS, FIRST, SECOND)
    whole = features.apply(WORDS, FIRST, SECOND)
    np.testing.assert_allclose(features.apply(WORDS[2:], FIRST[2:], SECOND[2:]), whole[2:])
