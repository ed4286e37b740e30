from quorate import registry
from quorate.cli.options.build_learner import LEARNERS
from tests.cli.running import Run

N_METHODS = len(registry.names("aggregation"))


def test_methods(run: Run) -> None:
    assert f"{N_METHODS} methods" in run("methods").out
    rows = run("methods --format json").json()
    options = {row["method"]: row["options"] for row in rows}
    assert "shrink=pool" in options["dawid_skene"]
    assert "shrink=1.0" in options["crowd_layer"]
    folders = {row["folder"] for row in rows}
    assert folders == {
        "aggregation",
        "ambiguity",
        "calibration",
        "decision.fusion",
        "decision.policies",
        "learning",
        *(f"learning.{part}" for part in ("bases", "heads", "losses", "recipe", "schedules", "steps", "targets")),
    }
    assert {row["method"] for row in rows if row["folder"] == "learning"} == set(LEARNERS)
    assert (options["joint_em"].split(",")[0], options["cyclic"]) == ("rounds=5", "period=20, low=0.1")
    assert "given=LogLinear(usual=(0.8, 0.7)), taught=Difficulty(" in options["auto"]
    assert not any("lambda" in text for text in options.values())
    assert "optimiser=adamw" in options["recipe"]
    assert "4 learners: classifiers to train" in run("methods").out
