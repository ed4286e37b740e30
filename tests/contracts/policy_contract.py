"""What every policy promises, each promise a function that fails with an assertion where it is broken."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from quorate import Votes
from quorate.data.costs import CROWD, EXPERT, Costs, Prices
from quorate.data.decisions import ACCEPT, ASK, NOBODY, Decisions, Source
from quorate.decision.base import Machines, Policy, PoolState
from quorate.replay.classifiers import FixedClassifier
from quorate.replay.pool import replay
from quorate.typing import Array, Gold
from tests.crowds import small_crowd

Make = Callable[[Costs, Prices], Policy]
Check = Callable[[Make], None]

ONE_KIND, TWO_KINDS = Prices(), Prices(votes={EXPERT: 10.0, CROWD: 1.0})


@dataclass(frozen=True)
class Pool:
    """Votes on tasks, what a machine says of them, and what is known."""

    votes: Votes
    machines: Machines
    gold: Gold

    @property
    def everyone(self) -> NDArray[np.bool_]:
        return np.ones((self.votes.n_tasks, 2), dtype=bool)

    def state(self, policy: Policy, reachable: NDArray[np.bool_] | None = None) -> PoolState:
        model = policy.fit(self.votes, self.machines, self.gold)
        everyone = self.everyone if reachable is None else reachable
        return PoolState(
            votes=self.votes,
            machines=self.machines,
            model=model,
            gold=self.gold,
            open=everyone[:, : len(policy.prices.kinds)],
        )

    def decisions(self, policy: Policy, reachable: NDArray[np.bool_] | None = None) -> Decisions:
        return policy.decide(self.state(policy, reachable))


def some_machine(votes: Votes, seed: int = 0) -> Array:
    """A machine that leans to what most voters say, and has its own mind besides."""
    rng = np.random.default_rng(seed)
    pred_probs = rng.dirichlet(np.ones(votes.n_classes), votes.n_tasks) + votes.counts() * rng.random(
        (votes.n_tasks, 1)
    )
    return pred_probs / pred_probs.sum(axis=1, keepdims=True)


def pools() -> Iterator[Pool]:
    """Over two and three classes, with and without a machine, with and without gold; some tasks have no votes."""
    for n_classes in (2, 3):
        votes = small_crowd(n_classes)
        nothing = np.full(votes.n_tasks, -1)
        gold = np.where(np.arange(votes.n_tasks) % 7 == 0, np.arange(votes.n_tasks) % n_classes, -1)
        yield Pool(votes, {}, nothing)
        yield Pool(votes, {"m": some_machine(votes)}, nothing)
        yield Pool(votes, {"m": some_machine(votes), "other": some_machine(votes, 1)}, gold)


def cases(make: Make, error: float = 50.0) -> Iterator[tuple[Pool, Policy]]:
    """All pools, with a policy for each: with the crowd alone and with experts by turns."""
    for number, pool in enumerate(pools()):
        prices = TWO_KINDS if number % 2 else ONE_KIND
        yield pool, make(Costs.of_error(error, pool.votes.n_classes), prices)


def agree(first: Decisions, other: Decisions) -> bool:
    same = all(np.array_equal(getattr(first, name), getattr(other, name)) for name in ("action", "label", "ask"))
    near = all(
        np.allclose(getattr(first, name), getattr(other, name), atol=1e-6)
        for name in ("probs", "value", "expected_cost")
    )
    return same and near


def gives_a_row_per_task(make: Make) -> None:
    for pool, policy in cases(make):
        decisions = pool.decisions(policy)
        assert decisions.tasks is pool.votes.tasks
        assert decisions.classes is pool.votes.classes
        assert decisions.frame_kind == pool.votes.frame_kind
        assert decisions.probs.shape == (pool.votes.n_tasks, pool.votes.n_classes)
        assert np.all(decisions.probs >= 0)
        assert np.allclose(decisions.probs.sum(axis=1), 1)
        for column in (
            decisions.action,
            decisions.label,
            decisions.ask,
            decisions.expected_cost,
            decisions.value,
            decisions.source,
            decisions.reason,
        ):
            assert column.shape == (pool.votes.n_tasks,)


def says_why_in_words(make: Make) -> None:
    for pool, policy in cases(make):
        decisions = pool.decisions(policy)
        assert all(decisions.reasons[reason] for reason in decisions.reason)
        assert len(decisions.to_frame()) == pool.votes.n_tasks


def says_whom_it_asks(make: Make) -> None:
    for pool, policy in cases(make):
        decisions = pool.decisions(policy)
        assert decisions.kinds == policy.prices.kinds
        asks = decisions.action == ASK
        assert np.all(decisions.ask[~asks] == NOBODY)
        assert np.all((decisions.ask[asks] >= 0) & (decisions.ask[asks] < len(decisions.kinds)))


def gives_the_cheapest_label(make: Make) -> None:
    lopsided = np.array([[0.0, 30, 30], [1, 0, 30], [1, 1, 0]])
    for pool in pools():
        costs = Costs(matrix=lopsided[: pool.votes.n_classes, : pool.votes.n_classes])
        decisions = pool.decisions(make(costs, ONE_KIND))
        label, cost = costs.cheapest(decisions.probs)
        free = pool.gold < 0
        assert np.array_equal(decisions.label[free], label[free])
        assert np.allclose(decisions.expected_cost[free], cost[free])


def decides_on_a_slice_as_on_all(make: Make) -> None:
    for pool, policy in cases(make):
        state = pool.state(policy)
        rows = np.array([40, 3, 64, 7, 8])
        part = PoolState(
            votes=state.votes.subset(tasks=rows),
            machines={name: pred_probs[rows] for name, pred_probs in state.machines.items()},
            model=state.model,
            gold=state.gold[rows],
            open=state.open[rows],
        )
        of_all, of_part = policy.decide(state), policy.decide(part)
        assert np.array_equal(of_all.action[rows], of_part.action)
        assert np.array_equal(of_all.label[rows], of_part.label)
        assert np.array_equal(of_all.ask[rows], of_part.ask)
        assert np.allclose(of_all.probs[rows], of_part.probs)
        assert np.allclose(of_all.value[rows], of_part.value)


def asks_nobody_who_cannot_vote(make: Make) -> None:
    for pool, policy in cases(make):
        reachable = pool.everyone
        reachable[::2] = False
        decisions = pool.decisions(policy, reachable)
        assert np.all(decisions.action[::2] == ACCEPT)
        crowd_gone = pool.everyone
        crowd_gone[:, policy.prices.kinds.index(CROWD)] = False
        decisions = pool.decisions(policy, crowd_gone)
        asked = decisions.ask[decisions.action == ASK]
        assert all(decisions.kinds[kind] == EXPERT for kind in asked)


def believes_gold_and_asks_no_more(make: Make) -> None:
    for pool, policy in cases(make):
        has_gold = pool.gold >= 0
        decisions = pool.decisions(policy)
        assert np.all(decisions.action[has_gold] == ACCEPT)
        assert np.array_equal(decisions.label[has_gold], pool.gold[has_gold])


def names_the_source_of_every_label(make: Make) -> None:
    for pool, policy in cases(make):
        source = pool.decisions(policy).source
        assert np.array_equal(source == Source.EXPERT, pool.gold >= 0)
        assert np.array_equal(source == Source.MODEL, pool.gold < 0)


def gives_the_same_twice(make: Make) -> None:
    for pool, policy in cases(make):
        assert agree(pool.decisions(policy), pool.decisions(policy))


def ignores_the_order_of_votes(make: Make) -> None:
    for pool, policy in cases(make):
        shuffled = pool.votes.subset(rows=np.random.default_rng(2).permutation(len(pool.votes)))
        assert agree(pool.decisions(policy), replace(pool, votes=shuffled).decisions(policy))


def follows_a_renaming_of_classes(make: Make) -> None:
    for pool, policy in cases(make):
        votes, rename = pool.votes, np.roll(np.arange(pool.votes.n_classes), 1)
        renamed = Pool(
            replace(votes, label=rename[votes.label]),
            {name: pred_probs[:, np.argsort(rename)] for name, pred_probs in pool.machines.items()},
            np.where(pool.gold >= 0, rename[pool.gold], -1),
        )
        decisions, after = pool.decisions(policy), renamed.decisions(policy)
        assert np.allclose(decisions.probs, after.probs[:, rename], atol=1e-6)
        assert np.array_equal(decisions.action, after.action)
        risks = np.sort(policy.costs.risks(decisions.probs), axis=1)
        clear = risks[:, 1] - risks[:, 0] > 1e-6  # ties go to the lowest class, whatever its name
        assert np.array_equal(rename[decisions.label[clear]], after.label[clear])


def takes_no_votes_at_all(make: Make) -> None:
    for n_tasks in (4, 0):
        votes = Votes.from_arrays([], [], [], n_classes=3, n_tasks=n_tasks, n_workers=2)
        for machines in ({}, {"m": some_machine(votes)}):
            policy = make(Costs.of_error(50.0, 3), ONE_KIND)
            decisions = Pool(votes, machines, np.full(n_tasks, -1)).decisions(policy)
            assert decisions.probs.shape == (n_tasks, 3)
            assert np.allclose(decisions.probs.sum(axis=1), 1)


def never_accepts_more_when_errors_cost_more(make: Make) -> None:
    for (pool, cheap), (_, dear) in zip(cases(make, 5.0), cases(make, 500.0), strict=True):
        asks = pool.decisions(cheap).action == ASK
        assert np.all(pool.decisions(dear).action[asks] == ASK)


def goes_on_from_an_earlier_fit(make: Make) -> None:
    for pool, policy in cases(make):
        earlier = replace(pool, votes=pool.votes.subset(rows=np.arange(len(pool.votes)) % 3 > 0))
        start = policy.fit(earlier.votes, earlier.machines, earlier.gold)
        again = policy.fit(pool.votes, pool.machines, pool.gold, start)
        whole = policy.fit(pool.votes, pool.machines, pool.gold)
        apart = again.posterior(pool.votes, pool.machines) - whole.posterior(pool.votes, pool.machines)
        assert np.abs(apart).mean() < 0.05


def ends_a_replay_within_the_recorded_votes(make: Make) -> None:
    for pool, policy in list(cases(make))[:4]:  # both numbers of classes, both kinds of prices
        truth = np.arange(pool.votes.n_tasks) % pool.votes.n_classes
        machine = FixedClassifier(pool.machines["m"]) if pool.machines else None
        first, other = (replay(policy, pool.votes, truth, machine, known_gold=pool.gold, seed=3) for _ in range(2))
        assert np.all(first.votes <= pool.votes.votes_per_task)
        assert np.all((first.label >= 0) & (first.label < pool.votes.n_classes))
        assert first.rounds < 500
        assert np.array_equal(first.label, other.label)
        assert np.array_equal(first.spent, other.spent)


def leaves_its_input_alone(make: Make) -> None:
    for pool, policy in cases(make):
        before = [pred_probs.copy() for pred_probs in pool.machines.values()], pool.gold.copy()
        state = pool.state(policy)
        mask = state.open.copy()
        policy.decide(state)
        assert all(map(np.array_equal, pool.machines.values(), before[0]))
        assert np.array_equal(pool.gold, before[1])
        assert np.array_equal(state.open, mask)


CHECKS: list[Check] = [
    gives_a_row_per_task,
    says_why_in_words,
    says_whom_it_asks,
    gives_the_cheapest_label,
    decides_on_a_slice_as_on_all,
    asks_nobody_who_cannot_vote,
    believes_gold_and_asks_no_more,
    names_the_source_of_every_label,
    gives_the_same_twice,
    ignores_the_order_of_votes,
    follows_a_renaming_of_classes,
    takes_no_votes_at_all,
    never_accepts_more_when_errors_cost_more,
    goes_on_from_an_earlier_fit,
    ends_a_replay_within_the_recorded_votes,
    leaves_its_input_alone,
]
