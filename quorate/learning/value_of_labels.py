"""Value of one more label for the training of a classifier, by its learning curve."""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import nnls

from quorate.data.costs import Costs
from quorate.errors import MethodError
from quorate.learning.tuning import TUNING
from quorate.typing import Array


@dataclass(frozen=True, kw_only=True)
class LearningCurve:
    """Risk of a classifier after n labels: floor + scale * n ** -fall. With a scale of zero nothing more is learned.

    >>> curve = LearningCurve.fit([50, 100, 200, 400], [13.1, 10.0, 8.1, 6.0])
    >>> curve.saving(400, left=1000) > curve.saving(400, left=10) > 0
    True
    """

    floor: float
    scale: float = 0.0
    fall: float = TUNING.typical_power

    @classmethod
    def fit(cls, labels: ArrayLike, risks: ArrayLike) -> Self:
        """Fit a curve to the risks of a classifier after several lessons.

        For each power the best non-negative floor and scale are computed by robust least squares, which give outlying
        points less weight. The curve is flat, so that learning is worth nothing, if there are fewer than three
        different numbers of labels, or if a falling curve does not fit clearly better than a level.

        Args:
            labels: number of labels that the classifier was taught in each lesson.
            risks: its out-of-fold risk after each lesson: expected cost per task of its own predictions.
        """
        n, risk = _as_points(labels, risks)
        flat = cls(floor=float(np.median(risk)) if len(risk) else 0.0)
        if len(np.unique(n)) < 3:
            return flat
        powers = np.geomspace(*TUNING.powers)
        fits = [_fit_power(n, risk, power) for power in powers]
        misfits = np.array([misfit for *_, misfit in fits])
        # one pseudo-observation of the typical power
        penalized = misfits * np.exp(np.log(powers / TUNING.typical_power) ** 2 / len(n))
        best = int(penalized.argmin())
        floor, scale, misfit = fits[best]
        level = float(np.abs(risk - np.median(risk)).sum())
        # The curve has two parameters more than a level: by the Schwarz criterion it must fit better by this much.
        clear = len(n) * np.log(max(level, 1e-300) / max(misfit, 1e-300)) > 2 * np.log(len(n))
        return cls(floor=floor, scale=scale, fall=float(powers[best])) if clear and scale > 0 else flat

    def risk(self, labels: ArrayLike) -> Array:
        """Return the expected cost per task when the classifier has been taught these numbers of labels."""
        n = np.maximum(np.asarray(labels, dtype=np.float64), 1.0)
        return self.floor + self.scale * n**-self.fall

    def saving(self, labels: float, left: float, more: int = 1) -> float:
        """Return what each of the next labels saves on the tasks left.

        Args:
            labels: number of labels so far.
            left: number of tasks still to be decided; in an endless stream, of those expected to come while the
                classifier is of use.
            more: number of labels to come; what they save together is shared evenly.
        """
        first = max(labels, 1.0)  # the curve begins at one label: the first saves what the second does
        before, after = self.risk([first, first + more])
        return float((before - after) * left / more)


class LearningValue:
    """Risk of a classifier's own predictions after each lesson, and the value of one more label.

    >>> value = LearningValue(Costs.of_error(10, 2))
    >>> targets = np.array([[1.0, 0.0], [0.0, 1.0]])
    >>> value.add(targets, np.array([[0.6, 0.4], [0.7, 0.3]]), taught=np.array([True, True]))
    >>> value.labels, value.risks
    ([2], [5.0])
    """

    def __init__(self, costs: Costs) -> None:
        self.costs = costs
        self.labels: list[int] = []
        self.risks: list[float] = []
        self._curve: LearningCurve | None = None  # fitted when it is needed first

    @property
    def n_labels(self) -> int:
        """Number of labels in the latest lesson; 0 before the first."""
        return self.labels[-1] if self.labels else 0

    def add(self, targets: Array, pred_probs: Array, *, taught: NDArray[np.bool_]) -> None:
        """Record the risk after a lesson.

        Args:
            targets: class probabilities that the classifier was taught, (n_tasks, n_classes).
            pred_probs: its out-of-fold predictions after the lesson, (n_tasks, n_classes).
            taught: the tasks that were in the lesson, (n_tasks,).
        """
        if taught.any():
            predicted = pred_probs[taught].argmax(axis=1)[:, None]
            risks = np.take_along_axis(self.costs.risks(targets[taught]), predicted, axis=1)
            self.labels.append(int(taught.sum()))
            self.risks.append(float(risks.mean()))
            self._curve = None

    def saving(self, labels: int, left: float) -> float:
        """Return what one more label saves on the tasks left, by a curve fitted to the latest lessons."""
        if self._curve is None:
            latest = slice(-TUNING.latest_lessons, None)
            self._curve = LearningCurve.fit(self.labels[latest], self.risks[latest])
        return self._curve.saving(max(labels, 1), left)


def _fit_power(n: Array, risk: Array, power: float) -> tuple[float, float, float]:
    """Return floor, scale and the sum of absolute residuals of the curve with this power."""
    columns = np.stack([np.ones(len(n)), n**-power], axis=1)
    weights = np.ones(len(n))
    for _ in range(TUNING.robust_rounds):
        (floor, scale), _ = nnls(columns * weights[:, None], risk * weights)
        residual = np.abs(risk - floor - scale * columns[:, 1])
        weights = 1 / np.sqrt(np.maximum(residual, 1e-3 * risk.max() + 1e-12))  # approaches least absolute deviations
    return float(floor), float(scale), float(residual.sum())


def _as_points(labels: ArrayLike, risks: ArrayLike) -> tuple[Array, Array]:
    n, risk = np.asarray(labels, dtype=np.float64), np.asarray(risks, dtype=np.float64)
    if n.ndim != 1 or n.shape != risk.shape:
        raise MethodError(f"labels and risks must be flat and of one length, got shapes {n.shape} and {risk.shape}")
    usable = np.isfinite(risk) & (n > 0)
    if (risk[usable] < 0).any():
        raise MethodError("a risk is zero or more: give expected costs per task, out of fold")
    return n[usable], risk[usable]
