"""Votes and response times of simulated people: drawn from a seed, and reproducible in any order of tasks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from math import exp
from statistics import NormalDist
from typing import Literal

import numpy as np

from quorate.errors import MethodError
from quorate.simulation.crowd import Kind, confusion
from quorate.typing import Array

Role = Literal["crowd", "expert"]
SHARES: Mapping[Kind, float] = {"reliable": 0.8, "biased": 0.1, "spammer": 0.1}  # of a crowd
EXPERT_ACCURACY = 0.99
DIFFICULTY_BETA = 9.0  # the difficulty of an item is drawn from Beta(1, 9): one in ten votes of workers is a guess
MEDIAN_SECONDS = {"reliable": 4.0, "biased": 4.0, "spammer": 1.0, "expert": 8.0}  # per vote
LOG_SECONDS_SD = 0.4


@dataclass(frozen=True, kw_only=True)
class Ability:
    """A simulated person. A vote depends on the person, the question and the item only, not on the order of tasks."""

    name: str
    kind: Kind
    seed: int

    @property
    def role(self) -> Role:
        """Kind of annotator in the service."""
        return "expert" if self.kind == "expert" else "crowd"

    def confusion(self, question: str, n_classes: int) -> Array:
        """Return the confusion matrix (true, voted) of the person for a question."""
        return _confusion(self, question, n_classes)

    def answer(self, question: str, key: str, true: str, classes: Sequence[str]) -> str:
        """Return the vote on an item; workers guess with a probability equal to its difficulty.

        Args:
            question: name of the question.
            key: key of the item.
            true: true label.
            classes: names of the classes.
        """
        if true not in classes:
            raise MethodError(
                f"the true label of {key!r} is {true!r}, but {question!r} has the classes {', '.join(classes)}"
            )
        draw = self._draw("answer", question, key)
        if self.role == "crowd" and self._draw("guess", question, key) < self._difficulty(question, key):
            return classes[int(draw * len(classes))]
        cumulative = self.confusion(question, len(classes))[list(classes).index(true)].cumsum()
        return classes[min(int(np.searchsorted(cumulative, draw, side="right")), len(classes) - 1)]

    def seconds(self, question: str, key: str) -> float:
        """Return the response time for an item, log-normal."""
        deviation = NormalDist().inv_cdf(min(max(self._draw("seconds", question, key), 1e-9), 1 - 1e-9))
        return MEDIAN_SECONDS[self.kind] * exp(LOG_SECONDS_SD * deviation)

    def _difficulty(self, question: str, key: str) -> float:
        return 1 - (1 - _draw(str(self.seed), "difficulty", question, key)) ** (1 / DIFFICULTY_BETA)

    def _draw(self, *parts: str) -> float:
        return _draw(str(self.seed), self.name, *parts)


def people(n_workers: int, *, n_experts: int = 0, seed: int = 0) -> list[Ability]:
    """Return workers of several kinds, most of them reliable, and experts.

    Args:
        n_workers: number of workers: 80% reliable, 10% biased, 10% spammers.
        n_experts: number of experts, in addition.
        seed: seed of their abilities and answers.

    >>> from collections import Counter
    >>> Counter(person.kind for person in people(40, n_experts=1))
    Counter({'reliable': 32, 'biased': 4, 'spammer': 4, 'expert': 1})
    """
    if n_workers < 0 or n_experts < 0 or n_workers + n_experts == 0:
        raise MethodError(f"n_workers and n_experts must not be negative or both zero, got {n_workers} and {n_experts}")
    borders = np.cumsum(list(SHARES.values())) * n_workers
    kinds = [list(SHARES)[min(int(np.searchsorted(borders, index + 0.5)), 2)] for index in range(n_workers)]
    kinds += ["expert"] * n_experts
    return [Ability(name=f"{kind}-{number}", kind=kind, seed=seed) for number, kind in enumerate(kinds, start=1)]


@cache
def _confusion(person: Ability, question: str, n_classes: int) -> Array:
    if person.kind == "expert":
        error = (1 - EXPERT_ACCURACY) / (n_classes - 1)
        return np.full((n_classes, n_classes), error) + np.eye(n_classes) * (EXPERT_ACCURACY - error)
    rng = np.random.default_rng([person.seed, _hash("confusion", person.name, question)])
    return confusion(person.kind, n_classes, rng)


def _draw(*parts: str) -> float:
    """Return a pseudo-random number in [0, 1) for these parts."""
    return (_hash(*parts) >> 11) / 2**53


def _hash(*parts: str) -> int:
    """Return a 64-bit hash of these parts."""
    return int.from_bytes(blake2b("\0".join(parts).encode(), digest_size=8).digest(), "big")
