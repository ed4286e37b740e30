"""One accuracy per worker."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from quorate.em import em
from quorate.errors import MethodError
from quorate.infer import Known
from quorate.kernels import sum_at
from quorate.results import Array, Coin, Posterior
from quorate.votes import Votes


@dataclass(frozen=True, kw_only=True)
class OneCoin:
    """Every worker has one accuracy; a wrong answer falls on any other class alike.

    Model: P(said = k | true = k) = a_j, P(said = l | true = k) = (1 - a_j) / (K - 1); classes are equally likely unless
    a prior is given. EM for the accuracies a_j, which have a Beta prior of `strength` pseudo-votes at the crowd's
    accuracy when vote shares are taken for true.

    Use it when: workers have few votes each, or there are many classes: one number per worker is learnt from little.

    Paper: Zhang et al., "Spectral methods meet EM: a provably optimal algorithm for crowdsourcing", JMLR 2016.

    >>> from quorate import Votes
    >>> votes = Votes.from_matrix([[0, 0, 1], [1, 1, 0], [0, 0, 0], [1, 1, 0]])
    >>> OneCoin().aggregate(votes).labels.tolist()
    [0, 1, 0, 1]
    """

    strength: float = 8.0
    max_rounds: int = 100
    tol: float = 1e-6

    def __post_init__(self) -> None:
        if not 0 < self.strength < np.inf:
            raise MethodError(
                f"strength must be a number above zero, got {self.strength}: without it an accuracy could become 1"
            )

    def aggregate(self, votes: Votes, prior: ArrayLike | None = None, gold: ArrayLike | None = None) -> Posterior:
        """See Aggregator."""
        known = Known.about(votes, prior, gold)
        cell, worker, n_votes = votes.cell, votes.voter, votes.votes_per_voter
        start = known.shares(votes)
        pool = (start.ravel()[cell].sum() + 1) / (len(votes) + 2)
        pseudo_right, pseudo_wrong = self.strength * pool, self.strength * (1 - pool)
        class_prior = known.even_prior(votes.n_classes)

        def m_step(probs: Array) -> Array:
            right = sum_at(worker, probs.ravel()[cell], n_votes.shape)
            return (right + pseudo_right) / (n_votes + self.strength)

        def e_step(accuracy: Array) -> tuple[Array, float]:
            log_right, log_wrong = np.log(accuracy), np.log((1 - accuracy) / (votes.n_classes - 1))
            probs = sum_at(cell, (log_right - log_wrong)[worker], start.shape)
            evidence = known.posterior(probs, class_prior).sum() + n_votes @ log_wrong
            return probs, float(evidence + (pseudo_right * log_right + pseudo_wrong * log_wrong).sum())

        fit = em(start, m_step, e_step, n_votes=len(votes), max_rounds=self.max_rounds, tol=self.tol)
        accuracy = fit.model
        accuracy[n_votes == 0] = (fit.probs.ravel()[cell].sum() + pseudo_right) / (len(votes) + self.strength)
        return Posterior.of(
            votes,
            fit.probs,
            class_prior=class_prior,
            worker_model=Coin(accuracy, votes.n_classes),
            objective=fit.objective,
            converged=fit.converged,
        )
