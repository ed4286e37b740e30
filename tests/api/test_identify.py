from pathlib import Path

import numpy as np
import polars as pl
import pytest

from quorate import Votes, aggregate, identify
from quorate.ambiguity.waum import Waum
from quorate.errors import MethodError
from quorate.learning.learners.linear import Linear
from quorate.learning.targets.stacked import Stacked
from quorate.learning.traces import record_trace
from quorate.registry.method_names import ItemScoreName
from tests.learning.clouds import PLANTED, network, two_clouds


@pytest.mark.parametrize("score", ["aum", "aumc", "waum", "worker_waum", "disagreement"])
def test_a_unanimous_error_is_found_by_every_score_that_sees_features(score: ItemScoreName) -> None:
    x, votes = two_clouds()
    assert identify(votes, score, x=x).worst(1).tolist() == [PLANTED]


def test_votes_alone_cannot_find_it() -> None:
    _, votes = two_clouds()
    assert identify(votes, "vote_entropy").values.tolist() == [0.0] * 60


def test_a_network_finds_it_too() -> None:
    x, votes = two_clouds()
    assert identify(votes, Waum(), x=x, learner=network()).worst(1).tolist() == [PLANTED]


def test_a_trace_may_be_given() -> None:
    x, votes = two_clouds()
    trace = record_trace(Linear(target=Stacked()), x, votes, aggregate(votes)).astype(np.float64)
    again = identify(votes, "waum", trace=trace)
    assert again.values == pytest.approx(identify(votes, "waum", x=x).values)


def test_says_what_is_missing() -> None:
    _, votes = two_clouds()
    with pytest.raises(MethodError, match=r'waum needs the items: give them as x=\.\.\., .* score="vote_entropy"$'):
        identify(votes, "waum")
    with pytest.raises(MethodError, match="options go with a score's name"):
        identify(votes, Waum(), top=2)
    with pytest.raises(MethodError, match=r"a name, or an object such as Waum\(\)"):
        identify(votes, Waum)  # type: ignore[arg-type]


def test_a_handful_of_tasks_has_as_many_folds() -> None:
    votes = Votes.from_matrix([[0, 0], [1, 1], [0, 1]])
    assert np.isfinite(identify(votes, "disagreement", x=[[0.0], [1.0], [0.5]]).values).all()


def test_a_ranking_has_the_most_ambiguous_task_first() -> None:
    votes = Votes.from_matrix([[0, 0], [0, 1], [-1, -1]])
    result = identify(votes, "vote_entropy")
    table = result.ranking()
    assert table.columns == ["task", "vote_entropy", "rank", "votes", "label", "confidence"]
    assert table["task"].to_list() == [1, 0, 2]
    assert table["rank"].to_list() == [1, 2, None]
    assert table["votes"].to_list() == [2, 2, 0]
    assert result.prune(0.5).kept.tolist() == [True, False, True]


def test_items_of_a_file_or_frame_are_matched_by_the_names_of_tasks(tmp_path: Path) -> None:
    x, votes = two_clouds()
    expected = identify(votes, x=x.astype(np.float32)).values
    items = pl.DataFrame({"task": votes.tasks, "a": x[:, 0], "b": x[:, 1]}).reverse()
    items.write_csv(tmp_path / "items.csv")
    for content in (items, str(tmp_path / "items.csv")):
        np.testing.assert_allclose(identify(votes, x=content).values, expected, rtol=1e-6)
    np.testing.assert_allclose(identify(votes, x=pl.DataFrame(x)).values, expected, rtol=1e-6)  # rows as the votes'


def test_a_classifier_may_be_given_by_its_name() -> None:
    x, votes = two_clouds()
    assert (
        identify(votes, x=x, learner="linear").values.tolist() == identify(votes, x=x, learner=Linear()).values.tolist()
    )
