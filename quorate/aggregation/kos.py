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

ROUNDING_ERROR = 1e-9  # of a message, whose mean square is one, and of a sum relative to its terms
MIN_LOG_ODDS = 1e-9  # enough to choose a label


@dataclass(frozen=True, kw_only=True)
class Kos:
    """Karger, Oh and Shah: message passing between tasks and workers, for two classes.

    Model: votes A_ij = +1 or -1. The message of task i to worker j is x_ij = sum of A_ik y_ki over its other workers k;
    the message of worker j to task i is y_ji = sum of A_lj x_lj over the worker's other tasks l. All y start at 1 and
    are scaled to a mean square of one in each connected component of the crowd; at the end, the signs of a component
    are flipped if most of its votes contradict them. The log-odds of class 1 are t * (sum of A_ij y_ji), with one scale
    t > 0: the least-squares fit of t * y_ji to the log-odds of how often worker j agrees with the other votes on each
    task. A prior adds its own log-odds. Tasks whose messages cancel out get the majority vote.

    Use it when: there are two classes, tasks are assigned to workers at random, and all workers have about the same
    number of votes. Messages grow with the number of votes, so very active workers outweigh better ones; on such crowds
    it can fail badly.

    Paper: Karger, Oh and Shah, "Iterative learning for reliable crowdsourcing systems", NIPS 2011, and "Budget-optimal
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
                f"kos needs votes with two classes, got {votes.n_classes}: use mmsr, a related method, or one_coin"
            )
        knowledge = PriorKnowledge.of(votes, prior, gold)
        graph = _Graph(votes, knowledge)
        message, changes, converged = np.ones(len(votes)), list[float](), False
        for iteration in range(1, self.max_rounds + 1):
            before, message = message, graph.worker_messages(graph.task_messages(message))
            changes.append(float(np.abs(message - before).mean()) if len(votes) else 0.0)
            report_round(iteration, self.max_rounds)
            converged = changes[-1] <= self.tol
            if converged:
                break
        scores = np.zeros((votes.n_tasks, 2))
        scores[:, 1] = graph.log_odds(message)
        class_prior = knowledge.uniform_prior(2)
        knowledge.apply_bayes_rule(scores, class_prior)
        return Posterior.of(votes, scores, class_prior=class_prior, objective=changes, converged=converged)


class _Graph:
    """Bipartite graph of tasks and workers, with one message per vote."""

    def __init__(self, votes: Votes, knowledge: PriorKnowledge) -> None:
        self.task, self.worker = votes.task, votes.voter
        self.n_tasks, self.n_workers = (votes.n_tasks,), votes.votes_per_voter.shape
        self.sign = 2 * votes.label.astype(np.float64) - 1
        self.component = _connected_components(votes)
        self.component_size = np.bincount(self.component)
        self.gold_votes = np.flatnonzero(knowledge.gold[self.task] >= 0)
        self.gold_sign = 2.0 * knowledge.gold[self.task[self.gold_votes]] - 1
        self.has_gold = np.bincount(self.component[self.gold_votes], minlength=len(self.component_size)) > 0

    def task_messages(self, message: Array) -> Array:
        """Return the message of each task to each of its workers: the sum of its other votes, or its gold label."""
        total = self.sign * message
        total = sum_at(self.task, total, self.n_tasks)[self.task] - total
        if len(self.gold_votes):
            total[self.gold_votes] = self.gold_sign * (np.abs(total).mean() or 1.0)
        return total

    def worker_messages(self, message: Array) -> Array:
        """Return the message of each worker to each of their tasks: the agreement of their other votes, scaled."""
        agree = self.sign * message
        agree = sum_at(self.worker, agree, self.n_workers)[self.worker] - agree
        squares = sum_at(self.component, agree * agree, self.component_size.shape)
        scale = np.sqrt(squares / np.maximum(self.component_size, 1))
        return agree / np.where(scale > 0, scale, 1)[self.component]

    def log_odds(self, message: Array) -> Array:
        """Return the log-odds of class 1 for each task."""
        message = self._fix_signs(np.where(np.abs(message) > ROUNDING_ERROR, message, 0))
        score, lead = self._score(message), sum_at(self.task, self.sign, self.n_tasks)
        scale, log_odds_of_vote = self._scale(message)
        scaled = np.sign(score) * np.maximum(scale * np.abs(score), MIN_LOG_ODDS)
        return np.where(score == 0, log_odds_of_vote * lead, scaled)

    def _score(self, message: Array) -> Array:
        """Return the sum of the messages to each task; zero where they cancel out."""
        score = sum_at(self.task, self.sign * message, self.n_tasks)
        score[np.abs(score) <= ROUNDING_ERROR * sum_at(self.task, np.abs(message), self.n_tasks)] = 0
        return score

    def _fix_signs(self, message: Array) -> Array:
        """Return the messages, negated in components without gold where most votes contradict them."""
        agree = self.sign * np.sign(self._score(message))[self.task]
        contradicted = (sum_at(self.component, agree, self.component_size.shape) < 0) & ~self.has_gold
        return message * np.where(contradicted, -1.0, 1.0)[self.component]

    def _scale(self, message: Array) -> tuple[float, float]:
        """Return the log-odds for a message of one, and for the vote of an unknown worker."""
        agree = self.sign * self.task_messages(message)
        right = sum_at(self.worker, (agree > ROUNDING_ERROR).astype(np.float64), self.n_workers)
        wrong = sum_at(self.worker, (agree < -ROUNDING_ERROR).astype(np.float64), self.n_workers)
        weight = np.log((right + 1) / (wrong + 1))[self.worker]
        scale = float(weight @ message) / max(float(message @ message), 1.0)
        pool = float(np.log((right.sum() + 2) / (wrong.sum() + 1)))  # without any votes, two in three are right
        return max(scale, MIN_LOG_ODDS), max(pool, MIN_LOG_ODDS)


def _connected_components(votes: Votes) -> NDArray[np.int32]:
    """Return the connected component of each vote; components share no task and no worker."""
    from scipy.sparse import csr_array  # slow to import: loaded on first use
    from scipy.sparse.csgraph import connected_components

    n_nodes = votes.n_tasks + votes.n_workers + 1
    ends = (votes.task, votes.voter + votes.n_tasks)
    graph = csr_array((np.ones(len(votes), dtype=np.int8), ends), shape=(n_nodes, n_nodes))
    component: NDArray[np.int32] = connected_components(graph, directed=False)[1]
    return component[votes.task]
