"""Expectations and divergences of Dirichlet distributions."""

from quorate.typing import Array


def expected_log(dirichlet: Array, axis: int) -> Array:
    """Expected logarithms of probabilities that have a Dirichlet distribution along an axis."""
    from scipy.special import digamma

    expected: Array = digamma(dirichlet) - digamma(dirichlet.sum(axis=axis, keepdims=True))
    return expected


def surplus(dirichlet: Array, prior: Array, expected: Array, axis: int) -> float:
    """Sum of the divergences of Dirichlet distributions from their prior, given their expected logarithms."""
    from scipy.special import gammaln

    per_axis = axis - dirichlet.ndim + prior.ndim  # where the same axis is in the prior
    total = gammaln(dirichlet.sum(axis=axis)).sum() - gammaln(dirichlet).sum()
    alike = dirichlet.size // prior.size  # number of distributions with this prior
    total -= alike * (gammaln(prior.sum(axis=per_axis)).sum() - gammaln(prior).sum())
    return float(total + ((dirichlet - prior) * expected).sum())
