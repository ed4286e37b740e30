import pytest
from sqlalchemy import select

from quorate import registry
from quorate.service.errors import Conflict, Invalid
from quorate.service.learner.loop import Learner
from quorate.service.projects.projects import parse_settings
from quorate.service.refit.settings_change import Effect, preview, put_in_force
from quorate.service.store.database import Store
from quorate.service.store.tables import events, tasks
from tests.service.pools import ask, keys_of, make_project, make_voters, settings, vote


def decided_by_three(store: Store) -> int:
    """Four items, of which one got votes of two kinds; all have their three votes."""
    project = make_project(store, 4)
    keys = keys_of(store)
    for number, voter in enumerate(make_voters(store, project, 3)):
        while (served := ask(store, voter)).leases:
            lease = served.leases[0]
            vote(store, voter, lease.id, "dog" if keys[lease.item_id] == "0" and number else "cat")
    return project


def test_more_votes_would_open_all_again(store: Store) -> None:
    project = decided_by_three(store)
    five = settings(policy={"name": "fixed_votes", "options": {"n": 5}})
    assert preview(store, project, five) == Effect(reopened=4, closed=0, relabelled=0)
    with store.read() as connection:
        assert set(connection.execute(select(tasks.c.status)).scalars()) == {"crowd"}  # nothing has changed


def test_fewer_votes_would_close_what_is_open(store: Store) -> None:
    project = make_project(store, 4)
    (voter,) = make_voters(store, project, 1)
    for _ in range(3):
        vote(store, voter, ask(store, voter).leases[0].id)
    one_vote = settings(policy={"name": "fixed_votes", "options": {"n": 1}})
    assert preview(store, project, one_vote) == Effect(reopened=0, closed=3, relabelled=0)


def test_an_expensive_error_one_way_would_change_a_label(store: Store) -> None:
    project = decided_by_three(store)
    by_shares = {"name": "fixed_votes", "options": {"n": 3, "method": "dawid_skene"}}
    fear_dogs = settings(policy=by_shares, costs={"matrix": [[0, 900], [1, 0]]})  # to call a cat a dog is expensive
    assert preview(store, project, fear_dogs) == Effect(reopened=0, closed=0, relabelled=1)


def test_settings_in_force_are_logged_with_their_effect_and_votes_are_judged_by_them(store: Store) -> None:
    project = decided_by_three(store)
    five = settings(policy={"name": "fixed_votes", "options": {"n": 5}}, budget=50.0)
    assert put_in_force(store, project, five, "ann").reopened == 4
    Learner(store).run_due_rounds()
    with store.read() as connection:
        assert set(connection.execute(select(tasks.c.status)).scalars()) == {"asking"}
        last = connection.execute(select(events).where(events.c.kind == "project.settings")).one()
    assert last.data["changed"] == ["budget", "policy"]
    assert last.data["reopened"] == 4
    assert last.data["to"]["budget"] == 50.0


@pytest.mark.parametrize("name", registry.names("decision.policies"))
def test_votes_go_on_when_the_policy_becomes_another(store: Store, name: str) -> None:
    """Publish the model of the new policy with the settings: the next vote is decided with it."""
    project = make_project(store, 4)
    first_voter, second_voter = make_voters(store, project, 2)
    held = ask(store, first_voter, 2).leases
    vote(store, first_voter, held[0].id)
    put_in_force(store, project, settings(policy={"name": name}), "ann")
    assert vote(store, first_voter, held[1].id).outcome == "counted"
    Learner(store).run_due_rounds()
    assert ask(store, second_voter).state in ("work", "wait")


def test_a_budget_below_what_is_spent_is_refused(store: Store) -> None:
    project = decided_by_three(store)
    with pytest.raises(Conflict, match="12 is spent or reserved already: the budget cannot be 5"):
        put_in_force(store, project, settings(budget=5.0), "ann")


def test_questions_that_votes_rest_on_cannot_change(store: Store) -> None:
    project = decided_by_three(store)
    other = settings(questions=[{"name": "pet", "classes": ["cat", "dog", "cow"]}])
    with pytest.raises(Conflict, match="create a new project"):
        put_in_force(store, project, other, "ann")


def test_settings_that_make_no_sense_are_told_in_one_line() -> None:
    with pytest.raises(Invalid, match="there is no policy 'guess'"):
        parse_settings({"name": "x", "questions": [{"classes": ["a", "b"]}], "policy": {"name": "guess"}})
