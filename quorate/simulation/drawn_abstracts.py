"""Made-up abstracts of studies that are screened by three criteria, each of which is told in many ways."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from quorate.data.option_checks import require_number
from quorate.simulation._wordings import BACKGROUND, DESIGN, DRUG, ENDING, OUTCOME, PEOPLE

CRITERIA: Mapping[str, Mapping[bool, tuple[str, ...]]] = {"randomised": DESIGN, "adults": PEOPLE, "metformin": DRUG}
SHARES = (0.5, 0.65, 0.45)  # of the abstracts for which each criterion holds


@dataclass(frozen=True, eq=False, kw_only=True)
class Abstracts:
    """Texts by key, and which criteria hold for each: (n_texts, n_criteria)."""

    keys: list[str]
    texts: list[str]
    criteria: tuple[str, ...]
    holds: NDArray[np.bool_]

    @property
    def included(self) -> NDArray[np.bool_]:
        """For which of the texts all criteria hold."""
        return np.asarray(self.holds.all(axis=1))


def abstracts(n: int = 500, *, seed: int = 0) -> Abstracts:
    """So many abstracts; whether a study is randomised, of adults, and of metformin is drawn for each.

    >>> made = abstracts(100, seed=1)
    >>> made.criteria, made.holds.shape
    (('randomised', 'adults', 'metformin'), (100, 3))
    """
    require_number("n", n, at_least=1, whole=True)
    require_number("seed", seed, at_least=0, whole=True)
    draws = np.random.default_rng(seed)
    holds = draws.random((n, len(CRITERIA))) < SHARES
    width = len(str(n - 1))
    return Abstracts(
        keys=[f"study-{number:0{width}}" for number in range(n)],
        texts=[_text(row, draws) for row in holds],
        criteria=tuple(CRITERIA),
        holds=holds,
    )


def _text(holds: NDArray[np.bool_], draws: np.random.Generator) -> str:
    told = [_one(CRITERIA[name][bool(held)], draws) for name, held in zip(CRITERIA, holds, strict=True)]
    sentences = [_one(BACKGROUND, draws), *told, _one(OUTCOME, draws), _one(OUTCOME, draws), _one(ENDING, draws)]
    return " ".join(dict.fromkeys(sentences)).format_map(_numbers(draws))


def _one(wordings: tuple[str, ...], draws: np.random.Generator) -> str:
    return wordings[int(draws.integers(len(wordings)))]


def _numbers(draws: np.random.Generator) -> dict[str, str]:
    """Figures that differ from text to text and mean nothing for the criteria."""
    tenths = int(draws.integers(2, 9))
    return {
        "older": str(draws.integers(41, 72)),
        "younger": str(draws.integers(5, 15)),
        "spread": str(draws.integers(4, 13)),
        "few": str(draws.integers(3, 20)),
        "many": str(draws.integers(60, 2000)),
        "share": str(draws.integers(70, 99)),
        "dose": str(draws.choice([250, 500, 850])),
        "weeks": str(draws.choice([8, 12, 24, 52])),
        "tenths": f"0.{tenths}",
        "tenths_low": f"0.{tenths - 1}",
        "tenths_high": f"0.{tenths + 1}" if tenths < 9 else "1.0",
    }
