"""Dawid-Skene: a confusion matrix per worker, by EM."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from quorate.data.option_checks import require_choices, require_numbers
from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.data.worker_models import Confusion
from quorate.inference.bayes import PriorKnowledge, join_votes
from quorate.inference.em import em
from quorate.inference.kernels import Passes, Tally, safe_log, true_first, vote_passes
from quorate.inference.kernels.m_step import log_conditional, refuse_huge_tables, typical_worker
from quorate.typing import Array

Shrink = Literal["pool", "diagonal", "none"]

DIAGONAL = 0.8  # accuracy at the centre of the prior for shrink="diagonal"


@dataclass(frozen=True, kw_only=True)
class DawidSkene:
    """Dawid-Skene: a confusion matrix per worker, fitted by expectation-maximization (EM).

    Model: P(votes of a task) = sum_k rho_k * prod_j C_j[k, l_j], with rho the class prior, C_j the confusion matrix of
    worker j and l_j the worker's label. Rows of C_j have a Dirichlet prior of `strength` pseudo-votes, and rho has one
    pseudo-count per task, in the proportions of the majority vote.

    Use it when: workers confuse classes in different ways, or some vote at random or against the truth. It is the
    default: it has the weakest assumptions, and on 19 real data sets only ebcc and mace are slightly more accurate on
    average.

    Paper: Dawid and Skene, "Maximum likelihood estimation of observer error-rates using the EM algorithm", 1979.

    Args:
        shrink: centre of the prior on a confusion matrix. "pool": the responses of the whole crowd, with vote
            shares taken as the truth. "diagonal": .8 on the diagonal. "none": maximum likelihood, without priors on
            C and rho.
        strength: weight of the prior on a row of a confusion matrix, in pseudo-votes.
        max_rounds: maximum number of rounds of EM.
        tol: smallest gain of the objective per vote that is worth another round.

    >>> from quorate import Votes
    >>> votes = Votes.from_matrix([[0, 0, 1], [1, 1, 0], [0, 0, 0], [1, 1, 0]])
    >>> DawidSkene().aggregate(votes).labels.tolist()
    [0, 1, 0, 1]
    """

    shrink: Shrink = "pool"
    strength: float = 8.0
    max_rounds: int = 100
    tol: float = 1e-6

    def __post_init__(self) -> None:
        require_choices(self)
        require_numbers(self, "strength", above=0, note='shrink="none" switches the prior off')

    def aggregate(self, votes: Votes, prior: ArrayLike | None = None, gold: ArrayLike | None = None) -> Posterior:
        """See Aggregator."""
        return self.partial(votes, None, prior, gold)

    def partial(
        self, votes: Votes, fitted: Posterior | None, prior: ArrayLike | None = None, gold: ArrayLike | None = None
    ) -> Posterior:
        """See Incremental."""
        return fit_confusions(self, votes, PriorKnowledge.of(votes, prior, gold), fitted)

    def pseudo_votes(self, counts: Array) -> Array:
        """Return the pseudo-votes of every worker, (observed, true): `strength` times the centre of the prior.

        counts: (n_workers + 1, observed, true), expected number of votes when vote shares are taken as the truth.
        """
        n_classes = counts.shape[-1]
        if self.shrink == "none":
            return np.zeros((n_classes, n_classes))
        if self.shrink == "diagonal":
            typical = np.full((n_classes, n_classes), (1 - DIAGONAL) / (n_classes - 1))
            np.fill_diagonal(typical, DIAGONAL)
            return self.strength * typical
        return self.strength * typical_worker(counts)


def fit_confusions(
    method: DawidSkene, votes: Votes, knowledge: PriorKnowledge, fitted: Posterior | None = None, *, hard: bool = False
) -> Posterior:
    """Fit confusion matrices by EM and return the posterior.

    Args:
        method: its options are used.
        votes: votes to aggregate.
        knowledge: prior and gold of the tasks.
        fitted: earlier posterior to start from, if any.
        hard: assign each task to its most likely class in every round.
    """
    refuse_huge_tables(votes)
    # Under maximum likelihood, probabilities of rare labels become so small that they need double precision.
    passes = Passes(votes) if method.shrink == "none" else vote_passes(votes)
    share_tally = passes.row_tally(knowledge.vote_shares(votes))
    pseudo_votes = method.pseudo_votes(share_tally.answers)  # (observed, true)
    pseudo_tasks = np.zeros(votes.n_classes) if method.shrink == "none" else knowledge.pseudo_tasks(votes)

    def m_step(tally: Tally) -> tuple[Array, Array]:
        class_prior = knowledge.class_prior_from_totals(tally.classes + pseudo_tasks)
        return log_conditional(tally.answers, pseudo_votes), class_prior

    def e_step(model: tuple[Array, Array]) -> tuple[Tally, float]:
        log_table, class_prior = model
        tally = passes.row_pass(log_table, knowledge.log_prior(class_prior), hard=hard)
        log_prior = (pseudo_votes * log_table.sum(axis=0)).sum()
        log_prior += (pseudo_tasks + knowledge.gold_only) @ safe_log(class_prior)
        return tally, float(tally.evidence + log_prior)

    start = share_tally if fitted is None else passes.row_tally(join_votes(votes, fitted, knowledge, passes).probs)
    fit = em(start, m_step, e_step, n_votes=len(votes), max_rounds=method.max_rounds, tol=method.tol)
    log_table, class_prior = fit.model
    probs = np.empty((votes.n_tasks, votes.n_classes))
    passes.row_pass(log_table, knowledge.log_prior(class_prior), out=probs)
    pool = fit.statistics.answers.sum(axis=0, keepdims=True)
    log_table[votes.votes_per_voter == 0] = log_conditional(pool, pseudo_votes)
    return Posterior.of(
        votes,
        knowledge.clamp(probs),
        class_prior=class_prior,
        worker_model=Confusion(true_first(log_table)),
        objective=fit.objective,
        converged=fit.converged,
    )
