"""Features of items for a simple classifier: columns of numbers on one scale, computed without labels."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from quorate.errors import MethodError
from quorate.io.images import read_images
from quorate.io.items import Items
from quorate.learning.encoders.encode import as_pixels, encode_images, encode_texts
from quorate.learning.encoders.find import AUTO, Encoder, find_encoder
from quorate.learning.encoders.pairs import PairFeatures
from quorate.learning.encoders.scale import PoolScale
from quorate.learning.words import WordFeatures
from quorate.typing import Array

PIXELS = 16  # of a side, where no image encoder is installed

Read = Callable[[Items], Any]  # items -> a table, (n_items, n_inputs)
Embed = Callable[[Sequence[str]], Any]  # texts -> vectors, (n_texts, size)


@dataclass(frozen=True, eq=False)
class ItemFeatures:
    """What turns items into features; fitted to a pool, it can be applied to new items of the same kind.

    Attributes:
        description: what is read, and by which encoder.
        read: returns the table of items, before it is scaled.
        scale: the scale of the pool.
    """

    description: str
    read: Read
    scale: PoolScale

    def transform(self, items: Items) -> Array:
        """Return the features of items: (n_items, n_columns)."""
        return self.scale.apply(self.read(items))


def feature_table(items: Items, encoder: str = AUTO) -> Array:
    """Return the features of a pool of items for a classifier that learns as votes come in: (n_items, n_columns).

    The table is centred, the mean squared length of its rows is 1, and it has at most 64 columns: the directions in
    which the items differ most.

    encoder: see `fit_features`.

    >>> feature_table(Items(tasks=np.array(["a", "b"]), kind="features", x=np.array([[1.0, 5.0], [3.0, 5.0]]))).tolist()
    [[-1.0], [1.0]]
    """
    return fit_features(items, encoder)[1]


def fit_features(items: Items, encoder: str = AUTO) -> tuple[ItemFeatures, Array]:
    """Return what turns items into features, fitted to a pool, and the features of the pool.

    encoder: of texts and images: "auto" for the one that is installed; "none" for tf-idf of words and for pixels; or
    the name or folder of an encoder. Features that came with the items are standardised.
    """
    description, read, table = _fit_reader(items, encoder)
    scale = PoolScale.fit(table)
    return ItemFeatures(description, read, scale), scale.apply(table)


def encoder_of(items: Items, encoder: str = AUTO) -> Encoder | None:
    """Return the encoder that reads these items; None where they have features, or words or pixels are used."""
    kind = _kind(items)
    return None if kind == "features" else find_encoder("images" if kind == "images" else "texts", encoder)


def _kind(items: Items) -> str:
    """Return the kind of items; features in four dimensions are images. Refuse kinds that have no features here."""
    n_dimensions = getattr(items.x, "ndim", 0)
    kind = "images" if items.kind == "features" and n_dimensions == 4 else items.kind
    if kind in ("texts", "pairs", "images") or (kind == "features" and n_dimensions == 2):
        return kind
    raise MethodError(
        f"the items are {items.kind}, but a classifier that learns while votes come in needs features, texts, pairs of "
        "texts or images: give one of these, or the probabilities of another classifier (--machines)"
    )


def _fit_reader(items: Items, name: str) -> tuple[str, Read, Any]:
    """Return what is read, the function that reads it, and the table of the pool."""
    kind, encoder = _kind(items), encoder_of(items, name)
    if kind == "features":
        return _fit_numbers(items)
    if kind == "images":
        return _fit_images(items, encoder)
    description, embed = _fit_embedding(items, encoder)
    return (description, *(_fit_pairs(items, embed) if kind == "pairs" else _fit_texts(items, embed)))


def _fit_embedding(items: Items, encoder: Encoder | None) -> tuple[str, Embed]:
    """Return what is read of texts, and the function that turns texts into vectors."""
    if encoder is None:
        return "tf-idf of words, without an encoder", WordFeatures.fit(_texts(items)).transform
    max_tokens = getattr(encoder, "max_tokens", None)
    part = f", which reads the first {max_tokens} tokens" if max_tokens else ""
    return f"{encoder.name}{part}", partial(encode_texts, encoder)


def _texts(items: Items) -> list[str]:
    return [text for pair in items.x for text in pair] if items.kind == "pairs" else list(items.x)


def _fit_texts(items: Items, embed: Embed) -> tuple[Read, Any]:
    def read(items: Items) -> Any:
        return embed(_texts(items))

    return read, read(items)


def _fit_pairs(items: Items, embed: Embed) -> tuple[Read, Any]:
    def sides(items: Items) -> tuple[Any, Any]:
        vectors = embed(_texts(items))
        return vectors[::2], vectors[1::2]

    embedded = sides(items)
    features = PairFeatures.fit(items.x, *embedded)
    return lambda items: features.apply(items.x, *sides(items)), features.apply(items.x, *embedded)


def _fit_numbers(items: Items) -> tuple[str, Read, Any]:
    def numbers(items: Items) -> Array:
        table = items.x.toarray() if hasattr(items.x, "toarray") else items.x
        return np.asarray(table, dtype=np.float64)

    table = numbers(items)
    mean, spread = table.mean(axis=0), table.std(axis=0)
    deviation = np.where(spread > 1e-12, spread, 1.0)
    return "features of the items", lambda items: (numbers(items) - mean) / deviation, (table - mean) / deviation


def _fit_images(items: Items, encoder: Encoder | None) -> tuple[str, Read, Any]:
    def read(items: Items) -> Any:
        return _pixels(items) if encoder is None else encode_images(encoder, items.x)

    size = f"{PIXELS} x {PIXELS} pixels"
    description = f"{size}, without an encoder" if encoder is None else f"{encoder.name}, at 224 pixels"
    return description, read, read(items)


def _pixels(items: Items) -> Array:
    """Return the pixels of small copies of images, from 0 to 1."""
    if not isinstance(items.x, np.ndarray):
        return read_images(items.x, PIXELS).reshape(len(items), -1) / 255
    images = as_pixels(items.x)
    step = [max(1, side // PIXELS) for side in images.shape[2:]]
    return images[:, :, :: step[0], :: step[1]].reshape(len(items), -1) / 255
