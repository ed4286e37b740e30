import subprocess
import sys

import pytest
from matplotlib.figure import Figure

from quorate import plots
from quorate.errors import FileError, MissingExtraError


def test_kinds_of_images() -> None:
    plots.require_kind("svg")
    with pytest.raises(FileError, match="cannot draw 'docx'"):
        plots.require_kind("docx")


def test_an_image_is_of_the_kind_asked_for() -> None:
    figure = Figure(figsize=(1, 1))
    assert plots.image(figure, "png").startswith(b"\x89PNG")
    assert plots.image(figure, "pdf").startswith(b"%PDF")
    assert plots.image(figure, "svg") == plots.image(figure, "svg")


def test_matplotlib_is_imported_when_the_first_figure_is_drawn() -> None:
    code = "import sys, quorate.plots; print('matplotlib' in sys.modules)"
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "False"


def test_without_matplotlib_one_line_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtraError, match="pip install matplotlib"):
        plots.forest([plots.ForestRow("a", 0, 0, 0)])
