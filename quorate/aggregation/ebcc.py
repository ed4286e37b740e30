"""Bayesian classifier combination with correlated workers."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from quorate.data.option_checks import require_numbers
from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.data.worker_models import LEAST_STRENGTH, Confusion
from quorate.inference.bayes import PriorKnowledge
from quorate.inference.dirichlet import expected_log, kl_divergence
from quorate.inference.em import em
from quorate.inference.kernels import Tally, safe_log, true_first, vote_passes
from quorate.inference.kernels.m_step import refuse_huge_tables, typical_worker
from quorate.typing import Array

SPARSE = 0.1  # pseudo-tasks of each kind of a class: few kinds are used


class _Dirichlets(NamedTuple):
    answers: Array  # (n_workers + 1, said, class and kind)
    tasks: Array  # (n_classes,)
    kinds: Array  # (n_classes, subtypes)


@dataclass(frozen=True, kw_only=True)
class Ebcc:
    """EBCC: every class has several kinds of tasks, on which workers err together.

    Model: a task of class k is of one of `subtypes` kinds, drawn from e_k; worker j says l on it with probability
    V_j[k, kind, l]. Workers who err on the same kind of task are then no longer independent given the class. Rows of V
    have Dirichlet priors of `strength` pseudo-votes, spread as the whole crowd answers the class; e_k has a sparse one
    (.1 each). Mean-field variational Bayes from `restarts` random starts; the best lower bound wins.

    Use it when: accuracy matters more than time, and the errors of workers come in groups, such as hard kinds of tasks.
    Over 19 real sets its mean accuracy is the highest of all single methods here, by little. More restarts raise the
    bound, not the accuracy.

    Paper: Li, Rubinstein and Cohn, "Exploiting worker correlation for label aggregation in crowdsourcing", ICML 2019.

    >>> from quorate import Votes
    >>> votes = Votes.from_matrix([[0, 0, 1], [1, 1, 0], [0, 0, 0], [1, 1, 0]])
    >>> Ebcc(subtypes=2).aggregate(votes).labels.tolist()
    [0, 1, 0, 1]
    """

    subtypes: int = 3
    strength: float = 8.0
    restarts: int = 1
    max_rounds: int = 100
    tol: float = 1e-6
    seed: int = 0

    def __post_init__(self) -> None:
        require_numbers(self, "subtypes", "restarts", at_least=1)
        require_numbers(self, "strength", above=LEAST_STRENGTH)
        require_numbers(self, "seed", at_least=0)

    def aggregate(self, votes: Votes, prior: ArrayLike | None = None, gold: ArrayLike | None = None) -> Posterior:
        """See Aggregator."""
        refuse_huge_tables(votes, self.subtypes)
        knowledge, passes = PriorKnowledge.of(votes, prior, gold), vote_passes(votes)
        shares = knowledge.vote_shares(votes)
        pseudo_votes = np.repeat(
            self.strength * typical_worker(passes.row_tally(shares).answers), self.subtypes, axis=1
        )  # (said, class and kind)
        pseudo_tasks = knowledge.pseudo_tasks(votes) + 1 / votes.n_classes

        def m_step(tally: Tally) -> _Dirichlets:
            kinds = tally.classes.reshape(-1, self.subtypes)
            tasks = kinds.sum(axis=1) + knowledge.gold_only + pseudo_tasks
            return _Dirichlets(tally.answers + pseudo_votes, tasks, kinds + SPARSE)

        def log_prior(model: _Dirichlets) -> Array:
            of_class = knowledge.log_prior(np.exp(expected_log(model.tasks, axis=0)))
            return np.repeat(of_class, self.subtypes, axis=1) + expected_log(model.kinds, axis=1).ravel()

        def e_step(model: _Dirichlets) -> tuple[Tally, float]:
            log_table = expected_log(model.answers, axis=1)
            tally = passes.row_pass(log_table, log_prior(model))
            bound = tally.evidence - kl_divergence(model.answers, pseudo_votes, log_table, axis=1)
            bound -= kl_divergence(
                model.kinds, np.full_like(model.kinds, SPARSE), expected_log(model.kinds, axis=1), axis=1
            )
            if knowledge.prior is None:
                log_classes = expected_log(model.tasks, axis=0)
                bound += float(knowledge.gold_only @ log_classes) - kl_divergence(
                    model.tasks, pseudo_tasks, log_classes, axis=0
                )
            return tally, bound

        states = (votes.n_tasks, votes.n_classes * self.subtypes)
        rng = np.random.default_rng(self.seed)
        fits = []
        for _ in range(self.restarts):
            kind = rng.dirichlet(np.ones(self.subtypes), votes.n_tasks)  # the same for all classes
            start = passes.row_tally((shares[:, :, None] * kind[:, None, :]).reshape(states))
            fits.append(em(start, m_step, e_step, n_votes=len(votes), max_rounds=self.max_rounds, tol=self.tol))
        fit = max(fits, key=lambda fit: fit.objective[-1])
        model = fit.model
        by_kind = np.empty(states)
        passes.row_pass(expected_log(model.answers, axis=1), log_prior(model), out=by_kind)
        probs = by_kind.reshape(votes.n_tasks, votes.n_classes, self.subtypes).sum(axis=2)
        class_prior = knowledge.class_prior_from_totals(model.tasks - knowledge.gold_only)
        return Posterior.of(
            votes,
            knowledge.fill_uninformed(probs, class_prior),
            class_prior=class_prior,
            worker_model=Confusion(true_first(safe_log(self._confusions(model, votes)))),
            objective=fit.objective,
            converged=fit.converged,
        )

    def _confusions(self, model: _Dirichlets, votes: Votes) -> Array:
        """Expected confusion matrices over all kinds of tasks: (n_workers + 1, said, true)."""
        answers = model.answers.copy()
        answers[votes.votes_per_voter == 0] = model.answers.sum(axis=0)
        answers /= answers.sum(axis=1, keepdims=True)
        of_kind = model.kinds / model.kinds.sum(axis=1, keepdims=True)
        by_kind = answers.reshape(*answers.shape[:2], votes.n_classes, self.subtypes)
        return (by_kind * of_kind).sum(axis=3)
