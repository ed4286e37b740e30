"""Training examples, and batches of them."""

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

    Attributes:
        x: the items, in the form that the base takes.
        task: rows of the items, (n,).
        target: (n, n_classes).
        weight: of each example, (n,).
        item: index of each vote's example in this batch, (n_votes,).
        worker: row of each vote's voter in a table of workers, (n_votes,); anonymous voters have the last row.
        label: of each vote, (n_votes,).
        vote_weight: of each vote, (n_votes,).
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
    """All examples, and the votes on them; votes on the same example are adjacent."""

    rows: Rows
    task: Tensor  # (n,)
    target: Tensor  # (n, n_classes)
    weight: Tensor  # (n,)
    first_vote: Tensor  # (n + 1,)
    worker: Tensor
    label: Tensor

    @classmethod
    def of(cls, rows: Rows, votes: Votes, targets: Targets) -> Self:
        """Return an example per target, with all votes on its task, or with the single vote that it stands for."""
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
        """Return a batch of the chosen examples; with `other`, each is mixed with one of those (mixup).

        Items, targets and votes are mixed. share: (n,), the part of the chosen example in each mixture.
        """
        item, vote = self._votes_on(chosen)
        target, weight = self.target[chosen], self.weight[chosen]
        vote_weight = weight[item]
        if other is not None and share is not None:
            other_item, other_vote = self._votes_on(other)
            other_weight = (1 - share) * self.weight[other]
            vote_weight = torch.cat([(share * weight)[item], other_weight[other_item]])
            item, vote = torch.cat([item, other_item]), torch.cat([vote, other_vote])
            # Each example keeps its own weight in the mixture: a doubtful one counts as little as it does alone.
            own_weight, weight = share * weight, share * weight + other_weight
            part = torch.where(weight > 0, own_weight / weight.clamp_min(1e-12), share)[:, None]
            target = part * target + (1 - part) * self.target[other]
        x = self.rows.take(self.task[chosen], None if other is None else self.task[other], share)
        return Batch(x, self.task[chosen], target, weight, item, self.worker[vote], self.label[vote], vote_weight)

    def _votes_on(self, chosen: Tensor) -> tuple[Tensor, Tensor]:
        """Return, for each vote on the chosen examples, the index of its example among them and its own row."""
        begin = self.first_vote[chosen]
        counts = self.first_vote[chosen + 1] - begin
        item = torch.repeat_interleave(torch.arange(len(chosen)), counts)
        shift = begin - (torch.cumsum(counts, 0) - counts)
        return item, torch.arange(len(item)) + shift[item]


def whole_batches(order: Tensor, size: int) -> Iterator[Tensor]:
    """Cut the order into batches; a last batch of a single example joins the one before, for batch norm."""
    ends = list(range(size, len(order), size))
    if ends and len(order) - ends[-1] == 1:
        ends.pop()
    yield from torch.tensor_split(order, ends)
