"""The type of uploaded bytes, regardless of their file name: images by Pillow, audio by its first bytes."""

import io

from PIL import Image

from quorate.service.items.rows import Limits, RowError

IMAGE_EXTENSIONS = {"PNG": ".png", "JPEG": ".jpg", "GIF": ".gif", "WEBP": ".webp", "BMP": ".bmp"}


def image_extension(data: bytes, limits: Limits) -> str:
    """Return the extension of an image that Pillow can read; refuse anything else."""
    if len(data) > limits.image:
        raise RowError(f"the image is larger than {limits.image:,} bytes: make it smaller")
    try:
        image = Image.open(io.BytesIO(data), formats=list(IMAGE_EXTENSIONS))
        if image.width * image.height > limits.pixels:
            raise RowError(f"the image has more than {limits.pixels:,} pixels: make it smaller")
        extension = IMAGE_EXTENSIONS[str(image.format)]
        image.verify()
    except RowError:
        raise
    except Exception as error:  # Pillow does not document what a broken file makes it raise
        formats = ", ".join(IMAGE_EXTENSIONS)
        raise RowError(f"not an image that can be read ({_one_line(error)}): use {formats}") from None
    return extension


def audio_extension(data: bytes, limits: Limits) -> str:
    """Return the extension of an audio file, by its signature; refuse anything else."""
    if len(data) > limits.audio:
        raise RowError(f"the audio file is larger than {limits.audio:,} bytes: make it shorter")
    if data[:4] == b"RIFF" and data[8:12] == b"WAVE":
        return ".wav"
    if data[:3] == b"ID3" or (data[:1] == b"\xff" and data[1:2] in (b"\xfb", b"\xf3", b"\xf2", b"\xfa")):
        return ".mp3"
    for signature, extension in ((b"OggS", ".ogg"), (b"fLaC", ".flac")):
        if data.startswith(signature):
            return extension
    if data[4:8] == b"ftyp":
        return ".m4a"
    raise RowError("not an audio file that can be played: use wav, mp3, ogg, flac or m4a")


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())[:100] or type(error).__name__
