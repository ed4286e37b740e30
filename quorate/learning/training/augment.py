"""Images turned and shifted a little, so that no two epochs show the same."""

from dataclasses import replace

import torch
from torch import Tensor

from quorate.errors import MethodError
from quorate.learning.training.examples import Batch
from quorate.learning.tuning import TUNING


def augmented(batch: Batch, kinds: tuple[str, ...], random: torch.Generator) -> Batch:
    """The batch with its images changed at random; kinds: as a Recipe has them."""
    if not isinstance(batch.x, Tensor) or batch.x.ndim != 4:
        raise MethodError("augmentation is for images: x must be items x channels x height x width")
    return replace(batch, x=moved(batch.x, kinds, random))


def moved(images: Tensor, kinds: tuple[str, ...], random: torch.Generator) -> Tensor:
    """Images mirrored, sheared and shifted, each at random: (n, channels, height, width). What comes in is black."""
    if "flip" in kinds:
        mirror = torch.rand(len(images), generator=random) < 0.5
        images = torch.where(mirror[:, None, None, None], images.flip(3), images)
    if "crop" in kinds:
        images = shifted(images, random)
    return sheared(images, random) if "shear" in kinds else images


def shifted(images: Tensor, random: torch.Generator) -> Tensor:
    """Images moved by whole pixels, so that they stay as sharp as they are."""
    n, _, height, width = images.shape
    far = round(TUNING.max_shift * height), round(TUNING.max_shift * width)
    framed = torch.nn.functional.pad(images, (far[1], far[1], far[0], far[0]))
    top, left = (torch.randint(2 * most + 1, (n, 1), generator=random) for most in far)
    rows, columns = top + torch.arange(height), left + torch.arange(width)  # (n, height), (n, width)
    item = torch.arange(n)[:, None, None]
    return framed[item, :, rows[:, :, None], columns[:, None, :]].permute(0, 3, 1, 2)


def sheared(images: Tensor, random: torch.Generator) -> Tensor:
    """Images slanted to the left or right."""
    maps = torch.zeros(len(images), 2, 3)  # where in the old image to look; sizes go from -1 to 1
    maps[:, 0, 0] = maps[:, 1, 1] = 1.0
    maps[:, 0, 1] = TUNING.max_shear * (2 * torch.rand(len(images), generator=random) - 1)
    places = torch.nn.functional.affine_grid(maps, list(images.shape), align_corners=False)
    return torch.nn.functional.grid_sample(images, places, align_corners=False)
