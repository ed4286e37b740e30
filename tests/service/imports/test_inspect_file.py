"""A first look at files of all kinds, whole or cut."""

import json
from pathlib import Path

import pyarrow
import pyarrow.parquet
import pytest

from quorate.errors import FileError
from quorate.service.imports.inspect_file import CUT, Looked, look
from tests.service.imports.reading import png
from tests.service.imports.test_media_sniff import zipped


def looked(folder: Path, data: bytes | str, form: str) -> Looked:
    path = folder / "upload"
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return look(path, form)


def test_a_table_is_seen_through(tmp_path: Path) -> None:
    rows = "".join(f"{n},It was number {n} that came,{'good' if n % 3 else 'bad'},{n / 2}\n" for n in range(60))
    found = looked(tmp_path, "id,review,mood,length\n" + rows, "csv")
    assert (found.format, found.kind) == ("csv", "text")
    assert {name: column for name, column in found.columns.items() if column} == {"key": "id", "text": "review"}
    assert found.labels == ["mood"]
    seen = {column.name: column for column in found.header}
    assert (seen["mood"].values, seen["mood"].distinct, seen["mood"].numbers) == (["good", "bad"], 2, False)
    assert (seen["length"].numbers, seen["length"].values, seen["length"].examples) == (
        True,
        None,
        ["0.0", "0.5", "1.0"],
    )
    assert found.rows[4] == {"id": "4", "review": "It was number 4 that came", "mood": "good", "length": "2.0"}
    assert len(found.rows) == 5


@pytest.mark.parametrize("name", ["review_id", "reviewId", "Review ID"])
def test_a_column_that_names_each_row_is_the_key(tmp_path: Path, name: str) -> None:
    rows = "".join(f"{n % 7},{n},It was number {n}\n" for n in range(60))
    found = looked(tmp_path, f"product_id,{name},review\n" + rows, "csv")
    assert (found.columns["key"], found.columns["text"]) == (name, "review")
    again = looked(tmp_path, f"product_id,{name},review\n" + rows * 2, "csv")
    assert again.columns["key"] is None
    lines = "".join(json.dumps({name: n, "review": f"It was number {n}"}) + "\n" for n in range(60))
    assert looked(tmp_path, lines, "jsonl").columns["key"] == name  # 0 is a name, too
    assert looked(tmp_path, "paid,review\n1,Late.\n2,Loose.\n", "csv").columns["key"] is None


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_half_a_line_at_the_end_of_a_cut_table_is_left_out(tmp_path: Path, line_end: str) -> None:
    line = 'key {},"It said, ""no"" to all of it"' + line_end
    whole = "key,text" + line_end + "".join(line.format(n) for n in range(40_000))
    for end in (CUT, CUT + 5, CUT + 17, CUT + 31):
        found = looked(tmp_path, whole[:end], "csv")
        assert found.header[1].distinct == 1
    few = looked(tmp_path, f"key,text{line_end}a,one{line_end}b,two", "csv")  # whole, though no line ends it
    assert [row["key"] for row in few.rows] == ["a", "b"]


def test_json_is_seen_through_whole_and_cut(tmp_path: Path) -> None:
    objects = [{"premise": f"a {n}", "hypothesis": "b", "label": n % 2, "more": {"x": [1]}} for n in range(30_000)]
    lines = "".join(json.dumps(one) + "\n" for one in objects)
    for data in (lines[: CUT + 10], lines[:2000], lines[:2000] + '{"broken'):
        found = looked(tmp_path, data, "jsonl")
        assert (found.kind, found.columns["text_a"], found.columns["text_b"]) == ("pair", "premise", "hypothesis")
        assert found.labels == ["label"]
        assert found.rows[0]["more"] == {"x": [1]}
    tasks = json.dumps([{"id": n, "data": {"text": f"t {n}"}} for n in range(50_000)])
    for data in (tasks[: CUT + 3], json.dumps([{"data": {"text": "a"}}])):
        found = looked(tmp_path, data, "label_studio")
        assert (found.kind, found.columns["text"]) == ("text", "text")
    with pytest.raises(FileError, match=r"too early|broken"):
        looked(tmp_path, tasks[:1000], "label_studio")


def test_parquet_is_seen_through(tmp_path: Path) -> None:
    table = pyarrow.table({"id": [1, 2], "image": [{"bytes": png()}, {"bytes": png(9)}], "kind": ["a", "b"]})
    pyarrow.parquet.write_table(table, tmp_path / "file")
    found = look(tmp_path / "file", "parquet")
    assert (found.kind, found.columns["image"], found.columns["key"]) == ("image", "image", "id")
    assert "bytes" in found.rows[0]["image"]["bytes"]


def test_a_zip_tells_its_files_and_folders(tmp_path: Path) -> None:
    names = ["cats/1.png", "cats/2.png", "dogs/1.png", "__MACOSX/._1.png", ".hidden"]
    found = looked(tmp_path, zipped({name: png() for name in names}), "zip")
    assert (found.kind, found.labels) == ("image", ["folder"])
    assert [row["key"] for row in found.rows] == names[:3]
    assert found.header[1].values == ["cats", "dogs"]
    sounds = looked(tmp_path, zipped({"a.wav": b"", "b.mp3": b"", "c.png": b""}), "zip")
    assert (sounds.kind, sounds.labels) == ("audio", [])
    for broken in (b"PK\x03\x04nothing", zipped({})):
        with pytest.raises(FileError, match="zip"):
            looked(tmp_path, broken, "zip")


def test_columns_without_telling_names_are_guessed_by_what_they_hold(tmp_path: Path) -> None:
    pictures = looked(tmp_path, "n,where\n1,https://a.example/1.jpg?w=3\n2,https://a.example/2.png\n", "csv")
    assert (pictures.kind, pictures.columns["image"]) == ("image", "where")
    sounds = looked(tmp_path, "where\nhttps://a.example/1.mp3\n", "csv")
    assert (sounds.kind, sounds.columns["audio"]) == ("audio", "where")
    words = looked(tmp_path, "c,what was said\nx,a long sentence\ny,another long one\n", "csv")
    assert (words.kind, words.columns["text"]) == ("text", "what was said")
    numbers = looked(tmp_path, "width,height\n1,2\n3,4\n", "csv")
    assert (numbers.kind, set(numbers.columns.values())) == ("features", {None})
    urls = looked(tmp_path, "https://a.example/1\nhttps://a.example/2\n", "urls")
    assert (urls.kind, urls.columns["image"]) == ("image", "url")


def test_what_cannot_be_read_is_told(tmp_path: Path) -> None:
    for data, form in (("", "csv"), ("a,b\n", "csv"), ("", "jsonl"), ("no json\n", "jsonl"), ("x", "parquet")):
        with pytest.raises(FileError):
            looked(tmp_path, data, form)
    strange = looked(tmp_path, b"text,\xff\n\xff\xfe,1\nok,2\n".replace(b",\xff", b",n", 1), "csv")
    json.dumps(strange.rows)  # whatever it held can be sent
