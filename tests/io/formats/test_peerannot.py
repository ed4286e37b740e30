import json
from pathlib import Path

import pytest

from quorate import read_votes, write_votes
from quorate.errors import VotesError
from tests.io.written import NAMED, VOTES


def test_peerannot_knows_classes_by_number(tmp_path: Path) -> None:
    write_votes(NAMED, tmp_path / "answers.json", json="peerannot")
    assert json.loads((tmp_path / "answers.json").read_text()) == {"007": {"ann": 0, "bob": 1}, "8": {}}
    back = read_votes(tmp_path / "answers.json")
    assert back.counts().tolist() == NAMED.counts().tolist()
    assert back.votes_per_task.tolist() == [2, 0]


def test_peerannot_has_no_place_for_the_anonymous(tmp_path: Path) -> None:
    with pytest.raises(VotesError, match="cannot hold anonymous votes"):
        write_votes(VOTES, tmp_path / "answers.json", json="peerannot")
    assert list(tmp_path.iterdir()) == []
