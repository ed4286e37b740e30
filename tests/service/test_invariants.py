"""Whatever voters, requesters and the clock do, in whatever order: the rules of the service hold, on both databases."""

from typing import Any

import pytest
from hypothesis import HealthCheck, settings, strategies
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test
from sqlalchemy import select, update

from quorate.service.decisions.activation import move, open_arrivals
from quorate.service.decisions.decide import decide_tasks
from quorate.service.errors import Conflict, Refused
from quorate.service.items.classify import classify
from quorate.service.items.insert import NewItem
from quorate.service.items.overrides import ask_expert, relabel, reopen
from quorate.service.items.rows import Row
from quorate.service.operations.invariants import broken_rules
from quorate.service.projects.plan import plan_of
from quorate.service.projects.projects import get, parse_settings
from quorate.service.refit.inputs import Memory
from quorate.service.refit.round import run_round
from quorate.service.refit.settings_change import put_in_force
from quorate.service.refit.write_tasks import Pace
from quorate.service.store.blobs import to_blob
from quorate.service.store.database import Store
from quorate.service.store.tables import items, leases, metadata, projects, tasks, voters, votes
from quorate.service.work import leases as lease_cases
from quorate.service.work.amend import amend
from tests.service.conftest import Clock
from tests.service.pools import add_items, ask, make_project, make_voters, vote
from tests.service.taught import make_taught_project
from tests.sizes import sized

N_VOTES, BUDGET, LEASE_SECONDS = 3, 14.0, 120.0
WHO = strategies.integers(0, 5)
LABELS = strategies.sampled_from(["cat", "dog"])
SETTINGS: dict[str, Any] = {
    "budget": BUDGET,
    "prices": {"votes": {"crowd": 1.0, "expert": 2.0}, "platform_fee": 0.1},
    "workers": {"gold_share": 0.2, "batch": 3, "lease_seconds": LEASE_SECONDS},
    "audit_share": 0.5,
}
MACHINE_PRICES = (0.0, 0.7, 1.5)


class Service(RuleBasedStateMachine):
    """Six voters and an expert on five items of which one is known, and not enough money for all."""

    def __init__(self, store: Store, clock: Clock) -> None:
        super().__init__()
        self.store, self.clock = store, clock
        with store.write() as connection:
            for table in reversed(metadata.sorted_tables):
                connection.execute(table.delete())
        self.project = self.make()
        self.voters = [*make_voters(store, self.project, 6), *make_voters(store, self.project, 1, kind="expert")]
        self.hand: dict[int, list[int]] = {}
        self.acknowledged: list[tuple[int, int]] = []  # voter and vote
        self.n_keys = 0

    def make(self) -> int:
        return make_project(
            self.store, 5, gold={0: 1}, policy={"name": "fixed_votes", "options": {"n": N_VOTES}}, **SETTINGS
        )

    def key(self) -> str:
        self.n_keys += 1
        return f"k{self.n_keys}"

    @rule(who=strategies.integers(0, 6), n=strategies.integers(1, 3))
    def ask_for_work(self, who: int, n: int) -> None:
        served = ask(self.store, self.voters[who], n)
        self.hand[who] = [row.id for row in served.leases]
        assert len(served.leases) <= n

    @rule(who=strategies.integers(0, 6), label=LABELS, said=strategies.sampled_from(["vote", "vote", "skip", "unsure"]))
    def answer(self, who: int, label: str, said: str) -> None:
        for lease in self.hand.get(who, [])[:1]:
            key = self.key()
            try:
                taken = [vote(self.store, self.voters[who], lease, label, response=said, key=key) for _ in range(2)]
            except Refused:
                return
            if taken[0].outcome == "counted":
                assert taken[1].outcome == "repeated"
                assert taken[0].vote is not None
                self.acknowledged.append((self.voters[who], taken[0].vote))
            self.hand[who] = self.hand[who][1:]

    @precondition(lambda self: self.acknowledged)
    @rule(data=strategies.data(), label=LABELS, said=strategies.sampled_from(["vote", "unsure"]))
    def change_mind(self, data: Any, label: str, said: str) -> None:
        voter, old = data.draw(strategies.sampled_from(self.acknowledged))
        try:
            with self.store.write() as connection:
                new = amend(connection, voter, old, label=label, response=said, key=self.key(), now=self.store.clock())
        except (Conflict, Refused):
            return
        self.acknowledged.append((voter, new))

    @rule(who=WHO)
    def give_back(self, who: int) -> None:
        with self.store.write() as connection:
            lease_cases.give_back(connection, self.project, self.voters[who], self.hand.pop(who, [0]))

    @rule(who=WHO)
    def stay_at_work(self, who: int) -> None:
        with self.store.write() as connection:
            now = self.store.clock()
            lease_cases.heartbeat(connection, self.voters[who], self.hand.get(who, [0]), now, now + LEASE_SECONDS)

    @rule(seconds=strategies.sampled_from([1.0, 50.0, 130.0]))
    def wait(self, seconds: float) -> None:
        self.clock.now += seconds
        with self.store.write() as connection:
            lease_cases.sweep(connection, self.project, self.store.clock())
            stuck = select(leases.c.id).where(leases.c.expires_at <= self.clock.now)
            assert connection.execute(stuck).first() is None

    @rule(who=WHO, state=strategies.sampled_from(["blocked", "active"]))
    def block_or_unblock(self, who: int, state: str) -> None:
        voter = self.voters[who]
        with self.store.write() as connection:
            connection.execute(update(voters).where(voters.c.id == voter).values(state=state))
            lease_cases.release(connection, self.project, voter)
            own = sorted(set(connection.execute(select(votes.c.task_id).where(votes.c.voter_id == voter)).scalars()))
            plan = plan_of(connection, self.project, get(connection, self.project).settings_version)
            decide_tasks(connection, plan, own, self.store.clock())

    @rule(number=strategies.integers(0, 4), act=strategies.sampled_from([reopen, ask_expert]))
    def override(self, number: int, act: Any) -> None:
        self._override(number, act)

    @rule(number=strategies.integers(0, 4), label=LABELS)
    def relabel_one(self, number: int, label: str) -> None:
        self._override(number, relabel, label=label)

    def _override(self, number: int, act: Any, **more: str) -> None:
        try:
            with self.store.write() as connection:
                plan = plan_of(connection, self.project, get(connection, self.project).settings_version)
                item = connection.execute(select(tasks.c.item_id).order_by(tasks.c.id).offset(number)).scalars().first()
                act(connection, plan, item, "pet", **more, actor="test", now=self.store.clock())
        except Conflict:
            return

    @rule()
    def pause_and_go_on(self) -> None:
        move(self.store, self.project, "paused", "test")
        assert ask(self.store, self.voters[0]).state in ("wait", "failed")
        move(self.store, self.project, "running", "test")

    @invariant()
    def nothing_is_broken(self) -> None:
        with self.store.read() as connection:
            broken = {rule: n for rule, n in broken_rules(connection).items() if n}
        assert not broken

    @invariant()
    def no_item_is_over_asked(self) -> None:
        """By votes of the crowd that count and leases on work: a vote that was taken back or blocked asks anew.

        Where a requester asked for more, there may be more.
        """
        with self.store.read() as connection:
            asked = select(tasks).where(tasks.c.status == "asking", tasks.c.wish.is_(None))
            for row in connection.execute(asked):
                assert row.n_votes + row.leased <= N_VOTES
                assert row.n_votes < N_VOTES

    @invariant()
    def money_is_never_overrun(self) -> None:
        with self.store.read() as connection:
            row = connection.execute(select(projects)).one()
        assert row.spent + row.committed <= row.money_limit == round(BUDGET * 1e6)

    @invariant()
    def no_acknowledged_vote_is_lost(self) -> None:
        with self.store.read() as connection:
            there = set(connection.execute(select(votes.c.id)).scalars())
        assert {vote_id for _, vote_id in self.acknowledged} <= there


class ServiceWithClassifier(Service):
    """The same with a classifier that costs money: rounds of the learner, items to classify, and prices that change."""

    def make(self) -> int:
        self.memory: dict[int, Memory] = {}
        self.seen_charges: dict[int, int] = {}
        self.n_classified = 0
        prices = SETTINGS["prices"] | {"machine": MACHINE_PRICES[-1]}
        project = make_taught_project(self.store, **SETTINGS | {"prices": prices})
        new = [NewItem(str(n), "features", {}, to_blob([n - 2.0])) for n in range(5)]
        added = add_items(self.store, project, new)
        open_arrivals(self.store, project, added.task_ids)
        return project

    @rule(lesson=strategies.booleans())
    def learn(self, lesson: bool) -> None:
        run_round(self.store, self.project, self.memory, lesson=lesson, pace=Pace(pause=lambda seconds: None))

    @precondition(lambda self: self.n_classified < 4)
    @rule(number=strategies.sampled_from([-3.0, 0.0, 3.0]))
    def classify_one(self, number: float) -> None:
        self.n_classified += 1
        row = Row(1, f"new {self.n_classified}", "features", {}, (number,))
        classify(self.store, self.project, [row])

    @rule(price=strategies.sampled_from(MACHINE_PRICES))
    def change_price(self, price: float) -> None:
        with self.store.read() as connection:
            now = get(connection, self.project).settings
        put_in_force(
            self.store, self.project, parse_settings(now | {"prices": now["prices"] | {"machine": price}}), "test"
        )

    @invariant()
    def no_item_is_over_asked(self) -> None:
        with self.store.read() as connection:
            most = get(connection, self.project).settings["votes_per_item"]
            for row in connection.execute(select(tasks).where(tasks.c.status == "asking", tasks.c.wish.is_(None))):
                assert row.n_votes + row.leased <= most

    @invariant()
    def no_item_is_charged_twice(self) -> None:
        with self.store.read() as connection:
            charged = select(items.c.id, items.c.machine_cost).where(items.c.machine_cost.is_not(None))
            found: dict[int, int] = dict(connection.execute(charged).all())
            spent = get(connection, self.project).machine_spent
        assert self.seen_charges.items() <= found.items()  # what was charged stays as it is
        assert set(found.values()) <= {round(price * 1e6) for price in MACHINE_PRICES}
        assert sum(found.values()) == spent
        self.seen_charges = found


@pytest.mark.sized
@pytest.mark.parametrize(
    ("machine", "examples"),
    [(Service, sized(8, 50)), (ServiceWithClassifier, sized(4, 30))],
    ids=["votes", "classifier"],
)
def test_the_rules_hold_whatever_happens(store: Store, clock: Clock, machine: type[Service], examples: int) -> None:
    run_state_machine_as_test(
        lambda: machine(store, clock),  # type: ignore[arg-type]  # any factory will do
        settings=settings(
            max_examples=examples if store.is_sqlite else examples // 3,
            stateful_step_count=40,
            deadline=None,
            suppress_health_check=list(HealthCheck),
            database=None,
            derandomize=True,
        ),
    )
