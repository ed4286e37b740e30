import os
from collections.abc import Generator

import matplotlib
import pytest
from hypothesis import settings

from tests import selection
from tests.sizes import sized

matplotlib.use("Agg")
os.environ["QUORATE_CACHE"] = ""  # encoders keep their features in memory, not in the folder of whoever runs the tests


def pytest_addoption(parser: pytest.Parser) -> None:
    selection.add_options(parser)


def pytest_configure(config: pytest.Config) -> None:
    selection.configure(config)
    # How long an example takes is for benchmarks to measure.
    settings.register_profile("untimed", deadline=None, max_examples=sized(50, 200))
    settings.load_profile("untimed")


def pytest_collection_modifyitems(items: list[pytest.Item], config: pytest.Config) -> None:
    selection.select(items, config)
    if os.environ.get("QUORATE_DATA"):
        return
    skip = pytest.mark.skip(reason="needs QUORATE_DATA: set it to the folder of the real vote sets")
    for item in items:
        if item.get_closest_marker("needs_data"):
            item.add_marker(skip)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Where the data is available, a test that needs it must run: a skip counts as a failure, but for want of torch."""
    report = yield
    must_run = os.environ.get("QUORATE_DATA") and not item.config.option.library
    if report.skipped and must_run and item.get_closest_marker("needs_data"):
        report.outcome = "failed"
        report.longrepr = f"{item.nodeid} was skipped, though QUORATE_DATA is set"
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Warn at the end where the pages were not tested."""
    skipped = [report for report in terminalreporter.stats.get("skipped", []) if "tests/pages/" in report.nodeid]
    if skipped:
        reason = str(skipped[0].longrepr[2]).removeprefix("Skipped: ")
        terminalreporter.write_line(f"WARNING: {len(skipped)} tests of the pages were skipped: {reason}", yellow=True)
