"""Accuracies learnt in one pass over the tasks."""

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
    """Light-weight aggregation: one pass over the tasks, in which each result at once updates the workers' accuracies.

    Model: worker j starts with `strength` pseudo-votes, of which the share `accuracy` is right. The tasks come in their
    order, in batches of a tenth of what has been seen (the first ones singly). A batch is decided with the accuracies
    a_j so far; then each vote counts as right with the probability that the result gives it. rule="bayes": p is the
    one-coin posterior, in which a vote weighs log(a_j (K - 1) / (1 - a_j)). rule="paper": p(k) is proportional to the
    sum of a_j over the workers j who said k, and the leading class counts as right (ties are split); the paper starts
    from accuracy=0.5, strength=2. A prior enters Bayes' rule, or counts as one more vote, of accuracy 1.

    Use it when: tasks come as a stream, or there are too many votes to read them twice. The first tasks are decided
    with little knowledge of the workers; the order of the tasks matters.

    Paper: Yang et al., "A lightweight, effective, and efficient model for label aggregation in crowdsourcing", ACM TKDD
    2024.

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
        require_numbers(self, "accuracy", above=0, below=1, note="it is where all workers start")
        require_numbers(self, "strength", above=LEAST_STRENGTH)

    def aggregate(self, votes: Votes, prior: ArrayLike | None = None, gold: ArrayLike | None = None) -> Posterior:
        """See Aggregator."""
        if self.rule == "bayes" and self.accuracy * votes.n_classes <= 1:
            raise MethodError(
                f"accuracy must be above chance, 1 / {votes.n_classes}, got {self.accuracy}: "
                "votes of workers who only guess would never tell anything"
            )
        knowledge = PriorKnowledge.of(votes, prior, gold)
        start, rows = votes.by_task
        cell, voter = votes.cell[rows], votes.voter[rows]
        n_voters, at_first = votes.votes_per_voter.shape, self.strength * self.accuracy
        right, total = np.zeros(n_voters), np.zeros(n_voters)
        probs = np.empty((votes.n_tasks, votes.n_classes))
        for begin, end in _batches(votes.n_tasks):
            batch = slice(start[begin], start[end])
            cells, voters = cell[batch] - begin * votes.n_classes, voter[batch]
            accuracy = ((right + at_first) / (total + self.strength))[voters]
            shape = (end - begin, votes.n_classes)
            probs[begin:end], result = self._decide(_part(knowledge, begin, end), cells, accuracy, shape)
            right += sum_at(voters, result.ravel()[cells], n_voters)
            total += np.bincount(voters, minlength=len(total))
        right[total == 0], total[total == 0] = right.sum(), total.sum()  # who gave no vote is as good as all together
        accuracy = (right + at_first) / (total + self.strength)
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
        """Probabilities of a batch of tasks, and what counts as right. cell, accuracy: of each vote."""
        if self.rule == "paper":
            weight = sum_at(cell, accuracy, shape) + (0.0 if knowledge.prior is None else knowledge.prior)
            return knowledge.clamp(normalise_rows(weight)), knowledge.clamp(leading_classes(weight))
        probs = sum_at(cell, np.log(accuracy * (shape[1] - 1) / (1 - accuracy)), shape)
        knowledge.apply_bayes_rule(probs, knowledge.uniform_prior(shape[1]))
        return probs, probs


def _part(knowledge: PriorKnowledge, begin: int, end: int) -> PriorKnowledge:
    """What is known of some of the tasks."""
    rows = None if knowledge.prior is None else knowledge.prior[begin:end]
    return replace(knowledge, prior=rows, gold=knowledge.gold[begin:end], informed=knowledge.informed[begin:end])


def _batches(n_tasks: int) -> Iterator[tuple[int, int]]:
    """Where batches begin and end: a tenth of what comes before, at least one task."""
    begin = 0
    while begin < n_tasks:
        end = min(n_tasks, begin + max(1, begin // 10))
        yield begin, end
        begin = end
