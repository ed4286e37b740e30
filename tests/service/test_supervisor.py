import threading
from dataclasses import dataclass, field

from quorate.service.supervisor import supervise
from tests.service.waiting import PATIENCE


@dataclass
class Child:
    """A process that dies at once, for a number of starts."""

    n_deaths: int
    starts: int = 0
    stops: int = 0
    is_running: threading.Event = field(default_factory=threading.Event)

    def start(self) -> None:
        self.starts += 1
        if self.starts > self.n_deaths:
            self.is_running.set()

    def stop(self) -> None:
        self.stops += 1

    def alive(self) -> bool:
        return self.is_running.is_set()


def test_a_child_that_dies_is_restarted_and_stopped_once() -> None:
    child = Child(n_deaths=3)
    with supervise(child, first_pause=0.001):
        assert child.is_running.wait(PATIENCE)
    assert (child.starts, child.stops) == (4, 1)


def test_a_child_that_keeps_dying_does_not_block_the_end() -> None:
    child = Child(n_deaths=1000)
    with supervise(child, first_pause=30.0):
        pass
    assert (child.starts, child.stops) == (1, 1)
