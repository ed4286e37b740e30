"""What simple fusions share: the crowd's matrices, fitted by EM with what the machine says as each task's prior."""

from collections.abc import Callable

from quorate.data.votes import Votes
from quorate.decision.base import Fused, Machines
from quorate.decision.crowd_model import Crowd, fit_crowd, summed
from quorate.decision.pool_prior import clamped, class_prior, shares
from quorate.decision.tuning import TUNING
from quorate.inference.kernels import safe_log, softmax_rows
from quorate.typing import Array, Gold

Priors = Callable[[Array], Array]  # class prior -> the prior of every task: (n_tasks, n_classes)


def fit_by_em(
    votes: Votes, machines: Machines, priors: Priors, gold: Gold | None, start: Fused | None
) -> tuple[Crowd, Array, Array]:
    """The crowd, the class prior, and what is then believed of each task: (n_tasks, n_classes)."""
    probs = shares(votes, gold) if start is None else start.posterior(votes, machines, gold)
    for _ in range(TUNING.em_rounds if start is None else TUNING.em_rounds_on):
        crowd, common = fit_crowd(votes, probs), class_prior(votes, probs, gold)
        probs = clamped(by_bayes(crowd, votes, priors(common)), gold)
    return crowd, common, probs


def by_bayes(crowd: Crowd, votes: Votes, prior: Array, sway: float = 1.0) -> Array:
    """Bayes' rule: the prior of each task times the likelihood of its votes, to the power of sway."""
    scores = safe_log(prior) + sway * vote_scores(crowd, votes)
    softmax_rows(scores)
    return scores


def vote_scores(crowd: Crowd, votes: Votes) -> Array:
    """Log-likelihood of the votes of each task, for every class: (n_tasks, n_classes)."""
    return summed(votes, crowd.log_table[crowd.voter(votes), votes.label])
