import numpy as np
import pytest

from quorate.client.simulated_crowd.people import Ability, people
from quorate.errors import MethodError

CLASSES = [str(digit) for digit in range(10)]
KEYS = [f"{number}.png" for number in range(3000)]


def right(person: Ability) -> float:
    return float(np.mean([person.answer("label", key, "3", CLASSES) == "3" for key in KEYS]))


def test_the_same_is_answered_whenever_it_is_asked() -> None:
    one, again, other = (people(1, seed=seed)[0] for seed in (1, 1, 2))
    first, second, third = ([who.answer("label", key, "3", CLASSES) for key in KEYS] for who in (one, again, other))
    assert first == second
    assert first != third


def test_each_kind_is_as_good_as_it_is_called() -> None:
    by_kind = {kind: right(Ability(name=kind, kind=kind, seed=3)) for kind in ("expert", "reliable", "spammer")}
    assert abs(by_kind["expert"] - 0.99) < 0.01
    assert 0.6 < by_kind["reliable"] < 0.9
    assert by_kind["spammer"] < 0.4


def test_workers_are_wrong_about_the_same_items() -> None:
    reliable = [person for person in people(30, seed=4) if person.kind == "reliable"]
    wrong = np.array([[who.answer("label", key, "3", CLASSES) != "3" for key in KEYS[:500]] for who in reliable])
    apart = wrong.mean(axis=0).var()  # of the share who are wrong, from item to item
    by_chance = (wrong.mean() * (1 - wrong.mean())) / len(reliable)
    assert apart > 1.3 * by_chance


def test_thinking_takes_its_time() -> None:
    seconds = {
        kind: np.median([Ability(name="one", kind=kind, seed=5).seconds("label", key) for key in KEYS])
        for kind in ("reliable", "spammer")
    }
    assert 3.5 < seconds["reliable"] < 4.5
    assert seconds["spammer"] < 1.5


def test_a_truth_that_is_no_class_is_told() -> None:
    with pytest.raises(MethodError, match=r"the truth of 'a' is 'x', but 'label' has the classes 0, 1"):
        people(1)[0].answer("label", "a", "x", CLASSES)


def test_nobody_is_refused() -> None:
    with pytest.raises(MethodError, match="there must be somebody"):
        people(0)
