"""`try_policies`: the same tasks for all policies, figures by hand, and the same results in several processes."""

import numpy as np
import polars as pl
import pytest

from quorate import Costs, Posterior, Votes, simulate_votes, try_policies
from quorate.data.costs import Prices
from quorate.decision.policies.expected_loss import ExpectedLoss
from quorate.decision.policies.fixed_votes import FixedVotes
from quorate.errors import MethodError, UnknownNameError, VotesError
from quorate.replay.budget import replay_budget
from quorate.replay.pool import replay
from quorate.replay.stream import Arrivals, replay_stream

CROWD = simulate_votes(n_tasks=80, votes_per_task=5, seed=2)
VOTES, GOLD = CROWD.votes, CROWD.gold


def test_figures_by_hand() -> None:
    """Use three votes on each of two tasks: the majority is right on the first and wrong on the second."""
    votes = Votes.from_matrix([[0, 0, 1], [1, 0, 0], [1, 1, 1]])
    tried = try_policies(votes, [0, 1, -1], ["fixed_votes"], cost_error=10, prices={"crowd": 2}, seeds=2)
    assert tried.n_tasks == 2
    assert tried.votes.tolist() == [[3, 3]]
    assert tried.spend.tolist() == [[6, 6]]
    assert tried.error.tolist() == [[0.5, 0.5]]
    assert tried.loss.tolist() == [[11, 11]]
    assert tried.experts.tolist() == [[0, 0]]


def test_as_one_replay_after_the_other() -> None:
    costs = Costs.of_error(20, 2)
    policies = {"three": FixedVotes(costs=costs), "five": FixedVotes(costs=costs, n=5)}
    tried = try_policies(VOTES, GOLD, policies, seeds=2)
    for index, policy in enumerate(policies.values()):
        for seed in range(2):
            assert tried.loss[index, seed] == pytest.approx(replay(policy, VOTES, GOLD, seed=seed).loss.mean())
    named = try_policies(VOTES, GOLD, ["fixed_votes:n=3", "fixed_votes:n=5"], cost_error=20, seeds=2)
    assert named.loss.tolist() == tried.loss.tolist()


def test_processes_change_nothing() -> None:
    alone = try_policies(VOTES, GOLD, ["fixed_votes", "swap"], seeds=2)
    together = try_policies(VOTES, GOLD, ["fixed_votes", "swap"], seeds=2, processes=2)
    assert together.to_frame().equals(alone.to_frame())


def test_a_classifier_by_names_by_rows_or_taught() -> None:
    right = np.where(np.eye(2)[GOLD] > 0, 0.9, 0.1)
    posterior = Posterior.of(VOTES, right, class_prior=right.mean(axis=0))
    by_rows = try_policies(VOTES, GOLD, ["machine_only"], machine=right, seeds=1)
    by_names = try_policies(VOTES, GOLD, ["machine_only"], machine=posterior, seeds=1)
    assert by_rows.error.tolist() == by_names.error.tolist() == [[0]]
    taught = try_policies(VOTES, GOLD, ["machine_only"], x=(GOLD[:, None] - 0.5), seeds=1)
    assert taught.error[0, 0] < 0.2
    assert try_policies(VOTES, GOLD, ["machine_only"], seeds=1).error[0, 0] > 0.3


def test_fewer_tasks_are_drawn_for_each_seed_and_known_gold_is_not_wrong() -> None:
    tried = try_policies(VOTES, GOLD, ["fixed_votes:n=1"], seeds=4, most_tasks=40)
    assert tried.n_tasks == 40
    assert len(set(tried.error[0].tolist())) > 1
    assert try_policies(VOTES, GOLD, ["fixed_votes:n=1"], seeds=1, n_known_gold=80).error.tolist() == [[0]]
    with pytest.warns(FutureWarning, match="'known' is called 'n_known_gold'"):
        assert try_policies(VOTES, GOLD, ["swap"], seeds=1, known=80).error.tolist() == [[0]]  # type: ignore[call-arg]


def test_budgets_and_streams_are_the_replays_themselves() -> None:
    policy = FixedVotes(costs=Costs.of_error(20, 2))
    tried = try_policies(VOTES, GOLD, {"three": policy}, seeds=2, budget=["50%", 60], order="in_turn")
    assert tried.policies == ("three", "three at 50%", "three for 60")
    for index, budget in enumerate((120, 60), start=1):
        for seed in range(2):
            done = replay_budget(policy, VOTES, GOLD, budget=budget, order="in_turn", seed=seed)
            assert tried.loss[index, seed] == pytest.approx(done.loss.mean())
            assert tried.decided[index, seed] == done.decided.mean()
    arrivals = Arrivals(rate=7)
    streamed = try_policies(VOTES, GOLD, {"three": policy}, seeds=1, stream=arrivals)
    done_stream = replay_stream(policy, VOTES, GOLD, arrivals=arrivals)
    assert streamed.quarters is not None
    assert streamed.quarters[0, 0].tolist() == done_stream.by_part().tolist()
    assert tried.quarters is None
    priced = ExpectedLoss(costs=Costs.of_error(20, 2), prices=Prices(votes={"crowd": 1, "expert": 10}))
    audited = try_policies(VOTES, GOLD, {"engine": priced}, seeds=1, audits=True)
    assert audited.policies == ("engine", "engine with audits")
    assert audited.loss[1, 0] == pytest.approx(replay(priced, VOTES, GOLD, audits=True).loss.mean())


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"policies": ["fixed"]}, UnknownNameError, "did you mean 'fixed_votes'"),
        ({"policies": "swap"}, MethodError, r"a list of names, got 'swap': give \['swap'\]"),
        ({"policies": ["swap:n"]}, MethodError, "swap:OPTION=VALUE, got 'n'"),
        ({"policies": ["fixed_votes:m=3"]}, MethodError, "no option 'm'"),
        ({"budget": -1}, MethodError, "a budget is money, such as 500"),
        ({"budget": 5, "stream": Arrivals()}, MethodError, "either a budget or a stream"),
        ({"budget": 5, "audits": True}, MethodError, "without a budget or a stream"),
        ({"audits": True, "prices": {"crowd": 1}}, MethodError, "audits need the price of an expert"),
        ({"budget": 5, "order": "best"}, MethodError, "order must be one of"),
        ({"seeds": 0}, MethodError, "seeds must be at least 1"),
        ({"processes": 0}, MethodError, "processes must be at least 1"),
        ({"x": [[1.0]]}, VotesError, "features for each of the 80 tasks, got shape"),
        ({"x": np.ones((80, 1)), "machine": np.full((80, 2), 0.5)}, MethodError, "either machine, or x"),
    ],
)
def test_invalid_options_are_refused(options: dict[str, object], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        try_policies(VOTES, GOLD, **options)  # type: ignore[arg-type]
    with pytest.raises(VotesError, match="nothing to replay"):
        try_policies(VOTES, np.full(80, -1))


def test_items_are_matched_by_the_names_of_tasks() -> None:
    x = GOLD - 0.5
    expected = try_policies(VOTES, GOLD, ["machine_only"], x=x[:, None], seeds=1)
    items = pl.DataFrame({"task": VOTES.tasks, "size": x}).reverse()
    assert try_policies(VOTES, GOLD, ["machine_only"], x=items, seeds=1).loss.tolist() == expected.loss.tolist()


def test_a_text_is_no_list_of_policies() -> None:
    with pytest.raises(MethodError, match=r"policies must be a list of names, got 'a,b': give \['a', 'b'\]"):
        try_policies(VOTES, GOLD, "a,b")
    with pytest.raises(MethodError, match=r"give \['fixed_votes:n=5'\]"):
        try_policies(VOTES, GOLD, "fixed_votes:n=5")


def test_figures_of_a_policy_by_its_name_and_a_table_for_notebooks() -> None:
    tried = try_policies(VOTES, GOLD, ["fixed_votes", "swap"], seeds=2)
    assert (list(tried), len(tried), "swap" in tried) == (["fixed_votes", "swap"], 2, True)
    assert tried["swap"]["loss"].tolist() == tried.loss[1].tolist()
    with pytest.raises(UnknownNameError, match="there is no policy 'fixed_vote': did you mean 'fixed_votes'"):
        tried["fixed_vote"]
    page = tried._repr_html_()
    assert "2 seeds of 80 tasks" in page
    assert page.count("<tr>") == 3
