import pytest
from matplotlib.figure import Figure

from quorate import plots
from quorate.errors import FileError


def test_kinds_of_images() -> None:
    plots.require_kind("svg")
    with pytest.raises(FileError, match="cannot draw 'docx'"):
        plots.require_kind("docx")


def test_an_image_is_of_the_kind_asked_for() -> None:
    figure = Figure(figsize=(1, 1))
    assert plots.image(figure, "png").startswith(b"\x89PNG")
    assert plots.image(figure, "pdf").startswith(b"%PDF")
    assert plots.image(figure, "svg") == plots.image(figure, "svg")
