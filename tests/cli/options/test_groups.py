"""Option groups are expanded into the options of a command, and come back as objects."""

import inspect
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import pytest
import typer
from typer.testing import CliRunner

from quorate.cli.options.groups import with_option_groups


@dataclass(frozen=True, kw_only=True)
class Costs:
    """A group."""

    PANEL: ClassVar[str] = "Costs"

    cost_error: Annotated[float, typer.Option(help="Cost of an error.")] = 100.0
    price: Annotated[list[str] | None, typer.Option("--price", help="Price.", rich_help_panel="Prices")] = None


@dataclass(frozen=True, kw_only=True)
class Required:
    """A group with an option that must be given."""

    out: Annotated[str, typer.Option(help="Where to write.")]


def run_app(command: Any, *arguments: str) -> Any:
    app = typer.Typer()
    app.command()(command)
    return CliRunner().invoke(app, list(arguments))


@with_option_groups
def example(*, votes: Annotated[str, typer.Argument()], costs: Costs, seed: int = 0) -> None:
    """Show what was given."""
    print(votes, costs, seed)


def test_a_command_gets_objects_of_its_groups() -> None:
    result = run_app(example, "v.csv", "--cost-error", "5", "--price", "crowd=1", "--seed", "3")
    assert result.output.split("\n")[0] == "v.csv Costs(cost_error=5.0, price=['crowd=1']) 3"
    assert "Costs(cost_error=100.0, price=None) 0" in run_app(example, "v.csv").output


def test_options_stand_where_the_group_stood() -> None:
    assert list(inspect.signature(example).parameters) == ["votes", "cost_error", "price", "seed"]
    assert example.__doc__ == "Show what was given."


def test_the_help_shows_the_panel_of_the_group() -> None:
    text = run_app(example, "--help").output
    assert text.index("Costs") < text.index("--cost-error") < text.index("Prices") < text.index("--price")


def test_the_annotations_of_the_group_are_not_changed() -> None:
    option = Costs.__dataclass_fields__["cost_error"].type.__metadata__[0]  # type: ignore[union-attr]
    assert option.rich_help_panel is None


def test_an_option_without_a_default_is_required() -> None:
    @with_option_groups
    def command(*, files: Required) -> None:
        print(files.out)

    assert run_app(command).exit_code == 2
    assert run_app(command, "--out", "x").output == "x\n"


def test_two_options_of_one_name_are_refused() -> None:
    def command(*, costs: Costs, cost_error: float = 0.0) -> None:
        pass

    with pytest.raises(TypeError, match="has options twice: cost_error"):
        with_option_groups(command)
