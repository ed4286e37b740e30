"""Inspection of files of all formats, complete or cut off."""

import json
from pathlib import Path

import pyarrow
import pyarrow.parquet
import pytest

from quorate.errors import FileError
from quorate.service.imports.inspect_file import START_BYTES, InspectedFile, inspect_file
from tests.service.imports.reading import png
from tests.service.imports.test_detect_media import zip_of


def inspect(folder: Path, data: bytes | str, file_format: str) -> InspectedFile:
    path = folder / "upload"
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return inspect_file(path, file_format)


def test_a_table(tmp_path: Path) -> None:
    rows = "".join(f"{n},It was number {n} that came,{'good' if n % 3 else 'bad'},{n / 2}\n" for n in range(60))
    inspected = inspect(tmp_path, "id,review,mood,length\n" + rows, "csv")
    assert (inspected.format, inspected.kind) == ("csv", "text")
    assert {name: column for name, column in inspected.columns.items() if column} == {"key": "id", "text": "review"}
    assert inspected.labels == ["mood"]
    by_name = {column.name: column for column in inspected.header}
    assert (by_name["mood"].values, by_name["mood"].distinct, by_name["mood"].numbers) == (["good", "bad"], 2, False)
    assert (by_name["length"].numbers, by_name["length"].values, by_name["length"].examples) == (
        True,
        None,
        ["0.0", "0.5", "1.0"],
    )
    assert inspected.rows[4] == {"id": "4", "review": "It was number 4 that came", "mood": "good", "length": "2.0"}
    assert len(inspected.rows) == 5


@pytest.mark.parametrize("name", ["review_id", "reviewId", "Review ID"])
def test_a_column_of_unique_ids_is_the_key(tmp_path: Path, name: str) -> None:
    rows = "".join(f"{n % 7},{n},It was number {n}\n" for n in range(60))
    inspected = inspect(tmp_path, f"product_id,{name},review\n" + rows, "csv")
    assert (inspected.columns["key"], inspected.columns["text"]) == (name, "review")
    again = inspect(tmp_path, f"product_id,{name},review\n" + rows * 2, "csv")
    assert again.columns["key"] is None
    lines = "".join(json.dumps({name: n, "review": f"It was number {n}"}) + "\n" for n in range(60))
    assert inspect(tmp_path, lines, "jsonl").columns["key"] == name  # 0 is a key, too
    assert inspect(tmp_path, "paid,review\n1,Late.\n2,Loose.\n", "csv").columns["key"] is None


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_an_incomplete_last_line_is_ignored(tmp_path: Path, line_end: str) -> None:
    line = 'key {},"It said, ""no"" to all of it"' + line_end
    whole = "key,text" + line_end + "".join(line.format(n) for n in range(40_000))
    for end in (START_BYTES, START_BYTES + 5, START_BYTES + 17, START_BYTES + 31):
        inspected = inspect(tmp_path, whole[:end], "csv")
        assert inspected.header[1].distinct == 1
    few = inspect(tmp_path, f"key,text{line_end}a,one{line_end}b,two", "csv")  # complete, without a line end
    assert [row["key"] for row in few.rows] == ["a", "b"]


def test_json_complete_and_cut_off(tmp_path: Path) -> None:
    objects = [{"premise": f"a {n}", "hypothesis": "b", "label": n % 2, "more": {"x": [1]}} for n in range(30_000)]
    lines = "".join(json.dumps(line) + "\n" for line in objects)
    for data in (lines[: START_BYTES + 10], lines[:2000], lines[:2000] + '{"broken'):
        inspected = inspect(tmp_path, data, "jsonl")
        assert (inspected.kind, inspected.columns["text_a"], inspected.columns["text_b"]) == (
            "pair",
            "premise",
            "hypothesis",
        )
        assert inspected.labels == ["label"]
        assert inspected.rows[0]["more"] == {"x": [1]}
    tasks = json.dumps([{"id": n, "data": {"text": f"t {n}"}} for n in range(50_000)])
    for data in (tasks[: START_BYTES + 3], json.dumps([{"data": {"text": "a"}}])):
        inspected = inspect(tmp_path, data, "label_studio")
        assert (inspected.kind, inspected.columns["text"]) == ("text", "text")
    with pytest.raises(FileError, match=r"too early|broken"):
        inspect(tmp_path, tasks[:1000], "label_studio")


def test_parquet(tmp_path: Path) -> None:
    table = pyarrow.table({"id": [1, 2], "image": [{"bytes": png()}, {"bytes": png(9)}], "kind": ["a", "b"]})
    pyarrow.parquet.write_table(table, tmp_path / "file")
    inspected = inspect_file(tmp_path / "file", "parquet")
    assert (inspected.kind, inspected.columns["image"], inspected.columns["key"]) == ("image", "image", "id")
    assert "bytes" in inspected.rows[0]["image"]["bytes"]


def test_files_and_folders_of_a_zip(tmp_path: Path) -> None:
    names = ["cats/1.png", "cats/2.png", "dogs/1.png", "__MACOSX/._1.png", ".hidden"]
    inspected = inspect(tmp_path, zip_of({name: png() for name in names}), "zip")
    assert (inspected.kind, inspected.labels) == ("image", ["folder"])
    assert [row["key"] for row in inspected.rows] == names[:3]
    assert inspected.header[1].values == ["cats", "dogs"]
    sounds = inspect(tmp_path, zip_of({"a.wav": b"", "b.mp3": b"", "c.png": b""}), "zip")
    assert (sounds.kind, sounds.labels) == ("audio", [])
    for broken in (b"PK\x03\x04nothing", zip_of({})):
        with pytest.raises(FileError, match="zip"):
            inspect(tmp_path, broken, "zip")


def test_columns_without_known_names_are_guessed_by_their_cells(tmp_path: Path) -> None:
    pictures = inspect(tmp_path, "n,where\n1,https://a.example/1.jpg?w=3\n2,https://a.example/2.png\n", "csv")
    assert (pictures.kind, pictures.columns["image"]) == ("image", "where")
    sounds = inspect(tmp_path, "where\nhttps://a.example/1.mp3\n", "csv")
    assert (sounds.kind, sounds.columns["audio"]) == ("audio", "where")
    words = inspect(tmp_path, "c,what was said\nx,a long sentence\ny,another long one\n", "csv")
    assert (words.kind, words.columns["text"]) == ("text", "what was said")
    numbers = inspect(tmp_path, "width,height\n1,2\n3,4\n", "csv")
    assert (numbers.kind, set(numbers.columns.values())) == ("features", {None})
    urls = inspect(tmp_path, "https://a.example/1\nhttps://a.example/2\n", "urls")
    assert (urls.kind, urls.columns["image"]) == ("image", "url")


def test_files_that_cannot_be_read_are_refused(tmp_path: Path) -> None:
    for data, file_format in (("", "csv"), ("a,b\n", "csv"), ("", "jsonl"), ("no json\n", "jsonl"), ("x", "parquet")):
        with pytest.raises(FileError):
            inspect(tmp_path, data, file_format)
    strange = inspect(tmp_path, b"text,\xff\n\xff\xfe,1\nok,2\n".replace(b",\xff", b",n", 1), "csv")
    json.dumps(strange.rows)  # every content can be sent
