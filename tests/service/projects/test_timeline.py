from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import numpy as np
from sqlalchemy import func, select

from quorate.service.projects import timeline
from quorate.service.projects.timeline import ProjectCounts, thin
from quorate.service.store.database import Store
from quorate.service.store.tables import points
from tests.service.pools import make_project


def rows(at: list[float], votes: list[int]) -> list[Any]:
    return [SimpleNamespace(at=time, votes=n) for time, n in zip(at, votes, strict=True)]


def test_thinning_keeps_the_ends_and_never_leaves_a_long_gap() -> None:
    at = np.concatenate([np.linspace(0, 60, 500), np.linspace(1e6, 1e6 + 60, 500)]).tolist()  # two busy minutes
    kept = thin(rows(at, list(range(1000))), 300)
    assert len(kept) <= 300
    assert (kept[0].at, kept[-1].at) == (at[0], at[-1])
    assert max(after.votes - before.votes for before, after in pairwise(kept)) <= 8


def test_few_points_stay_as_they_are() -> None:
    few = rows([0.0, 1.0], [0, 0])
    assert thin(few, 300) == few


def test_the_number_of_stored_points_is_bounded(store: Store) -> None:
    project, other = (make_project(store, state=None) for _ in range(2))
    with store.write() as connection:
        timeline.add_point(connection, other, ProjectCounts(1, 2, {"asking": 4}, {}), 0.5, None, 0.0)
        for n in range(1500):
            timeline.add_point(connection, project, ProjectCounts(n, n, {"asking": 4}, {}), None, None, float(n))
            count = select(func.count()).where(points.c.project_id == project)
            assert connection.execute(count).scalar_one() <= timeline.MAX_STORED
        stored = timeline.all_points(connection, project)
        assert (stored[0].votes, stored[-1].votes) == (0, 1499)
        last = timeline.last_point(connection, project)
        assert last is not None
        assert last.id == stored[-1].id
        assert [row.statuses for row in timeline.all_points(connection, other)] == [{"asking": 4}]
