"""Independent Bayesian classifier combination."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from quorate.data.option_checks import require_numbers
from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.data.worker_models import LEAST_STRENGTH, Confusion
from quorate.inference.bayes import PriorKnowledge, join_votes
from quorate.inference.dirichlet import expected_log, kl_divergence
from quorate.inference.em import em
from quorate.inference.kernels import Tally, safe_log, true_first, vote_passes
from quorate.inference.kernels.m_step import refuse_huge_tables, typical_worker
from quorate.typing import Array


@dataclass(frozen=True, kw_only=True)
class Ibcc:
    """iBCC: Bayesian Dawid-Skene, with uncertainty about the confusion matrices as well as the classes.

    Model: as dawid_skene, with a Dirichlet prior of `strength` pseudo-votes on each row of a confusion matrix, centred
    on the responses of the whole crowd, and pseudo-counts for the class prior in the proportions of the majority vote.
    Fitted by mean-field variational Bayes: the posterior of every row is a Dirichlet, whose expected log-probabilities
    weigh the votes. The objective is the evidence lower bound.

    Use it when: workers have few votes each. Workers about whom little is known have less weight than in dawid_skene.

    Paper: Kim and Ghahramani, "Bayesian classifier combination", AISTATS 2012; variational as in Simpson et al.,
    "Dynamic Bayesian combination of multiple imperfect classifiers", 2013.

    Args:
        strength: weight of the prior on a row of a confusion matrix, in pseudo-votes.
        max_rounds: maximum number of rounds.
        tol: smallest gain of the bound per vote that is worth another round.

    >>> from quorate import Votes
    >>> votes = Votes.from_matrix([[0, 0, 1], [1, 1, 0], [0, 0, 0], [1, 1, 0]])
    >>> Ibcc().aggregate(votes).labels.tolist()
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
        refuse_huge_tables(votes)
        passes = vote_passes(votes)
        share_tally = passes.row_tally(knowledge.vote_shares(votes))
        pseudo_votes = self.strength * typical_worker(share_tally.answers)  # (observed, true)
        pseudo_tasks = knowledge.pseudo_tasks(votes) + 1 / votes.n_classes  # above zero, even without votes

        def m_step(tally: Tally) -> tuple[Array, Array]:
            return tally.answers + pseudo_votes, tally.classes + knowledge.gold_only + pseudo_tasks

        def e_step(model: tuple[Array, Array]) -> tuple[Tally, float]:
            answers, tasks = model  # Dirichlet parameters
            log_table, log_classes = expected_log(answers, axis=1), expected_log(tasks, axis=0)
            tally = passes.row_pass(log_table, knowledge.log_prior(np.exp(log_classes)))
            bound = tally.evidence - kl_divergence(answers, pseudo_votes, log_table, axis=1)
            if knowledge.prior is None:
                divergence = kl_divergence(tasks, pseudo_tasks, log_classes, axis=0)
                bound += float(knowledge.gold_only @ log_classes) - divergence
            return tally, bound

        start = share_tally if fitted is None else passes.row_tally(join_votes(votes, fitted, knowledge, passes).probs)
        fit = em(start, m_step, e_step, n_votes=len(votes), max_rounds=self.max_rounds, tol=self.tol)
        answers, tasks = fit.model
        class_prior = knowledge.class_prior_from_totals(tasks - knowledge.gold_only)
        probs = np.empty((votes.n_tasks, votes.n_classes))
        passes.row_pass(
            expected_log(answers, axis=1), knowledge.log_prior(np.exp(expected_log(tasks, axis=0))), out=probs
        )
        answers[votes.votes_per_voter == 0] = fit.statistics.answers.sum(axis=0) + pseudo_votes
        return Posterior.of(
            votes,
            knowledge.fill_uninformed(probs, class_prior),
            class_prior=class_prior,
            worker_model=Confusion(true_first(safe_log(answers / answers.sum(axis=1, keepdims=True)))),
            objective=fit.objective,
            converged=fit.converged,
        )
