"""Eight Appen sets of the paper on hybrid services: their texts as tf-idf, and what the paper prints of them."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate import Posterior, Votes, datasets
from quorate.learning.bases.tf_idf import TfIdf
from quorate.learning.inputs import take_items
from quorate.learning.training.protocols import Target
from quorate.protocols import Valid
from quorate.typing import Array

WORDS = TfIdf(min_count=2, ngrams=(1, 3), shortest=1, sublinear=True, strip_accents=True)
TARGETS = ("hard", "soft", "smoothed .05", "smoothed .1", "soft_hard")


@dataclass(frozen=True, kw_only=True)
class Printed:
    """What the paper prints of NN1 on a set, in percent, in the order of TARGETS (tables 2 and 4).

    same_split: our train and validation rows are the paper's, but for a few that leaked. Where they are not,
    valid_per_class validation items of each class are drawn at random: the paper's number, balanced as its own were.
    """

    f1: tuple[float, ...]
    ece: tuple[float, ...]
    same_split: bool = False
    valid_per_class: int = 0


PRINTED = {
    "gop_sentiment": Printed(f1=(78.5, 79.7, 73.4, 73.7, 79.8), ece=(11.0, 18.3, 14.3, 13.2, 6.8)),
    "disaster": Printed(f1=(82.4, 82.9, 82.5, 82.3, 82.9), ece=(9.8, 20.2, 17.6, 19.0, 9.2), same_split=True),
    "chem_disease": Printed(f1=(74.5, 70.4, 76.5, 68.7, 71.3), ece=(20.4, 6.4, 18.6, 13.6, 15.4), same_split=True),
    "corporate": Printed(f1=(89.8, 86.4, 90.6, 90.6, 90.6), ece=(3.2, 5.4, 5.2, 9.8, 2.0), valid_per_class=40),
    "gop_sentiment3": Printed(f1=(65.3, 66.6, 64.9, 65.5, 66.0), ece=(6.4, 4.9, 7.5, 8.6, 5.8), valid_per_class=180),
    "self_driving": Printed(f1=(66.7, 66.8, 70.4, 70.8, 66.0), ece=(6.3, 5.8, 5.0, 7.8, 4.2), valid_per_class=50),
    "drug_relation": Printed(f1=(66.0, 71.1, 73.7, 69.8, 66.0), ece=(7.3, 3.6, 3.0, 8.5, 5.6), valid_per_class=25),
    "gop_subject": Printed(f1=(88.2, 88.9, 88.1, 88.1, 88.9), ece=(4.0, 2.1, 7.4, 6.0, 3.4), valid_per_class=30),
}


@dataclass(frozen=True, eq=False)
class Part:
    """Items that the crowd has labelled: their tf-idf, the crowd's label as one vote, its soft label as posterior."""

    x: Any
    votes: Votes
    posterior: Posterior

    @classmethod
    def of(cls, x: Any, soft: Array) -> "Part":
        """Items with these soft labels."""
        votes = Votes.from_counts(np.eye(soft.shape[1], dtype=np.int64)[soft.argmax(axis=1)])
        return cls(x, votes, Posterior.of(votes, soft, class_prior=soft.mean(axis=0)))

    def as_valid(self, target: Target) -> Valid:
        """Validation against targets of this kind: a hundred votes stand for each item that counts fully.

        Without a model of workers a vote is judged by its probability, so their mean log-likelihood is minus the
        cross-entropy against the targets.
        """
        targets = target.make(self.votes, self.posterior)
        votes = np.rint(100 * targets.weight[:, None] * targets.probs).astype(np.int64)
        return Valid(x=self.x, votes=Votes.from_counts(votes))


@dataclass(frozen=True, eq=False)
class TextSet:
    """A set in parts; gold is of the test items only."""

    train: Part
    valid: Part
    test_x: Any
    gold: NDArray[np.int64]


@lru_cache(maxsize=2)
def load(name: str, draw: int = 0) -> TextSet:
    """Return a set by its name; words and their weights come from the training items. draw: which validation items."""
    data = datasets.load(f"appen_{name}")
    texts = data.items["text"].to_list()
    assert data.soft is not None
    train, valid, test = (data.rows(part) for part in ("train", "valid", "test"))
    if PRINTED[name].valid_per_class:
        labels = data.soft.argmax(axis=1)
        train, valid = balanced_split(np.union1d(train, valid), texts, labels, PRINTED[name].valid_per_class, draw)
    vocabulary = WORDS.learn(take_items(texts, train))

    def words(rows: NDArray[np.int64]) -> Any:
        encoded: Any = WORDS.rows(take_items(texts, rows), vocabulary)
        return encoded.matrix

    trained, judged = (Part.of(words(rows), data.soft[rows]) for rows in (train, valid))
    return TextSet(trained, judged, words(test), data.gold[test])


def balanced_split(
    rows: NDArray[np.int64], texts: list[str], labels: NDArray[np.int64], per_class: int, seed: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return training and validation rows: texts drawn from each class are not used in training."""
    drawn: dict[str, int] = {}
    left = dict.fromkeys(np.unique(labels[rows]).tolist(), per_class)
    for row in np.random.default_rng(seed).permutation(rows).tolist():
        if texts[row] not in drawn and left[labels[row]]:
            drawn[texts[row]] = row
            left[labels[row]] -= 1
    train = [row for row in rows.tolist() if texts[row] not in drawn]
    return np.array(train), np.sort([*drawn.values()])
