"""Fusion with levels of difficulty: votes on hard tasks count less. It needs no gold labels."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from quorate.data.votes import Votes
from quorate.decision.base import TAUGHT, Fused, Machines
from quorate.decision.belief import Belief, DeceptionModel
from quorate.decision.classifier_trust import earned_trust
from quorate.decision.classifier_weights import fit_parts, fit_weight_and_noise, log_machines, machine_prior
from quorate.decision.tuning import TUNING
from quorate.inference.bayes import clamp_gold
from quorate.inference.class_balance import class_bias, is_balanced
from quorate.inference.crowd_model import Crowd, fit_crowd
from quorate.inference.difficulty_levels import (
    LEVELS,
    first_level_shares,
    level_log_rows,
    level_shares,
    level_vote_scores,
)
from quorate.inference.em import NO_TOLERANCE, em
from quorate.inference.kernels import softmax_rows
from quorate.inference.pool_prior import class_prior, shares
from quorate.inference.progress import quiet_rounds
from quorate.typing import Array, Gold


@dataclass(frozen=True, kw_only=True)
class Difficulty:
    """Dawid-Skene with levels of difficulty: on hard tasks voters are less reliable, and a few tasks deceive them.

    Model: P(y, b, z | x, votes) is proportional to p(y | x) P(z | y) w_b prod_j C_jb[z, vote_j]. z is the class that
    the task looks like: y, except for a share of `deceptive` tasks, which look like a class that y is confused with.
    C_jb is the matrix of worker j to the power of level b, and p(y | x) = (1 - d) softmax(a log p_ml +
    max(0, 1 - a) log pi) + d pi. Shares w_b, matrices and class prior pi are fitted by EM, the weight a and noise rate
    d of the classifier by the likelihood of the votes; votes alone cannot say how many tasks are deceptive. Matrices
    shrink to the pool's, which is anchored to how often voters agree, and each vote is judged by the worker's matrix
    fitted without its task. A classifier that was trained on these votes keeps only the share of its weight that it has
    earned (`classifier_trust`). If people give all answers about equally often, the classifier's probabilities are
    moved by `balance` towards classes that are equally common.

    Args:
        levels: powers of the confusion matrices, one per level of difficulty; below one is harder.
        deceptive: share of tasks that look like another class to everybody.
        own: pseudo-votes of the pool in each row of a worker's matrix.
        balance: how far to rebalance the classifier, from 0 (not at all) to 1 (fully).
        rounds: rounds of EM in a first fit.
        rounds_on: rounds of EM in a fit that continues from an earlier one.

    Use it when: there are no gold labels, or few. Votes on a hard task are wrong together; plain Bayes, which assumes
    that they are independent, is too confident and stops too early.

    Paper: none; it is the Dawid-Skene model with the difficulty of GLAD (Whitehill et al., 2009) as a few levels.

    >>> votes = Votes.from_matrix([[0, 0, 0, 1], [1, 1, 1, 1], [0, 1, 0, 1], [1, 1, 1, 0]])
    >>> Difficulty().fit(votes, {}).posterior(votes, {}).argmax(axis=1).tolist()
    [0, 1, 0, 1]
    """

    levels: tuple[float, ...] = LEVELS
    deceptive: float = 0.005
    own: float = 8.0
    balance: float = 1.0
    rounds: int = 10
    rounds_on: int = 2

    def fit(
        self, votes: Votes, machines: Machines, gold: Gold | None = None, start: Fused | None = None
    ) -> "FusedByDifficulty":
        """See Fusion.

        Not quite EM: matrices are fitted without the task they judge, and anchored to how often voters agree, so the
        log-evidence of the votes may fall between rounds. The number of rounds is fixed.
        """
        before = start if isinstance(start, FusedByDifficulty) and start.levels == self.levels else None
        first = before or self._first(votes, gold)
        first = self._with_parts(first, votes, machines, first.parts)
        voted = votes.votes_per_task > 0

        def m_step(expected: _Expected) -> _Step:
            crowd = fit_crowd(votes, expected.probs, own=self.own)
            model = replace(expected.model, crowd=crowd, class_prior=class_prior(votes, expected.probs, gold))
            scores = model.vote_scores(votes, expected.probs)
            if machines and voted.any():
                model = self._fit_weights(model, votes, machines, model.likelihood(scores[voted]))
            return _Step(model, scores)

        def e_step(step: _Step) -> tuple[_Expected, float]:
            model, scores = step
            logs = model.log_machines(machines)
            joint, evidence = model.joint_and_evidence(scores, logs)
            probs = clamp_gold(model.deception(logs, len(joint)).truth(joint.sum(axis=1)), gold)
            return _Expected(
                replace(model, level_shares=level_shares(joint[voted], model.level_shares)), probs
            ), evidence

        probs = shares(votes, gold) if before is None else first.posterior(votes, machines, gold)
        rounds = self.rounds if before is None else self.rounds_on
        with quiet_rounds():  # a fit is one step of a replay, which reports its own progress
            fit = em(_Expected(first, probs), m_step, e_step, n_votes=len(votes), max_rounds=rounds, tol=NO_TOLERANCE)
        return fit.statistics.model

    def _fit_weights(
        self, model: "FusedByDifficulty", votes: Votes, machines: Machines, likelihood: Array
    ) -> "FusedByDifficulty":
        """Return the model with the weights of the classifiers at which the votes are most likely.

        likelihood: (n_voted, n_classes), of the votes of each task that has any.
        """
        voted = votes.votes_per_task > 0
        if len(machines) > 1:
            seen = {name: probs[voted] for name, probs in machines.items()}
            model = self._with_parts(model, votes, machines, fit_parts(seen, model.class_prior, likelihood))
        logs = model.log_machines(machines)
        assert logs is not None
        taught = TAUGHT in machines
        weight, noise = fit_weight_and_noise(logs[voted], model.class_prior, likelihood, taught=taught)
        if taught:
            prior = machine_prior(logs[voted], model.class_prior, weight, noise, len(likelihood))
            weight *= earned_trust(prior, likelihood, TUNING.nats_to_discriminate * weight)
        return replace(model, weight=weight, noise=noise)

    def _first(self, votes: Votes, gold: Gold | None) -> "FusedByDifficulty":
        probs = shares(votes, gold)
        return FusedByDifficulty(
            levels=self.levels,
            crowd=fit_crowd(votes, probs, own=self.own),
            class_prior=class_prior(votes, probs, gold),
            level_shares=first_level_shares(self.levels),
            deceptive=self.deceptive,
            weight=1.0,
            noise=0.03,
            parts=None,
            shift=np.zeros(votes.n_classes),
        )

    def _with_parts(
        self, model: "FusedByDifficulty", votes: Votes, machines: Machines, parts: Array | None
    ) -> "FusedByDifficulty":
        """Return the model with these weights of the classifiers, rebalanced towards equally common classes."""
        logs = log_machines(machines, parts)
        shift = np.zeros(votes.n_classes)
        if logs is not None and len(logs) and is_balanced(votes):
            bias = class_bias(logs, np.full(votes.n_classes, 1 / votes.n_classes))
            shift = self.balance * np.sign(bias) * np.maximum(np.abs(bias) - TUNING.uneven_by_chance, 0.0)
        return replace(model, parts=parts, shift=shift)


@dataclass(frozen=True, eq=False, kw_only=True)
class FusedByDifficulty:
    """A fitted Difficulty.

    Attributes:
        levels: powers of the confusion matrices, one per level of difficulty.
        crowd: confusion matrices of the workers.
        class_prior: (n_classes,), how common each class is.
        level_shares: (n_levels,), how common each level is.
        deceptive: share of tasks that look like another class.
        weight: weight of the classifiers, see `machine_prior`.
        noise: noise rate of the classifiers, see `machine_prior`.
        parts: weight of each of several classifiers in their mean; None = all equal.
        shift: (n_classes,), added to the mean log-probabilities of the classifiers.
    """

    levels: tuple[float, ...]
    crowd: Crowd
    class_prior: Array
    level_shares: Array
    deceptive: float
    weight: float
    noise: float
    parts: Array | None
    shift: Array

    @cached_property
    def log_rows(self) -> Array:
        """Log-probabilities of votes at each level, in the memory layout of the kernels, as in Crowd."""
        return level_log_rows(self.crowd, self.levels)

    @cached_property
    def answers(self) -> Array:
        """Optimistic answers of the next voter at each level: (n_levels, true, answer)."""
        return np.stack([self.crowd.next_to_power(level) for level in self.levels])

    def log_machines(self, machines: Machines) -> Array | None:
        """Return the mean log-probabilities of the classifiers, rebalanced; None without classifiers."""
        logs = log_machines(machines, self.parts)
        return None if logs is None else logs + self.shift

    def vote_scores(self, votes: Votes, probs: Array | None = None) -> Array:
        """Return the log-likelihood of the votes of each task, per level and class: (n_tasks, n_levels, n_classes).

        probs: (n_tasks, n_classes), the belief about the tasks; if given, matrices count as fitted without the task.
        """
        return level_vote_scores(votes, self.crowd, self.levels, self.log_rows, probs)

    def likelihood(self, scores: Array) -> Array:
        """Return the likelihood under each true class, summed over levels, up to a factor per task."""
        by_looks = np.einsum("nbk,b->nk", np.exp(scores - scores.max(axis=(1, 2), keepdims=True)), self.level_shares)
        return (1 - self.deceptive) * by_looks + self.deceptive * by_looks @ self.crowd.confusions.T

    def deception(self, logs: Array | None, n_tasks: int) -> DeceptionModel:
        """Return the model of deceptive tasks, given the log-probabilities of the classifiers."""
        prior = machine_prior(logs, self.class_prior, self.weight, self.noise, n_tasks)
        return DeceptionModel(prior, self.deceptive, self.crowd.confusions)

    def joint(self, scores: Array, logs: Array | None) -> Array:
        """Return the probability of every level and of the class tasks look like: (n_tasks, n_levels, n_classes)."""
        return self.joint_and_evidence(scores, logs)[0]

    def joint_and_evidence(self, scores: Array, logs: Array | None) -> tuple[Array, float]:
        """Return the joint probabilities as `joint` does, and the log-evidence of the votes of all tasks."""
        looks = self.deception(logs, len(scores)).looks
        joint = scores + np.log(looks)[:, None, :] + np.log(self.level_shares)[:, None]
        flat = joint.reshape(len(joint), joint.shape[1] * joint.shape[2])  # -1 fails without tasks
        evidence = float(softmax_rows(flat).sum())
        return flat.reshape(joint.shape), evidence

    def posterior(self, votes: Votes, machines: Machines, gold: Gold | None = None) -> Array:
        """See Fused."""
        return clamp_gold(self.belief(votes, machines).probs, gold)

    def belief(self, votes: Votes, machines: Machines) -> Belief:
        """See Fused."""
        logs = self.log_machines(machines)
        deception = self.deception(logs, votes.n_tasks)
        first = deception.truth(self.joint(self.vote_scores(votes), logs).sum(axis=1))
        joint = self.joint(self.vote_scores(votes, first), logs)
        return Belief(joint, self.answers, deception=deception)


class _Expected(NamedTuple):
    """The result of an E-step: the model with updated shares of the levels, and the posterior of the tasks."""

    model: FusedByDifficulty
    probs: Array


class _Step(NamedTuple):
    """The result of an M-step: the model, and the log-likelihood of the votes of each task under it."""

    model: FusedByDifficulty
    scores: Array
