"""Results of policies that were replayed on recorded votes, over several seeds."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any

import numpy as np

from quorate.data.frames import FrameKind, make_frame
from quorate.data.html_tables import MAX_ROWS, html_table, note_hidden
from quorate.data.ids import as_names
from quorate.errors import UnknownNameError
from quorate.typing import Array

FIGURES = ("loss", "votes", "experts", "error", "spend", "decided", "stated_error")
QUARTERS = ("loss_q1", "loss_q2", "loss_q3", "loss_q4")


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Trials:
    """Figures per task of every policy and seed: (n_policies, n_seeds); a seed has the same tasks for all policies.

    Attributes:
        policies: names of the policies, and of their setups.
        n_tasks: number of tasks of each seed.
        loss: spend and cost of errors.
        votes: number of votes of the crowd.
        experts: share of tasks that an expert was paid for.
        error: share of wrong labels.
        spend: price of votes, experts and the classifier.
        decided: share of tasks that the policy decided by its own rule before the money ran out; 1 without a budget.
        stated_error: share of wrong labels that the model would state without an audit, as `decide` does.
        quarters: loss per task in each quarter of a stream, (n_policies, n_seeds, 4); None without a stream.
        notes: name of a policy without figures -> the reason.
        frame_kind: the library of the data frames that are returned.
    """

    policies: tuple[str, ...]
    n_tasks: int
    loss: Array
    votes: Array
    experts: Array
    error: Array
    spend: Array
    decided: Array
    stated_error: Array
    quarters: Array | None = None
    notes: Mapping[str, str] = field(default_factory=dict)
    frame_kind: FrameKind = "polars"

    def __repr__(self) -> str:
        return f"Trials({len(self.policies)} policies, {self.n_seeds} seeds, {self.n_tasks} tasks)"

    def _repr_html_(self) -> str:
        order = self.order
        columns: dict[str, Any] = {"policy": np.array(self.policies)[order], "loss": self.mean("loss")[order]}
        columns["above best"] = columns["loss"] - columns["loss"][0]
        columns |= {name: self.mean(name)[order] for name in FIGURES[1:]}
        shown = {name: column[:MAX_ROWS] for name, column in columns.items()}
        hidden = note_hidden(policies=len(self.policies) - MAX_ROWS)
        return html_table("Trials", f"{self.n_seeds} seeds of {self.n_tasks} tasks, means per task", shown, hidden)

    def __getitem__(self, policy: str) -> dict[str, Array]:
        """Return the figures of one policy, (n_seeds,) each, by name."""
        if policy not in self.policies:
            close = get_close_matches(str(policy), self.policies, n=1)
            hint = f"did you mean {close[0]!r}? " if close else ""
            raise UnknownNameError(f"there is no policy {policy!r}: {hint}there are {', '.join(self.policies)}")
        index = self.policies.index(policy)
        return {name: getattr(self, name)[index] for name in FIGURES}

    def __len__(self) -> int:
        return len(self.policies)

    def __iter__(self) -> Iterator[str]:
        return iter(self.policies)

    @property
    def n_seeds(self) -> int:
        """Number of replays of each policy."""
        return self.loss.shape[1]

    @property
    def order(self) -> Any:
        """Indices of the policies by mean loss, the lowest first; those without figures last."""
        return np.argsort(self.loss.mean(axis=1), kind="stable")

    def mean(self, figure: str) -> Array:
        """Return the mean of a figure over the seeds: (n_policies,)."""
        values: Array = getattr(self, figure)
        return values.mean(axis=1)

    def deviation(self, figure: str) -> Array:
        """Return the standard error of the mean of a figure: (n_policies,); NaN with one seed."""
        return standard_error(getattr(self, figure))

    def to_frame(self) -> Any:
        """Return a data frame with one row per policy and seed."""
        columns: dict[str, Any] = {
            "policy": np.repeat(as_names(list(self.policies)), self.n_seeds),
            "seed": np.tile(np.arange(self.n_seeds), len(self.policies)),
        }
        columns |= {name: getattr(self, name).ravel() for name in FIGURES}
        if self.quarters is not None:
            columns |= {name: self.quarters[:, :, index].ravel() for index, name in enumerate(QUARTERS)}
        return make_frame(columns, self.frame_kind)

    def compared(self) -> Any:
        """Return a data frame with one row per policy, the lowest loss first: means over seeds and standard errors.

        `above_best` is the mean difference from the best policy on the same tasks, so its standard error is smaller
        than those of the losses.
        """
        order = self.order
        above_best = self.loss - self.loss[order[0]]
        columns: dict[str, Any] = {
            "policy": as_names(list(self.policies))[order],
            "loss": self.mean("loss")[order],
            "loss_se": self.deviation("loss")[order],
            "above_best": above_best.mean(axis=1)[order],
            "above_best_se": standard_error(above_best)[order],
        }
        for name in FIGURES[1:]:
            columns |= {name: self.mean(name)[order], f"{name}_se": self.deviation(name)[order]}
        if self.quarters is not None:
            mean = self.quarters.mean(axis=1)[order]
            columns |= {name: mean[:, index] for index, name in enumerate(QUARTERS)}
        return make_frame(columns, self.frame_kind)


def standard_error(values: Array) -> Array:
    """Return the standard error of the mean of each row; NaN if a row has one value.

    >>> standard_error(np.array([[1.0, 3.0], [2.0, 2.0]])).tolist()
    [1.0, 0.0]
    """
    size = values.shape[1]
    if size < 2:
        return np.full(len(values), np.nan)
    return values.std(axis=1, ddof=1) / np.sqrt(size)
