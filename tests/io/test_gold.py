from pathlib import Path

import pytest

from quorate import read_gold
from quorate.errors import VotesError
from tests.io.written import VOTES, put


def test_reads_any_table(tmp_path: Path) -> None:
    path = put(tmp_path, "g.tsv", "item\tanswer\n8\tyes\n")
    assert read_gold(path, VOTES, task="item", label="answer").tolist() == [-1, 1]


def test_says_when_no_task_is_known(tmp_path: Path) -> None:
    with pytest.raises(VotesError, match=r"g.csv: it has no label for any of the tasks"):
        read_gold(put(tmp_path, "g.csv", "task,label\nq,no\n"), VOTES)
