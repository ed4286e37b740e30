import pytest
import torch

from quorate.errors import MethodError
from quorate.learning.training.augment import augment_batch, augment_images, shear_images, shift_images
from quorate.learning.training.examples import Batch
from quorate.learning.training.recipe import AUGMENTATIONS, Recipe
from quorate.learning.tuning import TUNING

NONE = torch.empty(0)
IMAGES = torch.rand(40, 3, 16, 24, generator=torch.Generator().manual_seed(0))


def random(seed: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def batch(x: object) -> Batch:
    return Batch(x, NONE, NONE, NONE, NONE, NONE, NONE, NONE)


def test_without_kinds_nothing_changes() -> None:
    assert torch.equal(augment_images(IMAGES, (), random()), IMAGES)


def test_a_flip_mirrors_exactly_and_about_half() -> None:
    new = augment_images(IMAGES, ("flip",), random())
    mirrored = [torch.equal(after, before.flip(2)) for before, after in zip(IMAGES, new, strict=True)]
    kept = [torch.equal(after, before) for before, after in zip(IMAGES, new, strict=True)]
    assert all(a != b for a, b in zip(mirrored, kept, strict=True))
    assert 10 < sum(mirrored) < 30


def test_a_crop_moves_by_whole_pixels_and_fills_with_black() -> None:
    moves = set()
    for before, after in zip(IMAGES, shift_images(IMAGES, random()), strict=True):
        down, right = _move(before, after)
        moves.add((down, right))
    assert len(moves) > 10
    assert max(abs(down) for down, _ in moves) == TUNING.max_shift * 16
    assert max(abs(right) for _, right in moves) == TUNING.max_shift * 24


def _move(before: torch.Tensor, after: torch.Tensor) -> tuple[int, int]:
    """Return how far an image was shifted down and to the right."""
    for down in range(-2, 3):
        for right in range(-3, 4):
            expected = torch.zeros_like(before)
            target = expected[:, max(down, 0) : 16 + min(down, 0), max(right, 0) : 24 + min(right, 0)]
            target[:] = before[:, max(-down, 0) : 16 + min(-down, 0), max(-right, 0) : 24 + min(-right, 0)]
            if torch.equal(after, expected):
                return down, right
    raise AssertionError("not shifted by whole pixels")


def test_a_shear_slants_a_line_and_keeps_its_middle() -> None:
    line = torch.zeros(30, 1, 21, 21)
    line[..., 10] = 1.0
    new = shear_images(line, random())[:, 0]
    centre = (new * torch.arange(21)).sum(2) / new.sum(2)  # (n, height): where the line now is
    assert torch.allclose(centre[:, 10], torch.tensor(10.0), atol=1e-4)
    slant = centre[:, -1] - centre[:, 0]
    assert torch.allclose(centre[:, 15] - 10, slant / 4, atol=1e-3)
    assert 2 < slant.abs().max() <= 0.2 * 21


@pytest.mark.parametrize("kinds", [("flip",), ("crop",), ("shear",), AUGMENTATIONS])
def test_the_shape_stays_and_the_same_seed_gives_the_same(kinds: tuple[str, ...]) -> None:
    first, again, other = (augment_batch(batch(IMAGES), kinds, random(seed)).x for seed in (1, 1, 2))
    assert first.shape == IMAGES.shape
    assert torch.equal(first, again)
    assert not torch.equal(first, other)


def test_other_items_than_images_are_refused() -> None:
    with pytest.raises(MethodError, match="no augmentation 'spin': choose from flip, shear, crop"):
        Recipe(augment=("flip", "spin"))
    with pytest.raises(MethodError, match=r"augment must be a tuple, such as \('flip',\), got 'flip'"):
        Recipe(augment="flip")  # type: ignore[arg-type]
    with pytest.raises(MethodError, match="augmentation is for images"):
        augment_batch(batch(torch.zeros(3, 5)), ("flip",), random())
