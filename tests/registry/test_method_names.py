"""Type checkers know the names of methods and the classes that packages export."""

from pathlib import Path
from typing import get_args

import pytest

from quorate import registry

PROGRAM = """
from quorate import Votes, aggregate
from quorate.learning.heads import CrowdLayer
aggregate(Votes.from_matrix([[0, 1]]), "{method}")
CrowdLayer().{attribute}
"""


def check(folder: Path, **parts: str) -> tuple[str, int]:
    (folder / "program.py").write_text(PROGRAM.format(**parts))
    api = pytest.importorskip("mypy.api", reason="needs mypy: pip install 'quorate[dev]'")
    root = Path(__file__).parent.parent.parent
    config = f"--config-file={root / 'pyproject.toml'}"
    output, errors, status = api.run([config, f"--cache-dir={root / '.mypy_cache'}", str(folder / "program.py")])
    assert not errors
    return output, status


def test_types_have_the_names_of_the_files() -> None:
    assert list(get_args(registry.AggregationMethod)) == registry.names("aggregation")
    assert list(get_args(registry.CalibratorName)) == registry.names("calibration")
    assert list(get_args(registry.ItemScoreName)) == registry.names("ambiguity")
    assert list(get_args(registry.PolicyName)) == registry.names("decision.policies")


@pytest.mark.slow
def test_a_type_checker_finds_a_misspelt_name(tmp_path: Path) -> None:
    output, status = check(tmp_path, method="dawid_skene", attribute="__class__")
    assert status == 0, output
    output, status = check(tmp_path, method="dawid_sken", attribute="nothing")
    assert status == 1
    assert 'program.py:4: error: Argument 2 to "aggregate" has incompatible type "Literal[\'dawid_sken\']"' in output
    assert 'program.py:5: error: "CrowdLayer" has no attribute "nothing"' in output
