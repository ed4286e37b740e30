"""Scores of items: how ambiguous each task is."""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from quorate.data.frames import FrameKind, make_frame
from quorate.data.html_tables import MAX_ROWS, html_table, note_hidden
from quorate.data.ids import Names
from quorate.data.name_lookup import TasksByName, index_of_task
from quorate.typing import Array

End = Literal["low", "high"]


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class ItemScores(TasksByName):
    """One number per task, and which end of the numbers is the ambiguous one; rankings follow it.

    `scores["task 17"]` is the score of one task, `len(scores)` the number of tasks.

    Attributes:
        name: the name of the score.
        values: (n_tasks,); NaN if a task has no score.
        ambiguous: "low" or "high": the end at which items are ambiguous.
        tasks: names of the tasks.
        frame_kind: the kind of frame that `to_frame` returns.

    >>> from quorate.data.ids import as_names
    >>> values = np.array([0.9, np.nan, 0.1])
    >>> scores = ItemScores(name="margin", values=values, ambiguous="low", tasks=as_names(["a", "b", "c"]))
    >>> scores.worst().tolist(), scores["c"]
    ([2, 0], 0.1)
    """

    name: str
    values: Array
    ambiguous: End
    tasks: Names
    frame_kind: FrameKind = "polars"

    def __repr__(self) -> str:
        return f"ItemScores({self._summary()})"

    def _repr_html_(self) -> str:
        columns = self._columns(self._order()[:MAX_ROWS])
        return html_table("ItemScores", self._summary(), columns, note_hidden(tasks=len(self) - MAX_ROWS))

    def _summary(self) -> str:
        return f"{self.name} of {len(self.values)} tasks, {self.ambiguous} is ambiguous"

    def __getitem__(self, task: Any) -> float:
        return float(self.values[index_of_task(task, self.tasks)])

    @property
    def ambiguity(self) -> Array:
        """The values, with the sign at which high is ambiguous: (n_tasks,)."""
        return self.values if self.ambiguous == "high" else -self.values

    def worst(self, n: int | None = None) -> NDArray[np.int64]:
        """Return the indices of the n most ambiguous tasks, or of all that have a score, the most ambiguous first.

        Tasks with equal scores stay in their order.
        """
        return self._order()[: np.count_nonzero(~np.isnan(self.values))][:n]

    def to_frame(self) -> Any:
        """Return a frame with the columns task and the name of the score, the most ambiguous task first.

        Tasks without a score come last.
        """
        return make_frame(self._columns(self._order()), self.frame_kind)

    def _order(self) -> NDArray[np.int64]:
        return np.argsort(-self.ambiguity, kind="stable")  # NaN comes last

    def _columns(self, tasks: NDArray[np.int64]) -> dict[str, NDArray[Any]]:
        return {"task": self.tasks[tasks], self.name: self.values[tasks]}
