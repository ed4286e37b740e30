"""A confusion matrix per worker."""

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from quorate.em import em
from quorate.errors import MethodError
from quorate.infer import Known, joined
from quorate.kernels import BLOCK, SMALLEST, Tally, safe_log, vote_passes
from quorate.results import Array, Confusion, Posterior
from quorate.votes import Votes

Shrink = Literal["pool", "diagonal", "none"]

NOTHING = 1e-200  # fewer votes than this are what is left of none after safe_log
DIAGONAL = 0.8  # accuracy of the worker that shrink="diagonal" takes for typical


@dataclass(frozen=True, kw_only=True)
class DawidSkene:
    """Every worker has a confusion matrix: how often each true class gets each answer.

    Model: P(votes of a task) = sum_k rho_k * prod_j C_j[k, said_j], fitted by EM in log space. Each row of C_j has a
    Dirichlet prior of `strength` pseudo-votes, spread as the whole crowd answers that class when vote shares are taken
    for true (shrink="pool"), or with .8 on the diagonal ("diagonal"). The class prior rho has as many pseudo-tasks as
    there are tasks, spread as majority does. shrink="none" is plain maximum likelihood, without either.

    Use it when: workers confuse classes in their own ways, or some of them vote at random or against the truth. It is
    the default: over 19 real sets no other method here does better on average.

    Paper: Dawid and Skene, "Maximum likelihood estimation of observer error-rates using the EM algorithm", 1979.

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
        if self.shrink not in get_args(Shrink):
            raise MethodError(f"shrink must be one of {', '.join(get_args(Shrink))}, got {self.shrink!r}")
        if not 0 < self.strength < np.inf:
            raise MethodError(
                f'strength must be a number above zero, got {self.strength}: shrink="none" switches the prior off'
            )

    def aggregate(self, votes: Votes, prior: ArrayLike | None = None, gold: ArrayLike | None = None) -> Posterior:
        """See Aggregator."""
        return self._fit(votes, Known.about(votes, prior, gold))

    def partial(
        self, votes: Votes, fitted: Posterior, prior: ArrayLike | None = None, gold: ArrayLike | None = None
    ) -> Posterior:
        """See Incremental."""
        return self._fit(votes, Known.about(votes, prior, gold), fitted)

    def _fit(self, votes: Votes, known: Known, fitted: Posterior | None = None) -> Posterior:
        refuse_huge_tables(votes)
        passes = vote_passes(votes)
        by_shares = passes.row_tally(known.shares(votes))
        pseudo_votes = self.pseudo_votes(by_shares.answers)  # (said, true)
        pseudo_tasks = np.zeros(votes.n_classes) if self.shrink == "none" else known.pseudo_tasks(votes)

        def m_step(tally: Tally) -> tuple[Array, Array]:
            return log_conditional(tally.answers, pseudo_votes), known.class_prior_of(tally.classes + pseudo_tasks)

        def e_step(model: tuple[Array, Array]) -> tuple[Tally, float]:
            log_table, class_prior = model
            tally = passes.row_pass(log_table, known.log_prior(class_prior))
            log_prior = (pseudo_votes * log_table.sum(axis=0)).sum() + pseudo_tasks @ safe_log(class_prior)
            return tally, float(tally.evidence + log_prior)

        start = by_shares if fitted is None else passes.row_tally(joined(votes, fitted, known, passes).probs)
        fit = em(start, m_step, e_step, n_votes=len(votes), max_rounds=self.max_rounds, tol=self.tol)
        log_table, class_prior = fit.model
        probs = np.empty((votes.n_tasks, votes.n_classes))
        passes.row_pass(log_table, known.log_prior(class_prior), out=probs)
        pool = fit.expected.answers.sum(axis=0, keepdims=True)
        log_table[votes.votes_per_voter == 0] = log_conditional(pool, pseudo_votes)
        return Posterior.of(
            votes,
            known.clamp(probs),
            class_prior=class_prior,
            worker_model=Confusion(log_table),
            objective=fit.objective,
            converged=fit.converged,
        )

    def pseudo_votes(self, counts: Array) -> Array:
        """Pseudo-votes of every worker, (said, true): strength times the matrix of the worker taken for typical."""
        n_classes = counts.shape[-1]
        if self.shrink == "none":
            return np.zeros((n_classes, n_classes))
        if self.shrink == "diagonal":
            typical = np.full((n_classes, n_classes), (1 - DIAGONAL) / (n_classes - 1))
            np.fill_diagonal(typical, DIAGONAL)
            return self.strength * typical
        pool = counts.sum(axis=0) + 1 / n_classes  # one more vote for each class: no answer is impossible
        return self.strength * pool / pool.sum(axis=0)


def refuse_huge_tables(votes: Votes) -> None:
    """Say so before memory runs out: a matrix per worker grows with the square of the classes."""
    gigabytes = (votes.n_workers + 1) * votes.n_classes**2 * 8 / 1e9
    if gigabytes > 4:
        raise MethodError(
            f"a matrix of {votes.n_classes}^2 cells for each of {votes.n_workers} workers takes {gigabytes:.0f} GB: "
            "use sparse_dawid_skene, which holds only what was seen"
        )


def log_conditional(counts: Array, pseudo_votes: Array) -> Array:
    """Log of counts (worker, said, true) and pseudo-votes (said, true), normalised over what was said.

    Where there are none at all, the pool's counts stand in. Workers go in blocks that stay in the processor's cache.
    """
    log_table = np.empty(counts.shape)
    step = max(1, BLOCK // pseudo_votes.size)
    for begin in range(0, len(counts), step):
        block = np.add(counts[begin : begin + step], pseudo_votes, out=log_table[begin : begin + step])
        block[block < NOTHING] = 0
        total = block.sum(axis=1, keepdims=True)
        if not total.all():
            pool = counts.sum(axis=0)
            pool = np.where(pool.sum(axis=0) > NOTHING, np.where(pool < NOTHING, 0, pool), 1)
            block[:] = np.where(total > 0, block, pool)
            total = block.sum(axis=1, keepdims=True)
        block /= total
        np.log(np.maximum(block, SMALLEST, out=block), out=block)
    return log_table
