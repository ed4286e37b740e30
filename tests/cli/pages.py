"""Console blocks of the documentation, which tests compare with what the commands print."""

import re
from pathlib import Path

from tests.test_readme import commands, is_printed

DOCS = Path(__file__).parent.parent.parent / "docs"


def is_shown(page: str, command: str, printed: str) -> bool:
    """Return whether a page shows a command, and below it what the command printed."""
    blocks = re.findall(r"```console\n(.*?)```", (DOCS / page).read_text(encoding="utf-8"), re.S)
    shown = {name: lines for block in blocks for name, lines in commands(block).items()}
    lines = [line for line in shown[command] if not re.fullmatch("[ ─]+", line)]
    return is_printed(lines, printed)
