"""Message passing between tasks and workers, for two classes."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from quorate.data.option_checks import require_numbers
from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.errors import MethodError
from quorate.inference.bayes import PriorKnowledge
from quorate.inference.kernels import sum_at
from quorate.inference.progress import report_round
from quorate.typing import Array

NOTHING = 1e-9  # beside a mean square of one, a message this small is rounding; so is such a sum beside its parts
LEAST_LOG_ODDS = 1e-9  # still tells a label


@dataclass(frozen=True, kw_only=True)
class Kos:
    """Karger, Oh & Shah: tasks and workers tell each other what the other votes say, until the messages settle.

    Model: votes A_ij = +1 or -1. Task i tells worker j x_ij = sum of A_ik y_ki over its other workers k; worker j
    answers y_ji = sum of A_lj x_lj over their other tasks l. All y start at 1 and are scaled to a mean square of one in
    each connected part of the crowd; in the end all change sign where most votes of the part contradict them. The
    log-odds of class 1 are t * (sum of A_ij y_ji). The one scale t > 0 is the least-squares fit of t * y_ji to the
    log-odds of how often worker j agrees with what the others say of each task. A prior adds its own log-odds. Tasks
    about which the messages say nothing have the majority.

    Use it when: there are two classes, tasks go to workers at random, and everybody has about as many votes. A message
    grows with the number of votes, so very busy workers outweigh better ones; on such crowds it can fail badly.

    Paper: Karger, Oh & Shah, "Iterative learning for reliable crowdsourcing systems", NIPS 2011, and "Budget-optimal
    task allocation for reliable crowdsourcing systems", Operations Research 2014.

    >>> from quorate import Votes
    >>> votes = Votes.from_matrix([[0, 0, 1], [1, 1, 0], [0, 0, 0], [1, 1, 0]])
    >>> Kos().aggregate(votes).labels.tolist()
    [0, 1, 0, 1]
    """

    reports_change: ClassVar[bool] = True

    max_rounds: int = 100
    tol: float = 1e-6

    def __post_init__(self) -> None:
        require_numbers(self, "max_rounds", at_least=1)

    def aggregate(self, votes: Votes, prior: ArrayLike | None = None, gold: ArrayLike | None = None) -> Posterior:
        """See Aggregator."""
        if votes.n_classes != 2:
            raise MethodError(
                f"kos takes two classes, the votes have {votes.n_classes}: use mmsr, which is its kin, or one_coin"
            )
        knowledge = PriorKnowledge.of(votes, prior, gold)
        graph = _Graph(votes, knowledge)
        message, changes, converged = np.ones(len(votes)), list[float](), False
        for number in range(1, self.max_rounds + 1):
            before, message = message, graph.answers(graph.questions(message))
            changes.append(float(np.abs(message - before).mean()) if len(votes) else 0.0)
            report_round(number, self.max_rounds)
            converged = changes[-1] <= self.tol
            if converged:
                break
        scores = np.zeros((votes.n_tasks, 2))
        scores[:, 1] = graph.log_odds(message)
        class_prior = knowledge.uniform_prior(2)
        knowledge.apply_bayes_rule(scores, class_prior)
        return Posterior.of(votes, scores, class_prior=class_prior, objective=changes, converged=converged)


class _Graph:
    """Tasks and workers, joined by votes; a message per vote."""

    def __init__(self, votes: Votes, knowledge: PriorKnowledge) -> None:
        self.task, self.worker = votes.task, votes.voter
        self.n_tasks, self.n_workers = (votes.n_tasks,), votes.votes_per_voter.shape
        self.sign = 2 * votes.label.astype(np.float64) - 1
        self.part = _connected_parts(votes)
        self.part_size = np.bincount(self.part)
        self.gold_votes = np.flatnonzero(knowledge.gold[self.task] >= 0)
        self.gold_sign = 2.0 * knowledge.gold[self.task[self.gold_votes]] - 1
        self.has_gold = np.bincount(self.part[self.gold_votes], minlength=len(self.part_size)) > 0

    def questions(self, message: Array) -> Array:
        """What each task tells each of its workers: what its other votes say, or its gold label."""
        said = self.sign * message
        said = sum_at(self.task, said, self.n_tasks)[self.task] - said
        if len(self.gold_votes):
            said[self.gold_votes] = self.gold_sign * (np.abs(said).mean() or 1.0)
        return said

    def answers(self, question: Array) -> Array:
        """What each worker tells each of their tasks: how far their other votes agree with those tasks."""
        agree = self.sign * question
        agree = sum_at(self.worker, agree, self.n_workers)[self.worker] - agree
        size = np.sqrt(sum_at(self.part, agree * agree, self.part_size.shape) / np.maximum(self.part_size, 1))
        return agree / np.where(size > 0, size, 1)[self.part]

    def log_odds(self, message: Array) -> Array:
        """Log-odds of class 1 for each task."""
        message = self._turned_round(np.where(np.abs(message) > NOTHING, message, 0))
        score, lead = self._score(message), sum_at(self.task, self.sign, self.n_tasks)
        scale, one_vote = self._scale(message)
        told = np.sign(score) * np.maximum(scale * np.abs(score), LEAST_LOG_ODDS)
        return np.where(score == 0, one_vote * lead, told)

    def _score(self, message: Array) -> Array:
        """What the messages say of each task; zero where they cancel out."""
        score = sum_at(self.task, self.sign * message, self.n_tasks)
        score[np.abs(score) <= NOTHING * sum_at(self.task, np.abs(message), self.n_tasks)] = 0
        return score

    def _turned_round(self, message: Array) -> Array:
        """The messages, those of a part without gold turned round where most of its votes contradict them."""
        agree = self.sign * np.sign(self._score(message))[self.task]
        contrary = (sum_at(self.part, agree, self.part_size.shape) < 0) & ~self.has_gold
        return message * np.where(contrary, -1.0, 1.0)[self.part]

    def _scale(self, message: Array) -> tuple[float, float]:
        """Log-odds for a message of one, and for the vote of a worker of whom nothing is known."""
        agree = self.sign * self.questions(message)
        right = sum_at(self.worker, (agree > NOTHING).astype(np.float64), self.n_workers)
        wrong = sum_at(self.worker, (agree < -NOTHING).astype(np.float64), self.n_workers)
        weight = np.log((right + 1) / (wrong + 1))[self.worker]
        scale = float(weight @ message) / max(float(message @ message), 1.0)
        pool = float(np.log((right.sum() + 2) / (wrong.sum() + 1)))  # never seen at work: two in three are right
        return max(scale, LEAST_LOG_ODDS), max(pool, LEAST_LOG_ODDS)


def _connected_parts(votes: Votes) -> NDArray[np.int32]:
    """The part of the crowd that each vote belongs to: parts share no task and no worker."""
    from scipy.sparse import csr_array  # a fifth of a second: paid by those who use the method
    from scipy.sparse.csgraph import connected_components

    n_nodes = votes.n_tasks + votes.n_workers + 1
    ends = (votes.task, votes.voter + votes.n_tasks)
    graph = csr_array((np.ones(len(votes), dtype=np.int8), ends), shape=(n_nodes, n_nodes))
    parts: NDArray[np.int32] = connected_components(graph, directed=False)[1]
    return parts[votes.task]
