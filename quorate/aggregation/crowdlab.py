"""The weighted mean of the votes and a classifier."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from quorate.aggregation._agreement import agreement_with_others, leading_classes, normalise_rows
from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.inference.bayes import PriorKnowledge
from quorate.inference.kernels import sum_at
from quorate.typing import Array

LEAST = 1e-6  # nobody weighs nothing


@dataclass(frozen=True, kw_only=True)
class Crowdlab:
    """CROWDLAB: the mean of the votes and of a classifier, each weighted by how far it beats the commonest class.

    Model: p = (w_M p_M + sum of w_j v_j) / (w_M + sum of w_j) over the workers j of the task. p_M is the prior row, the
    classifier's; v_j gives P to the class that was said and (1 - P) / (K - 1) to the others, P being the mean share of
    votes that are the majority's. w_j = 1 - (1 - g_j) / (1 - A) where g_j is the worker's agreement with the others on
    their tasks and A the majority's share of its commonest class; w_M = (1 - (1 - g_M) / (1 - A)) sqrt(votes per task)
    where g_M is the classifier's agreement with the majority. P, A and g_M come from tasks with two votes or more; tied
    classes share the majority. No weight is below 1e-6. Without a prior there is no classifier.

    Use it when: a classifier that was trained out of fold gives the prior, and you want a mean rather than Bayes' rule:
    it is never surer than its parts, and a classifier no better than the commonest class counts for nothing.

    Paper: Goh, Tkachenko & Mueller, "CROWDLAB: supervised learning to infer consensus labels and quality scores for
    data with multiple annotators", NeurIPS 2022 Human in the Loop Learning workshop.

    >>> from quorate import Votes
    >>> votes = Votes.from_matrix([[0, 0, 1], [1, 1, 1], [0, 0, 0], [1, 1, 1], [0, 1, -1]])
    >>> classifier = [[0.8, 0.2], [0.3, 0.7], [0.9, 0.1], [0.4, 0.6], [0.1, 0.9]]
    >>> Crowdlab().aggregate(votes, prior=classifier).probs.round(2).tolist()
    [[0.71, 0.29], [0.23, 0.77], [0.86, 0.14], [0.27, 0.73], [0.28, 0.72]]
    """

    def aggregate(self, votes: Votes, prior: ArrayLike | None = None, gold: ArrayLike | None = None) -> Posterior:
        """See Aggregator."""
        knowledge = PriorKnowledge.of(votes, prior, gold)
        probs = mixed(votes, knowledge.prior, fit_weights(votes, knowledge))
        class_prior = knowledge.class_prior(knowledge.clamp(probs))
        return Posterior.of(votes, knowledge.fill_uninformed(probs, class_prior), class_prior=class_prior)


@dataclass(frozen=True, eq=False)
class Weights:
    """How far each is trusted. share: P of the docstring. workers: (n_workers + 1,). classifier: zero without one."""

    share: float
    workers: Array
    classifier: float


def fit_weights(votes: Votes, knowledge: PriorKnowledge) -> Weights:
    """The weights of workers and classifier."""
    n_votes = votes.votes_per_task
    consensus = knowledge.clamp(leading_classes(votes.counts()))
    several = n_votes > 1
    agreeing = (consensus * votes.counts()).sum(axis=1)[several] / n_votes[several]
    share = agreeing.mean() if len(agreeing) else (1 + 1 / votes.n_classes) / 2
    commonest = consensus[several].sum(axis=0).max() / max(several.sum(), 1)
    baseline_error = max(1 - commonest, LEAST)
    classifier = 0.0
    if knowledge.prior is not None:
        chosen = leading_classes(knowledge.prior)[several]
        error = 1 - (chosen * consensus[several]).sum() / max(several.sum(), 1)
        votes_per_task = n_votes[n_votes > 0].mean() if len(votes) else 1.0
        classifier = max(1 - error / baseline_error, LEAST) * np.sqrt(votes_per_task)
    return Weights(float(share), _worker_weights(votes, baseline_error), float(classifier))


def mixed(votes: Votes, prior: Array | None, weights: Weights) -> Array:
    """The weighted mean of the votes and the classifier: (n_tasks, n_classes); zero rows where there is neither."""
    said = sum_at(votes.cell, weights.workers[votes.voter], (votes.n_tasks, votes.n_classes))
    total = said.sum(axis=1, keepdims=True)
    probs = weights.share * said + (1 - weights.share) / (votes.n_classes - 1) * (total - said)
    if prior is not None:
        probs += weights.classifier * prior
    return normalise_rows(probs)


def _worker_weights(votes: Votes, baseline_error: float) -> Array:
    """How far each worker, the anonymous voter last, beats the commonest class; an average one who met nobody."""
    pairs, agreeing = agreement_with_others(votes)
    met = pairs > 0
    agreement = np.divide(agreeing, pairs, out=np.ones_like(pairs), where=met)
    if met.any():
        agreement[~met] = agreement[met].mean()
    return np.maximum(1 - (1 - agreement) / baseline_error, LEAST)
