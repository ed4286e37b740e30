import numpy as np
import pytest
import torch

from quorate.learning.bases._images import ImageLayers, image_rows, learn_images
from quorate.learning.bases.small_cnn import SmallCnn
from tests.learning.bases.bases import refuses

BYTES = np.array([[[[0, 51], [102, 255]]], [[[0, 0], [0, 0]]]], dtype=np.uint8)  # two images of one channel, 2 x 2


def test_mean_and_deviation_are_those_of_each_channel() -> None:
    spec = learn_images(np.concatenate([BYTES, 0 * BYTES + 51], axis=1))
    values = np.array([0, 0.2, 0.4, 1, 0, 0, 0, 0])
    assert spec["shape"] == [2, 2, 2]
    assert spec["mean"] == pytest.approx([values.mean(), 0.2])
    assert spec["deviation"] == pytest.approx([values.std(), 1.0])  # a constant channel is not scaled


def test_images_stay_uint8_until_they_are_taken() -> None:
    rows = image_rows(BYTES, learn_images(BYTES))
    assert rows.values.dtype == torch.uint8
    assert torch.equal(rows.take(torch.tensor([0])).flatten(), torch.tensor([0, 0.2, 0.4, 1]))


def test_floats_from_0_to_1_equal_uint8_from_0_to_255() -> None:
    rows = image_rows(BYTES / 255, learn_images(BYTES.astype(np.int64)))
    assert torch.equal(rows.take(torch.tensor([0])).flatten(), torch.tensor([0, 0.2, 0.4, 1]))


def test_two_images_mixed() -> None:
    rows = image_rows(BYTES, learn_images(BYTES))
    mixed = rows.take(torch.tensor([0, 0]), torch.tensor([1, 1]), torch.tensor([0.75, 0.25]))
    assert mixed[0].flatten().tolist() == pytest.approx([0, 0.15, 0.3, 0.75])
    assert mixed[1].flatten().tolist() == pytest.approx([0, 0.05, 0.1, 0.25])


def test_layers_standardise_each_channel() -> None:
    images = np.random.default_rng(0).integers(0, 200, (50, 3, 4, 4), dtype=np.uint8)
    spec = learn_images(images)
    layers = ImageLayers(spec, torch.nn.Identity(), 3)
    seen = (image_rows(images, spec).take(torch.arange(50)) - layers.mean) / layers.deviation
    assert seen.mean(dim=(0, 2, 3)).tolist() == pytest.approx([0, 0, 0], abs=1e-5)
    assert seen.std(dim=(0, 2, 3), correction=0).tolist() == pytest.approx([1, 1, 1], abs=1e-5)
    assert not layers.state_dict()


def test_prediction_in_batches_gives_the_same_features(monkeypatch: pytest.MonkeyPatch) -> None:
    images = np.random.default_rng(0).integers(0, 256, (7, 1, 8, 8), dtype=np.uint8)
    spec = learn_images(images)
    layers = SmallCnn(channels=(4,)).build(spec).eval()
    x = image_rows(images, spec).take(torch.arange(7))
    whole = layers(x)
    monkeypatch.setattr("quorate.learning.bases._images.BATCH_SIZE", 3)
    assert torch.allclose(layers(x), whole, atol=1e-6)


def test_values_that_are_not_images_are_rejected() -> None:
    broken = BYTES / 255
    broken[1, 0, 1, 1] = np.nan
    refuses(SmallCnn(), broken, r"NaN or infinity \(row 2\)")
    refuses(SmallCnn(), [], "items x channels x height x width")
    refuses(SmallCnn(), np.zeros((0, 3, 8, 8)), "items x channels x height x width")
    refuses(SmallCnn(), np.zeros((5, 8, 8)), r"got shape \(5, 8, 8\)")
    refuses(SmallCnn(), np.zeros((5, 8, 8, 3)), r"channels last.*transpose\(0, 3, 1, 2\)")
    refuses(SmallCnn(), [np.zeros((3, 8, 8)), np.zeros((3, 9, 8))], "several shapes")
    refuses(SmallCnn(), BYTES.astype(float), "x holds values from 0.0 to 255.0")
    refuses(SmallCnn(), BYTES.astype(int) - 1, "x holds values from -1 to 254")
    refuses(SmallCnn(), BYTES.astype(str), "x must hold numbers")


def test_a_shape_other_than_in_training_is_rejected() -> None:
    spec = learn_images(BYTES)
    refuses(SmallCnn(), np.concatenate([BYTES] * 3, axis=1), "3 x 2 x 2, but the network saw 1 x 2 x 2", spec)
    refuses(SmallCnn(), np.zeros((1, 1, 4, 4)), "1 x 4 x 4", spec)
