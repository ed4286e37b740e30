import json
from typing import Any

import numpy as np
import pytest
import torch
from sklearn.feature_extraction.text import TfidfVectorizer

from quorate import Votes, aggregate
from quorate.errors import MethodError, VotesError
from quorate.io import datasets
from quorate.learning.bases.tf_idf import TfIdf
from quorate.learning.learners.network import Network
from quorate.learning.learners.search import Search
from quorate.learning.training.recipe import Recipe
from quorate.learning.training.rows import SparseRows
from quorate.protocols import Valid

TEXTS = ["The storm broke the dam", "the storm, the storm", "a calm day by the sea", "Calm seas; a calm day", "x"]


def rows_of(base: TfIdf, texts: list[str], spec: dict[str, Any]) -> Any:
    rows = base.rows(texts, spec)
    assert isinstance(rows, SparseRows)
    return rows.matrix


@pytest.mark.parametrize("ngrams", [(1, 1), (1, 2), (2, 3)])
@pytest.mark.parametrize(("min_count", "most"), [(1, None), (2, None), (1, 4)])
def test_features_equal_scikit_learn_after_a_round_trip_through_json(
    ngrams: tuple[int, int], min_count: int, most: int | None
) -> None:
    base = TfIdf(min_count=min_count, most=most, ngrams=ngrams)
    spec = json.loads(json.dumps(base.learn(TEXTS)))
    peer = TfidfVectorizer(min_df=min_count, max_features=most, ngram_range=ngrams).fit(TEXTS)
    new = ["the dam and the storm", "calm day", "nothing known"]
    np.testing.assert_allclose(rows_of(base, new, spec).toarray(), peer.transform(new).toarray(), rtol=1e-6)
    assert spec["words"] == peer.get_feature_names_out().tolist()


def test_words_and_counts_equal_those_of_scikit_learn() -> None:
    texts = ["a é café café", "café a CAFE", "b"]
    base = TfIdf(shortest=1, sublinear=True, strip_accents=True)
    peer = TfidfVectorizer(token_pattern=r"\w{1,}", sublinear_tf=True, strip_accents="unicode").fit(texts)
    spec = base.learn(texts)
    assert spec["words"] == ["a", "b", "cafe", "e"]
    np.testing.assert_allclose(rows_of(base, texts, spec).toarray(), peer.transform(texts).toarray(), rtol=1e-6)


def test_by_hand() -> None:
    base = TfIdf()
    spec = base.learn(["ab ab cd", "ab"])
    assert spec["words"] == ["ab", "cd"]
    assert spec["weights"] == pytest.approx([1.0, np.log(3 / 2) + 1])
    row = np.array([2.0, np.log(3 / 2) + 1])
    np.testing.assert_allclose(rows_of(base, ["cd ab ab"], spec).toarray()[0], row / np.linalg.norm(row), rtol=1e-6)


def test_a_network_learns_from_texts() -> None:
    votes = Votes.from_matrix([[0, 0], [0, 0], [1, 1], [1, 1], [-1, -1]])
    network = Network(base=TfIdf(), recipe=Recipe(epochs=60, lr=0.05))
    network.fit(TEXTS, votes, aggregate(votes, "majority"))
    assert network.predict_proba(["a storm", "calm", ""]).argmax(axis=1).tolist()[:2] == [0, 1]
    assert torch.isfinite(network.layers_.head.scores.weight).all()


def test_bad_input_and_options_are_rejected() -> None:
    with pytest.raises(VotesError, match=r"got 7 \(row 2\)"):
        TfIdf().learn(["a text", 7])
    with pytest.raises(MethodError, match="no word occurs in 50 texts or more: lower min_count"):
        TfIdf(min_count=50).learn(TEXTS)
    with pytest.raises(MethodError, match="ngrams must be 1 <= minimum"):
        TfIdf(ngrams=(2, 1))
    with pytest.raises(MethodError, match="at least 1, got 0"):
        TfIdf(min_count=0)


@pytest.mark.long
@pytest.mark.needs_data
def test_a_small_grid_of_nn1_on_real_tweets() -> None:
    data = datasets.load("appen_disaster")
    assert data.soft is not None
    train, valid, test = (data.rows(split) for split in ("train", "valid", "test"))
    train = train[:2000]
    texts = data.items["text"].to_list()
    votes = Votes.from_counts(np.rint(10 * data.soft[train]).astype(int))

    def of(rows: Any) -> list[str]:
        return [texts[row] for row in rows]

    judge = Valid(x=of(valid), votes=Votes.from_counts(np.rint(10 * data.soft[valid]).astype(int)))
    nn1 = Network(base=TfIdf(), recipe=Recipe(epochs=15, lr=0.01, patience=3))
    grid: dict[str, list[Any]] = {
        "base.min_count": [1, 4000],
        "base.ngrams": [(1, 1), (1, 2)],
        "recipe.balance": ["none"],
    }
    search = Search(learner=nn1, options=grid).fit(of(train), votes, aggregate(votes, "naive_soft"), valid=judge)
    assert [bool(trial.reason) for trial in search.results_] == [False, False, True, True]
    assert (search.predict_proba(of(test)).argmax(axis=1) == data.gold[test]).mean() > 0.75
