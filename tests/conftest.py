import os
from collections.abc import Generator

import matplotlib
import pytest
from hypothesis import settings

matplotlib.use("Agg")
settings.register_profile("untimed", deadline=None)  # how long an example takes is for benchmarks to tell
settings.load_profile("untimed")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if os.environ.get("QUORATE_DATA"):
        return
    skip = pytest.mark.skip(reason="needs QUORATE_DATA: let it name the folder of the real vote sets")
    for item in items:
        if item.get_closest_marker("needs_data"):
            item.add_marker(skip)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Where the data is there, a test that needs it must run: a skip counts as a failure."""
    report = yield
    if report.skipped and item.get_closest_marker("needs_data") and os.environ.get("QUORATE_DATA"):
        report.outcome = "failed"
        report.longrepr = f"{item.nodeid} was skipped, though QUORATE_DATA is set"
    return report
