"""Every figure has its section on the page, with the question that it answers, and its picture."""

import importlib.util
import inspect
import re
from pathlib import Path

import pytest

from quorate import plots

DOCS = Path(__file__).parent.parent / "docs"
PAGE = (DOCS / "figures.md").read_text(encoding="utf-8")
FIGURES = [
    name
    for name in plots.__all__
    if inspect.isfunction(made := getattr(plots, name)) and made.__annotations__["return"] == "Figure"
]


def test_there_are_ten() -> None:
    assert len(FIGURES) == 10


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_has_its_section_with_a_line_that_draws_it(name: str) -> None:
    section = PAGE.partition(f"\n## {name}\n")[2].partition("\n## ")[0]
    assert f"plots.{name}(" in section
    assert f"[`{name}`](#{name})" in PAGE
    image = re.search(r"!\[.+\]\((.+\.png)\)", section)
    assert image is not None
    assert (DOCS / image[1]).is_file()


@pytest.mark.slow
def test_the_pictures_of_the_page_can_be_drawn_anew() -> None:
    spec = importlib.util.spec_from_file_location("draw_figures", DOCS / "draw_figures.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert {*module.DRAWN, "overview"} == set(FIGURES)
    for name, draw in module.DRAWN.items():
        assert draw().axes, name
        assert (module.IMAGES / f"{name}.png").stat().st_size < 60_000
