from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import numpy as np
from sqlalchemy import func, select

from quorate.service.projects import timeline as points
from quorate.service.projects.timeline import Stand, thinned
from quorate.service.store.database import Store
from quorate.service.store.tables import points as points_table
from tests.service.pools import make_project


def rows(at: list[float], votes: list[int]) -> list[Any]:
    return [SimpleNamespace(at=one, votes=n) for one, n in zip(at, votes, strict=True)]


def test_thinning_keeps_the_ends_and_never_leaves_a_long_gap() -> None:
    at = np.concatenate([np.linspace(0, 60, 500), np.linspace(1e6, 1e6 + 60, 500)]).tolist()  # two busy minutes
    kept = thinned(rows(at, list(range(1000))), 300)
    assert len(kept) <= 300
    assert (kept[0].at, kept[-1].at) == (at[0], at[-1])
    assert max(after.votes - before.votes for before, after in pairwise(kept)) <= 8


def test_few_points_stay_as_they_are() -> None:
    few = rows([0.0, 1.0], [0, 0])
    assert thinned(few, 300) == few


def test_a_project_never_keeps_many_points(store: Store) -> None:
    project, other = (make_project(store, state=None) for _ in range(2))
    with store.write() as connection:
        points.add(connection, other, Stand(1, 2, {"asking": 4}, {}), 0.5, None, 0.0)
        for n in range(1500):
            points.add(connection, project, Stand(n, n, {"asking": 4}, {}), None, None, float(n))
            count = select(func.count()).where(points_table.c.project_id == project)
            assert connection.execute(count).scalar_one() <= points.MOST_KEPT
        found = points.all_of(connection, project)
        assert (found[0].votes, found[-1].votes) == (0, 1499)
        last = points.last_of(connection, project)
        assert last is not None
        assert last.id == found[-1].id
        assert [row.statuses for row in points.all_of(connection, other)] == [{"asking": 4}]
