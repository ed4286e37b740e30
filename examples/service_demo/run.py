"""The service at work: people who do not exist classify real images, a machine learns from them, an expert helps out.

    python examples/service_demo/run.py                # goes on serving: watch, label by hand, end it with Ctrl-C
    python examples/service_demo/run.py --headless     # runs to the end, and shows what it cost
    python examples/service_demo/run.py --screening    # abstracts by three criteria: a pilot, an estimate, the run

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

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

sys.path.insert(0, str(Path(__file__).parents[2]))

from examples.service_demo.estimate import estimate_of, show_estimate
from examples.service_demo.pools import DemoPool, digits, screening
from examples.service_demo.result import DemoResult, result_of, show_result
from examples.service_demo.server import OWNER, DemoService, running_service
from examples.service_demo.yourself import Yours, first_votes, keeping_pace, yourself
from quorate import QuorateError
from quorate.client import Client, Overview, SimulatedCrowd, Watch, enter, people

WORKERS, EXPERTS = 40, 1
SPEED = 6.0  # times faster than life
MOST_BEHIND = 250  # votes that the learner does not know yet before people rest: in life, they would not outrun it
LOOKS = 90  # in a row, of half a second each, that find nobody at work
LONGEST = 600.0  # seconds


def run_demo(
    seed: int = 0, *, screen: bool = False, items: int | None = None, workers: int = WORKERS, speed: float = SPEED
) -> DemoResult:
    """Start a service, let a simulated crowd work until its project is done, and return the result.

    items: how many items of the pool to use, from the first on; all if it is not given.
    """
    with tempfile.TemporaryDirectory(prefix="quorate-demo-") as name:
        pool = pool_of(Path(name), screen=screen, items=items, seed=seed)
        with running_service(Path(name)) as service, Client(service.url, token=service.token) as client:
            return work_on(client, pool, seed=seed, workers=workers, speed=speed)


def pool_of(folder: Path, *, screen: bool, items: int | None, seed: int) -> DemoPool:
    """Return what is classified."""
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
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    hidden = not sys.stderr.isatty()
    with Progress(*columns, console=Console(stderr=True), transient=True, disable=hidden) as progress:
        bar = progress.add_task(state.capitalize(), total=None)

        def told(seen: Overview) -> None:
            title = f"{state.capitalize()}: {seen.votes:,} votes, tasks decided"
            progress.update(bar, completed=seen.n_tasks - seen.n_open, total=seen.n_tasks, description=title)

        watch = Watch(client=client, project=crowd.project, told=told, most_behind=MOST_BEHIND, looks=LOOKS)
        crowd.work(seconds=LONGEST, watch=watch)
    seen = client.projects.overview(crowd.project)
    if seen.state != ends_as:  # as a requester would: those who could answer what is open have all voted on it
        print(
            f"Nobody is left who could vote on {seen.by_status.get('asking', 0):,} open tasks: ended by hand.",
            flush=True,
        )
        client.projects.set_state(crowd.project, ends_as)


def main() -> None:
    """Run it as asked on the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--headless", action="store_true", help="run to the end, show what it cost, and stop")
    parser.add_argument("--screening", action="store_true", help="screen abstracts by three criteria")
    parser.add_argument("--items", type=int, help="how many items to use, from the first on")
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
                print(f"Still serving at {service.url}: Ctrl-C ends it, and nothing is kept.", flush=True)
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
    """Print how to sign in, and return a client of the owner."""
    print(f"Quorate serves at {service.url}: sign in as {OWNER} with the password {service.password}", flush=True)
    return Client(service.url, token=service.token)


@contextmanager
def invited(client: Client, service: DemoService, folder: Path) -> Iterator[Yours]:
    """Print where to label by hand, beside a few people who do not exist and keep pace."""
    made = yourself(client, folder)
    others = first_votes(client, made)
    show_links(made)
    with keeping_pace(service, made, others):
        yield made


def show_links(made: Yours) -> None:
    """Print the links to label by hand."""
    print(f"Label some digits yourself, now or later:    {made.worker}", flush=True)
    print(f"... or as the expert, for whom some wait:    {made.expert}", flush=True)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        print("stopped", flush=True)
    except QuorateError as error:
        sys.exit(f"demo: {error}")
