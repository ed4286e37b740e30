"""Images turned and shifted a little, so that no two epochs show the same."""

from dataclasses import replace

import torch
from torch import Tensor

from quorate.errors import MethodError
from quorate.learning._examples import Batch

KINDS = ("flip", "shear", "crop")
MOST_SHEAR = 0.2  # of the width, from top to bottom
MARGIN = 0.125  # of the width, that a crop may move an image


def augmented(batch: Batch, kinds: tuple[str, ...], random: torch.Generator) -> Batch:
    """The batch with its images changed at random."""
    unknown = [kind for kind in kinds if kind not in KINDS]
    if unknown:
        raise MethodError(f"there is no augmentation {unknown[0]!r}: choose from {', '.join(KINDS)}")
    if not isinstance(batch.x, Tensor) or batch.x.ndim != 4:
        raise MethodError("augmentation is for images: x must be items x channels x height x width")
    return replace(batch, x=moved(batch.x, kinds, random))


def moved(images: Tensor, kinds: tuple[str, ...], random: torch.Generator) -> Tensor:
    """Images mirrored, sheared and shifted, each at random: (n, channels, height, width). What comes in is black."""
    n = len(images)

    def uniform() -> Tensor:
        return 2 * torch.rand(n, generator=random) - 1

    maps = torch.zeros(n, 2, 3)  # for each place of the new image, where in the old one to look; sizes go from -1 to 1
    maps[:, 0, 0] = torch.where(uniform() > 0, 1.0, -1.0) if "flip" in kinds else 1.0
    maps[:, 1, 1] = 1.0
    if "shear" in kinds:
        maps[:, 0, 1] = MOST_SHEAR * uniform()
    if "crop" in kinds:
        maps[:, 0, 2], maps[:, 1, 2] = 2 * MARGIN * uniform(), 2 * MARGIN * uniform()
    places = torch.nn.functional.affine_grid(maps, list(images.shape), align_corners=False)
    return torch.nn.functional.grid_sample(images, places, align_corners=False)
