import pytest

from quorate.errors import MethodError
from quorate.learning.bases.wide_resnet import WideResnet
from tests.learning.bases.bases import learns_and_repeats, n_weights
from tests.learning.bases.test_resnet import COLOUR
from tests.learning.bases.test_small_cnn import bars


@pytest.mark.parametrize(
    ("depth", "width", "with_head"),
    [(16, 4, 2_748_890), (28, 10, 36_479_194), (40, 4, 8_949_210)],  # 2.7M, 36.5M and 8.9M in the paper
)
def test_the_number_of_weights_is_as_published(depth: int, width: int, with_head: int) -> None:
    head = 64 * width * 10 + 10
    assert n_weights(WideResnet(depth=depth, width=width), COLOUR) == with_head - head


def test_it_learns_and_repeats() -> None:
    images, labels = bars(16)
    learns_and_repeats(WideResnet(depth=10, width=1, dropout=0.1), images, labels, epochs=10)


def test_bad_options_are_rejected() -> None:
    with pytest.raises(MethodError, match="depth must be 4 plus a multiple of 6, such as 16, 28 or 40, got 18"):
        WideResnet(depth=18)
    with pytest.raises(MethodError, match="width must be at least 1, got 0"):
        WideResnet(width=0)
