"""What became of policies that were tried on recorded votes."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from quorate.data.frames import FrameKind, make_frame
from quorate.data.ids import as_names
from quorate.typing import Array

FIGURES = ("loss", "votes", "experts", "error", "spend", "decided")
QUARTERS = ("loss_q1", "loss_q2", "loss_q3", "loss_q4")


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Trials:
    """Figures per task of every policy and seed: (n_policies, n_seeds); a seed is the same tasks for all policies.

    loss: spend and cost of errors. votes: of the crowd. experts: share of tasks that an expert was paid for. error:
    share of wrong labels. spend: on votes, experts and the machine. decided: share of tasks on which the policy was
    done by its own rule when the money ended; all, where there is no budget.
    notes: why a policy has no figures, by its name.
    quarters: (n_policies, n_seeds, 4), loss per task in each quarter of a stream; None where there is none.
    """

    policies: tuple[str, ...]
    n_tasks: int
    loss: Array
    votes: Array
    experts: Array
    error: Array
    spend: Array
    decided: Array
    quarters: Array | None = None
    notes: Mapping[str, str] = field(default_factory=dict)
    frame_kind: FrameKind = "polars"

    def __repr__(self) -> str:
        return f"Trials({len(self.policies)} policies, {self.n_seeds} seeds, {self.n_tasks} tasks)"

    @property
    def n_seeds(self) -> int:
        """How often each policy was tried."""
        return self.loss.shape[1]

    @property
    def order(self) -> Any:
        """Policies from the least mean loss to the most; those without figures last."""
        return np.argsort(self.loss.mean(axis=1), kind="stable")

    def mean(self, figure: str) -> Array:
        """The mean of a figure over the seeds: (n_policies,)."""
        values: Array = getattr(self, figure)
        return values.mean(axis=1)

    def deviation(self, figure: str) -> Array:
        """The standard error of that mean: (n_policies,); NaN where there is one seed."""
        return standard_error(getattr(self, figure))

    def to_frame(self) -> Any:
        """One row per policy and seed."""
        columns: dict[str, Any] = {
            "policy": np.repeat(as_names(list(self.policies)), self.n_seeds),
            "seed": np.tile(np.arange(self.n_seeds), len(self.policies)),
        }
        columns |= {name: getattr(self, name).ravel() for name in FIGURES}
        if self.quarters is not None:
            columns |= {name: self.quarters[:, :, place].ravel() for place, name in enumerate(QUARTERS)}
        return make_frame(columns, self.frame_kind)

    def compared(self) -> Any:
        """One row per policy, the least loss first: means, standard errors over seeds, and how far it is from the best.

        `above_best` is a mean of differences on the same tasks, so that its error is smaller than those of the losses.
        """
        order = self.order
        apart = self.loss - self.loss[order[0]]
        columns: dict[str, Any] = {
            "policy": as_names(list(self.policies))[order],
            "loss": self.mean("loss")[order],
            "loss_se": self.deviation("loss")[order],
            "above_best": apart.mean(axis=1)[order],
            "above_best_se": standard_error(apart)[order],
        }
        for name in FIGURES[1:]:
            columns |= {name: self.mean(name)[order], f"{name}_se": self.deviation(name)[order]}
        if self.quarters is not None:
            mean = self.quarters.mean(axis=1)[order]
            columns |= {name: mean[:, place] for place, name in enumerate(QUARTERS)}
        return make_frame(columns, self.frame_kind)


def standard_error(values: Array) -> Array:
    """Of the mean of each row; NaN where a row has one value.

    >>> standard_error(np.array([[1.0, 3.0], [2.0, 2.0]])).tolist()
    [1.0, 0.0]
    """
    size = values.shape[1]
    if size < 2:
        return np.full(len(values), np.nan)
    return values.std(axis=1, ddof=1) / np.sqrt(size)
