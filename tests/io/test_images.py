import sys
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from quorate.errors import FileError, MethodError, MissingExtraError
from quorate.io.images import read_images, thumbnail


def test_images_come_in_one_shape(tmp_path: Path) -> None:
    red = np.zeros((6, 10, 3), dtype=np.uint8)
    red[..., 0] = 200
    Image.fromarray(red).save(tmp_path / "red.png")
    Image.fromarray(np.full((3, 3), 50, dtype=np.uint8)).save(tmp_path / "grey.bmp")
    images = read_images([tmp_path / "red.png", str(tmp_path / "grey.bmp")], size=4)
    assert images.shape == (2, 3, 4, 4)
    assert images.dtype == np.uint8
    assert images[0, :, 2, 2].tolist() == [200, 0, 0]
    assert np.all(images[1] == 50)


def test_an_image_is_turned_upright(tmp_path: Path) -> None:
    half = np.zeros((8, 8), dtype=np.uint8)
    half[:4] = 255  # white above
    turned = Image.Exif()
    turned[0x0112] = 3  # the camera was held upside down
    Image.fromarray(half).save(tmp_path / "half.png", exif=turned)
    assert (read_images([tmp_path / "half.png"], size=2)[0, 0] > 128).tolist() == [[False, False], [True, True]]


def test_a_file_that_is_missing_or_broken_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"no\.png: there is no such file$"):
        read_images([tmp_path / "no.png"], size=4)
    (tmp_path / "text.png").write_text("no image")
    Image.fromarray(np.random.default_rng(0).integers(0, 255, (64, 64, 3), dtype=np.uint8)).save(tmp_path / "whole.jpg")
    (tmp_path / "cut.jpg").write_bytes((tmp_path / "whole.jpg").read_bytes()[:1500])
    (tmp_path / "empty.png").write_bytes(b"")
    for name in ("text.png", "cut.jpg", "empty.png"):
        with pytest.raises(FileError, match=f"{name}: cannot be read as an image"):
            read_images([tmp_path / name], size=4)


def test_a_size_below_one_is_refused() -> None:
    with pytest.raises(MethodError, match="size must be at least 1, got 0"):
        read_images([], size=0)


def test_without_pillow_the_line_that_installs_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(MissingExtraError, match="pip install pillow"):
        read_images(["a.png"], size=4)


def test_a_thumbnail_keeps_its_shape_and_never_grows(tmp_path: Path) -> None:
    Image.new("L", (50, 20), 90).save(tmp_path / "small.png")
    Image.new("RGBA", (100, 900), (0, 0, 0, 0)).save(tmp_path / "tall.png")  # nothing but what is behind it
    small, tall = (Image.open(BytesIO(thumbnail(tmp_path / name, 90))) for name in ("small.png", "tall.png"))
    assert (small.size, tall.size) == ((50, 20), (10, 90))
    assert small.getpixel((3, 3)) == (90, 90, 90)
    assert tall.getpixel((3, 3)) == (255, 255, 255)
