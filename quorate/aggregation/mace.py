"""Honest or spamming, vote by vote."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from quorate.em import em
from quorate.errors import MethodError
from quorate.infer import Known, joined
from quorate.kernels import Tally, vote_passes
from quorate.names import lookup
from quorate.results import Array, Posterior
from quorate.votes import Votes


@dataclass(frozen=True, eq=False)
class SpammingModel:
    """How often each worker is honest, (n_workers + 1,), and what they say else, (n_workers + 1, n_classes)."""

    honesty: Array
    habit: Array

    def log_likelihood(self, worker: ArrayLike, said: ArrayLike) -> Array:
        """See WorkerModel."""
        honesty = self.honesty[np.asarray(worker)][..., None]
        spam = (1 - honesty) * self.habit[np.asarray(worker), np.asarray(said)][..., None]
        hit = np.asarray(said)[..., None] == np.arange(self.habit.shape[1])
        return np.log(np.where(hit, honesty + spam, spam))


@dataclass(frozen=True, kw_only=True)
class Mace:
    """MACE: on every task a worker either knows the answer, or says something out of habit.

    Model: worker j is honest with probability t_j and then says the true class; else says l with probability s_j[l],
    whatever is true. Classes are equally likely unless a prior is given. EM for t and s; t_j has a Beta prior of
    `strength` pseudo-votes at the crowd's honesty, s_j a Dirichlet prior of as many, spread as everybody answers.

    Use it when: you suspect workers who click the same answer, or any, without looking: t_j says how often they look.

    Paper: Hovy et al., "Learning whom to trust with MACE", NAACL 2013.

    >>> from quorate import Votes
    >>> votes = Votes.from_matrix([[0, 0, 1], [1, 1, 1], [0, 0, 1], [1, 1, 1]])
    >>> posterior = Mace().aggregate(votes)
    >>> posterior.labels.tolist(), posterior.worker_model.honesty[:3].round(1).tolist()
    ([0, 1, 0, 1], [0.5, 0.5, 0.4])
    """

    strength: float = 8.0
    max_rounds: int = 100
    tol: float = 1e-6

    def __post_init__(self) -> None:
        if not 0 < self.strength < np.inf:
            raise MethodError(f"strength must be a number above zero, got {self.strength}")

    def aggregate(self, votes: Votes, prior: ArrayLike | None = None, gold: ArrayLike | None = None) -> Posterior:
        """See Aggregator."""
        return self._fit(votes, Known.about(votes, prior, gold))

    def partial(
        self, votes: Votes, fitted: Posterior, prior: ArrayLike | None = None, gold: ArrayLike | None = None
    ) -> Posterior:
        """See Incremental."""
        return self._fit(votes, Known.about(votes, prior, gold), fitted)

    def _fit(self, votes: Votes, known: Known, fitted: Posterior | None = None) -> Posterior:
        passes, n_classes = vote_passes(votes), votes.n_classes
        said = passes.votes_per_answer.astype(np.float64)
        class_prior = known.even_prior(n_classes)
        log_prior = known.log_prior(class_prior)
        by_shares = passes.vote_tally(known.shares(votes))
        everybody = (said.sum(axis=0) + 1) / (len(votes) + n_classes)
        right = (by_shares.answers.sum() + 1) / (len(votes) + 2)
        # A crowd that is right so often, and guesses evenly, is honest so often:
        honesty = float(np.clip((right * n_classes - 1) / (n_classes - 1), 0.05, 0.95))
        pseudo_honest, pseudo_habit = self.strength * honesty, self.strength * everybody

        def honest(model: SpammingModel, tally: Tally) -> Array:
            """How many answers of each kind were honest: (n_workers + 1, said)."""
            spam = (1 - model.honesty)[:, None] * model.habit
            return tally.answers * model.honesty[:, None] / (model.honesty[:, None] + spam)

        def m_step(honest: Array, said: Array = said) -> SpammingModel:
            spammed = np.maximum(said - honest, 0) + pseudo_habit
            honesty = (honest.sum(axis=-1) + pseudo_honest) / (said.sum(axis=-1) + self.strength)
            return SpammingModel(honesty, spammed / spammed.sum(axis=-1, keepdims=True))

        def e_step(model: SpammingModel) -> tuple[Array, float]:
            log_honesty, log_spamming, log_habit = np.log(model.honesty), np.log1p(-model.honesty), np.log(model.habit)
            tally = passes.vote_pass(_log_odds(model), log_prior)
            spam = (said * (log_spamming[:, None] + log_habit)).sum()  # every vote, had it been spam
            of_model = (pseudo_honest * log_honesty + (self.strength - pseudo_honest) * log_spamming).sum()
            of_model += (pseudo_habit * log_habit).sum()
            return honest(model, tally), float(tally.evidence + spam + of_model)

        model = SpammingModel(np.full(len(said), honesty), np.tile(everybody, (len(said), 1)))
        start = by_shares
        if fitted is not None:
            start = passes.vote_tally(joined(votes, fitted, known, passes).probs)
            if isinstance(fitted.worker_model, SpammingModel):
                there = np.append(lookup(votes.workers, fitted.workers), -1)
                model = SpammingModel(fitted.worker_model.honesty[there], fitted.worker_model.habit[there])
        fit = em(honest(model, start), m_step, e_step, n_votes=len(votes), max_rounds=self.max_rounds, tol=self.tol)
        probs = np.empty((votes.n_tasks, n_classes))
        passes.vote_pass(_log_odds(fit.model), log_prior, out=probs)
        pool, idle = m_step(fit.expected.sum(axis=0), said.sum(axis=0)), votes.votes_per_voter == 0
        fit.model.honesty[idle], fit.model.habit[idle] = pool.honesty, pool.habit
        return Posterior.of(
            votes,
            known.clamp(probs),
            class_prior=class_prior,
            worker_model=fit.model,
            objective=fit.objective,
            converged=fit.converged,
        )


def _log_odds(model: SpammingModel) -> Array:
    """How much an answer speaks for its class, (n_workers + 1, said): honest or spam, against spam."""
    odds: Array = np.log1p(model.honesty[:, None] / ((1 - model.honesty)[:, None] * model.habit))
    return odds
