"""`quorate`: all its commands put together."""

from quorate.cli.base_app import new_app
from quorate.cli.commands import (
    aggregate,
    agreement,
    backup,
    calibrate,
    certify,
    compare,
    convert,
    decide,
    doctor,
    forecast,
    identify,
    learner,
    methods,
    predict,
    replay,
    restore,
    serve,
    simulate,
    train,
    workers,
)
from quorate.cli.main import main

__all__ = ["app", "main"]

app = new_app()
LABELS = (aggregate, compare, workers, identify, agreement)
SERVICE = (serve, learner, backup, restore, doctor)
OTHERS = (train, predict, calibrate, decide, forecast, certify, replay, convert, methods)
for module in (*LABELS, *OTHERS, *SERVICE):
    app.command(name=module.__name__.rsplit(".", 1)[-1], epilog=module.EXAMPLES)(module.command)
app.add_typer(simulate.app, name="simulate")
