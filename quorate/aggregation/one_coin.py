"""One-coin Dawid-Skene: a single accuracy per worker."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from quorate.data.option_checks import require_numbers
from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.data.worker_models import LEAST_STRENGTH, Coin
from quorate.inference.bayes import PriorKnowledge, join_votes
from quorate.inference.em import em
from quorate.inference.kernels import Tally, vote_passes
from quorate.typing import Array


@dataclass(frozen=True, kw_only=True)
class OneCoin:
    """One-coin Dawid-Skene: a single accuracy per worker, the same for all classes.

    Model: P(label = k | true = k) = a_j, P(label = l | true = k) = (1 - a_j) / (K - 1); the class prior is uniform
    unless a prior is given. The accuracies a_j are fitted by EM, with a Beta prior of `strength` pseudo-votes at the
    accuracy of the crowd when vote shares are taken as the truth.

    Use it when: workers have few votes each, or there are many classes: a single number per worker needs little data.

    Paper: Zhang et al., "Spectral methods meet EM: a provably optimal algorithm for crowdsourcing", JMLR 2016.

    Args:
        strength: weight of the prior on an accuracy, in pseudo-votes.
        max_rounds: maximum number of rounds of EM.
        tol: smallest gain of the objective per vote that is worth another round.

    >>> from quorate import Votes
    >>> votes = Votes.from_matrix([[0, 0, 1], [1, 1, 0], [0, 0, 0], [1, 1, 0]])
    >>> OneCoin().aggregate(votes).labels.tolist()
    [0, 1, 0, 1]
    """

    strength: float = 8.0
    max_rounds: int = 100
    tol: float = 1e-6

    def __post_init__(self) -> None:
        require_numbers(self, "strength", above=LEAST_STRENGTH)

    def aggregate(self, votes: Votes, prior: ArrayLike | None = None, gold: ArrayLike | None = None) -> Posterior:
        """See Aggregator."""
        return self.partial(votes, None, prior, gold)

    def partial(
        self, votes: Votes, fitted: Posterior | None, prior: ArrayLike | None = None, gold: ArrayLike | None = None
    ) -> Posterior:
        """See Incremental."""
        knowledge = PriorKnowledge.of(votes, prior, gold)
        passes, n_votes = vote_passes(votes), votes.votes_per_voter
        share_tally = passes.vote_tally(knowledge.vote_shares(votes))
        pool = (share_tally.answers.sum() + 1) / (len(votes) + 2)
        pseudo_right, pseudo_wrong = self.strength * pool, self.strength * (1 - pool)
        class_prior = knowledge.uniform_prior(votes.n_classes)
        log_prior = knowledge.log_prior(class_prior)

        def m_step(tally: Tally) -> Array:
            return (tally.answers.sum(axis=1) + pseudo_right) / (n_votes + self.strength)

        def e_step(accuracy: Array) -> tuple[Tally, float]:
            log_right, log_wrong = np.log(accuracy), np.log((1 - accuracy) / (votes.n_classes - 1))
            tally = passes.vote_pass(by_class(log_right - log_wrong), log_prior)
            log_prior_of_model = (pseudo_right * log_right + pseudo_wrong * log_wrong).sum()
            return tally, float(tally.evidence + n_votes @ log_wrong + log_prior_of_model)

        def by_class(log_odds: Array) -> Array:
            return np.repeat(log_odds[:, None], votes.n_classes, axis=1)

        start = share_tally if fitted is None else passes.vote_tally(join_votes(votes, fitted, knowledge, passes).probs)
        fit = em(start, m_step, e_step, n_votes=len(votes), max_rounds=self.max_rounds, tol=self.tol)
        accuracy = fit.model
        probs = np.empty((votes.n_tasks, votes.n_classes))
        log_odds = np.log(accuracy * (votes.n_classes - 1) / (1 - accuracy))
        passes.vote_pass(by_class(log_odds), log_prior, out=probs)
        accuracy[n_votes == 0] = (fit.statistics.answers.sum() + pseudo_right) / (len(votes) + self.strength)
        return Posterior.of(
            votes,
            knowledge.clamp(probs),
            class_prior=class_prior,
            worker_model=Coin(accuracy, votes.n_classes),
            objective=fit.objective,
            converged=fit.converged,
        )
