"""Made-up abstracts of studies, to be screened by three criteria that are expressed in many ways."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from quorate.data.option_checks import require_number
from quorate.simulation._wordings import BACKGROUND, DESIGN, DRUG, ENDING, OUTCOME, PEOPLE

CRITERIA: Mapping[str, Mapping[bool, tuple[str, ...]]] = {"randomised": DESIGN, "adults": PEOPLE, "metformin": DRUG}
SHARES = (0.5, 0.65, 0.45)  # probability that each criterion is met


@dataclass(frozen=True, eq=False, kw_only=True)
class Abstracts:
    """Texts of abstracts and the criteria they meet.

    Attributes:
        keys: key of each text.
        texts: the abstracts.
        criteria: names of the criteria.
        holds: (n_texts, n_criteria), whether a text meets a criterion.
    """

    keys: list[str]
    texts: list[str]
    criteria: tuple[str, ...]
    holds: NDArray[np.bool_]

    @property
    def included(self) -> NDArray[np.bool_]:
        """Mask of the texts that meet all criteria, (n_texts,)."""
        return np.asarray(self.holds.all(axis=1))


def abstracts(n: int = 500, *, seed: int = 0) -> Abstracts:
    """Draw n abstracts; whether a study is randomised, of adults and of metformin is drawn for each.

    >>> drawn = abstracts(100, seed=1)
    >>> drawn.criteria, drawn.holds.shape
    (('randomised', 'adults', 'metformin'), (100, 3))
    """
    require_number("n", n, at_least=1, whole=True)
    require_number("seed", seed, at_least=0, whole=True)
    rng = np.random.default_rng(seed)
    holds = rng.random((n, len(CRITERIA))) < SHARES
    width = len(str(n - 1))
    return Abstracts(
        keys=[f"study-{number:0{width}}" for number in range(n)],
        texts=[_text(row, rng) for row in holds],
        criteria=tuple(CRITERIA),
        holds=holds,
    )


def _text(holds: NDArray[np.bool_], rng: np.random.Generator) -> str:
    criteria = [_choose(CRITERIA[name][bool(held)], rng) for name, held in zip(CRITERIA, holds, strict=True)]
    background, *rest = [_choose(part, rng) for part in (BACKGROUND, OUTCOME, OUTCOME, ENDING)]
    sentences = [background, *criteria, *rest]
    return " ".join(dict.fromkeys(sentences)).format_map(_numbers(rng))


def _choose(wordings: tuple[str, ...], rng: np.random.Generator) -> str:
    return wordings[int(rng.integers(len(wordings)))]


def _numbers(rng: np.random.Generator) -> dict[str, str]:
    """Draw numbers that vary between texts and are irrelevant to the criteria."""
    tenths = int(rng.integers(2, 9))
    return {
        "older": str(rng.integers(41, 72)),
        "younger": str(rng.integers(5, 15)),
        "spread": str(rng.integers(4, 13)),
        "few": str(rng.integers(3, 20)),
        "many": str(rng.integers(60, 2000)),
        "share": str(rng.integers(70, 99)),
        "dose": str(rng.choice([250, 500, 850])),
        "weeks": str(rng.choice([8, 12, 24, 52])),
        "tenths": f"0.{tenths}",
        "tenths_low": f"0.{tenths - 1}",
        "tenths_high": f"0.{tenths + 1}" if tenths < 9 else "1.0",
    }
