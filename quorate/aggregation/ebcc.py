"""Enhanced Bayesian classifier combination (EBCC), with correlated workers."""

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

SUBTYPE_CONCENTRATION = 0.1  # Dirichlet prior on the subtypes of a class; sparse: few of them are used


class _Dirichlets(NamedTuple):
    answers: Array  # (n_workers + 1, observed, class and subtype)
    tasks: Array  # (n_classes,)
    subtypes: Array  # (n_classes, n_subtypes)


@dataclass(frozen=True, kw_only=True)
class Ebcc:
    """EBCC: Bayesian classifier combination with subtypes of tasks, on which workers make correlated errors.

    Model: a task of class k belongs to one of `subtypes` subtypes, drawn from e_k; worker j gives it label l with
    probability V_j[k, subtype, l]. Workers who err on the same subtype are then not independent given the class. Rows
    of V have a Dirichlet prior of `strength` pseudo-votes, centred on the responses of the whole crowd to the class;
    e_k has a sparse one (.1 each). Fitted by mean-field variational Bayes; the objective is the evidence lower bound.

    Use it when: accuracy matters more than time and errors of workers are correlated, as on kinds of tasks that are
    hard for everybody. On 19 real data sets its mean accuracy is the highest of all single methods here, by a small
    margin. More restarts raise the bound, not the accuracy.

    Paper: Li, Rubinstein and Cohn, "Exploiting worker correlation for label aggregation in crowdsourcing", ICML 2019.

    Args:
        subtypes: number of subtypes of each class.
        strength: weight of the prior on a row of a confusion matrix, in pseudo-votes.
        restarts: number of random starts; the fit with the highest bound is returned.
        max_rounds: maximum number of rounds of each fit.
        tol: smallest gain of the bound per vote that is worth another round.
        seed: seed of the random starts.

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
        )  # (observed, class and subtype)
        pseudo_tasks = knowledge.pseudo_tasks(votes) + 1 / votes.n_classes

        def m_step(tally: Tally) -> _Dirichlets:
            subtypes = tally.classes.reshape(-1, self.subtypes)
            tasks = subtypes.sum(axis=1) + knowledge.gold_only + pseudo_tasks
            return _Dirichlets(tally.answers + pseudo_votes, tasks, subtypes + SUBTYPE_CONCENTRATION)

        def log_prior(model: _Dirichlets) -> Array:
            log_classes = knowledge.log_prior(np.exp(expected_log(model.tasks, axis=0)))
            return np.repeat(log_classes, self.subtypes, axis=1) + expected_log(model.subtypes, axis=1).ravel()

        def e_step(model: _Dirichlets) -> tuple[Tally, float]:
            log_table = expected_log(model.answers, axis=1)
            tally = passes.row_pass(log_table, log_prior(model))
            bound = tally.evidence - kl_divergence(model.answers, pseudo_votes, log_table, axis=1)
            uniform = np.full_like(model.subtypes, SUBTYPE_CONCENTRATION)
            bound -= kl_divergence(model.subtypes, uniform, expected_log(model.subtypes, axis=1), axis=1)
            if knowledge.prior is None:
                log_classes = expected_log(model.tasks, axis=0)
                divergence = kl_divergence(model.tasks, pseudo_tasks, log_classes, axis=0)
                bound += float(knowledge.gold_only @ log_classes) - divergence
            return tally, bound

        states = (votes.n_tasks, votes.n_classes * self.subtypes)
        rng = np.random.default_rng(self.seed)
        fits = []
        for _ in range(self.restarts):
            subtype = rng.dirichlet(np.ones(self.subtypes), votes.n_tasks)  # the same for all classes
            start = passes.row_tally((shares[:, :, None] * subtype[:, None, :]).reshape(states))
            fits.append(em(start, m_step, e_step, n_votes=len(votes), max_rounds=self.max_rounds, tol=self.tol))
        fit = max(fits, key=lambda fit: fit.objective[-1])
        model = fit.model
        joint = np.empty(states)  # class and subtype
        passes.row_pass(expected_log(model.answers, axis=1), log_prior(model), out=joint)
        probs = joint.reshape(votes.n_tasks, votes.n_classes, self.subtypes).sum(axis=2)
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
        """Return the mean confusion matrices over the subtypes: (n_workers + 1, observed, true)."""
        answers = model.answers.copy()
        answers[votes.votes_per_voter == 0] = model.answers.sum(axis=0)
        answers /= answers.sum(axis=1, keepdims=True)
        subtype_probs = model.subtypes / model.subtypes.sum(axis=1, keepdims=True)
        by_subtype = answers.reshape(*answers.shape[:2], votes.n_classes, self.subtypes)
        return (by_subtype * subtype_probs).sum(axis=3)
