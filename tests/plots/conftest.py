from collections.abc import Iterator

import pytest
from matplotlib import pyplot


@pytest.fixture(autouse=True)
def no_figure_stays_open() -> Iterator[None]:
    """A figure belongs to who drew it: pyplot must not know of it, or many figures would fill the memory."""
    yield
    assert pyplot.get_fignums() == []
