"""An option of a command and the parameter of the function that it calls have the same name."""

import inspect
from collections.abc import Callable
from typing import Any

import pytest

import quorate
from quorate.cli.command_list import GROUPS
from quorate.cli.commands import (
    aggregate,
    agreement,
    calibrate,
    certify,
    compare,
    decide,
    forecast,
    identify,
    predict,
    simulate,
    train,
    try_policies,
    workers,
)

READING = {"path", "columns", "classes", "duplicates", "image_size"}  # how files are read
OUTPUT = {"out", "workers_out", "votes_out", "gold_out", "plot", "gallery", "format", "top"}
COSTS = {"cost_matrix", "false_positive", "false_negative", "positive", "unclassifiable"}  # parts of `costs`
VERBS: list[tuple[Any, Callable[..., Any], set[str]]] = [  # command, function, options that are no parameters
    (aggregate, quorate.aggregate, {"option"}),
    (agreement, quorate.agreement, {"method"}),  # the function takes a posterior
    (calibrate, quorate.calibrate, {"kind", "apply", "option"}),
    (certify, quorate.certify, set()),
    (compare, quorate.compare, set()),
    (decide, quorate.decide, COSTS | {"price", "option"}),
    (forecast, quorate.forecast, COSTS | {"price", "option", "items"}),  # features in items are `x`
    (try_policies, quorate.try_policies, COSTS | {"price", "items"}),
    (workers, quorate.workers, {"method", "gold"}),
]
LEARNER = {"base", "head", "target", "loss", "members", "calibrator", "option", "epochs", "batch_size", "lr"}
LEARNER |= {"weight_decay", "mixup", "balance", "patience", "step", "schedule"}  # parts of `learner`
STREAM = {"rate", "horizon", "window", "half_life", "check_share"}  # parts of `stream`
VERBS += [
    (identify, quorate.identify, LEARNER | {"items", "method", "seed", "prune", "per_class"}),
    (train, quorate.train, LEARNER | {"predictions", "consensus"}),
    (predict, quorate.predict, {"gold"}),
    (simulate, quorate.simulate_votes, set()),
]


@pytest.mark.parametrize(("module", "verb", "others"), VERBS, ids=lambda value: getattr(value, "__name__", ""))
def test_every_option_is_a_parameter(module: Any, verb: Callable[..., Any], others: set[str]) -> None:
    options = set(inspect.signature(module.command).parameters)
    parameters = set(inspect.signature(verb).parameters)
    unknown = options - parameters - READING - OUTPUT - others - STREAM
    assert not unknown, f"rename these options, or the parameters of {verb.__name__}: {sorted(unknown)}"


def test_every_command_that_has_a_function_is_compared() -> None:
    compared = {module.__name__.rsplit(".", 1)[-1].replace("_", "-") for module, _, _ in VERBS}
    named = {name for group in ("Votes", "Classifiers", "Decisions") for name in GROUPS[group]}
    assert named - compared == {"convert", "methods"}
