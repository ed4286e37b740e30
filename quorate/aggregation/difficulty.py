"""Dawid-Skene with levels of difficulty."""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from quorate.data.option_checks import require_numbers
from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.data.worker_models import Confusion
from quorate.errors import MethodError
from quorate.inference.bayes import PriorKnowledge
from quorate.inference.crowd_model import Crowd, fit_crowd
from quorate.inference.difficulty_levels import (
    LEVELS,
    first_level_shares,
    level_log_rows,
    level_shares,
    level_vote_scores,
)
from quorate.inference.em import NO_TOLERANCE, em
from quorate.inference.kernels import safe_log, softmax_rows
from quorate.inference.kernels.m_step import refuse_huge_tables
from quorate.inference.pool_prior import class_prior, shares
from quorate.typing import Array


class _Model(NamedTuple):
    """Fitted parameters, the belief that they were fitted to, and the log-likelihood of the votes under them.

    `scores` is (n_tasks, n_levels, n_classes).
    """

    crowd: Crowd
    class_prior: Array
    shares: Array
    probs: Array
    scores: Array


class _Expected(NamedTuple):
    """The posterior of the tasks, and how common each level is."""

    probs: Array
    shares: Array


@dataclass(frozen=True, kw_only=True)
class Difficulty:
    """Dawid-Skene with levels of difficulty: on hard tasks, all workers are less reliable.

    Model: P(y, b, votes) = rho_y w_b prod_j C_jb[y, l_j]. C_jb is the confusion matrix of worker j to the power of
    level b, with rows that sum to one: below one, votes say less. Shares w_b, matrices and class prior rho are fitted
    by EM. Matrices shrink to the pool's, which is anchored to how often workers agree, and every vote is judged by the
    matrix that is fitted without its task.

    Use it when: some tasks are much harder than others. Votes on a hard task are wrong together, which dawid_skene does
    not allow for. It is a member of ensemble.

    Paper: none; it is Dawid and Skene's model with the difficulty of GLAD (Whitehill et al., 2009) as a few levels, and
    the model of votes behind the fusion method of the same name.

    Args:
        levels: powers of the confusion matrices, one per level of difficulty; below one is harder.
        strength: pseudo-votes of the pool in each row of a worker's matrix.
        max_rounds: number of rounds of EM. The steps are not exact EM (the matrices leave out the task they judge), so
            all are taken; it reports the largest change of a probability in each.

    >>> votes = Votes.from_matrix([[0, 0, 0, 1], [1, 1, 1, 1], [0, 1, 0, 1], [1, 1, 1, 0]])
    >>> Difficulty().aggregate(votes).labels.tolist()
    [0, 1, 0, 1]
    """

    reports_change: ClassVar[bool] = True
    levels: tuple[float, ...] = LEVELS
    strength: float = 8.0
    max_rounds: int = 10

    def __post_init__(self) -> None:
        if not self.levels or not all(np.isfinite(level) and level > 0 for level in self.levels):
            raise MethodError(f"levels must be one or more numbers above zero, got {self.levels}")
        require_numbers(self, "strength", above=0)

    def aggregate(self, votes: Votes, prior: ArrayLike | None = None, gold: ArrayLike | None = None) -> Posterior:
        """See Aggregator."""
        refuse_huge_tables(votes)
        knowledge = PriorKnowledge.of(votes, prior, gold)
        voted = votes.votes_per_task > 0

        def m_step(expected: _Expected) -> _Model:
            crowd = fit_crowd(votes, expected.probs, own=self.strength)
            log_rows = level_log_rows(crowd, self.levels)
            scores = level_vote_scores(votes, crowd, self.levels, log_rows, expected.probs)
            return _Model(crowd, common_classes(expected.probs), expected.shares, expected.probs, scores)

        def e_step(model: _Model) -> tuple[_Expected, float]:
            joint = model.scores + knowledge.log_prior(model.class_prior)[:, None, :] + safe_log(model.shares)[:, None]
            flat = joint.reshape(len(joint), joint.shape[1] * joint.shape[2])  # -1 fails without tasks
            softmax_rows(flat)
            joint = flat.reshape(joint.shape)
            probs = knowledge.clamp(joint.sum(axis=1))
            change = float(np.abs(probs - model.probs).max(initial=0))
            return _Expected(probs, level_shares(joint[voted], model.shares)), change

        def common_classes(probs: Array) -> Array:
            return (
                class_prior(votes, probs, knowledge.gold) if knowledge.prior is None else knowledge.class_prior(probs)
            )

        start = _Expected(shares(votes, knowledge.gold), first_level_shares(self.levels))
        fit = em(start, m_step, e_step, n_votes=len(votes), max_rounds=self.max_rounds, tol=NO_TOLERANCE)
        return Posterior.of(
            votes,
            fit.statistics.probs,
            class_prior=fit.model.class_prior,
            worker_model=Confusion(np.log(fit.model.crowd.table)),
            objective=fit.objective,
        )
