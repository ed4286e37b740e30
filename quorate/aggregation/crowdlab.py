"""CROWDLAB: weighted average of the votes and a classifier."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from quorate.aggregation._agreement import agreement_with_others, leading_classes, normalise_rows
from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.inference.bayes import PriorKnowledge
from quorate.inference.kernels import sum_at
from quorate.typing import Array

MIN_WEIGHT = 1e-6  # of a worker or the classifier


@dataclass(frozen=True, kw_only=True)
class Crowdlab:
    """CROWDLAB: the average of the votes and a classifier, weighted by how much each beats the most common class.

    Model: p = (w_M p_M + sum of w_j v_j) / (w_M + sum of w_j) over the workers j of the task. p_M is the prior row, the
    prediction of the classifier; v_j gives probability P to the label by worker j and (1 - P) / (K - 1) to the others,
    P being the mean share of votes that agree with the majority. The annotator weight is w_j = 1 - (1 - g_j) / (1 - A),
    where g_j is the agreement of the worker with the others on the same tasks and A the share of the most common class
    among the majority labels; w_M = (1 - (1 - g_M) / (1 - A)) sqrt(votes per task), where g_M is the agreement of the
    classifier with the majority. P, A and g_M are estimated on tasks with two or more votes; tied classes share the
    majority. No weight is below 1e-6. Without a prior, only votes count.

    Use it when: the prior is a classifier's out-of-fold prediction, and you want a consensus by averaging rather than
    by Bayes' rule: it is never more confident than its parts, and a classifier no better than the most common class has
    almost no weight.

    Paper: Goh, Tkachenko and Mueller, "CROWDLAB: supervised learning to infer consensus labels and quality scores for
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
        probs = weighted_average(votes, knowledge.prior, fit_weights(votes, knowledge))
        class_prior = knowledge.class_prior(knowledge.clamp(probs))
        return Posterior.of(votes, knowledge.fill_uninformed(probs, class_prior), class_prior=class_prior)


@dataclass(frozen=True, eq=False)
class Weights:
    """Weights of the workers and the classifier.

    Attributes:
        share: mean share of votes that agree with the majority, P in the model of Crowdlab.
        workers: (n_workers + 1,), annotator weights, the anonymous voter's last.
        classifier: weight of the classifier, zero without one.
    """

    share: float
    workers: Array
    classifier: float


def fit_weights(votes: Votes, knowledge: PriorKnowledge) -> Weights:
    """Estimate the weights of workers and classifier, given the votes and the prior as prediction of the classifier."""
    n_votes = votes.votes_per_task
    consensus = knowledge.clamp(leading_classes(votes.counts()))
    multiple = n_votes > 1
    agreeing = (consensus * votes.counts()).sum(axis=1)[multiple] / n_votes[multiple]
    share = agreeing.mean() if len(agreeing) else (1 + 1 / votes.n_classes) / 2
    top_share = consensus[multiple].sum(axis=0).max() / max(multiple.sum(), 1)
    baseline_error = max(1 - top_share, MIN_WEIGHT)
    classifier = 0.0
    if knowledge.prior is not None:
        predicted = leading_classes(knowledge.prior)[multiple]
        error = 1 - (predicted * consensus[multiple]).sum() / max(multiple.sum(), 1)
        votes_per_task = n_votes[n_votes > 0].mean() if len(votes) else 1.0
        classifier = max(1 - error / baseline_error, MIN_WEIGHT) * np.sqrt(votes_per_task)
    return Weights(float(share), _worker_weights(votes, baseline_error), float(classifier))


def weighted_average(votes: Votes, prior: Array | None, weights: Weights) -> Array:
    """Return the weighted average of votes and classifier, (n_tasks, n_classes); rows without either are zero."""
    weight = sum_at(votes.cell, weights.workers[votes.voter], (votes.n_tasks, votes.n_classes))
    total = weight.sum(axis=1, keepdims=True)
    probs = weights.share * weight + (1 - weights.share) / (votes.n_classes - 1) * (total - weight)
    if prior is not None:
        probs += weights.classifier * prior
    return normalise_rows(probs)


def _worker_weights(votes: Votes, baseline_error: float) -> Array:
    """Return annotator weights, (n_workers + 1,); workers without agreement to measure get the mean agreement."""
    pairs, agreeing = agreement_with_others(votes)
    has_pairs = pairs > 0
    agreement = np.divide(agreeing, pairs, out=np.ones_like(pairs), where=has_pairs)
    if has_pairs.any():
        agreement[~has_pairs] = agreement[has_pairs].mean()
    return np.maximum(1 - (1 - agreement) / baseline_error, MIN_WEIGHT)
