"""MACE: honest or spamming, vote by vote."""

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
    """Honesty of each worker, (n_workers + 1,), and label frequencies when spamming, (n_workers + 1, n_classes)."""

    honesty: Array
    habit: Array

    def log_likelihood(self, worker: ArrayLike, observed: ArrayLike) -> Array:
        """See WorkerModel."""
        honesty = self.honesty[np.asarray(worker)][..., None]
        spam = (1 - honesty) * self.habit[np.asarray(worker), np.asarray(observed)][..., None]
        hit = np.asarray(observed)[..., None] == np.arange(self.habit.shape[1])
        return np.log(np.where(hit, honesty + spam, spam))


class _Statistics(NamedTuple):
    """Expected number of honest votes, (n_workers + 1, observed), and of tasks of each class, (n_classes,)."""

    honest: Array
    classes: Array


@dataclass(frozen=True, kw_only=True)
class Mace:
    """MACE: on every task a worker either knows the answer or spams.

    Model: worker j is honest with probability t_j and then votes for the true class; otherwise the worker spams, with
    label l with probability s_j[l], whatever the true class. Fitted by EM; t_j has a Beta prior of `strength`
    pseudo-votes at the honesty of the crowd, s_j a Dirichlet prior of the same weight, centred on the label frequencies
    of the crowd.

    Use it when: you suspect workers who give the same label, or any label, without looking at the task: t_j is how
    often a worker looks. On 19 real data sets its accuracy is close to that of ebcc, in a fraction of the time.

    Paper: Hovy et al., "Learning whom to trust with MACE", NAACL 2013.

    Args:
        class_prior: "learnt": estimated from the tasks, with one pseudo-task per task, distributed as the votes that
            are probably honest: a majority of spammers does not decide how common a class is. "even": uniform, as in
            the paper, which fails if a class is rare.
        strength: weight of the priors on t_j and s_j, in pseudo-votes.
        max_rounds: maximum number of rounds of EM.
        tol: smallest gain of the objective per vote that is worth another round.

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
        counts = passes.votes_per_answer.astype(np.float64)
        learnt = self.class_prior == "learnt"
        share_tally = passes.vote_tally(knowledge.vote_shares(votes))
        label_shares = (counts.sum(axis=0) + 1) / (len(votes) + n_classes)
        right = (share_tally.answers.sum() + 1) / (len(votes) + 2)
        # Honesty of a crowd with this accuracy whose spam is uniform:
        honesty = float(np.clip((right * n_classes - 1) / (n_classes - 1), 0.05, 0.95))
        pseudo_honest, pseudo_habit = self.strength * honesty, self.strength * label_shares

        def fit_workers(honest: Array, counts: Array) -> SpammingModel:
            spammed = np.maximum(counts - honest, 0) + pseudo_habit
            honesty = (honest.sum(axis=-1) + pseudo_honest) / (counts.sum(axis=-1) + self.strength)
            return SpammingModel(honesty, spammed / spammed.sum(axis=-1, keepdims=True))

        def m_step(statistics: _Statistics) -> tuple[SpammingModel, Array]:
            workers = fit_workers(statistics.honest, counts)
            if learnt:
                return workers, knowledge.class_prior_from_totals(statistics.classes + pseudo_tasks)
            return workers, knowledge.uniform_prior(n_classes)

        def e_step(model: tuple[SpammingModel, Array]) -> tuple[_Statistics, float]:
            workers, class_prior = model
            log_honesty, log_spamming = np.log(workers.honesty), np.log1p(-workers.honesty)
            log_habit = np.log(workers.habit)
            tally = passes.vote_pass(_log_odds(workers), knowledge.log_prior(class_prior))
            spam = (counts * (log_spamming[:, None] + log_habit)).sum()  # log-likelihood if all votes were spam
            log_prior_of_model = (pseudo_honest * log_honesty + (self.strength - pseudo_honest) * log_spamming).sum()
            log_classes = safe_log(class_prior)
            log_prior_of_model += (pseudo_habit * log_habit).sum() + (pseudo_tasks + knowledge.gold_only) @ log_classes
            return _expect(workers, tally), float(tally.evidence + spam + log_prior_of_model)

        workers = SpammingModel(np.full(len(counts), honesty), np.tile(label_shares, (len(counts), 1)))
        pseudo_tasks = np.zeros(n_classes)
        if learnt:
            honest_votes = _expect(workers, share_tally).honest.sum(axis=0) + 1.0  # no class is impossible
            pseudo_tasks = knowledge.informed.sum() * honest_votes / honest_votes.sum()
        start = share_tally
        if fitted is not None:
            start = passes.vote_tally(join_votes(votes, fitted, knowledge, passes).probs)
            if isinstance(fitted.worker_model, SpammingModel):
                index = np.append(lookup(votes.workers, fitted.workers), -1)
                workers = SpammingModel(fitted.worker_model.honesty[index], fitted.worker_model.habit[index])
        fit = em(_expect(workers, start), m_step, e_step, n_votes=len(votes), max_rounds=self.max_rounds, tol=self.tol)
        workers, class_prior = fit.model
        probs = np.empty((votes.n_tasks, n_classes))
        passes.vote_pass(_log_odds(workers), knowledge.log_prior(class_prior), out=probs)
        pool, idle = fit_workers(fit.statistics.honest.sum(axis=0), counts.sum(axis=0)), votes.votes_per_voter == 0
        workers.honesty[idle], workers.habit[idle] = pool.honesty, pool.habit
        return Posterior.of(
            votes,
            knowledge.clamp(probs),
            class_prior=class_prior,
            worker_model=workers,
            objective=fit.objective,
            converged=fit.converged,
        )


def _expect(workers: SpammingModel, tally: Tally) -> _Statistics:
    """Return the expected number of honest votes, which are right, but not all right votes are honest."""
    honesty, spam = workers.honesty[:, None], (1 - workers.honesty)[:, None] * workers.habit
    return _Statistics(tally.answers * honesty / (honesty + spam), tally.classes)


def _log_odds(workers: SpammingModel) -> Array:
    """Return the log-likelihood ratio of each label being right and wrong: (n_workers + 1, observed)."""
    odds: Array = np.log1p(workers.honesty[:, None] / ((1 - workers.honesty)[:, None] * workers.habit))
    return odds
