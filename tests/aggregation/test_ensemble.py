import numpy as np
import pytest

from quorate import Votes, aggregate, simulate_votes
from quorate.aggregation import DawidSkene, Ensemble, Kos, Majority, NaiveSoft, OneCoin
from quorate.errors import MethodError
from quorate.inference.design_effect import discount_posterior


def test_it_is_the_mean_of_its_discounted_members() -> None:
    votes = simulate_votes(n_tasks=60, votes_per_task=3, seed=0).votes
    posterior = Ensemble(members=(DawidSkene(), NaiveSoft())).aggregate(votes)
    discounted = discount_posterior(DawidSkene().aggregate(votes), votes).probs
    assert np.allclose(posterior.probs, (discounted + NaiveSoft().aggregate(votes).probs) / 2)
    assert posterior.discounted


def test_it_is_the_default_up_to_a_million_votes() -> None:
    votes = simulate_votes(n_tasks=60, votes_per_task=3, seed=0).votes
    assert np.array_equal(aggregate(votes).probs, Ensemble().aggregate(votes).probs)
    many = Ensemble(max_votes=100).aggregate(votes)
    assert many.note == "dawid_skene, since there are more than 100 votes"
    assert np.array_equal(many.probs, DawidSkene().aggregate(votes).probs)
    assert np.array_equal(
        aggregate(votes, Ensemble(max_votes=100)).probs, aggregate(votes, "dawid_skene").probs
    )  # discounted by aggregate


def test_members_that_refuse_the_votes_are_left_out() -> None:
    votes = Votes.from_matrix([[0, 1, 2], [2, 2, 2], [1, 1, 0]])
    posterior = Ensemble(members=(Kos(), Majority())).aggregate(votes)  # kos takes two classes
    assert posterior.note == "without kos, which cannot take these votes"
    assert np.allclose(posterior.probs, Majority().aggregate(votes).probs)
    with pytest.raises(MethodError, match="two classes"):
        Ensemble(members=(Kos(),)).aggregate(votes)


def test_workers_are_judged_by_the_mean() -> None:
    crowd = simulate_votes(n_tasks=500, votes_per_task=6, workers={"reliable": 10, "spammer": 5}, seed=0)
    model = Ensemble().aggregate(crowd.votes).worker_model
    assert model is not None
    workers = np.arange(crowd.votes.n_workers)
    right = [np.exp(model.log_likelihood(workers, np.full(len(workers), label)))[:, label] for label in range(2)]
    accuracy = np.mean(right, axis=0)
    assert accuracy[:10].min() > accuracy[10:].max()


@pytest.mark.parametrize("members", [(), (OneCoin,), ("dawid_skene",)])
def test_members_are_instances_of_methods(members: tuple[object, ...]) -> None:
    with pytest.raises(MethodError, match="members must be instances of methods"):
        Ensemble(members=members)  # type: ignore[arg-type]
