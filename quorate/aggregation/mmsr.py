"""M-MSR: skills from the agreement of pairs of workers, robust to adversarial workers."""

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from quorate.data.option_checks import require_numbers
from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.data.worker_models import Coin
from quorate.inference.bayes import PriorKnowledge
from quorate.inference.kernels import sum_at
from quorate.inference.progress import report_round
from quorate.typing import Array

MIN_SKILL = 1e-3  # above zero, since proposals are divided by it
SIGN_ROUNDS = 20


@dataclass(frozen=True, kw_only=True)
class Mmsr:
    """M-MSR: worker skills from the agreement of pairs of workers, robust to adversarial workers.

    Model: with skill s = (K a - 1) / (K - 1) for accuracy a, two workers agree with probability A where C_ij = (K A -
    1) / (K - 1) = s_i s_j. In each round of matrix mean-subsequence-reduced (M-MSR), every worker j who shares tasks
    with i proposes |C_ij| / |s_j| for |s_i|. The largest of the proposals above the current |s_i| and the smallest of
    those below it are discarded, on each side at most a share `trim` of all; |s_i| becomes the geometric mean of itself
    and the mean of the rest. The sign is that of the agreement with gold or, without gold, of the agreement with the
    other workers, weighted by skill. The skill of a worker with n votes is limited to 1 - 1 / sqrt(1 + n) of a perfect
    one, in either direction. A vote weighs the log-odds log(a (K - 1) / (1 - a)); gold counts as one more worker, of
    skill 1.

    Use it when: some workers may give wrong labels on purpose or collude, and most pairs of workers share many tasks.

    Paper: Ma and Olshevsky, "Adversarial crowdsourcing through robust rank-one matrix completion", NeurIPS 2020.

    Args:
        trim: largest share of the proposals that is discarded on each side.
        max_rounds: maximum number of rounds.
        tol: change of a skill below which the fit has converged.

    >>> from quorate import Votes
    >>> votes = Votes.from_matrix([[0, 0, 1], [1, 1, 0], [0, 0, 0], [1, 1, 0]])
    >>> Mmsr().aggregate(votes).labels.tolist()
    [0, 1, 0, 1]
    """

    reports_change: ClassVar[bool] = True

    trim: float = 0.25
    max_rounds: int = 100
    tol: float = 1e-5

    def __post_init__(self) -> None:
        require_numbers(self, "trim", at_least=0, below=0.5, note="it is the share discarded on each side")
        require_numbers(self, "max_rounds", at_least=1)

    def aggregate(self, votes: Votes, prior: ArrayLike | None = None, gold: ArrayLike | None = None) -> Posterior:
        """See Aggregator."""
        knowledge = PriorKnowledge.of(votes, prior, gold)
        pairs = _find_pairs(votes, knowledge)
        size, changes, converged = self._sizes(pairs, votes.n_workers + 1)
        skill = (_signs(pairs, size) * size)[:-1]
        accuracy = _accuracy(votes, skill, has_pairs=np.bincount(pairs.of, minlength=len(skill)) > 0)
        log_odds = np.log(accuracy * (votes.n_classes - 1) / (1 - accuracy))
        probs = sum_at(votes.cell, log_odds[votes.voter], (votes.n_tasks, votes.n_classes))
        class_prior = knowledge.uniform_prior(votes.n_classes)
        knowledge.apply_bayes_rule(probs, class_prior)
        return Posterior.of(
            votes,
            probs,
            class_prior=class_prior,
            worker_model=Coin(accuracy, votes.n_classes),
            objective=changes,
            converged=converged,
        )

    def _sizes(self, pairs: "_Pairs", n_voters: int) -> tuple[Array, list[float], bool]:
        """Return absolute skills of all voters, gold last, the change in each round, and whether they converged."""
        size, changes, converged = np.ones(n_voters + 1), list[float](), False
        for iteration in range(1, self.max_rounds + 1):
            proposed = np.abs(pairs.skill) / size[pairs.by]
            mean = _trimmed_means(pairs.of, proposed, size[:-1], self.trim)
            new = np.sqrt(size[:-1] * np.maximum(mean, MIN_SKILL))
            changes.append(float(np.abs(new - size[:-1]).max()))
            size[:-1] = new
            report_round(iteration, self.max_rounds)
            converged = changes[-1] <= self.tol
            if converged:
                break
        return size, changes, converged


class _Pairs(NamedTuple):
    """Ordered pairs of voters who share tasks, sorted by `of`: `by` proposes a skill for `of`.

    Attributes:
        of: index of the first voter, n_workers for the anonymous one.
        by: index of the second voter, n_workers + 1 for gold.
        n_common: number of tasks that they share.
        skill: their agreement beyond chance, an estimate of the product of their skills.
    """

    of: NDArray[Any]
    by: NDArray[Any]
    n_common: Array
    skill: Array


def _find_pairs(votes: Votes, knowledge: PriorKnowledge) -> _Pairs:
    from scipy.sparse import csr_array  # slow to import: loaded on first use

    gold_tasks = np.flatnonzero(knowledge.gold >= 0)
    n_voters = votes.n_workers + 2
    voter = np.concatenate([votes.voter, np.full(len(gold_tasks), n_voters - 1)])
    task = np.concatenate([votes.task, gold_tasks])
    cell = np.concatenate([votes.cell, gold_tasks * votes.n_classes + knowledge.gold[gold_tasks]])
    by_task: Any = csr_array((np.ones(len(voter)), (voter, task)), shape=(n_voters, votes.n_tasks))
    by_cell: Any = csr_array((np.ones(len(voter)), (voter, cell)), shape=(n_voters, votes.n_tasks * votes.n_classes))
    common = by_task @ by_task.T
    agreeing = by_cell @ by_cell.T + common / 2  # the second term keeps entries of pairs that never agree
    common.sort_indices()
    agreeing.sort_indices()
    of, by = np.repeat(np.arange(n_voters), np.diff(common.indptr)), common.indices
    kept = (of != by) & (of < n_voters - 1)
    of, by, n_common = of[kept], by[kept], common.data[kept]
    skill = (votes.n_classes * (agreeing.data[kept] / n_common - 0.5) - 1) / (votes.n_classes - 1)
    return _Pairs(of, by, n_common, skill)


def _trimmed_means(group: NDArray[Any], values: Array, current: Array, trim: float) -> Array:
    """Return the mean of each group's values without the most extreme ones; `current` for an empty group.

    Args:
        group: sorted group of each value.
        values: values to average.
        current: current value of each group; the largest values above it and the smallest below it are discarded.
        trim: largest share of a group that is discarded on each side.
    """
    shape = current.shape
    n_values = np.bincount(group, minlength=len(current))
    max_discarded = np.floor(trim * n_values)
    n_below = sum_at(group, (values < current[group]).astype(np.float64), shape)
    n_above = sum_at(group, (values > current[group]).astype(np.float64), shape)
    order = np.argsort(group + values / (1 + values.max(initial=0)), kind="stable")  # by group, then by value
    rank = np.arange(len(group)) - (np.cumsum(n_values) - n_values)[group]
    low, high = np.minimum(max_discarded, n_below), n_values - np.minimum(max_discarded, n_above)
    kept = (rank >= low[group]) & (rank < high[group])
    total, n_kept = sum_at(group, kept * values[order], shape), sum_at(group, kept.astype(np.float64), shape)
    return np.divide(total, n_kept, out=current.copy(), where=n_kept > 0)


def _signs(pairs: _Pairs, size: Array) -> Array:
    """Return +1 for voters who mostly agree with the others, -1 for those who mostly give the opposite label.

    A voter with votes on gold tasks is judged by gold alone: workers who collude would outvote it.
    """
    sign, shape = np.ones(len(size)), (len(size) - 1,)
    by_gold = sum_at(pairs.of, np.where(pairs.by == len(size) - 1, pairs.skill, 0.0), shape)
    for _ in range(SIGN_ROUNDS):
        agreement = sum_at(pairs.of, pairs.n_common * pairs.skill * (sign * size)[pairs.by], shape)
        new = np.append(np.where(np.where(by_gold == 0, agreement, by_gold) < 0, -1.0, 1.0), 1.0)
        if np.array_equal(new, sign):
            break
        sign = new
    return sign


def _accuracy(votes: Votes, skill: Array, has_pairs: NDArray[np.bool_]) -> Array:
    """Return the accuracy of all voters; the pool's for those without pairs."""
    n_votes, others = votes.votes_per_voter, votes.n_classes - 1
    limit = 1 - 1 / np.sqrt(1 + n_votes)
    skill = np.clip(skill, -limit / others, limit)
    weight = n_votes * has_pairs
    pool = max((weight @ skill) / weight.sum(), MIN_SKILL) if weight.any() else 0.5
    return (others * np.where(has_pairs, skill, pool) + 1) / votes.n_classes
