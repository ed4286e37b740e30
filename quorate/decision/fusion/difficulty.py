"""Tasks are easy or hard: votes on hard ones count less. The way without gold."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from quorate.data.votes import Votes
from quorate.decision.base import TAUGHT, Fused, Machines
from quorate.decision.belief import Deception, Outlook
from quorate.decision.classifier_weights import apportioned, borne_out, log_machines, machine_prior
from quorate.decision.crowd_model import Crowd, fit_crowd
from quorate.decision.pool_prior import class_prior, shares
from quorate.decision.tuning import TUNING
from quorate.inference.bayes import clamp_gold
from quorate.inference.class_balance import class_bias, is_balanced
from quorate.inference.em import NO_TOLERANCE, em
from quorate.inference.kernels import observed_first, softmax_rows
from quorate.inference.kernels.vote_sums import sum_by_task
from quorate.inference.progress import quiet_rounds
from quorate.typing import Array, Gold

MOST_CELLS = 40_000_000  # numbers worked on at a time: memory for many votes on hundreds of classes


@dataclass(frozen=True, kw_only=True)
class Difficulty:
    """Every task has a level of difficulty, at which voters answer more or less surely; and some tasks deceive them.

    Model: P(y, b, z | x, votes) is proportional to p(y | x) P(z | y) w_b prod_j C_jb[z, said_j]. z is the class that
    the task looks like: y, but for a share of `deceptive` tasks, which look like one that y is mistaken for. C_jb is
    the matrix of worker j to the power of level b, and p(y | x) = (1 - d) softmax(a log p_ml + max(0, 1 - a) log pi) +
    d pi. Shares w_b, matrices and class prior pi are fitted by EM, a and d by the likelihood of the votes; votes alone
    cannot tell how many tasks deceive. Matrices shrink to the pool's, which is anchored to how often voters agree; of
    each vote that worker's matrix counts which was fitted without the task. Where people give all answers about equally
    often, what the machine says is moved by `balance` towards classes that are equally common.

    Use it when: there is no gold, or little. Votes on a hard task are wrong together; plain Bayes, which takes them for
    independent, is too sure and stops too early.

    Paper: none; it is the Dawid-Skene model with the difficulty of GLAD (Whitehill et al., 2009) as a few levels.

    >>> votes = Votes.from_matrix([[0, 0, 0, 1], [1, 1, 1, 1], [0, 1, 0, 1], [1, 1, 1, 0]])
    >>> Difficulty().fit(votes, {}).posterior(votes, {}).argmax(axis=1).tolist()
    [0, 1, 0, 1]
    """

    levels: tuple[float, ...] = (0.15, 0.5, 1.0, 1.8, 3.0)
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
        first = self._listening(first, votes, machines, first.parts)
        voted = votes.votes_per_task > 0

        def m_step(expected: _Expected) -> _Step:
            crowd = fit_crowd(votes, expected.probs, own=self.own)
            model = replace(expected.model, crowd=crowd, class_prior=class_prior(votes, expected.probs, gold))
            scores = model.vote_scores(votes, expected.probs)
            if machines and voted.any():
                model = self._weighed(model, votes, machines, model.likelihood(scores[voted]))
            return _Step(model, scores)

        def e_step(step: _Step) -> tuple[_Expected, float]:
            model, scores = step
            logs = model.log_machines(machines)
            belief, evidence = model.belief_and_evidence(scores, logs)
            probs = clamp_gold(model.deception(logs, len(belief)).truth(belief.sum(axis=1)), gold)
            levels = belief[voted].sum(axis=(0, 2)) + TUNING.level_tasks * model.level_shares
            return _Expected(replace(model, level_shares=levels / levels.sum()), probs), evidence

        probs = shares(votes, gold) if before is None else first.posterior(votes, machines, gold)
        rounds = self.rounds if before is None else self.rounds_on
        with quiet_rounds():  # a fit is one step of a replay, which reports its own progress
            fit = em(_Expected(first, probs), m_step, e_step, n_votes=len(votes), max_rounds=rounds, tol=NO_TOLERANCE)
        return fit.statistics.model

    def _weighed(
        self, model: "FusedByDifficulty", votes: Votes, machines: Machines, likelihood: Array
    ) -> "FusedByDifficulty":
        """Return the model with the weight of the classifiers at which the votes are most likely.

        likelihood: (n_voted, n_classes), of the votes of each task that has any.
        """
        voted = votes.votes_per_task > 0
        if len(machines) > 1:
            seen = {name: said[voted] for name, said in machines.items()}
            model = self._listening(model, votes, machines, apportioned(seen, model.class_prior, likelihood))
        logs = model.log_machines(machines)
        assert logs is not None
        taught = TAUGHT in machines
        weight, doubt = borne_out(logs[voted], model.class_prior, likelihood, taught=taught)
        if taught:
            prior = machine_prior(logs[voted], model.class_prior, weight, doubt, len(likelihood))
            weight *= tells_apart(prior, likelihood, TUNING.nats_to_tell_apart * weight)
        return replace(model, weight=weight, doubt=doubt)

    def _first(self, votes: Votes, gold: Gold | None) -> "FusedByDifficulty":
        probs = shares(votes, gold)
        near = np.exp(-np.square(np.log(self.levels)))  # levels near one are the common ones
        return FusedByDifficulty(
            levels=self.levels,
            crowd=fit_crowd(votes, probs, own=self.own),
            class_prior=class_prior(votes, probs, gold),
            level_shares=near / near.sum(),
            deceptive=self.deceptive,
            weight=1.0,
            doubt=0.03,
            parts=None,
            shift=np.zeros(votes.n_classes),
        )

    def _listening(
        self, model: "FusedByDifficulty", votes: Votes, machines: Machines, parts: Array | None
    ) -> "FusedByDifficulty":
        """The model when each machine counts so much, and what they say together is moved to even classes."""
        logs = log_machines(machines, parts)
        shift = np.zeros(votes.n_classes)
        if logs is not None and len(logs) and is_balanced(votes):
            bias = class_bias(logs, np.full(votes.n_classes, 1 / votes.n_classes))
            shift = self.balance * np.sign(bias) * np.maximum(np.abs(bias) - TUNING.uneven_by_chance, 0.0)
        return replace(model, parts=parts, shift=shift)


def tells_apart(prior: Array, likelihood: Array, least: float) -> bool:
    """Whether votes are likelier, by so many nats, by what is said of each task than by what is said on average.

    A machine that calls every task the commonest class foretells most votes and knows nothing; taught by what is then
    believed, it would be the surer each time.

    >>> likelihood = np.array([[0.8, 0.2], [0.2, 0.8]] * 10)
    >>> tells_apart(likelihood, likelihood, 1.0), tells_apart(np.full((20, 2), 0.5), likelihood, 1.0)
    (True, False)
    """
    each, on_average = (prior * likelihood).sum(axis=1), likelihood @ prior.mean(axis=0)
    return bool(np.log(each / on_average).sum() > least)


@dataclass(frozen=True, eq=False, kw_only=True)
class FusedByDifficulty:
    """A fitted Difficulty.

    weight, doubt: of the machine, see machine_prior. parts: what each of several counts. shift: (n_classes,),
    added to their mean log-probabilities. deceptive: how common tasks are that look like those of another class.
    """

    levels: tuple[float, ...]
    crowd: Crowd
    class_prior: Array
    level_shares: Array
    deceptive: float
    weight: float
    doubt: float
    parts: Array | None
    shift: Array

    @cached_property
    def log_rows(self) -> Array:
        """Log-probabilities of votes at each level, in the layout of the kernels, as in Crowd."""
        return observed_first(np.stack([self.crowd.raised(level) for level in self.levels]))

    @cached_property
    def answers(self) -> Array:
        """How the next voter is hoped to answer at each level: (n_levels, true, said)."""
        return np.stack([self.crowd.next_raised(level) for level in self.levels])

    def log_machines(self, machines: Machines) -> Array | None:
        """What the machines say, moved to the classes as common as they should be."""
        logs = log_machines(machines, self.parts)
        return None if logs is None else logs + self.shift

    def vote_scores(self, votes: Votes, probs: Array | None = None) -> Array:
        """Log-likelihood of the votes of each task, by level and what it looks like: (n_tasks, n_levels, n_classes).

        probs: what is believed of the tasks; given, matrices count as if they were fitted without the task.
        """
        n_parts = 1 + len(votes) * len(self.levels) * votes.n_classes // MOST_CELLS
        if n_parts == 1:
            return self._vote_scores(votes, probs)
        parts = np.array_split(np.arange(votes.n_tasks), n_parts)
        return np.concatenate(
            [self._vote_scores(votes.subset(tasks=part), None if probs is None else probs[part]) for part in parts]
        )

    def _vote_scores(self, votes: Votes, probs: Array | None) -> Array:
        each = self.log_rows[:, self.crowd.voter(votes), votes.label]  # (n_levels, n_votes, n_classes)
        if probs is not None:
            each = each + np.array(self.levels)[:, None, None] * self.crowd.without(votes, probs)
        flat = each.transpose(1, 0, 2).reshape(len(votes), len(self.levels) * votes.n_classes)
        return sum_by_task(votes, flat).reshape(votes.n_tasks, len(self.levels), votes.n_classes)

    def likelihood(self, scores: Array) -> Array:
        """The same over all levels and by the true class, up to a factor per task: (n_tasks, n_classes)."""
        by_looks = np.einsum("nbk,b->nk", np.exp(scores - scores.max(axis=(1, 2), keepdims=True)), self.level_shares)
        return (1 - self.deceptive) * by_looks + self.deceptive * by_looks @ self.crowd.mistaken.T

    def deception(self, logs: Array | None, n_tasks: int) -> Deception:
        """How far tasks may be of another class than they look like."""
        prior = machine_prior(logs, self.class_prior, self.weight, self.doubt, n_tasks)
        return Deception(prior, self.deceptive, self.crowd.mistaken)

    def belief(self, scores: Array, logs: Array | None) -> Array:
        """Return the probability of every level and of what tasks look like: (n_tasks, n_levels, n_classes)."""
        return self.belief_and_evidence(scores, logs)[0]

    def belief_and_evidence(self, scores: Array, logs: Array | None) -> tuple[Array, float]:
        """Return the same, and the log-evidence of the votes of all tasks."""
        looks = self.deception(logs, len(scores)).looks
        joint = scores + np.log(looks)[:, None, :] + np.log(self.level_shares)[:, None]
        flat = joint.reshape(len(joint), joint.shape[1] * joint.shape[2])  # also of no tasks at all
        evidence = float(softmax_rows(flat).sum())
        return flat.reshape(joint.shape), evidence

    def posterior(self, votes: Votes, machines: Machines, gold: Gold | None = None) -> Array:
        """See Fused."""
        return clamp_gold(self.outlook(votes, machines).probs, gold)

    def outlook(self, votes: Votes, machines: Machines) -> Outlook:
        """See Fused."""
        logs = self.log_machines(machines)
        deception = self.deception(logs, votes.n_tasks)
        first = deception.truth(self.belief(self.vote_scores(votes), logs).sum(axis=1))
        belief = self.belief(self.vote_scores(votes, first), logs)
        return Outlook(belief, self.answers, deception=deception)


class _Expected(NamedTuple):
    """What an E-step gives: the model with the levels that tasks turned out to have, and the posterior of the tasks."""

    model: FusedByDifficulty
    probs: Array


class _Step(NamedTuple):
    """What an M-step gives: the model, and the log-likelihood of the votes of each task under it."""

    model: FusedByDifficulty
    scores: Array
