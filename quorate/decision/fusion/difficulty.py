"""Tasks are easy or hard: votes on hard ones count less. The way without gold."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from quorate.balance import class_bias, seem_even
from quorate.decision.fusion._crowd import Crowd, fit_crowd, summed
from quorate.decision.fusion._known import clamped, class_prior, shares
from quorate.decision.fusion._machine import borne_out, log_machines, machine_prior
from quorate.kernels import softmax_rows
from quorate.outlook import Outlook
from quorate.protocols import TAUGHT, Fused, Gold, Machines
from quorate.results import Array
from quorate.votes import Votes

PSEUDO_ITEMS = 200.0  # on the shares of the levels: votes tell little of them
BY_CHANCE = 0.2  # a class that is so much more common, in logs, is left alone: no pool is quite even


@dataclass(frozen=True, kw_only=True)
class Difficulty:
    """Every task has a level of difficulty, and at each level voters answer more or less surely.

    Model: P(y, b | x, votes) is proportional to p(y | x) w_b prod_j C_jb[y, said_j], where C_jb is the matrix of worker
    j to the power of level b, and p(y | x) = (1 - d) softmax(a log p_ml + max(0, 1 - a) log pi) + d pi. Shares w_b,
    matrices and class prior pi are fitted by EM, a and d by the likelihood of the votes. Matrices shrink to the pool's,
    which is anchored to how often voters agree; of each vote that worker's matrix counts which was fitted without the
    task. Where people give all answers about equally often, what the machine says is moved by `balance` towards classes
    that are equally common.

    Use it when: there is no gold, or little. Votes on a hard task are wrong together; plain Bayes, which takes them for
    independent, is too sure and stops too early.

    Paper: none; it is the Dawid-Skene model with the difficulty of GLAD (Whitehill et al., 2009) as a few levels.

    >>> votes = Votes.from_matrix([[0, 0, 0, 1], [1, 1, 1, 1], [0, 1, 0, 1], [1, 1, 1, 0]])
    >>> Difficulty().fit(votes, {}).posterior(votes, {}).argmax(axis=1).tolist()
    [0, 1, 0, 1]
    """

    levels: tuple[float, ...] = (0.15, 0.5, 1.0, 1.8, 3.0)
    own: float = 8.0
    balance: float = 1.0
    rounds: int = 10
    rounds_on: int = 2

    def fit(
        self, votes: Votes, machines: Machines, gold: Gold | None = None, start: Fused | None = None
    ) -> "FusedByDifficulty":
        """See Fusion."""
        before = start if isinstance(start, FusedByDifficulty) else None
        model = before or self._first(votes, gold)
        model = replace(model, shift=self._shift(votes, machines))
        logs = model.log_machines(machines)
        voted = votes.votes_per_task > 0
        probs = shares(votes, gold) if before is None else model.posterior(votes, machines, gold)
        for _ in range(self.rounds if before is None else self.rounds_on):
            crowd = fit_crowd(votes, probs, own=self.own)
            model = replace(model, crowd=crowd, class_prior=class_prior(votes, probs, gold))
            scores = model.vote_scores(votes, probs)
            if logs is not None and voted.any():
                weight, doubt = borne_out(
                    logs[voted], model.class_prior, model.likelihood(scores[voted]), taught=TAUGHT in machines
                )
                model = replace(model, weight=weight, doubt=doubt)
            belief = model.belief(scores, logs)
            probs = clamped(belief.sum(axis=1), gold)
            levels = belief[voted].sum(axis=(0, 2)) + PSEUDO_ITEMS * model.level_shares
            model = replace(model, level_shares=levels / levels.sum())
        return model

    def _first(self, votes: Votes, gold: Gold | None) -> "FusedByDifficulty":
        probs = shares(votes, gold)
        near = np.exp(-np.square(np.log(self.levels)))  # levels near one are the common ones
        return FusedByDifficulty(
            levels=self.levels,
            crowd=fit_crowd(votes, probs, own=self.own),
            class_prior=class_prior(votes, probs, gold),
            level_shares=near / near.sum(),
            weight=1.0,
            doubt=0.03,
            shift=np.zeros(votes.n_classes),
        )

    def _shift(self, votes: Votes, machines: Machines) -> Array:
        logs = log_machines(machines)
        if logs is None or not len(logs) or not seem_even(votes):
            return np.zeros(votes.n_classes)
        bias = class_bias(logs, np.full(votes.n_classes, 1 / votes.n_classes))
        return self.balance * np.sign(bias) * np.maximum(np.abs(bias) - BY_CHANCE, 0.0)


@dataclass(frozen=True, eq=False, kw_only=True)
class FusedByDifficulty:
    """A fitted Difficulty.

    weight, doubt: of the machine, see machine_prior. shift: (n_classes,), added to its log-probabilities.
    """

    levels: tuple[float, ...]
    crowd: Crowd
    class_prior: Array
    level_shares: Array
    weight: float
    doubt: float
    shift: Array

    @cached_property
    def tables(self) -> Array:
        """Log-probabilities of answers at each level: (n_levels, n_workers + 1, said, true)."""
        return np.stack([self.crowd.raised(level) for level in self.levels])

    def log_machines(self, machines: Machines) -> Array | None:
        """What the machines say, moved to the classes as common as they should be."""
        logs = log_machines(machines)
        return None if logs is None else logs + self.shift

    def vote_scores(self, votes: Votes, probs: Array | None = None) -> Array:
        """Log-likelihood of the votes of each task, by level and class: (n_tasks, n_levels, n_classes).

        probs: what is believed of the tasks; given, matrices count as if they were fitted without the task.
        """
        each = self.tables[:, self.crowd.voter(votes), votes.label]  # (n_levels, n_votes, n_classes)
        if probs is not None:
            each = each + np.array(self.levels)[:, None, None] * self.crowd.without(votes, probs)
        flat = each.transpose(1, 0, 2).reshape(len(votes), len(self.levels) * votes.n_classes)
        return summed(votes, flat).reshape(votes.n_tasks, len(self.levels), votes.n_classes)

    def likelihood(self, scores: Array) -> Array:
        """The same over all levels, up to a factor per task: (n_tasks, n_classes)."""
        return np.einsum("nbk,b->nk", np.exp(scores - scores.max(axis=(1, 2), keepdims=True)), self.level_shares)

    def belief(self, scores: Array, logs: Array | None) -> Array:
        """Probability of every level and class: (n_tasks, n_levels, n_classes)."""
        prior = machine_prior(logs, self.class_prior, self.weight, self.doubt, len(scores))
        joint = scores + np.log(prior)[:, None, :] + np.log(self.level_shares)[:, None]
        flat = joint.reshape(len(joint), joint.shape[1] * joint.shape[2])  # also of no tasks at all
        softmax_rows(flat)
        return flat.reshape(joint.shape)

    def posterior(self, votes: Votes, machines: Machines, gold: Gold | None = None) -> Array:
        """See Fused."""
        return clamped(self.outlook(votes, machines).probs, gold)

    def outlook(self, votes: Votes, machines: Machines) -> Outlook:
        """See Fused."""
        logs = self.log_machines(machines)
        first = self.belief(self.vote_scores(votes), logs).sum(axis=1)
        belief = self.belief(self.vote_scores(votes, first), logs)
        return Outlook(belief, np.stack([self.crowd.next_raised(level) for level in self.levels]))
