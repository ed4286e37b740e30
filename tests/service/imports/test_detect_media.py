"""Images and audio files: folders, zips, what is stored and what is refused."""

import io
import struct
import zipfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from quorate.errors import FileError
from quorate.service.imports.columns import Columns
from quorate.service.imports.formats import read_items
from quorate.service.imports.parse_table import ReadOptions
from quorate.service.items.rows import Limits
from quorate.service.media import Media, type_of
from tests.service.imports.reading import bad, good, png, read

WAV = b"RIFF\x24\0\0\0WAVEfmt "


def zip_of(files: dict[str, bytes], *, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name) if name.startswith("link") else name, data, method)
    return file.getvalue()


def test_a_zip_of_images_and_audio_files(tmp_path: Path) -> None:
    files = {"cats/1.png": png(1), "dogs/2.PNG": png(2), "dogs/3.wav": WAV, "__MACOSX/x": b"", "cats/.DS_Store": b"x"}
    rows = good(read(tmp_path, zip_of(files), "zip", columns=Columns(gold={"which": "folder"})))
    assert [(row.key, row.kind, row.gold["which"]) for row in rows] == [
        ("cats/1.png", "image", "cats"),
        ("dogs/2.PNG", "image", "dogs"),
        ("dogs/3.wav", "audio", "dogs"),
    ]
    assert [type_of(row.content["media"]) for row in rows] == ["image/png", "image/png", "audio/wav"]


@pytest.mark.parametrize(
    "name", ["../evil.png", "a/../../evil.png", "/etc/evil.png", "C:\\evil.png", "C:evil.png", "..\\e.png"]
)
def test_paths_that_lead_outside_are_refused(tmp_path: Path, name: str) -> None:
    rows = read(tmp_path, zip_of({name: png(), "fine.png": png()}), "zip")
    assert "outside" in bad(rows)[1]
    assert [row.key for row in good(rows)] == ["fine.png"]
    stored = [path for path in tmp_path.rglob("*") if path.is_file() and path.name != "upload"]
    assert all(path.is_relative_to(tmp_path / "data" / "media") for path in stored)


def test_a_zip_bomb_is_read_no_further_than_the_limit(tmp_path: Path) -> None:
    rows = read(
        tmp_path, zip_of({"bomb.png": b"\0" * 30_000_000, "fine.png": png()}), "zip", limits=Limits(image=10_000)
    )
    assert "unpacks to more than 10,000 bytes" in bad(rows)[1]
    assert len(good(rows)) == 1


def test_the_total_size_of_a_zip_is_limited(tmp_path: Path) -> None:
    files = {f"{number}.png": png(number) for number in range(5)}
    rows = read(tmp_path, zip_of(files), "zip", limits=Limits(unpacked=3 * len(png(0))))
    assert len(good(rows)) in (2, 3)
    assert len(bad(rows)) == 5 - len(good(rows))


def test_the_stated_size_of_a_file_is_not_trusted(tmp_path: Path) -> None:
    data = bytearray(zip_of({"1.png": b"\0" * 100_000}))
    for position in (data.find(b"PK\x03\x04") + 22, data.find(b"PK\x01\x02") + 24):
        struct.pack_into("<L", data, position, 10)
    rows = read(tmp_path, bytes(data), "zip", limits=Limits(image=1000))
    assert bad(rows).keys() == {1}


def test_too_many_files_are_refused_before_the_directory_is_read(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="more than 2 files"):
        read(
            tmp_path, zip_of({f"{'x' * 200}{number}.png": b"" for number in range(4)}), "zip", limits=Limits(entries=2)
        )


def test_links_and_encrypted_files_are_refused(tmp_path: Path) -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        link = zipfile.ZipInfo("link.png")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, "/etc/passwd")
        archive.writestr("encrypted.png", png())
    data = bytearray(file.getvalue())
    data[data.rfind(b"PK\x01\x02") + 8] |= 1
    rows = read(tmp_path, bytes(data), "zip")
    assert "link" in bad(rows)[1]
    assert "encrypted" in bad(rows)[2]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"<svg onload=alert(1)>",
        b"<html><script>alert(1)</script>",
        png()[:40],
        b"GIF89a",
        b"\xff\xd8\xff\xe0",
        b"%PDF-1.7",
    ],
)
def test_other_files_than_images_are_refused(tmp_path: Path, data: bytes) -> None:
    rows = read(tmp_path, zip_of({"a.png": data}), "zip")
    assert "not an image" in bad(rows)[1]
    assert not (tmp_path / "data").exists()


def test_other_files_than_audio_are_refused(tmp_path: Path) -> None:
    assert "not an audio file" in bad(read(tmp_path, zip_of({"a.mp3": png()}), "zip"))[1]


def test_an_image_with_too_many_pixels(tmp_path: Path) -> None:
    rows = read(tmp_path, zip_of({"a.png": png(0, (200, 200))}), "zip", limits=Limits(pixels=39_999))
    assert "pixels" in bad(rows)[1]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_a_zip_with_any_bytes_changed_is_read_or_refused(tmp_path: Path, data: st.DataObject) -> None:
    content = bytearray(zip_of({"a.png": png(1), "b.png": png(2)}))
    for _ in range(data.draw(st.integers(1, 6))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    try:
        rows = read(tmp_path, bytes(content), "zip")
    except FileError:
        return
    for row in good(rows):
        assert (tmp_path / "data" / row.content["media"]).is_file()


def test_a_file_without_a_name_is_refused(tmp_path: Path) -> None:
    content = bytearray(zip_of({"a.png": png(1), "b.png": png(2)}))
    directory = content.index(b"PK\x01\x02")
    struct.pack_into("<HHH", content, directory + 28, 0, 0, 5)  # the name becomes a comment
    messages = list(bad(read(tmp_path, bytes(content), "zip")).values())
    assert len(messages) == 1
    assert "the file has no name" in messages[0]


def test_a_folder_is_walked_in_order_and_links_are_not_followed(tmp_path: Path) -> None:
    folder = tmp_path / "images"
    (folder / "b").mkdir(parents=True)
    (folder / "b" / "2.png").write_bytes(png(2))
    (folder / "1.png").write_bytes(png(1))
    (folder / "out.png").symlink_to("/etc/passwd")
    (folder / "up").symlink_to(tmp_path)
    rows = list(read_items(folder, "folder", ReadOptions(media=Media(tmp_path / "data"))))
    assert [row.key for row in good(rows)] == ["1.png", "b/2.png"]
    assert all("link" in message for message in bad(rows).values())
    assert len(bad(rows)) == 2


def test_the_same_bytes_are_stored_once_under_their_hash(tmp_path: Path) -> None:
    media = Media(tmp_path)
    name = media.save(png(), ".png")
    assert media.save(png(), ".png") == name
    assert len([path for path in tmp_path.rglob("*") if path.is_file()]) == 1
    path = media.find(name)
    assert path is not None
    assert path.read_bytes() == png()


@pytest.mark.parametrize(
    "name", ["media/../../etc/passwd", "media/ab/" + "0" * 62 + ".svg", "media/ab/" + "0" * 62 + ".png", "x"]
)
def test_only_valid_names_are_found(tmp_path: Path, name: str) -> None:
    assert Media(tmp_path).find(name) is None


def test_an_uploaded_file_can_be_referenced(tmp_path: Path) -> None:
    name = Media(tmp_path / "data").save(png(), ".png")
    rows = read(tmp_path, f"id,image\n1,{name}\n2,{name[:-6]}.png\n", "csv")
    assert [row.content for row in good(rows)] == [{"media": name}]
    assert "no uploaded file" in bad(rows)[2]
