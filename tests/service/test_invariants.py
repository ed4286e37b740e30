"""Whatever voters, requesters and the clock do, in whatever order: the rules of the service hold, on both databases."""

from typing import Any

from hypothesis import HealthCheck, settings, strategies
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test
from sqlalchemy import select, update

from quorate.service.errors import Conflict, Refused
from quorate.service.recount import broken_rules
from quorate.service.store.database import Store
from quorate.service.store.tables import leases, metadata, projects, tasks, voters, votes
from quorate.service.usecases import leases as lease_cases
from quorate.service.usecases.amending import amend
from quorate.service.usecases.opening import move
from quorate.service.usecases.overriding import ask_expert, relabel, reopen
from quorate.service.usecases.projects import get, plan_of
from quorate.service.usecases.tasks import decide_again
from tests.service.conftest import Clock
from tests.service.pools import ask, make_project, make_voters, vote

N_VOTES, BUDGET, LEASE_SECONDS = 3, 14.0, 120.0
WHO = strategies.integers(0, 5)
LABELS = strategies.sampled_from(["cat", "dog"])


class Service(RuleBasedStateMachine):
    """Six voters and an expert on five items of which one is known, and not enough money for all."""

    def __init__(self, store: Store, clock: Clock) -> None:
        super().__init__()
        self.store, self.clock = store, clock
        with store.write() as connection:
            for table in reversed(metadata.sorted_tables):
                connection.execute(table.delete())
        self.project = make_project(
            store,
            5,
            gold={0: 1},
            budget=BUDGET,
            prices={"votes": {"crowd": 1.0, "expert": 2.0}, "platform_fee": 0.1},
            policy={"name": "fixed_votes", "options": {"n": N_VOTES}},
            workers={"gold_share": 0.2, "batch": 3, "lease_seconds": LEASE_SECONDS},
            audit_share=0.5,
        )
        self.voters = [*make_voters(store, self.project, 6), *make_voters(store, self.project, 1, kind="expert")]
        self.hand: dict[int, list[int]] = {}
        self.acknowledged: list[tuple[int, int]] = []  # voter and vote
        self.n_keys = 0

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
                taken = [vote(self.store, self.voters[who], lease, label, said=said, key=key) for _ in range(2)]
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
                new = amend(connection, voter, old, label=label, said=said, key=self.key(), now=self.store.clock())
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
            decide_again(connection, plan, own, self.store.clock())

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
            assert not any(broken_rules(connection).values())

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


def test_the_rules_hold_whatever_happens(store: Store, clock: Clock) -> None:
    examples = 25 if store.is_sqlite else 8
    run_state_machine_as_test(
        lambda: Service(store, clock),  # type: ignore[arg-type]  # any factory will do
        settings=settings(
            max_examples=examples,
            stateful_step_count=40,
            deadline=None,
            suppress_health_check=list(HealthCheck),
            database=None,
            derandomize=True,
        ),
    )
