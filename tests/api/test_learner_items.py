"""Items and learners that do not belong together are refused before the work."""

import numpy as np
import pytest

from quorate.api.learner_items import image_size_of, innermost, kind_of, require_base, with_images
from quorate.data.ids import as_names
from quorate.errors import MethodError
from quorate.io.items import Items
from quorate.learning import Linear

FEATURES = Items(tasks=as_names(["a"]), kind="features", x=np.zeros((1, 2)))


def test_texts_with_features_need_a_base_that_reads_both() -> None:
    both = Items(tasks=as_names(["a"]), kind="texts and features", x=(["text"], np.zeros((1, 2))))
    with pytest.raises(MethodError, match="linear does not read the columns of numbers beside the text"):
        require_base(both, Linear())
    require_base(FEATURES, Linear())


def test_images_in_arrays_are_images() -> None:
    images = Items(tasks=as_names(["a"]), kind="features", x=np.zeros((1, 3, 8, 8)))
    assert (kind_of(images), kind_of(FEATURES)) == ("images", "features")


def test_only_images_have_a_size() -> None:
    assert with_images(FEATURES) is FEATURES
    with pytest.raises(MethodError, match="the items are features, not files of images: leave out --image-size"):
        with_images(FEATURES, 8)
    assert image_size_of(Linear()) is None
    learner = Linear()
    assert innermost(learner) is learner
