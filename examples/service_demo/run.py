"""The service at work: a simulated crowd classifies real images, a classifier learns from them, an expert helps.

    python examples/service_demo/run.py                # keeps serving: watch, label by hand, stop it with Ctrl-C
    python examples/service_demo/run.py --headless     # runs to the end and prints the cost
    python examples/service_demo/run.py --screening    # screens abstracts by three criteria: pilot, estimate, run

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
SPEED = 6.0  # times faster than real people
MAX_BEHIND = 250  # votes that the learner has not used yet before the crowd pauses: real people would not outrun it
MAX_IDLE_LOOKS = 90  # consecutive looks, every half second, without activity
MAX_SECONDS = 600.0


def run_demo(
    seed: int = 0, *, screen: bool = False, items: int | None = None, workers: int = WORKERS, speed: float = SPEED
) -> DemoResult:
    """Start a service, let a simulated crowd work until its project is done, and return the result.

    items: number of items to use, from the start of the pool; None for all.
    """
    with tempfile.TemporaryDirectory(prefix="quorate-demo-") as name:
        pool = pool_of(Path(name), screen=screen, items=items, seed=seed)
        with running_service(Path(name)) as service, Client(service.url, token=service.token) as client:
            return work_on(client, pool, seed=seed, workers=workers, speed=speed)


def pool_of(folder: Path, *, screen: bool, items: int | None, seed: int) -> DemoPool:
    """Return the pool of items to classify."""
    return screening(folder, items=items, seed=seed) if screen else digits(folder, items=items)


def work_on(client: Client, pool: DemoPool, *, seed: int, workers: int, speed: float) -> DemoResult:
    """Create the project, upload its items, and let the crowd work on it, first on a pilot if the settings have one."""
    start = monotonic()
    project = client.projects.create(pool.settings).id
    client.imports.upload(project, pool.file)
    abilities = people(workers, n_experts=EXPERTS, seed=seed)
    crowd = enter(client, project, abilities, pool.truth, speed=speed)
    if "pilot" in pool.settings:
        run_stage(client, crowd, "pilot", ends_as="estimate")
        show_estimate(estimate_of(client, project))
    run_stage(client, crowd, "running", ends_as="done")
    return result_of(client, project, pool, abilities, seed=seed, seconds=monotonic() - start)


def run_stage(
    client: Client,
    crowd: SimulatedCrowd,
    state: Literal["pilot", "running"],
    *,
    ends_as: Literal["estimate", "done"],
) -> None:
    """Start a stage of the project and let the crowd work until the service ends it, or nobody has work left."""
    client.projects.set_state(crowd.project, state)
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    hidden = not sys.stderr.isatty()
    with Progress(*columns, console=Console(stderr=True), transient=True, disable=hidden) as progress:
        bar = progress.add_task(state.capitalize(), total=None)

        def show_progress(seen: Overview) -> None:
            title = f"{state.capitalize()}: {seen.votes:,} votes, tasks decided"
            progress.update(bar, completed=seen.n_tasks - seen.n_open, total=seen.n_tasks, description=title)

        watch = Watch(
            client=client, project=crowd.project, told=show_progress, most_behind=MAX_BEHIND, looks=MAX_IDLE_LOOKS
        )
        crowd.work(seconds=MAX_SECONDS, watch=watch)
    seen = client.projects.overview(crowd.project)
    if seen.state != ends_as:  # everybody has voted on all open tasks: end the stage, as a requester would
        print(
            f"Nobody is left to vote on {seen.by_status.get('asking', 0):,} open tasks: the demo ends this stage.",
            flush=True,
        )
        client.projects.set_state(crowd.project, ends_as)


def main() -> None:
    """Run the demo with the options of the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--headless", action="store_true", help="run to the end, print the cost, and stop")
    parser.add_argument("--screening", action="store_true", help="screen abstracts by three criteria")
    parser.add_argument("--items", type=int, help="number of items to use; all by default")
    parser.add_argument("--workers", type=int, default=WORKERS, help="number of workers, without the expert")
    parser.add_argument("--speed", type=float, default=SPEED, help="how many times faster than real people they are")
    parser.add_argument("--seed", type=int, default=0, help="seed of the simulated crowd")
    parser.add_argument("--port", type=int, default=0, help="port of the service; any free port by default")
    arguments = parser.parse_args()
    stop_on_signals()
    with tempfile.TemporaryDirectory(prefix="quorate-demo-") as name:
        pool = pool_of(Path(name), screen=arguments.screening, items=arguments.items, seed=arguments.seed)
        with (
            running_service(Path(name), port=arguments.port) as service,
            connected(service) as client,
            nullcontext() if arguments.headless else invited(client, service, Path(name)) as yours,
        ):
            show_result(work_on(client, pool, seed=arguments.seed, workers=arguments.workers, speed=arguments.speed))
            if yours is not None:
                print(f"Still serving at {service.url}: Ctrl-C stops it, and nothing is kept.", flush=True)
                show_links(yours)
                threading.Event().wait()


def stop_on_signals() -> None:
    """Let the usual signals stop all processes and remove the folder, as Ctrl-C does; a second signal is ignored."""
    signals = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]

    def leave(number: int, frame: FrameType | None) -> None:
        for ignored in signals:
            signal.signal(ignored, signal.SIG_IGN)
        raise KeyboardInterrupt

    for handled in signals:
        signal.signal(handled, leave)


def connected(service: DemoService) -> Client:
    """Print how to sign in, and return a client for the owner."""
    print(f"Quorate serves at {service.url}: sign in as {OWNER} with the password {service.password}", flush=True)
    return Client(service.url, token=service.token)


@contextmanager
def invited(client: Client, service: DemoService, folder: Path) -> Iterator[Yours]:
    """Print the links for labelling by hand, and let a few simulated workers keep pace with you."""
    yours = yourself(client, folder)
    others = first_votes(client, yours)
    show_links(yours)
    with keeping_pace(service, yours, others):
        yield yours


def show_links(yours: Yours) -> None:
    """Print the links for labelling by hand."""
    print(f"Label some digits yourself, now or later:    {yours.worker}", flush=True)
    print(f"... or as the expert, who has some waiting:  {yours.expert}", flush=True)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        print("stopped", flush=True)
    except QuorateError as error:
        sys.exit(f"demo: {error}")
