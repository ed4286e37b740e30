"""Expectations and divergences of Dirichlet distributions."""

from quorate.typing import Array


def expected_log(dirichlet: Array, axis: int) -> Array:
    """Return the expected log-probabilities under Dirichlet distributions along an axis."""
    from scipy.special import digamma

    expected: Array = digamma(dirichlet) - digamma(dirichlet.sum(axis=axis, keepdims=True))
    return expected


def kl_divergence(dirichlet: Array, prior: Array, expected: Array, axis: int) -> float:
    """Return the sum of the Kullback-Leibler divergences of Dirichlet distributions from their prior.

    Args:
        dirichlet: parameters of the distributions.
        prior: parameters of the prior; leading axes that it lacks are shared.
        expected: `expected_log(dirichlet, axis)`.
        axis: axis of `dirichlet` along which a distribution lies.
    """
    from scipy.special import gammaln

    prior_axis = axis - dirichlet.ndim + prior.ndim
    total = gammaln(dirichlet.sum(axis=axis)).sum() - gammaln(dirichlet).sum()
    n_sharing = dirichlet.size // prior.size  # distributions that share the prior
    total -= n_sharing * (gammaln(prior.sum(axis=prior_axis)).sum() - gammaln(prior).sum())
    return float(total + ((dirichlet - prior) * expected).sum())
