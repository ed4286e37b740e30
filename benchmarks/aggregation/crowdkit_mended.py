"""crowd-kit's MMSR without the causes of different labels, one change at a time."""

from typing import Any

import attr
import numpy as np
import pandas as pd
from crowdkit.aggregation import MMSR

ALL = ("met", "votes", "reach", "trim", "signs")


@attr.s
class MendedMMSR(MMSR):  # type: ignore[misc]
    """MMSR with some of the changes in ALL.

    met: those who never met have covariation 0, not -1 / (K - 1), which counts them as opponents.
    votes: weights are added up; divided by their sum, they are turned round where it is negative.
    reach: a skill is limited by the number of the worker's own votes, not of all tasks.
    trim: a quarter of a worker's proposals is left out on each side, not half of what the least connected worker has.
    signs: from the agreement with others, weighted by skill and common tasks, not from one vote per pair.
    """

    mends: tuple[str, ...] = attr.ib(default=ALL)

    def _construnct_covariation_matrix(self, answers: pd.DataFrame) -> None:
        super()._construnct_covariation_matrix(answers)
        self._n_votes = (self._observation_matrix > 0).sum(axis=1)[:, None]
        if "met" in self.mends:
            self._covariation_matrix[self._n_common_tasks == 0] = 0

    def _remove_largest_and_smallest_F_value(self, x: Any, F: int, a: float, n_tasks: int) -> Any:  # noqa: N802, N803
        left_out = len(x) // 4 if "trim" in self.mends else F
        return MMSR._remove_largest_and_smallest_F_value(x, left_out, a, n_tasks)

    def _sign_determination_valid(self, C: Any, s_abs: Any) -> Any:  # noqa: N803
        skill = self._signs(C, s_abs) * s_abs if "signs" in self.mends else MMSR._sign_determination_valid(C, s_abs)
        if "reach" in self.mends:
            reach = 1 - 1 / np.sqrt(1 + self._n_votes)
            skill = np.clip(skill, -reach / (self._n_labels - 1), reach)
        return skill

    def _signs(self, covariation: Any, size: Any) -> Any:
        sign = np.ones_like(size)
        for _ in range(20):
            agreement = (self._n_common_tasks * covariation * (sign * size).T).sum(axis=1, keepdims=True)
            sign = np.where(agreement < 0, -1.0, 1.0)
        return sign

    def _apply(self, data: pd.DataFrame) -> "MendedMMSR":
        if "votes" not in self.mends:
            super()._apply(data)
            return self
        weight = data.join(self.skills_.rename("skill"), on="worker").groupby(["task", "label"])["skill"].sum()
        self.scores_ = weight.unstack("label", fill_value=0)
        self.labels_ = self.scores_.idxmax(axis="columns")
        return self
