"""Votes weighted by iteratively corrected skills."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from quorate.aggregation._agreement import leading_classes, normalise_rows
from quorate.data.option_checks import require_numbers
from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.inference.bayes import PriorKnowledge
from quorate.inference.kernels import sum_at
from quorate.inference.progress import report_round
from quorate.typing import Array

ROUNDS_PER_STEP = 20  # rounds after which the step is halved, so that oscillating skills converge


@dataclass(frozen=True, kw_only=True)
class ZeroBasedSkill:
    """Zero-based skill: vote weights that move towards each worker's agreement with the weighted vote.

    Model: p(k) is proportional to the sum of skill_j over the workers j who voted for k. All skills start equal; in
    each round skill_j += step * (agreement_j - skill_j), where agreement_j is the share of the worker's votes for the
    leading class of their task (ties count in part). The step starts at 1 and is halved every 20 rounds. A prior counts
    as one more vote, of skill 1.

    Use it when: you know it from Toloka. It is wawa, repeated until it is consistent with itself. It has no objective,
    so it reports the largest change of a probability in each round.

    Paper: none; described in Ustalov, Pavlichenko and Tseitlin, "Learning from crowds with Crowd-Kit", JOSS 2024.

    >>> from quorate import Votes
    >>> votes = Votes.from_matrix([[0, 0, 1], [1, 1, 0], [0, 0, 0], [1, -1, 0]])
    >>> ZeroBasedSkill().aggregate(votes).probs.round(3).tolist()
    [[0.889, 0.111], [0.111, 0.889], [1.0, 0.0], [0.2, 0.8]]
    """

    reports_change: ClassVar[bool] = True

    max_rounds: int = 100
    tol: float = 1e-6

    def __post_init__(self) -> None:
        require_numbers(self, "max_rounds", at_least=1)

    def aggregate(self, votes: Votes, prior: ArrayLike | None = None, gold: ArrayLike | None = None) -> Posterior:
        """See Aggregator."""
        knowledge = PriorKnowledge.of(votes, prior, gold)
        cell, voter, n_votes = votes.cell, votes.voter, votes.votes_per_voter
        prior_weight = 0.0 if knowledge.prior is None else knowledge.prior

        def weigh(skill: Array) -> Array:
            return sum_at(cell, skill[voter], (votes.n_tasks, votes.n_classes)) + prior_weight

        skill = np.ones(len(n_votes))
        weight, step, changes, converged = weigh(skill), 1.0, list[float](), False
        probs = knowledge.clamp(normalise_rows(weight))
        for iteration in range(1, self.max_rounds + 1):
            step /= 2 if iteration % ROUNDS_PER_STEP == 0 else 1
            leads = knowledge.clamp(leading_classes(weight))
            gap = sum_at(voter, leads.ravel()[cell], n_votes.shape) / np.maximum(n_votes, 1) - skill
            skill += step * gap
            weight, before = weigh(skill), probs
            probs = knowledge.clamp(normalise_rows(weight))
            changes.append(float(np.abs(probs - before).max(initial=0)))
            report_round(iteration, self.max_rounds)
            converged = bool(np.abs(gap[n_votes > 0]).max(initial=0) <= self.tol)
            if converged:
                break
        class_prior = knowledge.class_prior(probs)
        return Posterior.of(
            votes,
            knowledge.fill_uninformed(probs, class_prior),
            class_prior=class_prior,
            objective=changes,
            converged=converged,
        )
