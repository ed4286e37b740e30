"""Reading of CSV, JSON lines, Parquet, Label Studio's JSON and lists of addresses."""

import csv
import io
import json
import tracemalloc
from collections import deque
from pathlib import Path

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from quorate.errors import FileError
from quorate.service.imports.columns import Columns
from quorate.service.imports.formats import format_of
from quorate.service.imports.parse_table import ReadOptions
from quorate.service.imports.readers import read_csv
from quorate.service.items.rows import BadRow, Limits, Row
from tests.service.imports.reading import bad, good, png, read

SETTINGS = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def test_csv_columns_are_guessed(tmp_path: Path) -> None:
    rows = read(tmp_path, "id,text,length,note\na,hello,5,x\nb,world,-1.5,y\n", "csv")
    assert rows == [
        Row(1, "a", "text", {"text": "hello"}, (5.0,)),
        Row(2, "b", "text", {"text": "world"}, (-1.5,)),
    ]


def test_labels_are_gold_only_where_they_are_named(tmp_path: Path) -> None:
    text = "id,text,label\n1,hello,spam\n2,world,\n"
    assert [row.gold for row in good(read(tmp_path, text, "csv"))] == [{}, {}]
    named = Columns(gold={"is it spam": "label"})
    assert [row.gold for row in good(read(tmp_path, text, "csv", columns=named))] == [{"is it spam": "spam"}, {}]


@pytest.mark.parametrize(
    ("text", "kind", "content"),
    [
        ("premise,hypothesis\nA man,A person", "pair", {"text_a": "A man", "text_b": "A person"}),
        ("image\nhttps://a.org/c.jpg", "image", {"url": "https://a.org/c.jpg"}),
        ("url\nhttps://a.org/c.MP3?x=1", "audio", {"url": "https://a.org/c.MP3?x=1"}),
        ("html\n<b onclick=go()>hi</b>", "html", {"html": "<b onclick=go()>hi</b>"}),
        ("width,height\n1,2.5", "features", {"features": {"width": 1.0, "height": 2.5}}),
        ('key;features\nk;"[1, 2]"', "features", {"features": [1.0, 2.0]}),
        ("\ufeffText\tOther\nhi\tx", "text", {"text": "hi"}),
    ],
)
def test_every_kind_is_recognised(tmp_path: Path, text: str, kind: str, content: dict[str, object]) -> None:
    (row,) = good(read(tmp_path, text, "csv"))
    assert (row.kind, row.content) == (kind, content)


def test_a_span_of_a_text_is_read(tmp_path: Path) -> None:
    text = "id,text,where\n1,The frog sings.,4-8\n2,The frog sings.,\n3,A frog.,2:99\n4,A frog.,frog\n"
    assert "span" not in good(read(tmp_path, text, "csv"))[0].content
    rows = read(tmp_path, text, "csv", columns=Columns(text="text", span="where"))
    assert [row.content.get("span") for row in good(rows)] == [[4, 8], None]
    assert "such as 4-8 (of 7 characters), got '2:99'" in bad(rows)[3]
    assert "got 'frog'" in bad(rows)[4]


def test_the_span_of_a_pair_is_in_the_second_text(tmp_path: Path) -> None:
    line = '{"key": "k", "text_a": "A man", "text_b": "A person", "span": [2, 8]}'
    columns = Columns(key="key", text_a="text_a", text_b="text_b", span="span")
    (row,) = good(read(tmp_path, line, "jsonl", columns=columns))
    assert row.content == {"text_a": "A man", "text_b": "A person", "span": [2, 8]}


def test_named_columns_take_precedence(tmp_path: Path) -> None:
    columns = Columns(key="code", text="words", features=())
    (row,) = good(read(tmp_path, "id,text,code,words,size\n1,no,k,yes,3\n", "csv", columns=columns))
    assert (row.key, row.content, row.features) == ("k", {"text": "yes"}, None)


@pytest.mark.parametrize(
    ("text", "columns", "message"),
    [
        ("id,name\n1,x\n", Columns(), "no column to show"),
        ("id,text\n1,x\n", Columns(text="body"), "no column 'body'"),
        ("id,text,text\n1,x,y\n", Columns(), "'text' appears twice"),
        ("", Columns(), "the file is empty"),
        (b"\xff\xfei\x00d\x00", Columns(), "not text in UTF-8"),
        ("a,b\n1,2\n", Columns(text_a="a"), "needs both columns"),
    ],
)
def test_files_that_cannot_be_read_say_why(tmp_path: Path, text: str | bytes, columns: Columns, message: str) -> None:
    with pytest.raises(FileError, match=message):
        read(tmp_path, text, "csv", columns=columns)


def test_bad_rows_do_not_stop_a_csv(tmp_path: Path) -> None:
    lines = [
        b"id,text",
        b"1,fine",
        b"2,bad \xff byte",
        b"3",
        b"4,NUL \0",
        b",no key",
        b"6,  ",
        b"7," + b"x" * 200,
        b"8,ok",
    ]
    rows = read(tmp_path, b"\n".join(lines), "csv", limits=Limits(text=100))
    assert [row.key for row in good(rows)] == ["1", "8"]
    words = {2: "UTF-8", 3: "1 cells", 4: "NUL", 5: "key", 6: "blank", 7: "200 characters"}
    assert {number: words[number] in message for number, message in bad(rows).items()} == dict.fromkeys(words, True)


def test_an_unclosed_quote_costs_rows_but_no_memory(tmp_path: Path) -> None:
    text = 'id,text\n1,fine\n2,"open\n' + "3,x\n" * 5000 + "4,last\n"
    rows = read(tmp_path, text, "csv", limits=Limits(row=2000))
    assert good(rows)[0].key == "1"
    assert good(rows)[-1].key == "4"
    assert "not closed" in bad(rows)[2]


def test_a_long_line_is_left_out(tmp_path: Path) -> None:
    rows = read(tmp_path, "id,text\n1," + "x" * 9000 + "\n2,fine\n", "csv", limits=Limits(row=2000))
    assert [row.key for row in good(rows)] == ["2"]
    assert "too long" in bad(rows)[1]


def test_a_large_csv_is_not_held_in_memory(tmp_path: Path) -> None:
    path = tmp_path / "large.csv"
    path.write_text("id,text\n" + "".join(f"{number},{'words ' * 20}\n" for number in range(30_000)))
    tracemalloc.start()
    deque(read_csv.read(path, ReadOptions()), maxlen=0)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert path.stat().st_size > 3_000_000
    assert peak < 500_000


def test_rows_without_a_key_are_numbered(tmp_path: Path) -> None:
    assert [row.key for row in good(read(tmp_path, "text\nx\ny\n", "csv"))] == ["up-1", "up-2"]


def test_bad_lines_of_json(tmp_path: Path) -> None:
    lines = [
        '{"id": 1, "text": "a"}',
        "{oops",
        "[1]",
        '{"id": 2, "text": 5}',
        '{"id": true, "text": "a"}',
        '{"id": 3}',
        "",
    ]
    rows = read(
        tmp_path, "\n".join([*lines, '{"id": 9, "text": "z"}', '"' + "x" * 300 + '"']), "jsonl", limits=Limits(row=200)
    )
    assert [row.key for row in good(rows)] == ["1", "9"]
    words = {2: "not JSON", 3: "object", 4: "must be text", 5: "must be text", 6: "no content", 8: "longer than"}
    assert {number: words[number] in message for number, message in bad(rows).items()} == dict.fromkeys(words, True)


def test_cells_that_are_not_numbers(tmp_path: Path) -> None:
    lines = [{"id": 1, "a": 1, "b": 2}, {"id": 2, "a": 1}, {"id": 3, "a": "x", "b": 1}, {"id": 4, "a": 1e39, "b": 1}]
    columns = Columns(features=("a", "b"))
    rows = read(tmp_path, "\n".join(json.dumps(line) for line in lines), "jsonl", columns=columns)
    assert [row.features for row in good(rows)] == [(1.0, 2.0)]
    assert bad(rows).keys() == {2, 3, 4}


def test_a_manifest_of_ground_truth_is_read(tmp_path: Path) -> None:
    lines = '{"source": "hi", "topic": 1}\n{"source-ref": "https://a.org/1.png", "topic": 0}\n'
    assert [row.kind for row in good(read(tmp_path, lines, "jsonl", columns=Columns(gold={"q": "topic"})))] == [
        "text",
        "image",
    ]


def test_parquet_with_images_inside(tmp_path: Path) -> None:
    frame = pl.DataFrame({"id": [1, 2, 3], "image": [{"bytes": png(1)}, {"bytes": b"no image"}, None]})
    file = io.BytesIO()
    frame.write_parquet(file)
    rows = read(tmp_path, file.getvalue(), "parquet")
    (row,) = good(rows)
    assert (tmp_path / "data" / row.content["media"]).read_bytes() == png(1)
    assert "not an image" in bad(rows)[2]
    assert "no content" in bad(rows)[3]


def test_a_broken_parquet_file(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="not a Parquet file"):
        read(tmp_path, b"PAR1 but not really PAR1", "parquet")


def test_label_studio(tmp_path: Path) -> None:
    choice = {"result": [{"from_name": "mood", "to_name": "text", "type": "choices", "value": {"choices": ["good"]}}]}
    tasks = [
        {"id": 7, "data": {"text": "hi"}, "annotations": [{"was_cancelled": True}, choice]},
        {"id": 8, "data": {"text": ""}},
    ]
    rows = read(tmp_path, json.dumps(tasks), "label_studio", columns=Columns(gold={"q": "mood"}))
    assert good(rows) == [Row(1, "7", "text", {"text": "hi"}, None, {"q": "good"})]
    assert bad(rows).keys() == {2}


def test_a_long_array_is_read_in_parts(tmp_path: Path) -> None:
    tasks = [{"id": number, "data": {"text": "many words " * 50}} for number in range(3000)]
    rows = read(tmp_path, json.dumps(tasks, indent=2), "label_studio")
    assert [row.key for row in good(rows)] == [str(number) for number in range(3000)]


@pytest.mark.parametrize(
    "text", ["{}", '[{"text": "a"}', '[{"text": "a"} {"text": "b"}]', "[1, 2]", "", "[" * 100_000, '[{"text": "a"},]']
)
def test_a_broken_array_says_so(tmp_path: Path, text: str) -> None:
    with pytest.raises(FileError, match="JSON"):
        read(tmp_path, text, "label_studio")


def test_a_list_of_addresses(tmp_path: Path) -> None:
    long = "https://a.org/" + "x" * 300
    text = f"https://a.org/1.png\n\nhttps://a.org/2.wav\njavascript:alert(1)\nfile:///etc/passwd\n{long}\n"
    rows = read(tmp_path, text, "urls")
    assert [(row.kind, len(row.key)) for row in good(rows)] == [("image", 19), ("audio", 19), ("image", 64)]
    assert bad(rows).keys() == {3, 4}


@SETTINGS
@given(st.binary(max_size=400), st.sampled_from(["csv", "jsonl", "label_studio", "urls", "parquet", "zip"]))
def test_any_bytes_give_rows_or_a_message_of_one_line(tmp_path: Path, data: bytes, name: str) -> None:
    try:
        rows, message = read(tmp_path, data, name), ""
    except FileError as error:
        rows, message = [], str(error)
    assert "\n" not in message
    assert all(isinstance(row, Row | BadRow) for row in rows)


@SETTINGS
@given(
    st.lists(
        st.text(alphabet=st.characters(exclude_characters="\0", codec="utf-8"), min_size=1, max_size=40), max_size=8
    )
)
def test_texts_in_csv_are_unchanged(tmp_path: Path, texts: list[str]) -> None:
    texts = [text for text in texts if text.strip()]
    file = io.StringIO(newline="")
    csv.writer(file).writerows([["id", "text"], *([number, text] for number, text in enumerate(texts))])
    rows = read(tmp_path, file.getvalue(), "csv")
    assert [row.content["text"] for row in good(rows)] == texts


def test_formats_are_recognised_by_the_extension() -> None:
    assert format_of("a.b.JSONL") == "jsonl"
    with pytest.raises(FileError, match="name one of csv"):
        format_of("items.docx")
