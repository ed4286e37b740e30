"""Parquet files of a few kilobytes that stand for gigabytes take little memory, and say what is wrong with them."""

import datetime
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow
import pyarrow.parquet
import pytest

from quorate.errors import FileError
from quorate.service.imports.columns import Columns
from quorate.service.imports.inspect_file import look
from quorate.service.imports.readers import parquet_pages, parquet_plan
from quorate.service.imports.readers.arrow_sizes import cell_sizes
from quorate.service.imports.readers.parquet_pages import read_pages
from quorate.service.items.rows import Limits, Row
from tests.service.imports.bounded import bounded
from tests.service.imports.reading import bad, good, png, read

GROWN = 500_000_000  # bytes that the memory may grow by, whatever is in the file


def written(folder: Path, columns: dict[str, Any], **options: Any) -> Path:
    path = folder / "file.parquet"
    pyarrow.parquet.write_table(pyarrow.table(columns), path, compression="zstd", **options)
    return path


def read_parquet(folder: Path, content: dict[str, Any], **options: Any) -> list[Any]:
    return read(folder, written(folder, content).read_bytes(), "parquet", **options)


def long_text(n: int, size: int) -> dict[str, Any]:
    """The same long text in every row, once in memory and in the file."""
    return {"id": list(range(n)), "text": repeated("a" * size, n)}


def repeated(value: str | bytes, n: int) -> pyarrow.DictionaryArray:
    return pyarrow.DictionaryArray.from_arrays([0] * n, [value])


def test_a_long_text_that_is_repeated_makes_bad_rows(tmp_path: Path) -> None:
    path = written(tmp_path, long_text(60, 20_000_000), store_schema=False)
    assert path.stat().st_size < 2000
    found = bounded("import", path)
    assert found["rows"] == {"BadRow": 60}
    assert found["message"] == "the row is too large: 20,000,008 bytes when it is unpacked"
    assert found["grown"] < GROWN


def test_a_long_text_that_is_repeated_is_not_looked_into(tmp_path: Path) -> None:
    found = bounded("look", written(tmp_path, long_text(60, 20_000_000), store_schema=False))
    assert "no whole row was found" in found["error"]
    assert found["grown"] < GROWN


@pytest.mark.long
def test_a_dictionary_that_the_file_asks_to_keep_is_not_unfolded(tmp_path: Path) -> None:
    found = bounded("import", written(tmp_path, long_text(1000, 100_000_000)))
    assert "unpacks to more than 20,000,000,000 bytes" in found["error"]
    assert found["grown"] < GROWN


@pytest.mark.long
def test_texts_that_are_told_by_their_difference_are_not_unfolded(tmp_path: Path) -> None:
    columns = {"id": list(range(20)), "text": ["a" * 20_000_000] * 20}
    encodings = {"id": "PLAIN", "text": "DELTA_BYTE_ARRAY"}
    found = bounded("import", written(tmp_path, columns, use_dictionary=False, column_encoding=encodings))
    assert found["rows"] == {"BadRow": 20}
    assert found["grown"] < 500_000_000


@pytest.mark.long
def test_rows_that_are_only_just_allowed_are_held_one_at_a_time(tmp_path: Path) -> None:
    path = written(tmp_path, long_text(2000, 3_900_000), store_schema=False)
    assert bounded("look", path)["header"] == ["id", "text"]
    found = bounded("import", path)
    assert found["rows"] == {"BadRow": 2000}
    assert "text is too long: 3,900,000 characters, at most 100,000" in found["message"]


@pytest.mark.long
def test_images_are_held_one_at_a_time(tmp_path: Path) -> None:
    images = pyarrow.StructArray.from_arrays([repeated(png() + b"0" * 45_000_000, 50)], ["bytes"])
    found = bounded("import", written(tmp_path, {"id": list(range(50)), "image": images}, store_schema=False))
    assert found["rows"] == {"BadRow": 50}
    assert "larger than 20,000,000 bytes" in found["message"]


@pytest.mark.long
@pytest.mark.parametrize("act", ["import", "look"])
def test_a_page_that_unpacks_to_too_much_is_refused(tmp_path: Path, act: str) -> None:
    path = written(tmp_path, {"id": [1], "text": ["a" * 300_000_000]})
    found = bounded(act, path)
    assert "row group 1 of the Parquet file unpacks 300," in found["error"]
    assert found["grown"] < 100_000_000


@pytest.mark.long
def test_what_the_footer_says_is_not_believed(tmp_path: Path) -> None:
    path = written(tmp_path, {"text": ["a" * 300_000_000]}, use_dictionary=False, write_statistics=False)
    chunk = pyarrow.parquet.ParquetFile(path).metadata.row_group(0).column(0)
    data = path.read_bytes()
    told, lie = varint(chunk.total_uncompressed_size), varint(1000)
    assert data.count(told) == 2  # of the column, and of the row group
    footer = int.from_bytes(data[-8:-4], "little")
    short = data[:-8].replace(told, lie + b"")
    length = footer - 2 * (len(told) - len(lie))
    path.write_bytes(short + length.to_bytes(4, "little") + b"PAR1")
    assert pyarrow.parquet.ParquetFile(path).metadata.row_group(0).column(0).total_uncompressed_size == 1000
    assert "unpacks 300," in bounded("import", path)["error"]


def varint(number: int) -> bytes:
    """A whole number as Thrift's compact protocol writes it."""
    number, written = number << 1, bytearray()
    while number > 127:
        written.append(number & 127 | 128)
        number >>= 7
    return bytes([*written, number])


@pytest.mark.long
@pytest.mark.parametrize("act", ["import", "look"])
def test_one_row_with_an_endless_list_is_refused(tmp_path: Path, act: str) -> None:
    n = 50_000_000
    endless = pyarrow.ListArray.from_arrays(pyarrow.array([0, n], pyarrow.int32()), np.zeros(n, np.int64))
    found = bounded(act, written(tmp_path, {"id": [1], "text": ["a"], "features": endless}))
    assert "the column 'features.list.element' has 50,000,000 elements in one row group" in found["error"]
    assert found["grown"] < 100_000_000


def test_lists_of_texts_are_left_out_unless_they_are_asked_for(tmp_path: Path) -> None:
    columns = {"id": ["1"], "text": ["a"], "tags": [["x", "y"]]}
    assert good(read_parquet(tmp_path, columns)) == [Row(1, "1", "text", {"text": "a"})]
    assert [column.examples for column in look(written(tmp_path, columns), "parquet").header] == [["1"], ["a"], []]
    with pytest.raises(FileError, match="'tags' holds lists of texts"):
        read_parquet(tmp_path, columns, columns=Columns(text="tags"))


def test_a_type_that_asks_for_endless_lists_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet_plan, "LONGEST_LIST", 2)
    columns = {"text": ["a"], "features": pyarrow.array([None], pyarrow.list_(pyarrow.int64(), 3))}
    with pytest.raises(FileError, match="very long lists"):
        read_parquet(tmp_path, columns)


def test_a_footer_that_is_too_long_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet_plan, "LARGEST_FOOTER", 100)
    with pytest.raises(FileError, match=r"the footer of the Parquet file has \d+ bytes, at most 100 are read"):
        read_parquet(tmp_path, {"text": ["a"]})


def test_too_many_pages_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet_pages, "MOST_PAGES", 1)
    with pytest.raises(FileError, match="more than 1 pages"):
        read_parquet(tmp_path, {"text": ["a", "b"]})


def test_a_large_row_does_not_keep_others_out(tmp_path: Path) -> None:
    texts = ["a", "b" * 5_000_000, "c", None, "e" * 5_000_000]
    rows = read_parquet(tmp_path, {"id": list("12345"), "text": texts})
    assert [row.key for row in good(rows)] == ["1", "3"]
    assert bad(rows).keys() == {2, 4, 5}
    assert "too large: 5,000,001 bytes" in bad(rows)[2]


def test_many_row_groups_and_pages_are_read_to_the_end(tmp_path: Path) -> None:
    columns = {"id": [str(n) for n in range(5000)], "text": [f"text {n}" * 20 for n in range(5000)]}
    columns["size"] = [float(n) for n in range(5000)]  # type: ignore[misc]
    path = written(tmp_path, columns, row_group_size=1700, data_page_size=1000, data_page_version="2.0")
    rows = good(read(tmp_path, path.read_bytes(), "parquet"))
    assert [row.key for row in rows] == columns["id"]
    assert [row.content["text"] for row in rows] == columns["text"]
    assert [row.features for row in rows[:2]] == [(0.0,), (1.0,)]


@pytest.mark.parametrize("kind", ["string", "large_string", "dictionary"])
def test_texts_of_any_type_of_arrow_are_read(tmp_path: Path, kind: str) -> None:
    types = {"dictionary": pyarrow.dictionary(pyarrow.int32(), pyarrow.string())}
    texts = pyarrow.array(["a", None, "b"], types.get(kind) or kind)
    assert [row.content["text"] for row in good(read_parquet(tmp_path, {"text": texts}))] == ["a", "b"]


def test_cells_that_python_cannot_hold_make_a_bad_row(tmp_path: Path) -> None:
    days = pyarrow.array([0, 2**52, 0], pyarrow.timestamp("ms"))
    not_text = pyarrow.array([b"a", b"b", b"\xff"]).view(pyarrow.string())
    assert bad(read_parquet(tmp_path, {"id": [1, 2, 3], "text": not_text})).keys() == {3}
    rows = read_parquet(tmp_path, {"id": [1, 2, 3], "text": ["a", "b", "c"], "day": days})
    assert bad(rows).keys() == {2}
    assert look(tmp_path / "file.parquet", "parquet").rows[0]["day"] == str(datetime.datetime(1970, 1, 1))


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
    assert cell_sizes(array).tolist() == [3, 3, 3, 1]  # none is counted as the first one, which does no harm
    assert cell_sizes(pyarrow.array([None, None], pyarrow.string()).dictionary_encode()).tolist() == [0, 0]


def test_sizes_of_maps_and_fixed_lists() -> None:
    maps = pyarrow.array([[("a", 1), ("bc", 2)], []], pyarrow.map_(pyarrow.string(), pyarrow.int64()))
    assert cell_sizes(maps).tolist() == [19, 0]
    assert cell_sizes(pyarrow.array([[1, 2]], pyarrow.list_(pyarrow.int64(), 2))).tolist() == [16]


def test_pages_are_told_by_their_headers(tmp_path: Path) -> None:
    path = written(tmp_path, {"text": ["a" * 1000, "b" * 2000]})
    chunk = pyarrow.parquet.ParquetFile(path).metadata.row_group(0).column(0)
    with path.open("rb") as file:
        pages = read_pages(file, chunk.dictionary_page_offset, chunk.total_compressed_size)
        assert (pages.dictionary, pages.values) == (3008, 2)
        for place in range(40):
            with pytest.raises(FileError, match="header of a page"):
                read_pages(file, path.stat().st_size - place % 4, 100)


@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet"])
def test_a_text_that_is_too_long_is_told_alike_in_all_formats(tmp_path: Path, form: str) -> None:
    text = "a" * 200_000
    data = {
        "csv": f"id,text\n1,{text}\n".encode(),
        "jsonl": f'{{"id": "1", "text": "{text}"}}\n'.encode(),
        "parquet": written(tmp_path, {"id": ["1"], "text": [text]}).read_bytes(),
    }
    assert bad(read(tmp_path, data[form], form)) == {1: "text is too long: 200,000 characters, at most 100,000"}


@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet"])
def test_a_row_may_be_as_large_in_all_formats(tmp_path: Path, form: str) -> None:
    limits = Limits(row=1000)
    for size, n_good in ((900, 1), (1100, 0)):
        text, rest = "a" * 100, "b" * (size - 100)
        data = {
            "csv": f"id,text,rest\n1,{text},{rest}\n".encode(),
            "jsonl": f'{{"id": "1", "text": "{text}", "rest": "{rest}"}}\n'.encode(),
            "parquet": written(tmp_path, {"id": ["1"], "text": [text], "rest": [rest]}).read_bytes(),
        }
        assert len(good(read(tmp_path, data[form], form, limits=limits))) == n_good
