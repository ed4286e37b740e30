"""Examples: what a network is shown, in batches."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import torch
from torch import Tensor

from quorate.data.votes import Votes
from quorate.learning.targets.base import Targets
from quorate.learning.training.rows import Rows


@dataclass(frozen=True, eq=False)
class Batch:
    """Some examples, and the votes on them.

    x: the items, as the base takes them. task: (n,), their rows. target: (n, n_classes). weight: (n,).
    item, worker, label, vote_weight: one entry per vote; item is the place of its example in this batch, and worker
    the row of the voter in a table of workers (anonymous voters have the last).
    """

    x: Any
    task: Tensor
    target: Tensor
    weight: Tensor
    item: Tensor
    worker: Tensor
    label: Tensor
    vote_weight: Tensor

    def __len__(self) -> int:
        return len(self.task)


@dataclass(frozen=True, eq=False)
class Examples:
    """All examples, and the votes on them, those of one example next to each other."""

    rows: Rows
    task: Tensor  # (n,)
    target: Tensor  # (n, n_classes)
    weight: Tensor  # (n,)
    first_vote: Tensor  # (n + 1,)
    worker: Tensor
    label: Tensor

    @classmethod
    def of(cls, rows: Rows, votes: Votes, targets: Targets) -> Self:
        """Examples of the targets, each with all votes on its task, or with the one vote that it stands for."""
        if targets.vote is None:
            counts = votes.votes_per_task[targets.task]
            order = votes.by_task.rows
            first = np.repeat(votes.by_task.start[targets.task], counts)
            within = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
            vote = order[first + within]
        else:
            counts, vote = np.ones(len(targets.vote), dtype=np.int64), targets.vote
        return cls(
            rows,
            torch.from_numpy(targets.task),
            torch.from_numpy(targets.probs.astype(np.float32)),
            torch.from_numpy(targets.weight.astype(np.float32)),
            torch.from_numpy(np.append(0, np.cumsum(counts))),
            torch.from_numpy(votes.voter[vote]),
            torch.from_numpy(votes.label[vote].astype(np.int64)),
        )

    def __len__(self) -> int:
        return len(self.task)

    def batch(self, chosen: Tensor, other: Tensor | None = None, share: Tensor | None = None) -> Batch:
        """The chosen examples; with `other`, each mixed with one of those: items, targets and votes alike.

        share: (n,), how much of each mixture is the chosen one.
        """
        item, vote = self._votes_on(chosen)
        target, weight = self.target[chosen], self.weight[chosen]
        vote_weight = weight[item]
        if other is not None and share is not None:
            other_item, other_vote = self._votes_on(other)
            other_weight = (1 - share) * self.weight[other]
            vote_weight = torch.cat([(share * weight)[item], other_weight[other_item]])
            item, vote = torch.cat([item, other_item]), torch.cat([vote, other_vote])
            # Each counts by its own weight: what is doubtful teaches as little as it does alone.
            own_weight, weight = share * weight, share * weight + other_weight
            part = torch.where(weight > 0, own_weight / weight.clamp_min(1e-12), share)[:, None]
            target = part * target + (1 - part) * self.target[other]
        x = self.rows.take(self.task[chosen], None if other is None else self.task[other], share)
        return Batch(x, self.task[chosen], target, weight, item, self.worker[vote], self.label[vote], vote_weight)

    def _votes_on(self, chosen: Tensor) -> tuple[Tensor, Tensor]:
        """For each vote on the chosen examples: the place of its example among them, and its own row."""
        begin = self.first_vote[chosen]
        counts = self.first_vote[chosen + 1] - begin
        item = torch.repeat_interleave(torch.arange(len(chosen)), counts)
        shift = begin - (torch.cumsum(counts, 0) - counts)
        return item, torch.arange(len(item)) + shift[item]


def whole_batches(order: Tensor, size: int) -> Iterator[Tensor]:
    """The order cut into batches; a last one of a single example goes to the batch before, for batch norm's sake."""
    ends = list(range(size, len(order), size))
    if ends and len(order) - ends[-1] == 1:
        ends.pop()
    yield from torch.tensor_split(order, ends)
