"""`run_jobs`: the same results as one process, one copy of the shared object, and clear errors."""

import os
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from quorate.errors import MethodError, VotesError
from quorate.parallel import run_jobs


class Counted:
    """A shared object that leaves a file whenever it is unpickled."""

    def __init__(self, folder: Path, factor: int) -> None:
        self.folder = folder
        self.factor = factor

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        with (self.folder / str(os.getpid())).open("a") as received:
            received.write("once\n")


def scaled(shared: Counted, job: int) -> int:
    return shared.factor * job


def same_object(shared: list[int], job: int) -> int:
    shared.append(job)
    return len(shared)


def quit_at_two(shared: None, job: int) -> int:
    if job == 2:
        os._exit(1)
    return job


def refuse_two(shared: str, job: int) -> int:
    if job == 2:
        raise VotesError(f"{shared} {job}")
    return job


def with_option(shared: int, job: int, *, added: int) -> int:
    return shared + job + added


def test_one_process_runs_here_and_in_order(tmp_path: Path) -> None:
    assert list(run_jobs(scaled, [3, 1, 2], Counted(tmp_path, 10), 1)) == [(3, 30), (1, 10), (2, 20)]
    assert list(run_jobs(scaled, [7], Counted(tmp_path, 10), 4)) == [(7, 70)]
    assert list(run_jobs(scaled, [], Counted(tmp_path, 10), 4)) == []
    assert not list(tmp_path.iterdir())


def test_processes_give_the_same_and_get_the_shared_object_once(tmp_path: Path) -> None:
    shared = Counted(tmp_path, 10)
    alone = list(run_jobs(scaled, range(8), shared, 1))
    assert sorted(run_jobs(scaled, range(8), shared, 2)) == alone
    processes = list(tmp_path.iterdir())
    assert 1 <= len(processes) <= 2
    assert all(received.read_text() == "once\n" for received in processes)


def test_jobs_of_a_process_have_the_same_shared_object() -> None:
    seen: list[int] = []
    counts = [count for _, count in run_jobs(same_object, range(5), seen, 2)]
    assert max(counts) >= 3
    assert seen == []


def test_equal_jobs_are_all_run() -> None:
    assert list(run_jobs(partial(with_option, added=1), [5, 5, 5], 10, 2)) == [(5, 16)] * 3


def test_a_process_that_ends_is_one_line() -> None:
    with pytest.raises(MethodError, match=r"a process ended before its job was done.*use fewer processes") as raised:
        list(run_jobs(quit_at_two, range(4), None, 2))
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("processes", [1, 2])
def test_an_exception_arrives_as_itself(processes: int) -> None:
    with pytest.raises(VotesError, match=r"^job 2$"):
        list(run_jobs(refuse_two, range(4), "job", processes))
