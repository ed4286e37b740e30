"""The app `quorate` with all its commands."""

from quorate.cli.command_list import COMMANDS, add_command, new_app
from quorate.cli.commands import simulate
from quorate.cli.main import main

__all__ = ["app", "main"]

app = new_app()
for name in COMMANDS:
    add_command(app, name)
app.add_typer(simulate.app, name="simulate", rich_help_panel="Votes")
