"""Why labels differ from crowd-kit's where they do: each cause on a few votes made by hand.

What runs crowd-kit itself is skipped where it is not installed (benchmarks/aggregation/requirements.txt); what Quorate
and the rules of crowd-kit in plain numpy say of the same votes is always tested.
"""

from collections.abc import Callable
from importlib.metadata import version
from types import ModuleType
from typing import Any

import numpy as np
import pandas as pd
import pytest

from benchmarks.aggregation import crowdkit_rules as rules
from quorate import Votes, aggregate, simulate_votes
from quorate.aggregation.dawid_skene import DawidSkene
from quorate.aggregation.one_coin import OneCoin
from quorate.registry.method_names import AggregationMethod
from quorate.typing import Array

pytestmark = pytest.mark.filterwarnings("ignore")  # crowd-kit's own

# The first two tasks are ties. Shared, worker 0 has half a point for each and worker 1, with the last task, more. Given
# to class 0, which is named first, worker 0 is always right.
TIED = Votes.from_matrix([[0, 1, -1], [0, 1, -1], [-1, 1, 1]])
# All but one vote say 0. The last task has one vote for each class, and worker 1, who says 1, is the better one.
RARE = Votes.from_matrix([[0, 0, -1], [-1, 0, 0], [0, 0, 0], [-1, 1, 0]])
# Worker 0 meets somebody who disagrees on most tasks; the messages settle against most votes.
MIRRORED = Votes.from_matrix([[0, -1, 1, -1], [0, -1, -1, 1], [0, 0, -1, 1], [0, 0, -1, -1]])
# Workers 0 and 2 never meet.
APART = Votes.from_matrix([[0, 0, -1], [1, 1, -1], [-1, 0, 0], [-1, 1, 1]])


@pytest.fixture
def crowdkit() -> ModuleType:
    found: ModuleType = pytest.importorskip(
        "crowdkit.aggregation", reason="needs benchmarks/aggregation/requirements.txt"
    )
    return found


@pytest.fixture
def older_sklearn(crowdkit: ModuleType) -> None:
    major, minor = (int(part) for part in version("scikit-learn").split(".")[:2])
    if (major, minor) >= (1, 6):
        pytest.skip("Wawa and ZeroBasedSkill of crowd-kit 1.4.2 need scikit-learn < 1.6")


def frame(votes: Votes) -> pd.DataFrame:
    return pd.DataFrame({"task": votes.task, "worker": votes.worker, "label": votes.label})


def labels(found: Any) -> list[int]:
    return [int(label) for label in found.sort_index()]


def in_order_of_appearance() -> Votes:
    """Votes of eight workers; tasks, workers and classes are numbered as they appear."""
    votes = simulate_votes(n_tasks=40, votes_per_task=5, workers={"reliable": 6, "spammer": 2}, seed=1).votes
    task, worker, label = (pd.factorize(column)[0] for column in (votes.task, votes.worker, votes.label))
    return Votes.from_arrays(task, worker, label, n_classes=2)


@pytest.mark.parametrize(("method", "rule"), [("wawa", rules.wawa), ("zero_based_skill", rules.zero_based_skill)])
def test_a_tie_is_shared_not_given_to_the_class_named_first(
    method: AggregationMethod, rule: Callable[[Votes], Array]
) -> None:
    assert aggregate(TIED, method).labels.tolist() == [1, 1, 1]
    assert rule(TIED).argmax(axis=1).tolist() == [0, 0, 1]


@pytest.mark.usefixtures("older_sklearn")
@pytest.mark.parametrize("name", ["Wawa", "ZeroBasedSkill"])
def test_crowdkit_gives_a_tie_to_the_class_named_first(crowdkit: ModuleType, name: str) -> None:
    assert labels(getattr(crowdkit, name)().fit_predict(frame(TIED))) == [0, 0, 1]


@pytest.mark.usefixtures("older_sklearn")
def test_wawa_of_crowdkit_depends_on_the_order_of_rows(crowdkit: ModuleType) -> None:
    backwards = frame(TIED).iloc[::-1]
    assert labels(crowdkit.Wawa().fit_predict(backwards)) == [1, 1, 1]
    assert labels(crowdkit.ZeroBasedSkill().fit_predict(backwards)) == [0, 0, 1]  # the lowest class, whatever is first


def test_one_coin_takes_classes_for_equally_likely() -> None:
    plain = OneCoin(strength=1e-6, max_rounds=10, tol=-np.inf).aggregate(RARE).probs
    assert plain.argmax(axis=1)[-1] == 1
    assert np.allclose(rules.one_coin(RARE, 10, learn_classes=False), plain, atol=1e-6)
    assert rules.one_coin(RARE, 10).argmax(axis=1)[-1] == 0


def test_crowdkit_learns_the_class_prior_of_one_coin(crowdkit: ModuleType) -> None:
    theirs = crowdkit.OneCoinDawidSkene(n_iter=10, tol=-1e18).fit_predict_proba(frame(RARE)).sort_index()
    assert np.allclose(theirs[[0, 1]], rules.one_coin(RARE, 10))


def test_kos_turns_messages_round_that_most_votes_contradict() -> None:
    posterior = aggregate(MIRRORED, "kos")
    assert posterior.labels.tolist() == [0, 0, 0, 0]  # six of the nine votes
    assert rules.kos(MIRRORED).argmax(axis=1).tolist() == [1, 1, 1, 1]


def test_crowdkit_leaves_the_messages_of_kos_mirrored(crowdkit: ModuleType) -> None:
    assert labels(crowdkit.KOS().fit_predict(frame(MIRRORED))) == [1, 1, 1, 1]


def test_crowdkit_fails_where_the_messages_of_kos_say_nothing(crowdkit: ModuleType) -> None:
    alone = Votes.from_matrix([[0], [1]])
    assert aggregate(alone, "kos").labels.tolist() == [0, 1]
    with pytest.raises(KeyError):
        crowdkit.KOS().fit_predict(frame(alone))


def test_crowdkit_counts_those_who_never_met_as_opponents_in_mmsr(crowdkit: ModuleType) -> None:
    method = crowdkit.MMSR()
    method._construnct_covariation_matrix(frame(APART))
    assert method._n_common_tasks[0, 2] == 0
    assert method._covariation_matrix[0, 2] == -1
    assert aggregate(APART, "mmsr").labels.tolist() == [0, 1, 0, 1]


def test_crowdkit_divides_by_a_sum_of_weights_that_may_be_negative(crowdkit: ModuleType) -> None:
    """Worker 0, who says 0, weighs -1, worker 1, who says 1, weighs .5: 1 leads, but -1 / -.5 = 2 is above .5 / -.5."""
    votes = pd.DataFrame({"task": [0, 0], "worker": [0, 1], "label": [0, 1]})
    method = crowdkit.MajorityVote().fit(votes, skills=pd.Series({0: -1.0, 1: 0.5}))
    assert method.probas_.loc[0].tolist() == [2, -1]
    assert labels(method.labels_) == [0]


def test_crowdkit_limits_a_skill_of_mmsr_by_all_tasks(crowdkit: ModuleType) -> None:
    """Three workers who always agree; the last has only two votes, and yet the weight of the others."""
    said = np.tile([[0, 0, -1], [1, 1, -1]], (10, 1))
    said[:2, 2] = [0, 1]
    votes = Votes.from_matrix(said)
    skill = crowdkit.MMSR().fit(frame(votes)).skills_
    assert skill[2] == skill[0]
    model: Any = aggregate(votes, "mmsr").worker_model
    assert model.accuracy[2] < model.accuracy[0]


@pytest.mark.parametrize("seed", range(3))
def test_mended_in_five_places_mmsr_of_crowdkit_gives_our_labels(crowdkit: ModuleType, seed: int) -> None:
    from benchmarks.aggregation.crowdkit_mended import ALL, MendedMMSR

    crowd = simulate_votes(
        n_tasks=60, votes_per_task=3, classes=range(3), workers={"reliable": 12, "spammer": 6}, seed=seed
    )
    ours = aggregate(crowd.votes, "mmsr")
    clear = np.diff(np.sort(ours.probs, axis=1)[:, -2:], axis=1).ravel() > 1e-3
    method = MendedMMSR().fit(frame(crowd.votes))
    mended = method.predict(frame(crowd.votes)).sort_index().to_numpy()
    assert np.array_equal(mended[clear], ours.labels[clear])
    by_mend = {
        mend: MendedMMSR(mends=tuple(set(ALL) - {mend})).fit(frame(crowd.votes)).skills_.to_numpy() for mend in ALL[2:]
    }
    assert all(not np.allclose(skill, method.skills_, atol=1e-3) for skill in by_mend.values())  # each has its effect


def few_votes() -> Votes:
    """So few that some answers of a worker have no weight at all."""
    crowd = simulate_votes(
        n_tasks=40, votes_per_task=3, classes=range(3), workers={"reliable": 8, "spammer": 4}, seed=2
    )
    return crowd.votes


def test_dawid_skene_takes_nothing_for_nothing() -> None:
    ours = DawidSkene(shrink="none", max_rounds=10, tol=-np.inf).aggregate(few_votes()).probs
    assert np.allclose(rules.dawid_skene(few_votes(), 10, least=1e-300), ours)
    assert np.abs(rules.dawid_skene(few_votes(), 10) - ours).max() > 0.4


def test_crowdkits_dawid_skene_takes_nothing_for_a_little(crowdkit: ModuleType) -> None:
    theirs = crowdkit.DawidSkene(n_iter=10, tol=-1e18).fit_predict_proba(frame(few_votes())).sort_index()
    assert np.allclose(theirs[[0, 1, 2]], rules.dawid_skene(few_votes(), 10), atol=1e-6)


def test_the_bound_of_crowdkits_dawid_skene_falls_while_the_likelihood_rises(crowdkit: ModuleType) -> None:
    """It counts the log-prior once per vote in place of once per task, so that EM stops early on rare classes."""
    crowd = simulate_votes(
        n_tasks=60, votes_per_task=3, workers={"reliable": 6, "spammer": 2}, class_prior=[0.9, 0.1], seed=0
    )
    method = crowdkit.DawidSkene().fit(frame(crowd.votes))
    rounds = len(method.loss_history_)
    assert method.loss_history_[-1] < method.loss_history_[-2]
    ours = DawidSkene(shrink="none", max_rounds=rounds + 1, tol=-np.inf).aggregate(crowd.votes)
    assert np.diff(ours.objective).min() > 50 * method.tol * len(crowd.votes)
    same = DawidSkene(shrink="none", max_rounds=rounds, tol=-np.inf).aggregate(crowd.votes)
    assert np.allclose(method.probas_.sort_index()[[0, 1]], same.probs, atol=1e-6)


def test_crowdkits_glad_stops_after_two_rounds_and_expects_easier_tasks(crowdkit: ModuleType) -> None:
    votes = simulate_votes(n_tasks=40, votes_per_task=5, workers={"reliable": 6, "spammer": 2}, seed=1).votes
    assert len(crowdkit.GLAD().fit(frame(votes)).loss_history_) == 2
    ours = aggregate(votes, "glad").probs

    def gap(**options: Any) -> float:
        theirs = crowdkit.GLAD(n_iter=10, tol=-1e18, **options).fit_predict_proba(frame(votes)).sort_index()
        return float(np.abs(theirs[[0, 1]] - ours).to_numpy().max())

    assert gap(betas_priors_mean=pd.Series(0.0, index=range(votes.n_tasks))) < 0.01 < gap()


def test_crowdkits_mace_has_priors_of_its_own_and_one_start(
    crowdkit: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    votes = in_order_of_appearance()
    starts, begin = [], crowdkit.MACE._initialize

    def watched(self: Any, n_workers: int, n_labels: int) -> None:
        begin(self, n_workers, n_labels)
        starts.append(self.thetas_.copy())

    monkeypatch.setattr(crowdkit.MACE, "_initialize", watched)
    theirs = crowdkit.MACE(n_restarts=3).fit_predict_proba(frame(votes)).sort_index()
    assert len(starts) == 3
    assert all(np.array_equal(start, starts[0]) for start in starts)
    assert np.allclose(theirs[[0, 1]], rules.mace(votes))


def test_crowdkits_mace_depends_on_the_names_of_workers(crowdkit: ModuleType) -> None:
    """It counts habits by sorted names, and reads them in the order of appearance."""
    by_number = frame(in_order_of_appearance())
    renamed = by_number.assign(worker=100 - by_number["worker"])
    first, second = (crowdkit.MACE(n_restarts=1).fit_predict_proba(one).sort_index() for one in (by_number, renamed))
    assert np.abs(first - second).to_numpy().max() > 0.01
