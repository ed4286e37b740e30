"""EM for simple fusions: it fits the crowd's confusion matrices, with the classifiers as the prior of each task."""

from collections.abc import Callable

from quorate.data.votes import Votes
from quorate.decision.base import Fused, Machines
from quorate.decision.tuning import TUNING
from quorate.inference.bayes import clamp_gold
from quorate.inference.crowd_model import Crowd, fit_crowd
from quorate.inference.em import NO_TOLERANCE, em
from quorate.inference.kernels import safe_log, softmax_rows
from quorate.inference.kernels.vote_sums import sum_by_task
from quorate.inference.pool_prior import class_prior, shares
from quorate.inference.progress import quiet_rounds
from quorate.typing import Array, Gold

Priors = Callable[[Array], Array]  # class prior -> the prior of every task: (n_tasks, n_classes)


def fit_by_em(
    votes: Votes, machines: Machines, priors: Priors, gold: Gold | None, start: Fused | None
) -> tuple[Crowd, Array, Array]:
    """Fit a crowd by EM; return it, the class prior, and the posterior of every task, (n_tasks, n_classes).

    The M-step is regularised: matrices are anchored to how often voters agree and kept away from zero, so the
    log-evidence of the votes may fall between rounds. The number of rounds is fixed.

    Args:
        votes: votes on all tasks.
        machines: probabilities of each classifier, for the posterior of `start`.
        priors: from the class prior to the prior of every task.
        gold: (n_tasks,), labels of experts, -1 = none.
        start: an earlier fit, from which the fit continues.
    """

    def m_step(probs: Array) -> tuple[Crowd, Array]:
        return fit_crowd(votes, probs), class_prior(votes, probs, gold)

    def e_step(model: tuple[Crowd, Array]) -> tuple[Array, float]:
        crowd, common = model
        scores = safe_log(priors(common)) + vote_scores(crowd, votes)
        evidence = float(softmax_rows(scores).sum())
        return clamp_gold(scores, gold), evidence

    first = shares(votes, gold) if start is None else start.posterior(votes, machines, gold)
    rounds = TUNING.em_rounds if start is None else TUNING.em_rounds_refit
    with quiet_rounds():  # a fit is one step of a replay, which reports its own progress
        fit = em(first, m_step, e_step, n_votes=len(votes), max_rounds=rounds, tol=NO_TOLERANCE)
    return *fit.model, fit.statistics


def by_bayes(crowd: Crowd, votes: Votes, prior: Array, vote_discount: float = 1.0) -> Array:
    """Apply Bayes' rule: the prior of each task times the likelihood of its votes, to the power of vote_discount."""
    scores = safe_log(prior) + vote_discount * vote_scores(crowd, votes)
    softmax_rows(scores)
    return scores


def vote_scores(crowd: Crowd, votes: Votes) -> Array:
    """Return the log-likelihood of the votes of each task, for every class: (n_tasks, n_classes)."""
    return sum_by_task(votes, crowd.log_rows[crowd.voter(votes), votes.label])
