"""A picture of an item: an image, or a text."""

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from quorate.errors import VotesError
from quorate.plots._style import no_ticks, plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Picture = str | NDArray[Any]
Pictures = Sequence[Picture] | NDArray[Any]

SMALL = 7.0  # points of the font of a text
LETTERS, LINES = 112.0, 63.0  # to an inch, of a font of one point
EDGE = 0.1  # inches left free
MOST_LINES = 40


def draw_picture(axes: "Axes", picture: Picture, size: tuple[float, float], font: float = SMALL) -> None:
    """An image, or a text that is broken and cut to fit; `size` is the room in inches (width, height)."""
    no_ticks(axes)
    if not isinstance(picture, str):
        pixels = _pixels(picture)
        axes.imshow(pixels, cmap="gray", vmin=0, vmax=_white(pixels))
        for side in axes.spines.values():
            side.set_visible(False)
        return
    axes.patch.set_facecolor("#f6f7f8")
    for side in axes.spines.values():
        side.set(visible=True, color="#e3e6e8")
    text = wrapped(picture, _letters(size[0], font), int(LINES / font * (size[1] - EDGE)))
    place = (0.06 / size[0], 1 - 0.05 / size[1])
    axes.text(*place, text, transform=axes.transAxes, va="top", fontsize=font, linespacing=1.25, clip_on=True)


def text_height(text: str, width: float, font: float = SMALL) -> float:
    """Inches that a text takes where it may be so many wide."""
    n_lines = wrapped(text, _letters(width, font), MOST_LINES).count("\n") + 1
    return (n_lines + 0.5) * font / LINES + EDGE


def _letters(width: float, font: float) -> int:
    return round(LETTERS / font * (width - EDGE))


def wrapped(text: str, width: int, lines: int) -> str:
    """Text broken into lines, cut with a sign where there are too many.

    >>> wrapped("one two three four", 9, 2)
    'one two\\nthree …'
    """
    words = " ".join(text.split())
    return plain("\n".join(textwrap.wrap(words, max(width, 1), max_lines=max(lines, 1), placeholder=" …")))


def require_pictures(pictures: Pictures, n_tasks: int) -> None:
    """Refuse pictures that are not one per task."""
    if len(pictures) != n_tasks:
        raise VotesError(f"there are {len(pictures):,} pictures for {n_tasks:,} tasks: give one image or text per task")


def _pixels(picture: Any) -> NDArray[Any]:
    """An image as height x width (x 3), as bytes or numbers from 0 to 1; channels may come first."""
    pixels = np.asarray(picture)
    if pixels.ndim == 3 and pixels.shape[0] in (1, 3) and pixels.shape[2] not in (1, 3, 4):
        pixels = pixels.transpose(1, 2, 0)
    if pixels.ndim == 3 and pixels.shape[2] == 1:
        pixels = pixels[:, :, 0]
    if not pixels.size or pixels.dtype.kind not in "uifb" or not (pixels.ndim == 2 or pixels.shape[2:] in ((3,), (4,))):
        raise VotesError(
            f"a picture must be a text, or numbers of height x width x 3, got {pixels.dtype} {pixels.shape}"
        )
    if not (pixels.min() >= 0 and pixels.max() <= _white(pixels)):  # NaN too
        raise VotesError(
            f"a picture of {pixels.dtype} must have numbers from 0 to {_white(pixels)}, got others: scale them"
        )
    return pixels


def _white(pixels: NDArray[Any]) -> int:
    return 255 if pixels.dtype.kind in "ui" else 1
