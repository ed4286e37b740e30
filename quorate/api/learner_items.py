"""Learners by name, and items for them: images are read, and a base must be able to read what the items hold."""

from dataclasses import MISSING, fields, replace
from typing import Any

import numpy as np

from quorate import registry
from quorate.api.inputs import as_items
from quorate.data.option_checks import require_part
from quorate.data.votes import Votes
from quorate.errors import MethodError, VotesError
from quorate.io.images import read_images
from quorate.io.items import Items
from quorate.learning.features import feature_table
from quorate.learning.inputs import align_items
from quorate.typing import Array

FOLDER = "learning.learners"
IMAGE_SIZE = 32  # pixels of a side

BASES = {  # the usual base for items of a kind
    "texts": "tf_idf",
    "pairs": "char_cnn",
    "images": "small_cnn",
    "texts and features": "text_and_features",
    "words in texts": "char_word_rnn",
}
PARTS_BESIDE_TEXT = {  # kinds of items that only one base reads, and what they have beside their texts
    "texts and features": ("text_and_features", "columns of numbers"),
    "words in texts": ("char_word_rnn", "column place"),
}


def learner_of(learner: Any) -> Any:
    """Return a learner by its name, or the object as it is; softmax regression where none is given.

    >>> learner_of("linear").l2
    0.01
    """
    if learner is None or isinstance(learner, str):
        name = learner or "linear"
        cls = registry.method_class(FOLDER, name)
        required = [field.name for field in fields(cls) if field.default is field.default_factory is MISSING]
        if required:
            options = ", ".join(f"{option}=..." for option in required)
            raise MethodError(
                f"the learner {name} needs options: give an object, such as quorate.learning.{cls.__name__}({options})"
            )
        return registry.method(FOLDER, name)
    require_part("learner", learner, 'quorate.learning.Linear(), or a name such as "linear"', "fit", "predict_proba")
    return learner


def require_base(items: Items, learner: Any) -> None:
    """Refuse items that have more, or less, beside their texts than the base of a learner reads."""
    while hasattr(learner, "learner"):
        learner = learner.learner
    base = type(getattr(learner, "base", learner)).__module__.rpartition(".")[2]
    for kind, (reader, part) in PARTS_BESIDE_TEXT.items():
        if items.kind == kind and base != reader:
            raise MethodError(
                f"{base} does not read the {part} beside the text: leave out this part, or use --base {reader}"
            )
        if items.kind != kind and base == reader:
            raise MethodError(f"{base} needs {part} beside a column text, and the items have none")


def with_images(items: Items, image_size: int | None = None, *, default: int = IMAGE_SIZE) -> Items:
    """Return the items with their images read as squares of this size, where they are paths of images."""
    if items.kind == "images":
        return replace(items, x=read_images(items.x, image_size or default)) if isinstance(items.x, list) else items
    if image_size is not None:
        raise MethodError(f"the items are {items.kind}, not files of images: leave out --image-size")
    return items


def features_of(x: Any, votes: Votes, encoder: str = "auto") -> Array:
    """Return features as a matrix with a row per task of the votes.

    Args:
        x: Items, which are matched by the names of tasks and brought to one scale, texts and images by an encoder; a
            list of texts, one per task; or an array of features, which stays as it is.
        votes: have the tasks.
        encoder: of texts and images, see `quorate.learning.features.fit_features`.
    """
    if isinstance(x, list | tuple) and x and isinstance(x[0], str):
        x = as_items(x, votes.tasks)
    if isinstance(x, Items):
        x = Items(tasks=x.tasks, kind="features", x=feature_table(x, encoder))
    features: Array = np.asarray(align_items(x, votes), dtype=np.float64)
    if features.ndim != 2 or len(features) != votes.n_tasks:
        raise VotesError(
            f"x must have a row of features for each of the {votes.n_tasks} tasks, got shape {features.shape}"
        )
    return features


def kind_of(items: Items) -> str:
    """Return the kind of the items; features in four dimensions are images."""
    return "images" if isinstance(items.x, np.ndarray) and items.x.ndim == 4 else items.kind


def image_size_of(learner: Any) -> int | None:
    """Return the size of the images that a learner was trained on; None where it was not trained on images."""
    shape = getattr(innermost(learner), "input_spec_", {}).get("shape")
    return None if shape is None else int(shape[-1])


def innermost(learner: Any) -> Any:
    """Return the learner that predicts, inside the learners around it; of an ensemble, its first member."""
    while hasattr(learner, "learner_") or hasattr(learner, "members_"):
        learner = learner.learner_ if hasattr(learner, "learner_") else learner.members_[0]
    return learner
