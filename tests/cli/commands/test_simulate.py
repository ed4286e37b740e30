"""`quorate simulate three_circles` and its like: items, votes and gold in files that other commands read."""

import polars as pl
import pytest

from quorate.simulation.moons import two_moons
from tests.cli.running import Run

FILES = "--items-out i.csv --gold-out g.csv --test-items-out t.csv --test-gold-out tg.csv"


def test_every_file_holds_its_part_of_the_set(call: Run) -> None:
    code, out, _ = call(f"simulate two_moons --out v.csv {FILES} --seed 3")
    assert (code, out) == (0, "1,050 votes of 3 workers on 350 tasks written to v.csv; 150 items to test on\n")
    moons = two_moons(seed=3)
    items, test, gold, test_gold = (pl.read_csv(name) for name in ("i.csv", "t.csv", "g.csv", "tg.csv"))
    assert items.columns == test.columns == ["task", "x0", "x1"]
    assert items["x1"].to_list() == pytest.approx(moons.x[:, 1].tolist())
    assert test["x0"].to_list() == pytest.approx(moons.test_x[:, 0].tolist())
    assert gold["label"].to_list() == moons.gold.tolist()
    assert test_gold["label"].to_list() == moons.test_gold.tolist()
    assert test["task"].to_list() == test_gold["task"].to_list() == moons.test_tasks.tolist()


def test_other_commands_read_what_was_made(call: Run) -> None:
    assert call(f"simulate three_circles --out v.csv {FILES}")[0] == 0
    code, out, _ = call("compare v.csv --gold g.csv --format csv")
    assert code == 0
    assert "majority" in out
    code, out, _ = call("train i.csv v.csv --gold g.csv --learner linear --out model")
    assert code == 0, out


def test_many_workers_are_a_command_too(call: Run) -> None:
    code, out, _ = call("simulate many_workers --help")
    assert code == 0
    assert "Examples:" in out


def test_the_default_of_workers_can_be_typed_as_the_help_shows_it(call: Run) -> None:
    text = " ".join(call("simulate votes --help").out.replace("│", " ").split())
    workers = text.partition('Default: "')[2].partition('"')[0].replace(" ", "")
    assert workers.startswith("reliable=20,")
    assert call(f"simulate votes --out typed.csv --workers {workers}").code == 0
    assert call("simulate votes --out default.csv").code == 0
    assert pl.read_csv("typed.csv").equals(pl.read_csv("default.csv"))


def test_errors_are_one_line(call: Run) -> None:
    for command, message in (
        ("simulate two_moons --out v.csv --seed -1", "--seed"),
        ("simulate two_moons --out v.csv --items-out v.csv", "two of the files are the same"),
        ("simulate four_suns --out v.csv", "No such command"),
    ):
        code, out, error = call(command)
        assert (code, out) == (2, "")
        assert error.startswith("quorate: ")
        assert message in error
