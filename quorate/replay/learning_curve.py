"""What one more label teaches the classifier: a curve through its risks so far."""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import nnls

from quorate.errors import MethodError
from quorate.typing import Array

_FALLS = np.geomspace(0.1, 2.0, 40)  # the powers that are tried
_USUAL = 0.5  # what most classifiers' risk falls by; few points are drawn towards it
_ROUNDS = 10  # of weights that let single points lie far off


@dataclass(frozen=True, kw_only=True)
class LearningCurve:
    """Risk after n labels: floor + scale * n ** -fall. A scale of zero says that nothing more is learnt.

    >>> curve = LearningCurve.fit([50, 100, 200, 400], [13.1, 10.0, 8.1, 6.0])
    >>> curve.saving(400, left=1000) > curve.saving(400, left=10) > 0
    True
    """

    floor: float
    scale: float = 0.0
    fall: float = _USUAL

    @classmethod
    def fit(cls, labels: ArrayLike, risks: ArrayLike) -> Self:
        """The curve through what was seen: labels that the classifier was taught, and its risk out of fold after them.

        risks: expected cost per item of the classifier's own answers. For each power the best floor and scale of zero
        or more are found, by least squares that give less weight to points far off. Fewer than three numbers of labels,
        or points that speak no clearer for a fall than for none, give a flat curve, which values learning at nothing.
        """
        n, risk = _as_points(labels, risks)
        flat = cls(floor=float(np.median(risk)) if len(risk) else 0.0)
        if len(np.unique(n)) < 3:
            return flat
        found = [_bend(n, risk, fall) for fall in _FALLS]
        misfits = np.array([misfit for *_, misfit in found])
        drawn = misfits * np.exp(np.log(_FALLS / _USUAL) ** 2 / len(n))  # a pseudo-observation of the usual power
        floor, scale, misfit = found[int(drawn.argmin())]
        level = float(np.abs(risk - np.median(risk)).sum())
        # The curve has two numbers more than a line: by Schwarz's rule it must fit better by so much.
        clear = len(n) * np.log(max(level, 1e-300) / max(misfit, 1e-300)) > 2 * np.log(len(n))
        return cls(floor=floor, scale=scale, fall=float(_FALLS[drawn.argmin()])) if clear and scale > 0 else flat

    def risk(self, labels: ArrayLike) -> Array:
        """Expected cost per item when the classifier has been taught so many labels."""
        n = np.maximum(np.asarray(labels, dtype=np.float64), 1.0)
        return self.floor + self.scale * n**-self.fall

    def saving(self, labels: float, left: float, more: int = 1) -> float:
        """What each of the next labels saves on the items left: all `more` together, shared evenly.

        left: items still to be decided; in an endless pool, those expected to come while the classifier is of use.
        """
        first = max(labels, 1.0)  # the curve begins at one label: the first saves what the second does
        before, after = self.risk([first, first + more])
        return float((before - after) * left / more)


def _bend(n: Array, risk: Array, fall: float) -> tuple[float, float, float]:
    """Floor, scale, and the sum of what the curve is off by, for a given power."""
    columns = np.stack([np.ones(len(n)), n**-fall], axis=1)
    weights = np.ones(len(n))
    for _ in range(_ROUNDS):
        (floor, scale), _ = nnls(columns * weights[:, None], risk * weights)
        off = np.abs(risk - floor - scale * columns[:, 1])
        weights = 1 / np.sqrt(np.maximum(off, 1e-3 * risk.max() + 1e-12))  # least absolute deviations, in the end
    return float(floor), float(scale), float(off.sum())


def _as_points(labels: ArrayLike, risks: ArrayLike) -> tuple[Array, Array]:
    n, risk = np.asarray(labels, dtype=np.float64), np.asarray(risks, dtype=np.float64)
    if n.ndim != 1 or n.shape != risk.shape:
        raise MethodError(f"labels and risks must be flat and of one length, got shapes {n.shape} and {risk.shape}")
    known = np.isfinite(risk) & (n > 0)
    if (risk[known] < 0).any():
        raise MethodError("a risk is zero or more: give expected costs per item, out of fold")
    return n[known], risk[known]
