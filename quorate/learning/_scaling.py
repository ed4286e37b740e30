"""Features brought to one scale, as it was in training."""

from typing import Any, Literal

import numpy as np
from scipy import sparse
from scipy.special import ndtri

from quorate.errors import VotesError
from quorate.learning._inputs import matrix

Scale = Literal["none", "standard", "shares", "ranks"]
N_QUANTILES = 201
MOST_DEVIATIONS = 3.0  # how far out a rank may lie


def learn_scale(x: Any, scale: Scale) -> dict[str, Any]:
    """What must be known of features to bring others to the same scale, as plain JSON.

    "standard": every feature has mean 0 and deviation 1 in training. "shares": first the square root of each feature's
    share in its item, for counts and activations, which are never negative. "ranks": a feature's rank in training, as
    the point of the normal distribution that has this rank; nothing lies further out than 3. Sparse features are not
    centred, and have no ranks: they would no longer be sparse.
    """
    numbers = matrix(x)
    known: dict[str, Any] = {"n_inputs": int(numbers.shape[1]), "scale": scale}
    if sparse.issparse(numbers):
        known["scale"] = "shares" if scale == "shares" else "none"
        return known
    if scale == "ranks":
        quantiles = np.quantile(numbers.astype(np.float64), np.linspace(0, 1, N_QUANTILES), axis=0)
        known["quantiles"] = quantiles.T.tolist()
    elif scale != "none":
        values = _root_shares(numbers) if scale == "shares" else numbers
        spread = values.std(axis=0, dtype=np.float64)
        known["mean"] = values.mean(axis=0, dtype=np.float64).tolist()
        known["deviation"] = np.where(spread > 1e-12, spread, 1.0).tolist()
    return known


def scaled(x: Any, known: dict[str, Any]) -> Any:
    """Checked features on the scale that was learnt."""
    numbers = matrix(x, known["n_inputs"])
    if sparse.issparse(numbers) and ("mean" in known or "quantiles" in known):
        numbers = numbers.toarray()  # it was learnt from dense features
    if known["scale"] == "ranks":
        return _ranks(numbers, np.array(known["quantiles"]))
    if known["scale"] == "shares":
        numbers = _root_shares(numbers)
    if "mean" not in known:
        return numbers
    return (numbers - np.array(known["mean"], np.float32)) / np.array(known["deviation"], np.float32)


def _root_shares(numbers: Any) -> Any:
    total = np.asarray(numbers.sum(axis=1), dtype=np.float32).reshape(-1, 1)
    lowest = numbers.min() if numbers.shape[0] else 0
    if lowest < 0:
        raise VotesError(f'scale="shares" is for features that are never negative, got {lowest}: use "standard"')
    total = np.where(total > 0, total, 1)
    if sparse.issparse(numbers):
        return sparse.csr_array(numbers.multiply(1 / total)).sqrt()
    return np.sqrt(numbers / total)


def _ranks(numbers: Any, quantiles: Any) -> Any:
    ranks = np.linspace(0, 1, quantiles.shape[1])
    result = np.empty_like(numbers)
    for column, known in enumerate(quantiles):
        # Where many items have the same value, the middle of their ranks is theirs.
        low = np.interp(numbers[:, column], known, ranks)
        high = 1 - np.interp(-numbers[:, column], -known[::-1], ranks)
        with np.errstate(divide="ignore"):
            result[:, column] = np.clip(ndtri((low + high) / 2), -MOST_DEVIATIONS, MOST_DEVIATIONS)
    return result
