import os

import matplotlib
import pytest

matplotlib.use("Agg")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if os.environ.get("QUORATE_DATA"):
        return
    skip = pytest.mark.skip(reason="needs QUORATE_DATA: let it name the folder of the real vote sets")
    for item in items:
        if item.get_closest_marker("needs_data"):
            item.add_marker(skip)
