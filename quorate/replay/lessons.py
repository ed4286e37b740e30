"""What a machine was taught in a replay, how well it did each time, and what one more label would teach it."""

import numpy as np
from numpy.typing import NDArray

from quorate.data.costs import Costs
from quorate.data.posterior import Array
from quorate.replay.learning_curve import LearningCurve

LATEST = 20  # lessons that the curve is fitted to


class Lessons:
    """The risk of the machine's own answers after each lesson, and the curve through them.

    >>> lessons = Lessons(Costs.of_error(10, 2))
    >>> believed = np.array([[1.0, 0.0], [0.0, 1.0]])
    >>> lessons.add(believed, np.array([[0.6, 0.4], [0.7, 0.3]]), taught=np.array([True, True]))
    >>> lessons.labels, lessons.risks
    ([2], [5.0])
    """

    def __init__(self, costs: Costs) -> None:
        self.costs = costs
        self.labels: list[int] = []
        self.risks: list[float] = []
        self.curve = LearningCurve.fit([], [])

    def add(self, believed: Array, said: Array, taught: NDArray[np.bool_]) -> None:
        """Note what was believed of the tasks that it was taught, and what it said of them, out of fold."""
        if taught.any():
            risks = np.take_along_axis(self.costs.risks(believed[taught]), said[taught].argmax(axis=1)[:, None], axis=1)
            self.labels.append(int(taught.sum()))
            self.risks.append(float(risks.mean()))
            self.curve = LearningCurve.fit(self.labels[-LATEST:], self.risks[-LATEST:])

    def saving(self, labels: int, left: float) -> float:
        """What one more label saves on the items left, by the curve through the latest lessons."""
        return self.curve.saving(max(labels, 1), left)
