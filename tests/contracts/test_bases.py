"""What every base promises; a new one adds its items here."""

import json
from dataclasses import fields
from typing import Any

import numpy as np
import pytest
import torch

from quorate import registry
from quorate.learning.bases.lstm import Lstm
from quorate.learning.training.rows import Dense
from tests.learning.bases.bases import features
from tests.learning.bases.test_transformer import make_bert

RNG = np.random.default_rng(0)
NUMBERS, IMAGES = RNG.normal(size=(4, 3)), RNG.integers(0, 256, (4, 3, 8, 8), dtype=np.uint8)
TEXTS = ["a fine film", "", "fine books", "a dull film"]
ITEMS: dict[str, Any] = {
    "linear": NUMBERS,
    "mlp": NUMBERS,
    "small_cnn": IMAGES,
    "resnet": IMAGES,
    "wide_resnet": IMAGES,
    "tf_idf": TEXTS,
    "lstm": TEXTS,
    "char_cnn": [(text, text[:4]) for text in TEXTS],
    "char_word_rnn": [(f"so {text}", 0) for text in TEXTS],
    "transformer": TEXTS,
    "text_and_features": (TEXTS, NUMBERS),
}
CHOSEN: dict[str, dict[str, Any]] = {"lstm": {"min_count": 1}, "text_and_features": {"text": Lstm(min_count=1)}}


@pytest.fixture(scope="module")
def bert(tmp_path_factory: pytest.TempPathFactory) -> str:
    return make_bert(tmp_path_factory.mktemp("bert"), seed=0)


def test_every_base_has_items() -> None:
    assert set(ITEMS) == set(registry.names("learning.bases"))


@pytest.mark.parametrize("name", ITEMS)
def test_a_base_keeps_its_promises(name: str, bert: str) -> None:
    base_class = registry.method_class("learning.bases", name)
    assert all(field.kw_only for field in fields(base_class))
    base = base_class(**CHOSEN.get(name, {}), **({"folder": bert, "train": "all"} if name == "transformer" else {}))
    x = ITEMS[name]
    learnt = base.learn(x)
    loaded = json.loads(json.dumps(learnt))  # as a saved network has it
    assert loaded == learnt
    rows = base.rows(x, loaded)
    assert len(rows) == 4
    assert len(base.rows(tuple(part[:1] for part in x) if isinstance(x, tuple) else x[:1], loaded)) == 1
    network = base.build(loaded)
    if name != "tf_idf":  # which stays sparse
        first, again = features(base, x, loaded, seed=1), features(base, x, loaded, seed=1)
        assert first.shape == (4, network.size)
        assert np.array_equal(first, again)
    scores = torch.nn.Sequential(network, Dense(network.size, 2)).eval()
    straight, mirrored = (scores(rows.take(order)).detach() for order in (torch.arange(4), torch.arange(4).flip(0)))
    assert torch.isfinite(straight).all()
    assert torch.allclose(mirrored.flip(0), straight, atol=1e-5)
