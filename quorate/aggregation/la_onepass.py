"""Light-weight aggregation in one pass over the tasks."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from quorate.aggregation._agreement import leading_classes, normalise_rows
from quorate.data.option_checks import require_choices, require_numbers
from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.data.worker_models import LEAST_STRENGTH, Coin
from quorate.errors import MethodError
from quorate.inference.bayes import PriorKnowledge
from quorate.inference.kernels import sum_at
from quorate.typing import Array

Rule = Literal["bayes", "paper"]


@dataclass(frozen=True, kw_only=True)
class LaOnepass:
    """Light-weight aggregation: one pass over the tasks that updates the workers' accuracies as it goes.

    Model: worker j starts with `strength` pseudo-votes, a share `accuracy` of them right. Tasks are processed in their
    order, in batches of a tenth of the tasks seen so far (the first ones singly). A batch is decided with the current
    accuracies a_j; then each vote counts as right with its probability under the result. rule="bayes": p is the
    one-coin posterior, in which a vote weighs log(a_j (K - 1) / (1 - a_j)). rule="paper": p(k) is proportional to the
    sum of a_j over the workers j who voted for k, and the leading class counts as right (ties are split). A prior
    enters Bayes' rule, or counts as one more vote of accuracy 1.

    Use it when: tasks arrive as a stream, or there are too many votes to read them twice. The first tasks are decided
    with little knowledge of the workers, and the order of the tasks matters.

    Paper: Yang et al., "A lightweight, effective, and efficient model for label aggregation in crowdsourcing", ACM TKDD
    2024.

    Args:
        rule: "bayes" or "paper", see the model.
        accuracy: accuracy that every worker starts with; .5 in the paper.
        strength: weight of that accuracy, in pseudo-votes; 2 in the paper.

    >>> from quorate import Votes
    >>> votes = Votes.from_matrix([[0, 0, 1], [1, 1, 0], [0, 0, 0], [1, 1, 0]])
    >>> LaOnepass().aggregate(votes).labels.tolist()
    [0, 1, 0, 1]
    """

    rule: Rule = "bayes"
    accuracy: float = 0.7
    strength: float = 10.0

    def __post_init__(self) -> None:
        require_choices(self)
        require_numbers(self, "accuracy", above=0, below=1, note="it is the accuracy that all workers start with")
        require_numbers(self, "strength", above=LEAST_STRENGTH)

    def aggregate(self, votes: Votes, prior: ArrayLike | None = None, gold: ArrayLike | None = None) -> Posterior:
        """See Aggregator."""
        if self.rule == "bayes" and self.accuracy * votes.n_classes <= 1:
            raise MethodError(
                f"accuracy must be above chance, 1 / {votes.n_classes}, got {self.accuracy}: "
                "votes of workers who guess carry no information"
            )
        knowledge = PriorKnowledge.of(votes, prior, gold)
        start, rows = votes.by_task
        cell, voter = votes.cell[rows], votes.voter[rows]
        n_voters, pseudo_right = votes.votes_per_voter.shape, self.strength * self.accuracy
        right, total = np.zeros(n_voters), np.zeros(n_voters)
        probs = np.empty((votes.n_tasks, votes.n_classes))
        for begin, end in _batches(votes.n_tasks):
            batch = slice(start[begin], start[end])
            cells, voters = cell[batch] - begin * votes.n_classes, voter[batch]
            accuracy = ((right + pseudo_right) / (total + self.strength))[voters]
            shape = (end - begin, votes.n_classes)
            probs[begin:end], result = self._decide(_select(knowledge, begin, end), cells, accuracy, shape)
            right += sum_at(voters, result.ravel()[cells], n_voters)
            total += np.bincount(voters, minlength=len(total))
        right[total == 0], total[total == 0] = right.sum(), total.sum()  # without votes: the mean accuracy
        accuracy = (right + pseudo_right) / (total + self.strength)
        class_prior = knowledge.uniform_prior(votes.n_classes) if self.rule == "bayes" else knowledge.class_prior(probs)
        return Posterior.of(
            votes,
            knowledge.fill_uninformed(probs, class_prior),
            class_prior=class_prior,
            worker_model=Coin(accuracy, votes.n_classes),
        )

    def _decide(
        self, knowledge: PriorKnowledge, cell: NDArray[np.int64], accuracy: Array, shape: tuple[int, int]
    ) -> tuple[Array, Array]:
        """Return the posterior of a batch of tasks, and the probability of each label to count as right.

        Args:
            knowledge: prior and gold of the batch.
            cell: (n_votes,), flat index of each vote's task and label.
            accuracy: (n_votes,), accuracy of each vote's worker.
            shape: (tasks of the batch, n_classes).
        """
        if self.rule == "paper":
            weight = sum_at(cell, accuracy, shape) + (0.0 if knowledge.prior is None else knowledge.prior)
            return knowledge.clamp(normalise_rows(weight)), knowledge.clamp(leading_classes(weight))
        probs = sum_at(cell, np.log(accuracy * (shape[1] - 1) / (1 - accuracy)), shape)
        knowledge.apply_bayes_rule(probs, knowledge.uniform_prior(shape[1]))
        return probs, probs


def _select(knowledge: PriorKnowledge, begin: int, end: int) -> PriorKnowledge:
    """Return the prior knowledge of the tasks from begin to end."""
    rows = None if knowledge.prior is None else knowledge.prior[begin:end]
    return replace(knowledge, prior=rows, gold=knowledge.gold[begin:end], informed=knowledge.informed[begin:end])


def _batches(n_tasks: int) -> Iterator[tuple[int, int]]:
    """Yield begin and end of each batch: a tenth of the tasks before it, at least one task."""
    begin = 0
    while begin < n_tasks:
        end = min(n_tasks, begin + max(1, begin // 10))
        yield begin, end
        begin = end
