"""The service at work: people who do not exist classify real images, a machine learns from them, an expert helps out.

    python examples/service_demo.py                # goes on serving: watch the dashboard, label by hand, Ctrl-C ends it
    python examples/service_demo.py --headless     # runs to the end, and tells what it cost
    python examples/service_demo.py --screening    # abstracts by three criteria: a pilot, an estimate, the run

`make demo` runs this, `make demo ARGS=--headless` passes options on. Needs: pip install 'quorate[service]'.
"""

import argparse
import signal
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from time import monotonic
from types import FrameType
from typing import Literal

sys.path.insert(0, str(Path(__file__).parent.parent))

from examples.demo_estimate import estimate_of, show_estimate
from examples.demo_pools import DemoPool, digits, screening
from examples.demo_result import DemoResult, result_of, show_result
from examples.demo_service import OWNER, DemoService, running_service
from examples.demo_yourself import Yours, first_votes, keeping_pace, yourself
from quorate import QuorateError
from quorate.cli.console import line
from quorate.cli.progress_bar import waiting
from quorate.client import Client, Overview
from quorate.client.simulated_crowd.crowd import SimulatedCrowd, enter
from quorate.client.simulated_crowd.people import people
from quorate.client.simulated_crowd.watch import Watch

WORKERS, EXPERTS = 40, 1
SPEED = 6.0  # times faster than life
MOST_BEHIND = 250  # votes that the learner does not know yet before people rest: in life, they would not outrun it
LOOKS = 90  # in a row, of half a second each, that find nobody at work
LONGEST = 600.0  # seconds


def run_demo(
    seed: int = 0, *, screen: bool = False, items: int | None = None, workers: int = WORKERS, speed: float = SPEED
) -> DemoResult:
    """Start a service, let a simulated crowd work until its project is done, and tell what came of it.

    items: the first so many of the pool; all, where it is not given.
    """
    with tempfile.TemporaryDirectory(prefix="quorate-demo-") as name:
        pool = pool_of(Path(name), screen=screen, items=items, seed=seed)
        with running_service(Path(name)) as service, Client(service.url, token=service.token) as client:
            return work_on(client, pool, seed=seed, workers=workers, speed=speed)


def pool_of(folder: Path, *, screen: bool, items: int | None, seed: int) -> DemoPool:
    """What is classified."""
    return screening(folder, items=items, seed=seed) if screen else digits(folder, items=items)


def work_on(client: Client, pool: DemoPool, *, seed: int, workers: int, speed: float) -> DemoResult:
    """Make the project, send its items, let the crowd work on it: first on a pilot, where the settings have one."""
    begun = monotonic()
    project = client.projects.create(pool.settings).id
    client.imports.upload(project, pool.file)
    made = people(workers, n_experts=EXPERTS, seed=seed)
    crowd = enter(client, project, made, pool.truth, speed=speed)
    if "pilot" in pool.settings:
        run_stage(client, crowd, "pilot", ends_as="estimate")
        show_estimate(estimate_of(client, project))
    run_stage(client, crowd, "running", ends_as="done")
    return result_of(client, project, pool, made, seed=seed, seconds=monotonic() - begun)


def run_stage(
    client: Client,
    crowd: SimulatedCrowd,
    state: Literal["pilot", "running"],
    *,
    ends_as: Literal["estimate", "done"],
) -> None:
    """Put the project to work, and the crowd, until the service says that this part is over, or nobody finds work."""
    client.projects.set_state(crowd.project, state)
    with waiting(state.capitalize()) as bar:

        def told(seen: Overview) -> None:
            bar.update(seen.n_tasks - seen.n_open, seen.n_tasks)
            bar.title(f"{state.capitalize()}: {seen.votes:,} votes, tasks decided")

        watch = Watch(client=client, project=crowd.project, told=told, most_behind=MOST_BEHIND, looks=LOOKS)
        crowd.work(seconds=LONGEST, watch=watch)
    seen = client.projects.overview(crowd.project)
    if seen.state != ends_as:  # as a requester would: those who could answer what is open have all voted on it
        line(f"Nobody is left who could vote on {seen.by_status.get('asking', 0):,} open tasks: ended by hand.")
        client.projects.set_state(crowd.project, ends_as)


def main() -> None:
    """Run it as asked on the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--headless", action="store_true", help="run to the end, tell what it cost, and stop")
    parser.add_argument("--screening", action="store_true", help="screen abstracts by three criteria")
    parser.add_argument("--items", type=int, help="only the first so many items")
    parser.add_argument("--workers", type=int, default=WORKERS, help="how many people, the expert aside")
    parser.add_argument("--speed", type=float, default=SPEED, help="how many times faster than life they are")
    parser.add_argument("--seed", type=int, default=0, help="the same seed gives the same people")
    parser.add_argument("--port", type=int, default=0, help="where to serve; any that is free, if not given")
    asked = parser.parse_args()
    end_in_order()
    with tempfile.TemporaryDirectory(prefix="quorate-demo-") as name:
        pool = pool_of(Path(name), screen=asked.screening, items=asked.items, seed=asked.seed)
        with (
            running_service(Path(name), port=asked.port) as service,
            connected(service) as client,
            nullcontext() if asked.headless else invited(client, service, Path(name)) as yours,
        ):
            show_result(work_on(client, pool, seed=asked.seed, workers=asked.workers, speed=asked.speed))
            if yours is not None:
                line(f"Still serving at {service.url}: Ctrl-C ends it, and nothing is kept.")
                show_links(yours)
                threading.Event().wait()


def end_in_order() -> None:
    """Let the usual signals end all that runs and remove the folder, as Ctrl-C does; a second one changes nothing."""
    signals = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]

    def leave(number: int, frame: FrameType | None) -> None:
        for one in signals:
            signal.signal(one, signal.SIG_IGN)
        raise KeyboardInterrupt

    for one in signals:
        signal.signal(one, leave)


def connected(service: DemoService) -> Client:
    """A client of the owner; tells where to look meanwhile."""
    line(f"Quorate serves at {service.url}: sign in as {OWNER} with the password {service.password}")
    return Client(service.url, token=service.token)


@contextmanager
def invited(client: Client, service: DemoService, folder: Path) -> Iterator[Yours]:
    """Tell where to label by hand, beside a few people who do not exist and keep pace."""
    made = yourself(client, folder)
    others = first_votes(client, made)
    show_links(made)
    with keeping_pace(service, made, others):
        yield made


def show_links(made: Yours) -> None:
    """The links to label by hand."""
    line(f"Label some digits yourself, now or later:    {made.worker}")
    line(f"... or as the expert, for whom some wait:    {made.expert}")


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        line("stopped")
    except QuorateError as error:
        sys.exit(f"service_demo: {error}")
