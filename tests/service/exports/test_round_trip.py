"""An exported file that is imported again gives the same items."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from quorate.service.exports.export import export
from quorate.service.items.insert import NewItem
from quorate.service.media import Media
from quorate.service.store.blobs import to_blob
from quorate.service.store.database import Store
from tests.service.imports.importing import import_file, new_project, pool
from tests.service.imports.reading import png
from tests.service.pools import add_items

words = st.text(alphabet=st.characters(exclude_characters="\0", codec="utf-8"), min_size=1, max_size=30)
texts = st.one_of(words, words.map(lambda text: "=" + text), words.map(lambda text: "'@" + text)).filter(str.strip)
keys = texts.map(str.strip)
numbers = st.floats(width=32, allow_nan=False, allow_infinity=False, min_value=-(2.0**99), max_value=2.0**99).map(
    lambda number: number + 0.0
)
contents = st.one_of(
    st.tuples(st.just("text"), st.fixed_dictionaries({"text": texts})),
    st.tuples(st.just("pair"), st.fixed_dictionaries({"text_a": texts, "text_b": texts})),
    st.tuples(st.just("html"), st.fixed_dictionaries({"html": texts})),
    st.tuples(st.just("image"), st.just({"url": "https://a.org/a.png?x=,\"'"})),
    st.tuples(st.just("audio"), st.just({"url": "https://a.org/a.mp3"})),
    st.tuples(st.just("image"), st.just("media")),
    st.tuples(st.just("features"), st.lists(numbers, min_size=2, max_size=2)),
    st.tuples(st.just("features"), st.tuples(numbers, numbers).map(lambda pair: {"a": pair[0], "=b": pair[1]})),
)
rows_of_pools = st.tuples(keys, contents, st.none() | st.lists(numbers, min_size=2, max_size=2))
pools = st.lists(rows_of_pools, unique_by=lambda row: row[0], max_size=6)
FORMATS = {"csv": "a.csv", "jsonl": "a.jsonl", "parquet": "a.parquet", "json": "a.json"}


@pytest.mark.parametrize("form", list(FORMATS))
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=pools)
def test_the_same_items_come_back(store: Store, tmp_path: Path, form: str, rows: list[Any]) -> None:
    picture = Media(tmp_path / "data").save(png(3), ".png")
    new = [new_item(key, kind, content, extra, picture) for key, (kind, content), extra in rows]
    project, other = new_project(store), new_project(store)
    add_items(store, project, new)
    exported = b"".join(export(store, project, "items", form))
    done = import_file(store, tmp_path, other, exported, FORMATS[form])
    assert (done.state, done.errors) == ("done", [])
    assert pool(store, other) == pool(store, project)


def new_item(key: str, kind: str, content: Any, extra: list[float] | None, picture: str) -> NewItem:
    if kind == "features":
        numbers_inside = list(content.values()) if isinstance(content, dict) else content
        return NewItem(key, kind, {"features": content}, to_blob(numbers_inside))
    item_content = {"media": picture} if content == "media" else content
    return NewItem(key, kind, item_content, None if extra is None else to_blob(extra))
