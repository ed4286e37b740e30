"""`quorate learner`: the learner as a process of its own, for servers that run with `quorate serve --no-learner`."""

import signal
import threading

from quorate.cli import console
from quorate.cli.options import output
from quorate.cli.options.service import DatabaseUrl, DataFolder, settings_of

EXAMPLES = output.examples(
    "quorate learner",
    "QUORATE_DATABASE_URL=postgresql://quorate@localhost/quorate quorate learner",
)


def command(data: DataFolder = None, database_url: DatabaseUrl = None) -> None:
    """Learn from votes as they come in, until Ctrl-C or SIGTERM. A database has one learner.

    `quorate serve` starts one by itself. Use this command where the servers run with --no-learner, such as on a machine
    of its own for the learner.
    """
    settings = settings_of(data=data, database_url=database_url)
    from quorate.service.learner.process import run_learner
    from quorate.service.logs import set_up_logs

    stopping = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda number, frame: stopping.set())
    set_up_logs(settings.log_level, settings.log_format)
    console.line("the learner is running (stop it with Ctrl-C)")
    run_learner(stopping, settings)
