import threading
from dataclasses import dataclass, field

from quorate.service.supervisor import kept_alive
from tests.service.waiting import PATIENCE


@dataclass
class Child:
    """Dies at once, until it has been started so often."""

    dies: int
    starts: int = 0
    stops: int = 0
    lives: threading.Event = field(default_factory=threading.Event)

    def start(self) -> None:
        self.starts += 1
        if self.starts > self.dies:
            self.lives.set()

    def stop(self) -> None:
        self.stops += 1

    def alive(self) -> bool:
        return self.lives.is_set()


def test_a_child_that_dies_is_started_again_and_stopped_once() -> None:
    child = Child(dies=3)
    with kept_alive(child, first_pause=0.001):
        assert child.lives.wait(PATIENCE)
    assert (child.starts, child.stops) == (4, 1)


def test_a_child_that_keeps_dying_does_not_keep_us() -> None:
    child = Child(dies=1000)
    with kept_alive(child, first_pause=30.0):
        pass
    assert (child.starts, child.stops) == (1, 1)
