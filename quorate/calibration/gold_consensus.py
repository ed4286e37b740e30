"""Gold labels that calibrate a consensus: a temperature and class offsets for the tasks without gold."""

from dataclasses import replace

import numpy as np

from quorate.calibration.map_offsets import MapOffsets
from quorate.calibration.temperature import at_temperature, best_temperature
from quorate.data.posterior import Posterior
from quorate.typing import Array, Gold


def calibrate_on_gold(clamped: Posterior, without_gold: Posterior, gold: Gold) -> Posterior:
    """Return the posterior with the probabilities of the tasks without gold calibrated on those with gold.

    The correction is fitted to the posterior that has not seen the gold labels. Gold of a single class says nothing
    about offsets: then only a temperature is fitted.

    Args:
        clamped: posterior of the votes and the gold labels, discounted.
        without_gold: posterior of the votes alone, discounted.
        gold: (n_tasks,), class index of the gold labels of tasks with votes, -1 = none.
    """
    rows = np.flatnonzero(gold >= 0)
    if not len(rows):
        return clamped
    probs, rest = clamped.probs.copy(), gold < 0
    probs[rest] = _correct(without_gold.probs[rows], gold[rows], probs[rest])
    note = f"calibrated on {len(rows)} gold label" + "s" * (len(rows) > 1)
    return replace(clamped, probs=probs, note="; ".join(filter(None, [clamped.note, note])))


def _correct(with_target: Array, targets: Gold, others: Array) -> Array:
    """Return the corrected probabilities of the other tasks, given those of tasks with a target."""
    if not len(others):
        return others
    if len(np.unique(targets)) > 1:
        return MapOffsets().fit(with_target, targets).transform(others)
    likelihood = np.eye(with_target.shape[1])[targets]
    return at_temperature(others, best_temperature(with_target, likelihood, deviation=MapOffsets.temperature_deviation))
