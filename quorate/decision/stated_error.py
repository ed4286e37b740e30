"""The expected error of accepted labels as a model estimate, from discounted beliefs; an audit overrides it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from quorate.data.decisions import ACCEPT, Decisions, Source
from quorate.data.votes import Votes
from quorate.decision.base import TAUGHT, Machines
from quorate.decision.belief import Belief
from quorate.decision.majority_error import majority_right
from quorate.inference.design_effect import discount as divide_logs
from quorate.typing import Array

LEVEL = 0.8  # of the band
NOTHING_ACCEPTED = "unknown: no label is accepted yet"
NO_PROBABILITIES = "unknown: the policy has no probabilities, so audit a random sample"


@dataclass(frozen=True, kw_only=True)
class Discount:
    """How far beliefs are discounted before an error is stated, and how wide the band around it is.

    The logarithms of a task's probabilities are divided by scale * n**power, where n counts its votes. They are chosen
    on 40 replays of each of the 14 rows of docs/replays.md without gold (`python -m benchmarks.trust.stated_errors`),
    as the ones that bring the stated error nearest to the measured one; leaving any set out changes them little.

    Attributes:
        scale: divisor at one vote.
        power: its growth with the number of votes. It is smaller than for votes that are simply counted (design_effect)
            because an engine that stops early is overconfident after few votes already.
        taught_votes: number of votes that a classifier trained on the same votes counts as: it repeats their errors.
        band: the true error lies between the estimate divided by this factor and the estimate times it, in LEVEL of
            pools of a set that was left out.
    """

    scale: float = 1.2
    power: float = 0.25
    taught_votes: float = 3.0
    band: float = 2.0


DISCOUNT = Discount()


@dataclass(frozen=True, kw_only=True)
class ModelEstimate:
    """The expected error rate of labels according to the model: not a bound, and no basis of a certificate.

    Attributes:
        value: the expected share of wrong labels; NaN if there is no label, or the policy has no probabilities.
        low: lower end of the band.
        high: upper end of the band.
        level: share of pools whose error lay in the band, in replays of sets that were not used to set it.
        n_labels: number of labels.
    """

    value: float
    low: float
    high: float
    level: float = LEVEL
    n_labels: int

    @property
    def known(self) -> bool:
        """Whether there is an estimate."""
        return not np.isnan(self.value)

    @property
    def words(self) -> str:
        """The estimate in words."""
        if not self.known:
            return NO_PROBABILITIES if self.n_labels else NOTHING_ACCEPTED
        band = f"{100 * self.level:g}% band {_percent(self.low)} to {_percent(self.high)}"
        return f"about {_percent(self.value)} (model estimate, {band})"


def state_expected_error(label_errors: ArrayLike, *, discount: Discount = DISCOUNT) -> ModelEstimate:
    """Return the mean of the probabilities that labels are wrong, with a band learned from replays of real sets.

    Args:
        label_errors: (n_labels,), the probability that each label is wrong, by `discounted_errors`.
        discount: the constants.

    >>> state_expected_error([0.02, 0.06]).words
    'about 4.0% (model estimate, 80% band 2.0% to 8.0%)'
    """
    errors = np.asarray(label_errors, dtype=np.float64)
    if not errors.size or not are_probabilities(errors):
        return ModelEstimate(value=np.nan, low=np.nan, high=np.nan, n_labels=errors.size)
    value = float(errors.mean())
    high = max(value, min(value * discount.band, 1.0))
    return ModelEstimate(value=value, low=value / discount.band, high=high, n_labels=errors.size)


def are_probabilities(label_errors: Array) -> bool:
    """Return whether the errors come from probabilities: a policy that counts votes is certain of most labels.

    >>> are_probabilities(np.array([0.1, 0.2, 0.0])), are_probabilities(np.array([0.0, 0.0, 0.5]))
    (True, False)
    """
    return bool((label_errors == 0).mean() <= 0.5) if len(label_errors) else True


def discounted_errors(
    probs: Array, labels: NDArray[np.int64], votes_per_task: ArrayLike, *, taught: bool, discount: Discount = DISCOUNT
) -> Array:
    """Return the probability that the label of each task is wrong, from discounted beliefs: (n_tasks,).

    Beliefs take votes for independent, and a policy stops where they happen to be confident: at the end of replays of
    real votes, three times as many labels are wrong as they say. A task without votes keeps its probabilities unless
    its classifier was trained on the votes of other tasks.

    Args:
        probs: (n_tasks, n_classes), the beliefs that decisions are based on.
        labels: (n_tasks,), class index of each label.
        votes_per_task: (n_tasks,).
        taught: whether a classifier was trained on these votes.
        discount: the constants.

    >>> probs = np.array([[0.96, 0.04], [0.96, 0.04], [0.96, 0.04]])
    >>> discounted_errors(probs, np.array([0, 0, 1]), [0, 3, 3], taught=False).round(3).tolist()
    [0.04, 0.118, 0.882]
    """
    n_votes = np.asarray(votes_per_task) + discount.taught_votes * taught
    errors: Array = 1 - divide_logs(probs, _divisor(n_votes, discount))[np.arange(len(labels)), labels]
    return errors


def expected_error_of(decisions: Decisions, votes: Votes, machines: Machines) -> ModelEstimate:
    """Return the expected error of the labels that were accepted from the model; those of experts do not count.

    Args:
        decisions: decisions on the tasks of the votes.
        votes: the votes that they rest on.
        machines: the classifiers that they rest on.
    """
    rows = np.flatnonzero((decisions.action == ACCEPT) & (decisions.source == Source.MODEL))
    n_votes = votes.votes_per_task[rows]
    errors = discounted_errors(decisions.probs[rows], decisions.label[rows], n_votes, taught=TAUGHT in machines)
    return state_expected_error(errors)


def expected_majority_error(belief: Belief, n_votes: int, *, discount: Discount = DISCOUNT) -> float:
    """Return the expected error of the majority of `n_votes` new votes, discounted as that of accepted labels is.

    The chance that the majority is right is discounted for every level of difficulty and class. All deceptive tasks
    count as wrong.

    >>> even = Belief.plain(np.full((1, 2), 0.5), np.array([[0.8, 0.2], [0.2, 0.8]]))
    >>> [round(expected_majority_error(even, n), 3) for n in (1, 3, 5)]  # if votes were independent: .2, .104, .058
    [0.24, 0.204, 0.174]
    """
    share = belief.joint.mean(axis=0)  # (n_levels, n_classes)
    right = majority_right(belief.answers, n_votes).ravel()
    pairs = np.stack([right, np.maximum(1 - right, 0.0)], axis=1)
    winner = np.zeros(len(pairs), dtype=np.int64)
    wrong = discounted_errors(pairs, winner, np.full(len(pairs), n_votes), taught=False, discount=discount)
    deceptive = 0.0 if belief.deception is None else belief.deception.share
    return float(deceptive + (1 - deceptive) * np.average(wrong, weights=share.ravel()))


def _divisor(n_votes: Array, discount: Discount) -> Array:
    """Return the divisor of the log-probabilities of each task; one where nothing was learned from votes."""
    return np.where(n_votes > 0, discount.scale * np.maximum(n_votes, 1) ** discount.power, 1.0)


def _percent(share: float) -> str:
    return f"{share:.1%}" if share >= 0.001 else f"{share:.2%}"
