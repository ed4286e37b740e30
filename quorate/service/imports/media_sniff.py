"""What uploaded bytes really are, whatever their name says: images by Pillow, sounds by their first bytes."""

import io

from PIL import Image

from quorate.service.items.rows import Limits, RowError

ENDINGS = {"PNG": ".png", "JPEG": ".jpg", "GIF": ".gif", "WEBP": ".webp", "BMP": ".bmp"}


def image_ending(data: bytes, limits: Limits) -> str:
    """The ending of an image that Pillow can read; anything else is refused."""
    if len(data) > limits.image:
        raise RowError(f"the image is larger than {limits.image:,} bytes: make it smaller")
    try:
        image = Image.open(io.BytesIO(data), formats=list(ENDINGS))
        if image.width * image.height > limits.pixels:
            raise RowError(f"the image has more than {limits.pixels:,} pixels: make it smaller")
        ending = ENDINGS[str(image.format)]
        image.verify()
    except RowError:
        raise
    except Exception as error:  # what a broken file makes Pillow raise is not promised by it
        raise RowError(f"not an image that can be read ({_line(error)}): give {', '.join(ENDINGS)}") from None
    return ending


def sound_ending(data: bytes, limits: Limits) -> str:
    """The ending of a sound, by its signature."""
    if len(data) > limits.audio:
        raise RowError(f"the sound is larger than {limits.audio:,} bytes: make it shorter")
    if data[:4] == b"RIFF" and data[8:12] == b"WAVE":
        return ".wav"
    if data[:3] == b"ID3" or (data[:1] == b"\xff" and data[1:2] in (b"\xfb", b"\xf3", b"\xf2", b"\xfa")):
        return ".mp3"
    for signature, ending in ((b"OggS", ".ogg"), (b"fLaC", ".flac")):
        if data.startswith(signature):
            return ending
    if data[4:8] == b"ftyp":
        return ".m4a"
    raise RowError("not a sound that can be played: give wav, mp3, ogg, flac or m4a")


def _line(error: Exception) -> str:
    return " ".join(str(error).split())[:100] or type(error).__name__
