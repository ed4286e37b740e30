from pathlib import Path

import pytest

from quorate.cli.options.files import check_targets
from quorate.errors import QuorateError


def test_paths_that_can_be_written_pass(tmp_path: Path) -> None:
    check_targets(
        (tmp_path / "votes.csv", None),
        tables=(tmp_path / "workers.csv",),
        results=(tmp_path / "labels.manifest",),
        others=(tmp_path / "model",),
        plot=tmp_path / "figure.PNG",
    )


@pytest.mark.parametrize(
    ("kind", "name", "message"),
    [
        ("tables", "a.manifest", "holds the consensus only"),
        ("results", "a.docx", "cannot tell the format"),
        ("plot", "a.docx", "cannot draw 'docx'"),
        ("others", "votes.csv", "two of the files are the same"),
    ],
)
def test_others_are_refused_before_the_work(tmp_path: Path, kind: str, name: str, message: str) -> None:
    path = tmp_path / name
    with pytest.raises(QuorateError, match=message):
        check_targets((tmp_path / "votes.csv",), **{kind: path if kind == "plot" else (path,)})  # type: ignore[arg-type]
