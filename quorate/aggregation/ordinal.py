"""Ordinal: a bias and a spread per worker, for rating scales."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from quorate.data.ids import as_names, lookup, shown
from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.data.worker_models import Confusion
from quorate.errors import MethodError
from quorate.inference.bayes import PriorKnowledge
from quorate.inference.em import em
from quorate.inference.kernels import Tally, observed_first, safe_log, softmax_rows, true_first, vote_passes
from quorate.inference.kernels.m_step import refuse_huge_tables
from quorate.inference.rating_types import rating_types
from quorate.typing import Array

# Priors, chosen on simulated scales (docs/ordinal.md); results are nearly the same at half or twice the strength
PSEUDO_TASKS = 4.0  # spread evenly over the classes: EM alone makes common classes more common
PSEUDO_TASK_SHARE = 0.1  # further ones, per task with votes
PSEUDO_WORKERS = 30.0  # distributed over the types as in rating_types; and as many again as there are workers


class _Model(NamedTuple):
    """Fitted parameters.

    Attributes:
        shares: (n_types,), share of the workers who are of each type.
        member: (n_workers + 1, n_types), probability that each worker is of each type.
        class_prior: (true,).
    """

    shares: Array
    member: Array
    class_prior: Array


class _Expected(NamedTuple):
    """The tally of the tasks, and the types of the workers; None before the first round."""

    tally: Tally
    member: Array | None


@dataclass(frozen=True, kw_only=True)
class Ordinal:
    """Ordinal: workers on a rating scale have a bias and a spread, so near misses are likelier than far ones.

    Model: worker j perceives class y as y + b_j + s_j * noise, with normal noise, and votes for the nearest point of
    the scale. Bias b_j and spread s_j are one of 45 pairs or more (biases up to two steps in either direction, spreads
    from .4 to 2 steps; wider on scales of more than seven points). Some workers do not look at the task: they vote
    evenly, or around a favourite point. Tasks, types of workers and how common each type is are fitted together by
    mean-field variational EM; each has a prior, so a worker with few votes is taken for a typical one. The objective
    is the lower bound of the log-posterior.

    Use it when: classes have an order, as stars, grades or "disagree" to "agree", and workers have few votes each. Two
    numbers per worker are learned from far fewer votes than a confusion matrix. With a hundred votes or more per
    worker, and workers who use the scale in odd ways, dawid_skene may be better.

    Paper: none; the worker model is that of ordered probit regression (McKelvey and Zavoina, 1975) with the same
    distances between all points, and fitted as worker types are in Imamura et al., ICML 2018.

    Args:
        order: all class names, from the lowest to the highest; by default the order of `votes.classes`, which is
            alphabetical for text and numerical for numbers.
        max_rounds: maximum number of rounds of EM.
        tol: smallest gain of the objective per vote that is worth another round.

    >>> votes = Votes.from_matrix([["bad", "bad", "ok"], ["good", "ok", "good"], ["bad", "ok", "good"]])
    >>> posterior = Ordinal(order=("bad", "ok", "good")).aggregate(votes)
    >>> posterior.classes[posterior.labels].tolist()
    ['bad', 'good', 'ok']
    """

    order: tuple[str | float, ...] = ()
    max_rounds: int = 100
    tol: float = 1e-6

    def aggregate(self, votes: Votes, prior: ArrayLike | None = None, gold: ArrayLike | None = None) -> Posterior:
        """See Aggregator."""
        rank = _rank_classes(votes, self.order)
        refuse_huge_tables(votes)
        knowledge, passes = PriorKnowledge.of(votes, prior, gold), vote_passes(votes)
        types = rating_types(votes.n_classes)
        matrices = observed_first(types.matrices[:, rank][:, :, rank])  # (n_types, observed, true)
        log_types = np.log(matrices).reshape(len(matrices), -1)
        n_pseudo_tasks = PSEUDO_TASKS + PSEUDO_TASK_SHARE * knowledge.informed.sum()
        pseudo_tasks = np.full(votes.n_classes, n_pseudo_tasks / votes.n_classes)
        voted = votes.votes_per_voter > 0
        pseudo_workers = (PSEUDO_WORKERS + voted.sum()) * types.shares

        def m_step(expected: _Expected) -> _Model:
            tally = expected.tally
            shares = pseudo_workers if expected.member is None else pseudo_workers + expected.member[voted].sum(axis=0)
            shares = shares / shares.sum()
            member = tally.answers.reshape(len(voted), -1) @ log_types.T + np.log(shares)
            softmax_rows(member)
            return _Model(shares, member, knowledge.class_prior_from_totals(tally.classes + pseudo_tasks))

        def log_table(model: _Model) -> Array:
            return (model.member @ log_types).reshape(-1, *matrices.shape[1:])  # (n_workers + 1, observed, true)

        def e_step(model: _Model) -> tuple[_Expected, float]:
            tally = passes.row_pass(log_table(model), knowledge.log_prior(model.class_prior))
            members, log_shares = model.member[voted], np.log(model.shares)
            bound = tally.evidence + (members * (log_shares - safe_log(members))).sum() + pseudo_workers @ log_shares
            bound += (pseudo_tasks + knowledge.gold_only) @ safe_log(model.class_prior)
            return _Expected(tally, model.member), float(bound)

        typical = np.log(np.tensordot(types.shares, matrices, axes=1))
        first_prior = knowledge.class_prior(knowledge.vote_shares(votes), pseudo_tasks)
        first = passes.row_pass(np.repeat(typical[None], len(voted), axis=0), knowledge.log_prior(first_prior))
        start = _Expected(first, None)
        fit = em(start, m_step, e_step, n_votes=len(votes), max_rounds=self.max_rounds, tol=self.tol)
        probs = np.empty((votes.n_tasks, votes.n_classes))
        passes.row_pass(log_table(fit.model), knowledge.log_prior(fit.model.class_prior), out=probs)
        return Posterior.of(
            votes,
            knowledge.clamp(probs),
            class_prior=fit.model.class_prior,
            worker_model=Confusion(true_first(np.log(np.tensordot(fit.model.member, matrices, axes=1)))),
            objective=fit.objective,
            converged=fit.converged,
        )


def _rank_classes(votes: Votes, order: tuple[str | float, ...]) -> NDArray[np.int64]:
    """Return the position of each class on the scale, (n_classes,), 0 = lowest."""
    if not order:
        return np.arange(votes.n_classes)
    names = as_names(list(order))
    if len(set(order)) < len(order):
        raise MethodError(f"order must name every class once, got {order}")
    rank = lookup(votes.classes, names)
    if np.any(rank < 0):
        missing = ", ".join(shown(name) for name in votes.classes[rank < 0])
        raise MethodError(f"order lacks {missing}: name all classes, from the lowest to the highest, got {order}")
    unknown = lookup(names, votes.classes) < 0
    if np.any(unknown):
        raise MethodError(
            f"order names {shown(names[unknown][0])}, but the classes are {votes.classes.tolist()}: "
            "if it belongs to the scale and nobody voted for it, read the votes with classes=[...] (--classes)"
        )
    return rank.astype(np.int64)
