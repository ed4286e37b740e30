"""What every fusion promises."""

import numpy as np
import pytest

from quorate import registry
from quorate.data.votes import Votes
from quorate.decision.base import Fusion
from tests.decision.fusion.pools import a_pool

NAMES = registry.names("decision.fusion")


def made(name: str) -> Fusion:
    fusion: Fusion = registry.method("decision.fusion", name)
    return fusion


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("with_machine", [True, False])
def test_rows_sum_to_one_and_stand_alone(name: str, with_machine: bool) -> None:
    votes, machines, _ = a_pool()
    machines = machines if with_machine else {}
    model = made(name).fit(votes, machines)
    probs = model.posterior(votes, machines)
    assert probs.sum(axis=1) == pytest.approx(1.0)
    rows = np.array([5, 80, 3])
    part = {key: pred_probs[rows] for key, pred_probs in machines.items()}
    assert model.posterior(votes.subset(tasks=rows), part) == pytest.approx(probs[rows])
    belief = model.belief(votes, machines)
    assert belief.probs == pytest.approx(probs)
    assert belief.answers.sum(axis=2) == pytest.approx(1.0)


@pytest.mark.parametrize("name", NAMES)
def test_gold_is_certain_and_votes_are_right_more_often_than_not(name: str) -> None:
    votes, machines, gold = a_pool()
    gold_of_some = np.where(np.arange(120) < 20, gold, -1)
    probs = made(name).fit(votes, machines, gold_of_some).posterior(votes, machines, gold_of_some)
    assert (probs[:20].argmax(axis=1) == gold[:20]).all()
    assert probs[:20].max(axis=1).min() == 1
    assert (probs.argmax(axis=1) == gold).mean() > 0.8


@pytest.mark.parametrize("name", NAMES)
def test_it_takes_no_votes_at_all_and_several_machines(name: str) -> None:
    votes, machines, _ = a_pool()
    none = votes.subset(rows=[])
    two = {"one": machines["machine"], "two": machines["machine"]}
    probs = made(name).fit(none, two).posterior(none, two)
    assert np.isfinite(probs).all()
    assert (probs.argmax(axis=1) == machines["machine"].argmax(axis=1)).mean() > 0.9


@pytest.mark.parametrize("name", NAMES)
def test_it_goes_on_from_an_earlier_fit(name: str) -> None:
    votes, machines, gold = a_pool()
    fusion = made(name)
    earlier = fusion.fit(votes.subset(rows=np.arange(len(votes)) % 2 == 0), machines)
    probs = fusion.fit(votes, machines, None, earlier).posterior(votes, machines)
    assert (probs.argmax(axis=1) == gold).mean() > 0.8


@pytest.mark.parametrize("name", NAMES)
def test_classes_may_be_renamed(name: str) -> None:
    votes, machines, _ = a_pool(n_classes=2)
    turned = Votes.from_arrays(votes.task, votes.worker, 1 - votes.label, n_classes=2)
    votes = Votes.from_arrays(votes.task, votes.worker, votes.label, n_classes=2)
    other = {key: pred_probs[:, ::-1] for key, pred_probs in machines.items()}
    probs = made(name).fit(votes, machines).posterior(votes, machines)
    assert made(name).fit(turned, other).posterior(turned, other)[:, ::-1] == pytest.approx(probs, abs=1e-6)
