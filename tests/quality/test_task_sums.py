"""The jackknife: as computed by leaving out each task in turn, and covering the truth about as often as it says."""

import numpy as np
import pytest
from scipy.stats import t as student

from quorate import Votes, registry
from quorate.quality.agreement.krippendorff_alpha import KrippendorffAlpha
from quorate.quality.agreement.pairwise_agreement import PairwiseAgreement
from quorate.quality.task_sums import TaskSums, jackknife, score_sums
from tests.crowds import small_crowd
from tests.sizes import sized

MEASURES = [
    measure
    for name in registry.names("quality.agreement")
    if isinstance(measure := registry.method("quality.agreement", name), TaskSums)
]


def test_all_measures_of_votes_have_an_interval() -> None:
    assert len(MEASURES) == len(registry.names("quality.agreement")) - 1  # all but consistency


def test_a_mean_by_hand() -> None:
    """Pairs of two votes agree on three of four tasks: the standard error of the mean is sqrt(3/16 / 3) = 1/4."""
    votes = Votes.from_matrix([[0, 0], [0, 1], [1, 1], [1, 1]])
    assert jackknife(PairwiseAgreement(), votes) == (0, 1)  # 3.18 / 4 on either side, cut to a share
    margin = student.ppf(0.75, df=3) / 4
    assert jackknife(PairwiseAgreement(), votes, level=0.5) == pytest.approx((0.75 - margin, 0.75 + margin))


@pytest.mark.parametrize("measure", MEASURES, ids=str)
@pytest.mark.parametrize("n_classes", [2, 4])
def test_equal_to_leaving_out_each_task(measure: TaskSums, n_classes: int) -> None:
    votes = small_crowd(n_classes)
    paired = np.flatnonzero(votes.votes_per_task >= 2)
    counted = np.flatnonzero(votes.votes_per_task >= 1) if "Gwet" in str(measure) else paired
    tasks = np.arange(votes.n_tasks)
    without = [score_sums(measure, votes.subset(tasks=tasks[tasks != task])) for task in counted]
    n = len(counted)
    standard_error = np.sqrt((n - 1) / n * np.sum((np.array(without) - np.mean(without)) ** 2))
    margin = student.ppf(0.975, df=n - 1) * standard_error
    value = score_sums(measure, votes)
    expected = np.clip([value - margin, value + margin], *measure.bounds)
    assert np.allclose(jackknife(measure, votes), expected)


@pytest.mark.parametrize(
    "matrix",
    [
        pytest.param([[0, 0], [1, 1], [1, 1]], id="all agree"),
        pytest.param([[0, 1]], id="one task"),
        pytest.param([[0, -1], [1, -1]], id="no pairs"),
        pytest.param([[0, 0], [0, 0], [0, 1]], id="undefined without the last task"),
    ],
)
def test_no_interval_where_the_votes_show_no_spread(matrix: list[list[int]]) -> None:
    assert np.isnan(jackknife(KrippendorffAlpha(), Votes.from_matrix(matrix, classes=range(2)))).all()


def draw(seed: int, n_tasks: int) -> Votes:
    """Draw two to six votes on each task, of three classes; some tasks are hard."""
    random = np.random.default_rng(seed)
    task = np.repeat(np.arange(n_tasks), random.integers(2, 7, size=n_tasks))
    true, ease = random.choice(3, size=n_tasks, p=[0.6, 0.3, 0.1]), random.beta(3, 1, size=n_tasks)
    label = np.where(random.random(len(task)) < ease[task], true[task], random.integers(3, size=len(task)))
    return Votes.from_arrays(task, np.full(len(task), -1), label, n_classes=3, n_tasks=n_tasks)


@pytest.mark.sized
@pytest.mark.parametrize("measure", MEASURES, ids=str)
def test_the_truth_is_inside_about_as_often_as_stated(measure: TaskSums) -> None:
    truth = score_sums(measure, draw(10_000, 30_000))
    intervals = [jackknife(measure, draw(seed, 60)) for seed in range(sized(100, 1000))]
    inside = np.mean([low <= truth <= high for low, high in intervals])
    assert inside >= 0.88  # of 100 draws with a chance of 95%: below 88% with a chance of 0.3%
