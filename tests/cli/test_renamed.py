"""Former names of commands and options are accepted, with a note on stderr."""

import pytest

from quorate.cli.command_list import COMMANDS as NAMES
from quorate.cli.command_list import add_command, new_app
from quorate.cli.renamed import COMMANDS, OPTIONS, current_names
from tests.cli.running import Run


@pytest.mark.parametrize(
    ("former", "current"),
    [
        ("decide v.csv --probs p.csv --probs=q.csv", "decide v.csv --machines p.csv --machines=q.csv"),
        ("forecast v.csv --tasks 10", "forecast v.csv --n-tasks 10"),
        ("certify d.csv a.csv --delta 0.05", "certify d.csv a.csv --confidence 0.95"),
        ("certify d.csv a.csv --delta=0.2", "certify d.csv a.csv --confidence=0.8"),
        ("certify d.csv a.csv --delta much", "certify d.csv a.csv --confidence much"),
        ("replay v.csv --figure f.png --jobs 2", "try-policies v.csv --plot f.png --processes 2"),
        ("simulate votes --tasks 3", "simulate votes --n-tasks 3"),
        ("aggregate -- --probs", "aggregate -- --probs"),
        ("decide -- --probs", "decide -- --probs"),
        ("", ""),
    ],
)
def test_former_names_are_replaced(former: str, current: str) -> None:
    assert current_names(former.split()) == current.split()


def test_a_note_says_the_name_now(run: Run) -> None:
    code, out, err = run("simulate votes --out s.csv --tasks 20")
    assert code == 0
    assert "on 20 tasks" in out
    assert err == (
        "quorate: --tasks is called --n-tasks since version 0.2: use that, the former name will be removed\n"
    )
    code, out, err = run("replay votes.csv --gold gold.csv --policies fixed_votes --seeds 1 --figure f.png")
    assert code == 0
    assert "Written: f.png" in out
    assert "quorate replay is called quorate try-policies since version 0.2" in err
    assert "--figure is called --plot" in err


def test_a_former_command_has_help(run: Run) -> None:
    assert "Usage: quorate try-policies" in run("replay --help").out


def test_every_new_name_is_an_option_of_its_command() -> None:
    from typer.main import get_command

    assert set(COMMANDS.values()) <= set(NAMES)
    for command, options in OPTIONS.items():
        if command == "simulate":
            continue
        app = new_app()
        add_command(app, command)
        parameters = get_command(app).commands[command].params  # type: ignore[attr-defined]
        names = {name for parameter in parameters for name in parameter.opts}
        assert {option.name for option in options.values()} <= names
        assert not set(options) & names
