"""How a simulated person answers and how long it takes: drawn from a seed, the same whenever the same is asked."""

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
EXPERT_RIGHT = 0.99
HARD = 9.0  # the difficulty of an item is drawn from Beta(1, HARD): one in ten answers of workers is a guess
USUAL_SECONDS = {"reliable": 4.0, "biased": 4.0, "spammer": 1.0, "expert": 8.0}  # for an answer, in the middle
SPREAD = 0.4  # of the logarithm of these seconds


@dataclass(frozen=True, kw_only=True)
class Ability:
    """One person. What they answer depends on the person, the question and the item alone, not on when it is asked."""

    name: str
    kind: Kind
    seed: int

    @property
    def role(self) -> Role:
        """What the service has them enter as."""
        return "expert" if self.kind == "expert" else "crowd"

    def confusion(self, question: str, n_classes: int) -> Array:
        """How often they say what, (true, said): a person has one for each question."""
        return _confusion(self, question, n_classes)

    def answer(self, question: str, key: str, true: str, classes: Sequence[str]) -> str:
        """What they say about an item. With the chance that is its difficulty, the same for all, a worker guesses."""
        if true not in classes:
            raise MethodError(
                f"the truth of {key!r} is {true!r}, but {question!r} has the classes {', '.join(classes)}"
            )
        draw = self._draw("answer", question, key)
        if self.role == "crowd" and self._draw("guess", question, key) < self._difficulty(question, key):
            return classes[int(draw * len(classes))]
        chances = self.confusion(question, len(classes))[list(classes).index(true)].cumsum()
        return classes[min(int(np.searchsorted(chances, draw, side="right")), len(classes) - 1)]

    def seconds(self, question: str, key: str) -> float:
        """How long they think about an item: log-normal."""
        away = NormalDist().inv_cdf(min(max(self._draw("seconds", question, key), 1e-9), 1 - 1e-9))
        return USUAL_SECONDS[self.kind] * exp(SPREAD * away)

    def _difficulty(self, question: str, key: str) -> float:
        return 1 - (1 - _draw(str(self.seed), "difficulty", question, key)) ** (1 / HARD)

    def _draw(self, *what: str) -> float:
        return _draw(str(self.seed), self.name, *what)


def people(n_workers: int, *, n_experts: int = 0, seed: int = 0) -> list[Ability]:
    """So many workers, in the shares of kinds that are usual, and experts.

    >>> from collections import Counter
    >>> Counter(person.kind for person in people(40, n_experts=1))
    Counter({'reliable': 32, 'biased': 4, 'spammer': 4, 'expert': 1})
    """
    if n_workers < 0 or n_experts < 0 or n_workers + n_experts == 0:
        raise MethodError(f"there must be somebody: got {n_workers} workers and {n_experts} experts")
    borders = np.cumsum(list(SHARES.values())) * n_workers
    kinds = [list(SHARES)[min(int(np.searchsorted(borders, place + 0.5)), 2)] for place in range(n_workers)]
    kinds += ["expert"] * n_experts
    return [Ability(name=f"{kind}-{place + 1}", kind=kind, seed=seed) for place, kind in enumerate(kinds)]


@cache
def _confusion(person: Ability, question: str, n_classes: int) -> Array:
    if person.kind == "expert":
        others = (1 - EXPERT_RIGHT) / (n_classes - 1)
        return np.full((n_classes, n_classes), others) + np.eye(n_classes) * (EXPERT_RIGHT - others)
    draws = np.random.default_rng([person.seed, _number("confusion", person.name, question)])
    return confusion(person.kind, n_classes, draws)


def _draw(*parts: str) -> float:
    """A number in [0, 1)."""
    return (_number(*parts) >> 11) / 2**53


def _number(*parts: str) -> int:
    """Any 64 bits that always are the same for the same words."""
    return int.from_bytes(blake2b("\0".join(parts).encode(), digest_size=8).digest(), "big")
