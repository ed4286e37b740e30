"""Tables, figures and files in the pages of the documentation: `python docs/write_tables.py` updates them.

A page marks where a text belongs with `<!-- table: NAME -->` and `<!-- end of table -->`; what lies between is written
from the last full runs of the benchmarks (benchmarks/results), the settings of the service and the files of deploy/.
A test fails when a page is out of date.
"""

import re
import sys
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parent.parent
DOCS = Path(__file__).parent
sys.path[:0] = [str(ROOT), str(DOCS)]  # for `benchmarks` and `service_pages`, from wherever this is run

import service_pages  # noqa: E402 - see above

from benchmarks import readme_tables  # noqa: E402
from benchmarks.aggregation import accuracy_tables, speed_tables, without_gold_tables  # noqa: E402
from benchmarks.calibration import suite_tables  # noqa: E402
from benchmarks.decision import replays_tables, screening_tables  # noqa: E402
from benchmarks.decision import tables as decision_tables  # noqa: E402
from benchmarks.hybrid import engine_tables  # noqa: E402
from benchmarks.learning import classifiers_tables, encoders_tables  # noqa: E402
from benchmarks.service import forecast_tables  # noqa: E402
from benchmarks.trust import consensus_tables, ordinal_tables, stated_errors_tables, workers_tables  # noqa: E402

SOURCES: tuple[Callable[[], dict[str, str]], ...] = (
    speed_tables.tables,
    accuracy_tables.tables,
    without_gold_tables.tables,
    classifiers_tables.tables,
    encoders_tables.tables,
    suite_tables.tables,
    screening_tables.tables,
    replays_tables.tables,
    decision_tables.tables,
    forecast_tables.tables,
    consensus_tables.tables,
    engine_tables.tables,
    ordinal_tables.tables,
    stated_errors_tables.tables,
    service_pages.tables,
    readme_tables.tables,
    workers_tables.tables,
)
MARKED = re.compile(r"<!-- table: ([^>]+?) -->.*?<!-- end of table -->", re.S)


def tables() -> dict[str, str]:
    """Return every table of the documentation by its name."""
    return {name: text for source in SOURCES for name, text in source().items()}


def updated(page: str, texts: dict[str, str]) -> str:
    """Return the text of a page with the current tables; a text of one line stays in its line.

    >>> updated("got <!-- table: share --><!-- end of table -->.", {"share": "0.79"})
    'got <!-- table: share -->0.79<!-- end of table -->.'
    """

    def fill(mark: re.Match[str]) -> str:
        name = mark[1]
        if name not in texts:
            raise SystemExit(f"no table is called {name!r}; there are: {', '.join(sorted(texts))}")
        text = texts[name]
        inside = f"\n{text}\n" if "\n" in text else text
        return f"<!-- table: {name} -->{inside}<!-- end of table -->"

    return MARKED.sub(fill, page)


def main() -> None:
    """Bring every page up to date, and print which ones changed."""
    texts = tables()
    for path in (ROOT / "README.md", *sorted(DOCS.glob("*.md"))):
        page = path.read_text(encoding="utf-8")
        current = updated(page, texts)
        if current != page:
            path.write_text(current, encoding="utf-8")
            print(f"Written: {path.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
