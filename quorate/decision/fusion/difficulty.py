"""Tasks are easy or hard: votes on hard ones count less. The way without gold."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from quorate.decision.fusion._crowd import Crowd, fit_crowd, summed
from quorate.decision.fusion._known import clamped, class_prior, shares
from quorate.decision.fusion._machine import borne_out, log_machines, machine_prior
from quorate.kernels import softmax_rows
from quorate.outlook import Outlook
from quorate.protocols import Fused, Gold, Machines
from quorate.results import Array
from quorate.votes import Votes

PSEUDO_ITEMS = 10.0  # on the shares of the levels


@dataclass(frozen=True, kw_only=True)
class Difficulty:
    """Every task has a level of difficulty, and at each level voters answer more or less surely.

    levels: powers to which the voters' matrices are raised. sway: power on top of them all, since votes on a task are
    not quite independent. rounds: of EM in a first fit; two when it goes on from an earlier one.
    """

    levels: tuple[float, ...] = (0.15, 0.5, 1.0, 1.8, 3.0)
    sway: float = 0.85
    own: float = 8.0
    rounds: int = 10

    def fit(
        self, votes: Votes, machines: Machines, gold: Gold | None = None, start: Fused | None = None
    ) -> "FusedByDifficulty":
        """See Fusion."""
        logs = log_machines(machines)
        voted = votes.votes_per_task > 0
        going_on = isinstance(start, FusedByDifficulty)
        model = start if isinstance(start, FusedByDifficulty) else self._first(votes, gold)
        probs = model.posterior(votes, machines, gold) if going_on else shares(votes, gold)
        for _ in range(2 if going_on else self.rounds):
            model = replace(
                model, crowd=fit_crowd(votes, probs, own=self.own), class_prior=class_prior(votes, probs, gold)
            )
            scores = model.vote_scores(votes)
            if logs is not None and voted.any():
                weight, doubt = borne_out(logs[voted], model.class_prior, model.likelihood(scores[voted]))
                model = replace(model, weight=weight, doubt=doubt)
            belief = model.belief(scores, logs)
            probs = clamped(belief.sum(axis=1), gold)
            levels = belief[voted].sum(axis=(0, 2)) + PSEUDO_ITEMS * model.level_shares
            model = replace(model, level_shares=levels / levels.sum())
        return model

    def _first(self, votes: Votes, gold: Gold | None) -> "FusedByDifficulty":
        probs = shares(votes, gold)
        near = np.exp(-np.square(np.log(self.levels)))  # levels near one are the common ones
        crowd = fit_crowd(votes, probs, own=self.own)
        return FusedByDifficulty(
            self.levels, self.sway, crowd, class_prior(votes, probs, gold), near / near.sum(), weight=1.0, doubt=0.03
        )


@dataclass(frozen=True, eq=False)
class FusedByDifficulty:
    """A fitted Difficulty. weight, doubt: of the machine, see machine_prior."""

    levels: tuple[float, ...]
    sway: float
    crowd: Crowd
    class_prior: Array
    level_shares: Array
    weight: float
    doubt: float

    @cached_property
    def tables(self) -> Array:
        """Log-probabilities of answers at each level: (n_levels, n_workers + 1, said, true)."""
        return np.stack([self.crowd.raised(self.sway * level) for level in self.levels])

    def vote_scores(self, votes: Votes) -> Array:
        """Log-likelihood of the votes of each task, by level and class: (n_tasks, n_levels, n_classes)."""
        each = self.tables[:, self.crowd.voter(votes), votes.label]  # (n_levels, n_votes, n_classes)
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
        answers = np.stack([self.crowd.pool_raised(self.sway * level) for level in self.levels])
        return Outlook(self.belief(self.vote_scores(votes), log_machines(machines)), answers)
