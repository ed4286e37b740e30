from collections.abc import Iterator

import pytest
from matplotlib import pyplot


@pytest.fixture(autouse=True)
def no_figure_stays_open() -> Iterator[None]:
    """Check that pyplot keeps no figure, since many would fill the memory."""
    yield
    assert pyplot.get_fignums() == []
