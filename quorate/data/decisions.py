"""What to do with every task: accept an answer, or ask for one more vote, and why."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.data.frames import FrameKind, make_frame
from quorate.data.ids import Names, as_names
from quorate.typing import Array

ACCEPT, ASK, UNDECIDED, UNCLASSIFIABLE = range(4)
ACTIONS = ("accept", "ask", "undecided", "unclassifiable")
NOBODY = -1  # nobody is asked; or no label is given


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


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Decisions:
    """One row per task.

    action: ACCEPT | ASK | UNDECIDED (the budget is spent) | UNCLASSIFIABLE (no answer is worth giving).
    label: class index of the cheapest answer as things stand, also where a vote is asked for; -1 = unclassifiable.
    ask: whom, as an index into `kinds`; -1 = nobody. kinds: kinds of voters, or persons, as the prices name them.
    expected_cost: what the label is expected to cost in errors if it is accepted as things stand.
    value: what asking is expected to save beyond its price; zero or less where nothing is.
    probs: (n_tasks, n_classes), what the decision rests on.
    source: where the label comes from, values of Source; make it with `label_sources`.
    reason: index into `reasons`, sentences for people to read. No code may depend on their wording.
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
        counts = np.bincount(self.action, minlength=len(ACTIONS))
        told = ", ".join(f"{count} {name}" for count, name in zip(counts, ACTIONS, strict=True) if count)
        return f"Decisions({len(self.tasks)} tasks: {told})"

    def to_frame(self) -> Any:
        """One row per task, by names; in the kind of frame that went in."""
        columns = {
            "task": self.tasks,
            "action": as_names(ACTIONS)[self.action],
            "label": as_names([*map(str, self.classes.tolist()), ""])[self.label],
            "ask": as_names([*self.kinds, ""])[self.ask],
            "confidence": np.max(self.probs, axis=1),
            "expected_cost": self.expected_cost,
            "value": self.value,
            "source": as_names(self.source),
            "reason": as_names(self.reasons)[self.reason],
        }
        return make_frame(columns, self.frame_kind)
