"""Small Parquet files that expand to gigabytes are read in little memory, or refused with a reason."""

import datetime
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow
import pyarrow.parquet
import pytest

from quorate.errors import FileError
from quorate.service.imports.columns import Columns
from quorate.service.imports.inspect_file import inspect_file
from quorate.service.imports.readers import parquet_pages, parquet_plan
from quorate.service.imports.readers.arrow_sizes import cell_sizes
from quorate.service.imports.readers.parquet_pages import read_pages
from quorate.service.items.rows import Limits, Row
from tests.service.imports.bounded import bounded
from tests.service.imports.reading import bad, good, png, read

MAX_GROWTH = 500_000_000  # bytes of memory, for any file


def write(folder: Path, columns: dict[str, Any], **options: Any) -> Path:
    path = folder / "file.parquet"
    pyarrow.parquet.write_table(pyarrow.table(columns), path, compression="zstd", **options)
    return path


def read_parquet(folder: Path, content: dict[str, Any], **options: Any) -> list[Any]:
    return read(folder, write(folder, content).read_bytes(), "parquet", **options)


def long_text(n: int, size: int) -> dict[str, Any]:
    """Return columns with the same long text in every row, stored once in memory and in the file."""
    return {"id": list(range(n)), "text": repeated("a" * size, n)}


def repeated(value: str | bytes, n: int) -> pyarrow.DictionaryArray:
    return pyarrow.DictionaryArray.from_arrays([0] * n, [value])


def test_a_repeated_long_text_makes_bad_rows(tmp_path: Path) -> None:
    path = write(tmp_path, long_text(60, 20_000_000), store_schema=False)
    assert path.stat().st_size < 2000
    result = bounded("import", path)
    assert result["rows"] == {"BadRow": 60}
    assert result["message"] == "the row is too large: 20,000,008 bytes when decompressed"
    assert result["grown"] < MAX_GROWTH


def test_a_repeated_long_text_is_not_inspected(tmp_path: Path) -> None:
    result = bounded("look", write(tmp_path, long_text(60, 20_000_000), store_schema=False))
    assert "the file has no complete row" in result["error"]
    assert result["grown"] < MAX_GROWTH


@pytest.mark.long
def test_a_stored_dictionary_is_not_expanded(tmp_path: Path) -> None:
    result = bounded("import", write(tmp_path, long_text(1000, 100_000_000)))
    assert "expands to more than 20,000,000,000 bytes" in result["error"]
    assert result["grown"] < MAX_GROWTH


@pytest.mark.long
def test_delta_encoded_texts_are_not_expanded(tmp_path: Path) -> None:
    columns = {"id": list(range(20)), "text": ["a" * 20_000_000] * 20}
    encodings = {"id": "PLAIN", "text": "DELTA_BYTE_ARRAY"}
    result = bounded("import", write(tmp_path, columns, use_dictionary=False, column_encoding=encodings))
    assert result["rows"] == {"BadRow": 20}
    assert result["grown"] < 500_000_000


@pytest.mark.long
def test_rows_of_the_maximum_size_are_read_one_at_a_time(tmp_path: Path) -> None:
    path = write(tmp_path, long_text(2000, 3_900_000), store_schema=False)
    assert bounded("look", path)["header"] == ["id", "text"]
    result = bounded("import", path)
    assert result["rows"] == {"BadRow": 2000}
    assert "text is too long: 3,900,000 characters, at most 100,000" in result["message"]


@pytest.mark.long
def test_images_are_read_one_at_a_time(tmp_path: Path) -> None:
    images = pyarrow.StructArray.from_arrays([repeated(png() + b"0" * 45_000_000, 50)], ["bytes"])
    result = bounded("import", write(tmp_path, {"id": list(range(50)), "image": images}, store_schema=False))
    assert result["rows"] == {"BadRow": 50}
    assert "larger than 20,000,000 bytes" in result["message"]


@pytest.mark.long
@pytest.mark.parametrize("act", ["import", "look"])
def test_a_page_that_expands_too_much_is_refused(tmp_path: Path, act: str) -> None:
    path = write(tmp_path, {"id": [1], "text": ["a" * 300_000_000]})
    result = bounded(act, path)
    assert "row group 1 of the Parquet file needs 300," in result["error"]
    assert result["grown"] < 100_000_000


@pytest.mark.long
def test_sizes_in_the_footer_are_not_trusted(tmp_path: Path) -> None:
    path = write(tmp_path, {"text": ["a" * 300_000_000]}, use_dictionary=False, write_statistics=False)
    chunk = pyarrow.parquet.ParquetFile(path).metadata.row_group(0).column(0)
    data = path.read_bytes()
    stated, forged = varint(chunk.total_uncompressed_size), varint(1000)
    assert data.count(stated) == 2  # of the column, and of the row group
    footer = int.from_bytes(data[-8:-4], "little")
    changed = data[:-8].replace(stated, forged)
    length = footer - 2 * (len(stated) - len(forged))
    path.write_bytes(changed + length.to_bytes(4, "little") + b"PAR1")
    assert pyarrow.parquet.ParquetFile(path).metadata.row_group(0).column(0).total_uncompressed_size == 1000
    assert "needs 300," in bounded("import", path)["error"]


def varint(number: int) -> bytes:
    """Return an integer in the compact protocol of Thrift."""
    number, encoded = number << 1, bytearray()
    while number > 127:
        encoded.append(number & 127 | 128)
        number >>= 7
    return bytes([*encoded, number])


@pytest.mark.long
@pytest.mark.parametrize("act", ["import", "look"])
def test_a_row_with_a_very_long_list_is_refused(tmp_path: Path, act: str) -> None:
    n = 50_000_000
    long_list = pyarrow.ListArray.from_arrays(pyarrow.array([0, n], pyarrow.int32()), np.zeros(n, np.int64))
    result = bounded(act, write(tmp_path, {"id": [1], "text": ["a"], "features": long_list}))
    assert "the column 'features.list.element' has 50,000,000 elements in one row group" in result["error"]
    assert result["grown"] < 100_000_000


def test_lists_of_texts_are_ignored_unless_they_are_named(tmp_path: Path) -> None:
    columns = {"id": ["1"], "text": ["a"], "tags": [["x", "y"]]}
    assert good(read_parquet(tmp_path, columns)) == [Row(1, "1", "text", {"text": "a"})]
    assert [column.examples for column in inspect_file(write(tmp_path, columns), "parquet").header] == [
        ["1"],
        ["a"],
        [],
    ]
    with pytest.raises(FileError, match="'tags' holds lists of texts"):
        read_parquet(tmp_path, columns, columns=Columns(text="tags"))


def test_a_type_with_very_long_lists_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet_plan, "MAX_LIST_SIZE", 2)
    columns = {"text": ["a"], "features": pyarrow.array([None], pyarrow.list_(pyarrow.int64(), 3))}
    with pytest.raises(FileError, match="very long lists"):
        read_parquet(tmp_path, columns)


def test_a_footer_that_is_too_long_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet_plan, "MAX_FOOTER_BYTES", 100)
    with pytest.raises(FileError, match=r"the footer of the Parquet file has \d+ bytes, at most 100 are read"):
        read_parquet(tmp_path, {"text": ["a"]})


def test_too_many_pages_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet_pages, "MAX_PAGES", 1)
    with pytest.raises(FileError, match="more than 1 pages"):
        read_parquet(tmp_path, {"text": ["a", "b"]})


def test_a_large_row_does_not_affect_others(tmp_path: Path) -> None:
    texts = ["a", "b" * 5_000_000, "c", None, "e" * 5_000_000]
    rows = read_parquet(tmp_path, {"id": list("12345"), "text": texts})
    assert [row.key for row in good(rows)] == ["1", "3"]
    assert bad(rows).keys() == {2, 4, 5}
    assert "too large: 5,000,001 bytes" in bad(rows)[2]


def test_many_row_groups_and_pages_are_read_to_the_end(tmp_path: Path) -> None:
    columns = {"id": [str(n) for n in range(5000)], "text": [f"text {n}" * 20 for n in range(5000)]}
    columns["size"] = [float(n) for n in range(5000)]  # type: ignore[misc]
    path = write(tmp_path, columns, row_group_size=1700, data_page_size=1000, data_page_version="2.0")
    rows = good(read(tmp_path, path.read_bytes(), "parquet"))
    assert [row.key for row in rows] == columns["id"]
    assert [row.content["text"] for row in rows] == columns["text"]
    assert [row.features for row in rows[:2]] == [(0.0,), (1.0,)]


@pytest.mark.parametrize("kind", ["string", "large_string", "dictionary"])
def test_texts_of_every_arrow_type_are_read(tmp_path: Path, kind: str) -> None:
    types = {"dictionary": pyarrow.dictionary(pyarrow.int32(), pyarrow.string())}
    texts = pyarrow.array(["a", None, "b"], types.get(kind) or kind)
    assert [row.content["text"] for row in good(read_parquet(tmp_path, {"text": texts}))] == ["a", "b"]


def test_cells_that_python_cannot_hold_make_a_bad_row(tmp_path: Path) -> None:
    days = pyarrow.array([0, 2**52, 0], pyarrow.timestamp("ms"))
    not_text = pyarrow.array([b"a", b"b", b"\xff"]).view(pyarrow.string())
    assert bad(read_parquet(tmp_path, {"id": [1, 2, 3], "text": not_text})).keys() == {3}
    rows = read_parquet(tmp_path, {"id": [1, 2, 3], "text": ["a", "b", "c"], "day": days})
    assert bad(rows).keys() == {2}
    assert inspect_file(tmp_path / "file.parquet", "parquet").rows[0]["day"] == str(datetime.datetime(1970, 1, 1))


@pytest.mark.parametrize(
    ("cells", "sizes"),
    [
        (["ab", None, ""], [2, 0, 0]),
        ([b"ab", b"c", None], [2, 1, 0]),
        ([{"a": "bcd", "e": 1}, None], [11, 8]),
        ([["a", "bc"], [], None], [19, 0, 0]),
        ([[1.5, 2.5]], [32]),
        ([1, 2], [8, 8]),
    ],
)
def test_sizes_of_cells(cells: list[Any], sizes: list[int]) -> None:
    array = pyarrow.array(cells)
    assert cell_sizes(array).tolist() == sizes
    assert cell_sizes(pyarrow.concat_arrays([array, array]).slice(len(cells))).tolist() == sizes


def test_sizes_of_a_dictionary_are_those_of_its_values() -> None:
    array = pyarrow.array(["abc", None, "abc", "d"]).dictionary_encode()
    assert cell_sizes(array).tolist() == [3, 3, 3, 1]  # null is counted as the first value, which is harmless
    assert cell_sizes(pyarrow.array([None, None], pyarrow.string()).dictionary_encode()).tolist() == [0, 0]


def test_sizes_of_maps_and_fixed_lists() -> None:
    maps = pyarrow.array([[("a", 1), ("bc", 2)], []], pyarrow.map_(pyarrow.string(), pyarrow.int64()))
    assert cell_sizes(maps).tolist() == [19, 0]
    assert cell_sizes(pyarrow.array([[1, 2]], pyarrow.list_(pyarrow.int64(), 2))).tolist() == [16]


def test_pages_are_measured_by_their_headers(tmp_path: Path) -> None:
    path = write(tmp_path, {"text": ["a" * 1000, "b" * 2000]})
    chunk = pyarrow.parquet.ParquetFile(path).metadata.row_group(0).column(0)
    with path.open("rb") as file:
        pages = read_pages(file, chunk.dictionary_page_offset, chunk.total_compressed_size)
        assert (pages.dictionary, pages.values) == (3008, 2)
        for offset in range(40):
            with pytest.raises(FileError, match="header of a page"):
                read_pages(file, path.stat().st_size - offset % 4, 100)


@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet"])
def test_a_long_text_is_reported_alike_in_all_formats(tmp_path: Path, form: str) -> None:
    text = "a" * 200_000
    data = {
        "csv": f"id,text\n1,{text}\n".encode(),
        "jsonl": f'{{"id": "1", "text": "{text}"}}\n'.encode(),
        "parquet": write(tmp_path, {"id": ["1"], "text": [text]}).read_bytes(),
    }
    assert bad(read(tmp_path, data[form], form)) == {1: "text is too long: 200,000 characters, at most 100,000"}


@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet"])
def test_the_size_of_a_row_is_limited_alike_in_all_formats(tmp_path: Path, form: str) -> None:
    limits = Limits(row=1000)
    for size, n_good in ((900, 1), (1100, 0)):
        text, rest = "a" * 100, "b" * (size - 100)
        data = {
            "csv": f"id,text,rest\n1,{text},{rest}\n".encode(),
            "jsonl": f'{{"id": "1", "text": "{text}", "rest": "{rest}"}}\n'.encode(),
            "parquet": write(tmp_path, {"id": ["1"], "text": [text], "rest": [rest]}).read_bytes(),
        }
        assert len(good(read(tmp_path, data[form], form, limits=limits))) == n_good
