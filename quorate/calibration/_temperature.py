"""One number for all classes: how a temperature changes probabilities, and how it is fitted."""

import numpy as np

from quorate.calibration._inputs import log_probs
from quorate.calibration._optimise import loss, lowest, softmax
from quorate.data.posterior import Array

COLDEST, HOTTEST = 0.05, 20.0
USUAL = 0.5  # the deviation of log T that few targets are trusted with


def at_temperature(probs: Array, temperature: float) -> Array:
    """Probabilities proportional to p^(1 / temperature): above one less sure than before, below one surer."""
    return softmax(log_probs(probs) / temperature)


def best_temperature(probs: Array, likelihood: Array, *, deviation: float = np.inf) -> float:
    """The temperature with the least loss; `deviation` is that of a normal prior of its logarithm around 0."""
    scores = log_probs(probs)

    def objective(log_temperature: float) -> float:
        prior = 0.5 * (log_temperature / deviation) ** 2 / len(scores)
        return loss(scores / np.exp(log_temperature), likelihood)[0] + prior

    return float(np.exp(lowest(objective, np.log(COLDEST), np.log(HOTTEST))))
