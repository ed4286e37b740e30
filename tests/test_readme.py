"""The README keeps its promises: its commands print what it shows, its figures are measured, and it stays short."""

import gzip
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
INDEX = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
OUTPUT = re.compile(r"<!-- output: (\w+) -->\n```console\n(.*?)```", re.S)
ANYTHING = "..."


def commands(block: str) -> dict[str, list[str]]:
    """Return the lines shown below each command of a console block."""
    parts = [part.splitlines() for part in re.split(r"^\$ ", block, flags=re.M)[1:]]
    return {command: lines for command, *lines in parts}


def is_printed(shown: list[str], printed: str) -> bool:
    """Return whether lines occur in an output in this order; `...` stands for any text, also of several lines."""
    printed = re.sub(r"^[ ─]+$", "", printed, flags=re.M)  # rules below the heads of tables
    kept = [ANYTHING, *(line.strip() for line in shown), ANYTHING]
    pattern = r"\s*".join(".*?" if line == ANYTHING else _line_pattern(line) for line in kept if line)
    return re.fullmatch(pattern, printed, re.S) is not None


def _line_pattern(line: str) -> str:
    return r"[^\n]*?".join(r"\s+".join(map(re.escape, part.split())) for part in line.split(ANYTHING))


def printed_by(command: str, folder: Path) -> str:
    """Run a command in a folder, and return what it prints."""
    return subprocess.run(
        [sys.executable, "-m", *command.split()],
        cwd=folder,
        env=os.environ | {"COLUMNS": "100", "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"},
        capture_output=True,
        encoding="utf-8",
        check=True,
    ).stdout


@pytest.mark.needs_data
@pytest.mark.parametrize(("data", "block"), OUTPUT.findall(README), ids=lambda text: text.split("\n")[0][:40])
def test_the_commands_print_what_the_readme_shows(data: str, block: str, tmp_path: Path) -> None:
    folder = Path(os.environ["QUORATE_DATA"]) / data
    for name, source in {"votes": "votes", "gold": "truth"}.items():
        (tmp_path / f"{name}.csv").write_bytes(gzip.decompress((folder / f"{source}.csv.gz").read_bytes()))
    for command, shown in commands(block).items():
        printed = printed_by(command, tmp_path)
        assert is_printed(shown, printed), f"{command} prints:\n{printed}"


def test_the_commands_print_what_the_front_page_shows(tmp_path: Path) -> None:
    """Run them in order: each reads the files that earlier ones wrote."""
    blocks = re.findall(r"```console\n(.*?)```", INDEX, re.S)
    shown_by = {command: lines for block in blocks for command, lines in commands(block).items()}
    assert sum(bool(lines) for lines in shown_by.values()) >= 2
    for command, shown in shown_by.items():
        if command != "quorate serve":  # it runs until it is stopped
            printed = printed_by(command, tmp_path)
            assert is_printed([ANYTHING, *shown, ANYTHING], printed), f"{command} prints:\n{printed}"


def test_the_readme_shows_outputs() -> None:
    shown = [command for _, block in OUTPUT.findall(README) for command in commands(block)]
    assert [command.split()[1] for command in shown] == ["aggregate", "workers", "compare", "decide"]


@pytest.mark.parametrize(
    ("shown", "printed", "expected"),
    [
        (["a  1", "...", "c 3"], "a 1\nb 2\nc 3\n", True),
        (["a 1", "c 3"], "a 1\nb 2\nc 3\n", False),
        (["b ... 2"], "a\nb 1 2\n", True),
        (["b 3"], "a\nb 2\n", False),
    ],
)
def test_shown_lines_are_compared(shown: list[str], printed: str, expected: bool) -> None:
    assert is_printed(shown, printed) == expected


def prose(page: str) -> str:
    """Return what a reader reads: no comments, no addresses of links."""
    return re.sub(r"\]\([^)]*\)|<[^>]+>", "", re.sub(r"<!--.*?-->", "", page))


@pytest.mark.parametrize(("page", "lines", "words"), [(README, 120, 900), (INDEX, 70, 700)], ids=["README", "index"])
def test_a_front_page_is_short(page: str, lines: int, words: int) -> None:
    assert len(page.splitlines()) <= lines
    assert len(re.findall(r"[A-Za-z][\w'-]*", prose(page))) <= words


def test_the_readme_has_few_pictures_and_tables() -> None:
    assert len(re.findall(r"<img |!\[", README)) <= 2
    assert len(re.findall(r"^\| ?---", README, re.M)) <= 2
    assert README.index("$ make demo") < 1000  # the first command is seen at once


def test_no_figure_of_results_is_typed_by_hand() -> None:
    """Decimals outside code and written tables would have to be kept true by hand."""
    text = re.sub(r"```.*?```|<!-- table: .*?<!-- end of table -->|`[^`]*`|\]\([^)]*\)", "", README, flags=re.S)
    assert re.findall(r"(?<!\d)0?\.\d{2,}\b|\b[\d.]+ ?(?:ms|%)", text) == []


def test_the_readme_installs_in_one_way() -> None:
    installs = re.findall(r"pip install ('?[^\s`]+)", README + INDEX)
    assert installs
    assert all(re.fullmatch(r"'?\.(\[[\w,]+\]')?", install) for install in installs)
