"""Decisions on tasks: accept a label or ask for one more vote, and why."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quorate.data.frames import FrameKind, make_frame
from quorate.data.html_tables import MAX_ROWS, html_table, note_hidden
from quorate.data.ids import Names, as_names
from quorate.data.name_lookup import TasksByName, index_of_task
from quorate.typing import Array

ACCEPT, ASK, UNDECIDED, UNCLASSIFIABLE = range(4)
ACTIONS = ("accept", "ask", "undecided", "unclassifiable")
NOBODY = -1  # in `ask`: nobody is asked; in `label`: no label is given


class Source(StrEnum):
    """Where a label comes from; an audit tests only labels from the model.

    >>> label_sources(np.array([False, True])).tolist()
    ['model', 'expert']
    """

    MODEL = "model"  # the policy's model chose it, from the votes of the crowd and the output of classifiers
    EXPERT = "expert"  # an expert labelled the task


def label_sources(by_expert: NDArray[np.bool_]) -> NDArray[np.str_]:
    """Return the source of each label: EXPERT where the mask is true, MODEL elsewhere."""
    return np.where(by_expert, Source.EXPERT.value, Source.MODEL.value)


class TaskDecision(NamedTuple):
    """The decision on one task, by names; None: no label, or nobody to ask."""

    action: str
    label: Any
    ask: str | None
    confidence: float
    expected_cost: float
    value: float
    source: str
    reason: str


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Decisions(TasksByName):
    """What to do with each task: accept a label, or ask for one more vote.

    Arrays have one entry per task. `decisions["task 17"]` is the decision on one task, `len(decisions)` the number of
    tasks.

    Attributes:
        tasks: names of the tasks.
        classes: names of the classes.
        kinds: annotator kinds, or workers by name, as in the prices.
        action: ACCEPT, ASK, UNDECIDED (the budget is spent) or UNCLASSIFIABLE (no label is worth giving).
        label: class index of the cheapest label so far, also where a vote is asked for; -1 = unclassifiable.
        ask: whom to ask, as an index into `kinds`; -1 = nobody.
        expected_cost: expected cost of errors if the label is accepted now.
        value: what asking is expected to save beyond its price; zero or less if it saves nothing.
        probs: (n_tasks, n_classes), the posterior that the decision is based on.
        source: where the label comes from, values of Source; `label_sources` returns them.
        reason: index into `reasons`.
        reasons: sentences for people to read. No code may depend on their wording.
        frame_kind: the kind of frame that `to_frame` returns.
    """

    tasks: Names
    classes: Names
    kinds: tuple[str, ...]
    action: NDArray[np.int8]
    label: NDArray[np.int64]
    ask: NDArray[np.int8]
    expected_cost: Array
    value: Array
    probs: Array
    source: NDArray[np.str_]
    reason: NDArray[np.int8]
    reasons: tuple[str, ...]
    frame_kind: FrameKind = "polars"

    def __repr__(self) -> str:
        return f"Decisions({self._summary()})"

    def _repr_html_(self) -> str:
        columns = self._columns(slice(MAX_ROWS))
        return html_table("Decisions", self._summary(), columns, note_hidden(tasks=len(self) - MAX_ROWS))

    def _summary(self) -> str:
        counts = np.bincount(self.action, minlength=len(ACTIONS))
        actions = ", ".join(f"{count} {name}" for count, name in zip(counts, ACTIONS, strict=True) if count)
        return f"{len(self.tasks)} tasks: {actions}"

    def __getitem__(self, task: Any) -> TaskDecision:
        index = index_of_task(task, self.tasks)
        label, ask = int(self.label[index]), int(self.ask[index])
        return TaskDecision(
            action=ACTIONS[self.action[index]],
            label=None if label == NOBODY else self.classes.tolist()[label],
            ask=None if ask == NOBODY else self.kinds[ask],
            confidence=float(np.max(self.probs[index])),
            expected_cost=float(self.expected_cost[index]),
            value=float(self.value[index]),
            source=str(self.source[index]),
            reason=self.reasons[self.reason[index]],
        )

    def to_frame(self) -> Any:
        """Return a frame with one row per task, by names, of the kind that the votes came from."""
        return make_frame(self._columns(slice(None)), self.frame_kind)

    def _columns(self, rows: slice) -> dict[str, NDArray[Any]]:
        return {
            "task": self.tasks[rows],
            "action": as_names(ACTIONS)[self.action[rows]],
            "label": as_names([*map(str, self.classes.tolist()), ""])[self.label[rows]],
            "ask": as_names([*self.kinds, ""])[self.ask[rows]],
            "confidence": np.max(self.probs[rows], axis=1),
            "expected_cost": self.expected_cost[rows],
            "value": self.value[rows],
            "source": as_names(self.source[rows]),
            "reason": as_names(self.reasons)[self.reason[rows]],
        }
