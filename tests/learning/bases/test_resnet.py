from typing import Any

import numpy as np
import pytest

from quorate.errors import MethodError
from quorate.learning.bases.resnet import Depth, Resnet, Stem
from tests.learning.bases.bases import features, fitted, n_weights
from tests.learning.bases.test_small_cnn import bars

COLOUR: dict[str, Any] = {"shape": [3, 32, 32], "mean": [0.5] * 3, "deviation": [0.25] * 3}


@pytest.mark.parametrize(
    ("depth", "stem", "with_head", "head"),
    [
        (18, "cifar", 11_173_962, 5_130),  # ten classes: 512 * 10 + 10
        (34, "cifar", 21_282_122, 5_130),
        (18, "image", 11_689_512, 513_000),  # torchvision's, a thousand classes
        (34, "image", 21_797_672, 513_000),
    ],
)
def test_the_number_of_weights_is_as_published(depth: Depth, stem: Stem, with_head: int, head: int) -> None:
    assert n_weights(Resnet(depth=depth, stem=stem), COLOUR) == with_head - head


def test_both_stems_give_features() -> None:
    images = bars(2)[0]
    for stem in ("cifar", "image"):
        base = Resnet(stem=stem)
        assert features(base, images, base.learn(images)).shape == (2, 512)


def test_it_learns_and_repeats() -> None:
    images, labels = bars(8)
    first, again = (fitted(Resnet(stem="image"), images, labels, epochs=3, lr=1e-3) for _ in range(2))
    assert first.history_.losses[-1] < first.history_.losses[0] / 2
    assert np.array_equal(first.predict_proba(images), again.predict_proba(images))


def test_grey_images_that_are_all_alike_give_finite_features() -> None:
    images = np.full((2, 1, 4, 4), 7, dtype=np.uint8)
    assert np.isfinite(features(Resnet(), images, Resnet().learn(images))).all()


def test_bad_options_are_rejected() -> None:
    with pytest.raises(MethodError, match="depth must be one of 18, 34, got 50"):
        Resnet(depth=50)  # type: ignore[arg-type]
    with pytest.raises(MethodError, match="stem must be one of cifar, image"):
        Resnet(stem="big")  # type: ignore[arg-type]
