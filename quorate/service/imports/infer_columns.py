"""Guesses of columns from their cells, where their names do not suggest anything."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath
from statistics import mean
from typing import Any
from urllib.parse import urlsplit

from quorate.service.imports.columns import CONTENT, Columns
from quorate.service.imports.parse_cells import number_columns
from quorate.service.items.rows import AUDIO, FEATURES, HTML, IMAGE, PAIR, TEXT
from quorate.service.media import TYPES, is_audio

LABEL_NAMES = ("label", "labels", "gold", "class", "category", "target", "truth", "answer", "sentiment", "y")
MAX_LABELS, MAX_LABEL_LENGTH, MIN_ROWS_PER_LABEL = 30, 60, 3
SAMPLE_ROWS = 200  # rows that are inspected


def infer_content(columns: Columns, names: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> Columns:
    """Return the columns with one to show, where none was named: addresses of files, or the longest texts."""
    if any(getattr(columns, name) is not None for name in CONTENT):
        return columns
    sample = rows[:SAMPLE_ROWS]
    texts = {name: cells for name in names if name != columns.key and (cells := _texts(name, sample))}
    for name, cells in texts.items():
        if all(_is_address(text) for text in cells) and any(_is_media_file(text) for text in cells):
            return replace(columns, audio=name) if is_audio(cells[0]) else replace(columns, image=name)
    numbers = number_columns(names, sample)
    lengths = {name: mean(map(len, cells)) for name, cells in texts.items() if name not in numbers}
    return columns if not lengths else replace(columns, text=max(lengths, key=lambda name: lengths[name]))


def infer_key(columns: Columns, names: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> Columns:
    """Return the columns with a key, where none was named: a column like `review_id` whose cells all differ."""
    used = {getattr(columns, name) for name in CONTENT}
    ids = [name for name in names if name not in used and re.search(r"[_ .-](?i:id)$|[a-z]I[dD]$", name.strip())]
    key = next((name for name in ids if len(set(_texts(name, rows))) == len(rows)), None)
    return columns if columns.key or key is None else replace(columns, key=key)


def infer_kind(columns: Columns, rows: Sequence[Mapping[str, Any]]) -> str:
    """Return the kind of the items of rows; `RowParser` tries the columns in the same order."""
    order = {TEXT: columns.text, IMAGE: columns.image, AUDIO: columns.audio, HTML: columns.html, PAIR: columns.text_a}
    kind = next((kind for kind, column in order.items() if column is not None), FEATURES)
    addresses = _texts(order[IMAGE] or "", rows[:SAMPLE_ROWS]) if kind == IMAGE else []
    return AUDIO if addresses and all(is_audio(text) for text in addresses) else kind


def infer_labels(columns: Columns, n_distinct: Mapping[str, int], rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return columns that seem to hold labels (few distinct short texts, each frequent), those with such a name first.

    Args:
        columns: the columns that are used otherwise.
        n_distinct: by column, the number of distinct cells.
        rows: the rows.
    """
    used = {columns.key, *(getattr(columns, name) for name in CONTENT)}
    numbers = number_columns(list(n_distinct), rows[:SAMPLE_ROWS])
    by_name, by_cells = [], []
    for name, n in n_distinct.items():
        texts = _texts(name, rows)
        if name in used or not 2 <= n <= MAX_LABELS or not texts or max(map(len, texts)) > MAX_LABEL_LENGTH:
            continue
        if name.strip().lower() in LABEL_NAMES:
            by_name.append(name)
        elif name not in numbers and len(texts) >= MIN_ROWS_PER_LABEL * n:
            by_cells.append(name)
    return by_name + by_cells


def _texts(name: str, rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the cells of a column as texts; none where some are neither text nor number."""
    cells = [value for row in rows if (value := row.get(name)) is not None and value != ""]
    is_plain = all(isinstance(value, str | int | float) for value in cells)
    return [str(value) for value in cells] if is_plain else []


def _is_address(text: str) -> bool:
    return text.startswith(("http://", "https://")) and " " not in text.strip()


def _is_media_file(text: str) -> bool:
    return PurePosixPath(urlsplit(text).path).suffix.lower() in TYPES
