"""How far a classifier trained on votes is trusted: by how much better it predicts the votes on other tasks."""

import numpy as np

from quorate.decision.tuning import TUNING
from quorate.inference.kernels import safe_log
from quorate.typing import Array


def earned_trust(prior: Array, likelihood: Array, min_gain: float) -> float:
    """Return the share of its weight that a classifier keeps, from 0 (ignored) to 1 (all of it).

    If the classifier knows something about the tasks, the votes on a task are likelier under its prior of that task
    than under the mean prior of all tasks. How large this gain can be depends on the entropy of the mean prior, so the
    trust grows with the mean gain as a share of that entropy: no trust up to `TUNING.gain_share_ignored`, full trust
    from `TUNING.gain_share_trusted` on. A total gain that chance can explain earns nothing.

    Args:
        prior: (n_tasks, n_classes), class probabilities by the classifier, which was not trained on these tasks.
        likelihood: (n_tasks, n_classes), of the votes of each task under each class, up to a factor per task.
        min_gain: total gain in log-likelihood, in nats, below which there is no trust.

    >>> likelihood = np.array([[0.8, 0.2], [0.2, 0.8]] * 10)
    >>> earned_trust(likelihood, likelihood, 1.0), earned_trust(np.full((20, 2), 0.5), likelihood, 1.0)
    (1.0, 0.0)
    """
    gain = gain_per_task(prior, likelihood)
    mean_prior = prior.mean(axis=0)
    entropy = -float(mean_prior @ safe_log(mean_prior))
    if gain.sum() <= min_gain or entropy <= 0:
        return 0.0
    share = float(gain.mean()) / entropy
    ignored, trusted = TUNING.gain_share_ignored, TUNING.gain_share_trusted
    return float(np.clip((share - ignored) / (trusted - ignored), 0.0, 1.0))


def gain_per_task(prior: Array, likelihood: Array) -> Array:
    """Return how much likelier the votes of each task are under its prior than under the mean prior: (n_tasks,) nats.

    A classifier that gives every task the most common class predicts most votes and knows nothing: its gain is zero.
    Trained on the labels that it caused, it would otherwise become more confident each time.
    """
    by_task, by_mean = (prior * likelihood).sum(axis=1), likelihood @ prior.mean(axis=0)
    return np.log(by_task / by_mean)
