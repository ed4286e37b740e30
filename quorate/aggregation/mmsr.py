"""Skills from the agreement of pairs of workers, robust to some who cheat."""

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

LEAST_SKILL = 1e-3  # a skill is divided by, so it never quite vanishes
SIGN_ROUNDS = 20


@dataclass(frozen=True, kw_only=True)
class Mmsr:
    """Matrix mean-subsequence-reduced: a worker's skill is what most of those they met say it is.

    Model: with skill s = (K a - 1) / (K - 1), two workers agree with probability A where C_ij = (K A - 1) / (K - 1) =
    s_i s_j. Each round, every worker j whom i has met proposes |C_ij| / |s_j| for |s_i|. Of the proposals above the
    present |s_i| the largest are left out, of those below it the smallest, on each side at most `trim` of all; |s_i|
    becomes the geometric mean of itself and the mean of the rest. The sign is that of the agreement with gold, or
    else, weighted by skill, with those met. A worker of n votes reaches at most 1 - 1 / sqrt(1 + n) of a perfect skill,
    or of its opposite. A vote weighs the log-odds log(a (K - 1) / (1 - a)); gold is one more worker, of skill 1.

    Use it when: some workers may answer wrongly on purpose or by agreement, and most pairs of workers share many tasks.

    Paper: Ma & Olshevsky, "Adversarial crowdsourcing through robust rank-one matrix completion", NeurIPS 2020.

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
        require_numbers(self, "trim", at_least=0, below=0.5, note="it is left out on both sides")
        require_numbers(self, "max_rounds", at_least=1)

    def aggregate(self, votes: Votes, prior: ArrayLike | None = None, gold: ArrayLike | None = None) -> Posterior:
        """See Aggregator."""
        knowledge = PriorKnowledge.of(votes, prior, gold)
        pairs = _met(votes, knowledge)
        size, changes, converged = self._sizes(pairs, votes.n_workers + 1)
        skill = (_signs(pairs, size) * size)[:-1]
        accuracy = _accuracy(votes, skill, met=np.bincount(pairs.of, minlength=len(skill)) > 0)
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
        """Absolute skills of all voters and of gold, the last; the change of each round; whether they came to rest."""
        size, changes, converged = np.ones(n_voters + 1), list[float](), False
        for number in range(1, self.max_rounds + 1):
            proposed = np.abs(pairs.skill) / size[pairs.by]
            mean = _trimmed_means(pairs.of, proposed, size[:-1], self.trim)
            new = np.sqrt(size[:-1] * np.maximum(mean, LEAST_SKILL))
            changes.append(float(np.abs(new - size[:-1]).max()))
            size[:-1] = new
            report_round(number, self.max_rounds)
            converged = changes[-1] <= self.tol
            if converged:
                break
        return size, changes, converged


class _Pairs(NamedTuple):
    """Every two voters who share tasks, both ways round, ordered by `of`: `by` may say something about `of`.

    of, by: rows of a model of workers, n_workers + 1 in `by` for gold. n_common: tasks that they share.
    skill: by how much they agree beyond chance, the product of both their skills.
    """

    of: NDArray[Any]
    by: NDArray[Any]
    n_common: Array
    skill: Array


def _met(votes: Votes, knowledge: PriorKnowledge) -> _Pairs:
    from scipy.sparse import csr_array  # a fifth of a second: paid by those who use the method

    judged = np.flatnonzero(knowledge.gold >= 0)
    n_voters = votes.n_workers + 2
    voter = np.concatenate([votes.voter, np.full(len(judged), n_voters - 1)])
    task = np.concatenate([votes.task, judged])
    said = np.concatenate([votes.cell, judged * votes.n_classes + knowledge.gold[judged]])
    by_task: Any = csr_array((np.ones(len(voter)), (voter, task)), shape=(n_voters, votes.n_tasks))
    by_cell: Any = csr_array((np.ones(len(voter)), (voter, said)), shape=(n_voters, votes.n_tasks * votes.n_classes))
    common = by_task @ by_task.T
    agreeing = by_cell @ by_cell.T + common / 2  # so that those who met but never agreed have an entry, too
    common.sort_indices()
    agreeing.sort_indices()
    of, by = np.repeat(np.arange(n_voters), np.diff(common.indptr)), common.indices
    wanted = (of != by) & (of < n_voters - 1)
    of, by, n_common = of[wanted], by[wanted], common.data[wanted]
    skill = (votes.n_classes * (agreeing.data[wanted] / n_common - 0.5) - 1) / (votes.n_classes - 1)
    return _Pairs(of, by, n_common, skill)


def _trimmed_means(group: NDArray[Any], values: Array, present: Array, trim: float) -> Array:
    """Mean of each group's values without the most extreme; `present` where a group is empty.

    Left out are the largest of those above `present` and the smallest of those below it, on each side at most the share
    `trim` of the group. group: sorted.
    """
    shape = present.shape
    n_values = np.bincount(group, minlength=len(present))
    most = np.floor(trim * n_values)
    n_below = sum_at(group, (values < present[group]).astype(np.float64), shape)
    n_above = sum_at(group, (values > present[group]).astype(np.float64), shape)
    order = np.argsort(group + values / (1 + values.max(initial=0)), kind="stable")  # by group, then by value
    rank = np.arange(len(group)) - (np.cumsum(n_values) - n_values)[group]
    kept = (rank >= np.minimum(most, n_below)[group]) & (rank < (n_values - np.minimum(most, n_above))[group])
    total, n_kept = sum_at(group, kept * values[order], shape), sum_at(group, kept.astype(np.float64), shape)
    return np.divide(total, n_kept, out=present.copy(), where=n_kept > 0)


def _signs(pairs: _Pairs, size: Array) -> Array:
    """+1 for voters who, on the whole, agree with the others, -1 for those who answer the opposite.

    Who has met gold is judged by gold alone: those who err together would outvote it.
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


def _accuracy(votes: Votes, skill: Array, met: NDArray[np.bool_]) -> Array:
    """Accuracies of all voters; those who met nobody have the pool's."""
    n_votes, others = votes.votes_per_voter, votes.n_classes - 1
    reach = 1 - 1 / np.sqrt(1 + n_votes)
    skill = np.clip(skill, -reach / others, reach)
    seen = n_votes * met
    pool = max((seen @ skill) / seen.sum(), LEAST_SKILL) if seen.any() else 0.5
    return (others * np.where(met, skill, pool) + 1) / votes.n_classes
