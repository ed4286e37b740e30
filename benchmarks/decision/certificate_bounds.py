"""How many audits it takes to certify a target: our anytime bound, the plain bets, one look, and the floor."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaln
from scipy.stats import binom

from quorate.audit.bounds.anytime import least_above, stake
from quorate.audit.fixed_sequence import audits_to_certify

DELTA = 0.1
Array = NDArray[np.float64]
Stake = Callable[[NDArray[np.bool_], float], Array]  # answers (runs, audits), target -> log stake after each audit


def ours(wrong: NDArray[np.bool_], target: float) -> Array:
    """Return the bound of the library: the stake is spread over four alternatives to the target."""
    return stake(np.cumsum(wrong, axis=1), np.arange(1, wrong.shape[1] + 1), target)


def ours_in_a_pool(wrong: NDArray[np.bool_], target: float) -> Array:
    """Return the same in a finite pool: each run is the whole pool in the order of its audit."""
    n_pool = wrong.shape[1]
    seen = np.cumsum(wrong, axis=1)
    return stake(seen, np.arange(1, n_pool + 1), least_above(target, n_pool), n_pool)


def plain(wrong: NDArray[np.bool_], target: float) -> Array:
    """Return the predictable plug-in bet of Waudby-Smith and Ramdas (2023), truncated at 1/2."""
    _, variance = _so_far(wrong)
    audit = np.arange(1, wrong.shape[1] + 1)
    size = np.sqrt(2 * np.log(1 / DELTA) / (variance * audit * np.log(1 + audit)))
    return _capital(wrong, target, np.minimum(size, 0.5 / (1 - target)))


def agrapa(wrong: NDArray[np.bool_], target: float) -> Array:
    """Return their aGRAPA bet, which follows the mean and variance seen so far, truncated at 1/2."""
    mean, variance = _so_far(wrong)
    gap = target - mean
    return _capital(wrong, target, np.clip(gap / (variance + gap**2), 0, 0.5 / (1 - target)))


def even_mixture(wrong: NDArray[np.bool_], target: float) -> Array:
    """Robbins' mixture over all rates alike, Beta(1/2, 1/2): tuned to no target."""
    count = np.cumsum(wrong, axis=1)
    right = np.arange(1, wrong.shape[1] + 1) - count
    mixed = betaln(count + 0.5, right + 0.5) - betaln(0.5, 0.5)
    return np.asarray(mixed - count * np.log(target) - right * np.log1p(-target))


def audits_until(
    log_stake: Stake, error: float, target: float, runs: int, *, n_pool: int | None = None
) -> NDArray[np.int64]:
    """Audits until the target is certified in each run, looked at after every audit; the horizon where it never is."""
    horizon = n_pool or int(60 / error)
    needed = []
    for begin in range(0, runs, 50):  # in blocks, for memory's sake
        rng, shape = np.random.default_rng(begin), (min(50, runs - begin), horizon)
        wrong = rng.random(shape) < error
        if n_pool is not None:
            wrong = rng.permuted(np.broadcast_to(np.arange(n_pool) < round(error * n_pool), shape), axis=1)
        passed = log_stake(wrong, target) >= -np.log(DELTA)
        needed.append(np.where(passed.any(axis=1), passed.argmax(axis=1) + 1, horizon))
    return np.concatenate(needed)


def one_look(error: float, target: float, chance: float) -> int:
    """Clopper and Pearson at a fixed number of audits: the smallest that certifies with this chance."""
    n_wrong = 0
    while True:
        audits = audits_to_certify(target, DELTA, n_wrong=n_wrong)
        if binom.cdf(n_wrong, audits, error) >= chance:
            return audits
        n_wrong += 1


def floor(error: float, target: float) -> float:
    """Wald's: on average, no test that may be looked at after every audit and ends in the end needs fewer."""
    divergence = error * np.log(error / target) + (1 - error) * np.log((1 - error) / (1 - target))
    return float(np.log(1 / DELTA) / divergence)


def chance_violated(n_wrong: int, n_pool: int, audits: int) -> float:
    """Return the exact probability that our bound is below the truth after any of the audits, over all samples."""
    counts = np.arange(n_wrong + 1)
    chance, violated = (counts == 0).astype(np.float64), 0.0  # (wrong so far,)
    for audited in range(1, min(audits, n_pool) + 1):
        is_wrong = (n_wrong - counts) / (n_pool - audited + 1)
        chance = chance * (1 - is_wrong) + np.append(0.0, (chance * is_wrong)[:-1])
        possible = counts <= audited
        broken = possible & (stake(np.minimum(counts, audited), audited, n_wrong, n_pool) >= -np.log(DELTA))
        violated += float(chance[broken].sum())
        chance[broken] = 0.0
    return violated


def _so_far(wrong: NDArray[np.bool_]) -> tuple[Array, Array]:
    """Mean and variance before each audit, with a half and a quarter to begin with: (runs, audits)."""
    audit = np.arange(1, wrong.shape[1] + 1)
    mean = (0.5 + np.cumsum(wrong, axis=1)) / (audit + 1)
    variance = (0.25 + np.cumsum((wrong - mean) ** 2, axis=1)) / (audit + 1)
    return _before(mean, 0.5), _before(variance, 0.25)


def _before(values: Array, first: float) -> Array:
    return np.concatenate([np.full((len(values), 1), first), values[:, :-1]], axis=1)


def _capital(wrong: NDArray[np.bool_], target: float, size: Array) -> Array:
    return np.asarray(np.cumsum(np.log1p(size * (target - wrong)), axis=1))
