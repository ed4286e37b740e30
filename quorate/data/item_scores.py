"""ItemScores: how ambiguous items are, by a score that says which of its ends is the ambiguous one."""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from quorate.data.frames import FrameKind, make_frame
from quorate.data.ids import Names
from quorate.typing import Array

End = Literal["low", "high"]


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class ItemScores:
    """One number per task, and which end of them is ambiguous; everything that ranks items follows it.

    values: (n_tasks,); NaN where nothing can be said of a task.

    >>> from quorate.data.ids import as_names
    >>> values = np.array([0.9, np.nan, 0.1])
    >>> scores = ItemScores(name="margin", values=values, ambiguous="low", tasks=as_names(["a", "b", "c"]))
    >>> scores.worst().tolist()
    [2, 0]
    """

    name: str
    values: Array
    ambiguous: End
    tasks: Names
    frame_kind: FrameKind = "polars"

    def __repr__(self) -> str:
        return f"ItemScores({self.name} of {len(self.values)} tasks, {self.ambiguous} is ambiguous)"

    @property
    def ambiguity(self) -> Array:
        """The values turned so that high is ambiguous: (n_tasks,)."""
        return self.values if self.ambiguous == "high" else -self.values

    def worst(self, n: int | None = None) -> NDArray[np.int64]:
        """Tasks, the most ambiguous first, of equals the first; the n worst, or all that have a score."""
        order = np.argsort(-self.ambiguity, kind="stable")  # NaN comes last
        return order[: np.count_nonzero(~np.isnan(self.values))][:n]

    def to_frame(self) -> Any:
        """One row per task, most ambiguous first: task, and the score by its name; tasks without a score come last."""
        order = np.argsort(-self.ambiguity, kind="stable")
        return make_frame({"task": self.tasks[order], self.name: self.values[order]}, self.frame_kind)
