"""Honest or spamming, vote by vote."""

from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from quorate.data.ids import lookup
from quorate.data.option_checks import require_choices, require_numbers
from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.data.worker_models import LEAST_STRENGTH
from quorate.inference.bayes import PriorKnowledge, join_votes
from quorate.inference.em import em
from quorate.inference.kernels import Tally, safe_log, vote_passes
from quorate.typing import Array

ClassPrior = Literal["learnt", "even"]


@dataclass(frozen=True, eq=False)
class SpammingModel:
    """How often each worker is honest, (n_workers + 1,), and what they say else, (n_workers + 1, n_classes)."""

    honesty: Array
    habit: Array

    def log_likelihood(self, worker: ArrayLike, observed: ArrayLike) -> Array:
        """See WorkerModel."""
        honesty = self.honesty[np.asarray(worker)][..., None]
        spam = (1 - honesty) * self.habit[np.asarray(worker), np.asarray(observed)][..., None]
        hit = np.asarray(observed)[..., None] == np.arange(self.habit.shape[1])
        return np.log(np.where(hit, honesty + spam, spam))


class _Expected(NamedTuple):
    """How many answers of each kind were honest, (n_workers + 1, said), and how many tasks are of each class."""

    honest: Array
    classes: Array


@dataclass(frozen=True, kw_only=True)
class Mace:
    """MACE: on every task a worker either knows the answer, or says something out of habit.

    Model: worker j is honest with probability t_j and then says the true class; else says l with probability s_j[l],
    whatever is true. EM for t and s; t_j has a Beta prior of `strength` pseudo-votes at the crowd's honesty, s_j a
    Dirichlet prior of as many, spread as everybody answers. Classes are as common as the tasks turn out to be, with
    pseudo-tasks as in dawid_skene; the paper takes them for equally likely, class_prior="even", which fails where one
    class is rare.

    Use it when: you suspect workers who click the same answer, or any, without looking: t_j says how often they look.
    Over 19 real sets its accuracy is near that of ebcc, in a fraction of the time.

    Paper: Hovy et al., "Learning whom to trust with MACE", NAACL 2013.

    >>> from quorate import Votes
    >>> votes = Votes.from_matrix([[0, 0, 1], [1, 1, 1], [0, 0, 1], [1, 1, 1]])
    >>> posterior = Mace().aggregate(votes)
    >>> posterior.labels.tolist(), posterior.worker_model.honesty[:3].round(1).tolist()
    ([0, 1, 0, 1], [0.6, 0.6, 0.3])
    """

    class_prior: ClassPrior = "learnt"
    strength: float = 4.0
    max_rounds: int = 100
    tol: float = 1e-6

    def __post_init__(self) -> None:
        require_choices(self)
        require_numbers(self, "strength", above=LEAST_STRENGTH)

    def aggregate(self, votes: Votes, prior: ArrayLike | None = None, gold: ArrayLike | None = None) -> Posterior:
        """See Aggregator."""
        return self.partial(votes, None, prior, gold)

    def partial(
        self, votes: Votes, fitted: Posterior | None, prior: ArrayLike | None = None, gold: ArrayLike | None = None
    ) -> Posterior:
        """See Incremental."""
        knowledge = PriorKnowledge.of(votes, prior, gold)
        passes, n_classes = vote_passes(votes), votes.n_classes
        said = passes.votes_per_answer.astype(np.float64)
        learnt = self.class_prior == "learnt"
        pseudo_tasks = knowledge.pseudo_tasks(votes) if learnt else np.zeros(n_classes)
        share_tally = passes.vote_tally(knowledge.vote_shares(votes))
        everybody = (said.sum(axis=0) + 1) / (len(votes) + n_classes)
        right = (share_tally.answers.sum() + 1) / (len(votes) + 2)
        # A crowd that is right so often, and guesses evenly, is honest so often:
        honesty = float(np.clip((right * n_classes - 1) / (n_classes - 1), 0.05, 0.95))
        pseudo_honest, pseudo_habit = self.strength * honesty, self.strength * everybody

        def fit_workers(honest: Array, said: Array) -> SpammingModel:
            spammed = np.maximum(said - honest, 0) + pseudo_habit
            honesty = (honest.sum(axis=-1) + pseudo_honest) / (said.sum(axis=-1) + self.strength)
            return SpammingModel(honesty, spammed / spammed.sum(axis=-1, keepdims=True))

        def m_step(expected: _Expected) -> tuple[SpammingModel, Array]:
            classes = (
                knowledge.class_prior_from_totals(expected.classes + pseudo_tasks)
                if learnt
                else knowledge.uniform_prior(n_classes)
            )
            return fit_workers(expected.honest, said), classes

        def e_step(model: tuple[SpammingModel, Array]) -> tuple[_Expected, float]:
            workers, class_prior = model
            log_honesty, log_spamming = np.log(workers.honesty), np.log1p(-workers.honesty)
            log_habit = np.log(workers.habit)
            tally = passes.vote_pass(_log_odds(workers), knowledge.log_prior(class_prior))
            spam = (said * (log_spamming[:, None] + log_habit)).sum()  # every vote, had it been spam
            of_model = (pseudo_honest * log_honesty + (self.strength - pseudo_honest) * log_spamming).sum()
            of_model += (pseudo_habit * log_habit).sum() + (pseudo_tasks + knowledge.gold_only) @ safe_log(class_prior)
            return _expect(workers, tally), float(tally.evidence + spam + of_model)

        workers = SpammingModel(np.full(len(said), honesty), np.tile(everybody, (len(said), 1)))
        start = share_tally
        if fitted is not None:
            start = passes.vote_tally(join_votes(votes, fitted, knowledge, passes).probs)
            if isinstance(fitted.worker_model, SpammingModel):
                there = np.append(lookup(votes.workers, fitted.workers), -1)
                workers = SpammingModel(fitted.worker_model.honesty[there], fitted.worker_model.habit[there])
        fit = em(_expect(workers, start), m_step, e_step, n_votes=len(votes), max_rounds=self.max_rounds, tol=self.tol)
        workers, class_prior = fit.model
        probs = np.empty((votes.n_tasks, n_classes))
        passes.vote_pass(_log_odds(workers), knowledge.log_prior(class_prior), out=probs)
        pool, idle = fit_workers(fit.statistics.honest.sum(axis=0), said.sum(axis=0)), votes.votes_per_voter == 0
        workers.honesty[idle], workers.habit[idle] = pool.honesty, pool.habit
        return Posterior.of(
            votes,
            knowledge.clamp(probs),
            class_prior=class_prior,
            worker_model=workers,
            objective=fit.objective,
            converged=fit.converged,
        )


def _expect(workers: SpammingModel, tally: Tally) -> _Expected:
    """How many of the answers that were right were honest, and not right by habit."""
    honesty, spam = workers.honesty[:, None], (1 - workers.honesty)[:, None] * workers.habit
    return _Expected(tally.answers * honesty / (honesty + spam), tally.classes)


def _log_odds(workers: SpammingModel) -> Array:
    """How much an answer speaks for its class, (n_workers + 1, said): honest or spam, against spam."""
    odds: Array = np.log1p(workers.honesty[:, None] / ((1 - workers.honesty)[:, None] * workers.habit))
    return odds
