"""Augmentation of images: random flips, shears and shifts, different in every epoch."""

from dataclasses import replace

import torch
from torch import Tensor

from quorate.errors import MethodError
from quorate.learning.training.examples import Batch
from quorate.learning.tuning import TUNING


def augment_batch(batch: Batch, kinds: tuple[str, ...], random: torch.Generator) -> Batch:
    """Return the batch with its images changed at random; kinds: the option `augment` of a Recipe."""
    if not isinstance(batch.x, Tensor) or batch.x.ndim != 4:
        raise MethodError("augmentation is for images: x must be items x channels x height x width")
    return replace(batch, x=augment_images(batch.x, kinds, random))


def augment_images(images: Tensor, kinds: tuple[str, ...], random: torch.Generator) -> Tensor:
    """Flip, shear and shift images at random: (n, channels, height, width). Pixels from outside are black."""
    if "flip" in kinds:
        mirror = torch.rand(len(images), generator=random) < 0.5
        images = torch.where(mirror[:, None, None, None], images.flip(3), images)
    if "crop" in kinds:
        images = shift_images(images, random)
    return shear_images(images, random) if "shear" in kinds else images


def shift_images(images: Tensor, random: torch.Generator) -> Tensor:
    """Shift each image at random by whole pixels, so that it stays sharp."""
    n, _, height, width = images.shape
    margin = round(TUNING.max_shift * height), round(TUNING.max_shift * width)
    padded = torch.nn.functional.pad(images, (margin[1], margin[1], margin[0], margin[0]))
    top, left = (torch.randint(2 * size + 1, (n, 1), generator=random) for size in margin)
    rows, columns = top + torch.arange(height), left + torch.arange(width)  # (n, height), (n, width)
    item = torch.arange(n)[:, None, None]
    return padded[item, :, rows[:, :, None], columns[:, None, :]].permute(0, 3, 1, 2)


def shear_images(images: Tensor, random: torch.Generator) -> Tensor:
    """Slant each image at random to the left or right."""
    maps = torch.zeros(len(images), 2, 3)  # from pixels of the result to those of the image; coordinates from -1 to 1
    maps[:, 0, 0] = maps[:, 1, 1] = 1.0
    maps[:, 0, 1] = TUNING.max_shear * (2 * torch.rand(len(images), generator=random) - 1)
    grid = torch.nn.functional.affine_grid(maps, list(images.shape), align_corners=False)
    return torch.nn.functional.grid_sample(images, grid, align_corners=False)
