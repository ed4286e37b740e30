"""Scaling of features, learnt from the training items."""

from typing import Any, Literal

import numpy as np
from scipy import sparse
from scipy.special import ndtri

from quorate.errors import VotesError
from quorate.learning.inputs import matrix

Scale = Literal["none", "standard", "shares", "ranks"]
N_QUANTILES = 201
MAX_DEVIATIONS = 3.0  # at which the normal scores of ranks are clipped


def learn_scale(x: Any, scale: Scale) -> dict[str, Any]:
    """Return what `scaled` needs to bring other features to the same scale, as plain JSON.

    "standard": every feature has mean 0 and deviation 1 in training. "shares": first the square root of each feature's
    share in its item, for counts and activations, which are never negative. "ranks": the quantile of the normal
    distribution at the rank of a value in training, clipped to -3 and 3. Sparse features are neither centred nor
    ranked, since they would no longer be sparse.
    """
    numbers = matrix(x)
    spec: dict[str, Any] = {"n_inputs": int(numbers.shape[1]), "scale": scale}
    if sparse.issparse(numbers):
        spec["scale"] = "shares" if scale == "shares" else "none"
        return spec
    if scale == "ranks":
        quantiles = np.quantile(numbers.astype(np.float64), np.linspace(0, 1, N_QUANTILES), axis=0)
        spec["quantiles"] = quantiles.T.tolist()
    elif scale != "none":
        values = _root_shares(numbers) if scale == "shares" else numbers
        spread = values.std(axis=0, dtype=np.float64)
        spec["mean"] = values.mean(axis=0, dtype=np.float64).tolist()
        spec["deviation"] = np.where(spread > 1e-12, spread, 1.0).tolist()
    return spec


def scaled(x: Any, spec: dict[str, Any]) -> Any:
    """Return checked features on the scale of `learn_scale`: (n, n_inputs)."""
    numbers = matrix(x, spec["n_inputs"])
    if sparse.issparse(numbers) and ("mean" in spec or "quantiles" in spec):
        numbers = numbers.toarray()  # the scale was learnt from dense features
    if spec["scale"] == "ranks":
        return _ranks(numbers, np.array(spec["quantiles"]))
    if spec["scale"] == "shares":
        numbers = _root_shares(numbers)
    if "mean" not in spec:
        return numbers
    return (numbers - np.array(spec["mean"], np.float32)) / np.array(spec["deviation"], np.float32)


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
    for column, values in enumerate(quantiles):
        # Items with the same value all get the middle of their ranks.
        low = np.interp(numbers[:, column], values, ranks)
        high = 1 - np.interp(-numbers[:, column], -values[::-1], ranks)
        with np.errstate(divide="ignore"):
            result[:, column] = np.clip(ndtri((low + high) / 2), -MAX_DEVIATIONS, MAX_DEVIATIONS)
    return result
