import numpy as np
import pytest

from quorate.client.simulated_crowd.people import Ability, people
from quorate.errors import MethodError

CLASSES = [str(digit) for digit in range(10)]
KEYS = [f"{number}.png" for number in range(3000)]


def accuracy(person: Ability) -> float:
    return float(np.mean([person.answer("label", key, "3", CLASSES) == "3" for key in KEYS]))


def test_votes_are_reproducible() -> None:
    person, same, other = (people(1, seed=seed)[0] for seed in (1, 1, 2))
    first, second, third = ([who.answer("label", key, "3", CLASSES) for key in KEYS] for who in (person, same, other))
    assert first == second
    assert first != third


def test_each_kind_has_its_accuracy() -> None:
    by_kind = {kind: accuracy(Ability(name=kind, kind=kind, seed=3)) for kind in ("expert", "reliable", "spammer")}
    assert abs(by_kind["expert"] - 0.99) < 0.01
    assert 0.6 < by_kind["reliable"] < 0.9
    assert by_kind["spammer"] < 0.4


def test_workers_are_wrong_about_the_same_items() -> None:
    reliable = [person for person in people(30, seed=4) if person.kind == "reliable"]
    wrong = np.array([[who.answer("label", key, "3", CLASSES) != "3" for key in KEYS[:500]] for who in reliable])
    variance = wrong.mean(axis=0).var()  # of the error rate between items
    by_chance = (wrong.mean() * (1 - wrong.mean())) / len(reliable)
    assert variance > 1.3 * by_chance


def test_response_times_depend_on_the_kind() -> None:
    seconds = {
        kind: np.median([Ability(name="one", kind=kind, seed=5).seconds("label", key) for key in KEYS])
        for kind in ("reliable", "spammer")
    }
    assert 3.5 < seconds["reliable"] < 4.5
    assert seconds["spammer"] < 1.5


def test_a_true_label_that_is_not_a_class_is_rejected() -> None:
    with pytest.raises(MethodError, match=r"the true label of 'a' is 'x', but 'label' has the classes 0, 1"):
        people(1)[0].answer("label", "a", "x", CLASSES)


def test_an_empty_crowd_is_rejected() -> None:
    with pytest.raises(MethodError, match="must not be negative or both zero"):
        people(0)
