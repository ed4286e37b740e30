from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select

from quorate.service.decisions.activation import start
from quorate.service.errors import Invalid, NotFound
from quorate.service.imports import jobs
from quorate.service.imports.columns import Columns
from quorate.service.imports.thread import Importer
from quorate.service.items import insert as bulk_items
from quorate.service.media import Media
from quorate.service.store.blobs import to_blob
from quorate.service.store.database import Store
from quorate.service.store.tables import events, items, tasks
from tests.service.imports.importing import QUESTIONS, begin, import_file, new_project, pool, progress, tally
from tests.service.waiting import PATIENCE


def csv_of(n: int) -> str:
    return "id,text\n" + "".join(f"{number},text {number}\n" for number in range(n))


def test_items_and_a_task_for_every_question(store: Store, tmp_path: Path) -> None:
    project = new_project(store, QUESTIONS)
    done = import_file(store, tmp_path, project, csv_of(5), "a.csv")
    assert (done.state, done.rows, done.added, done.repeated, done.bad) == ("done", 5, 5, 0, 0)
    assert pool(store, project)["3"] == ("text", {"text": "text 3"}, None)
    assert tally(store) == {"waiting": 10}
    with store.read() as connection:
        draws = connection.execute(select(tasks.c.item_id, tasks.c.draw)).all()
        assert connection.execute(select(events.c.kind, events.c.actor)).all()[-1] == ("items.imported", "test")
    assert len({row.draw for row in draws}) == 5  # one draw per item: its questions go together
    assert all(0 <= row.draw < 1 for row in draws)


def test_the_same_file_again_adds_nothing(store: Store, tmp_path: Path) -> None:
    project = new_project(store)
    import_file(store, tmp_path, project, csv_of(1500), "a.csv")
    before = pool(store, project)
    done = import_file(store, tmp_path, project, csv_of(1600), "a.csv")
    assert (done.added, done.repeated, done.bad) == (100, 1500, 0)
    assert before.items() <= pool(store, project).items()
    assert tally(store) == {"waiting": 1600}


def test_a_key_with_other_content_is_an_error(store: Store, tmp_path: Path) -> None:
    project = new_project(store)
    text = "id,text\n1,one\n1,other\n1,one\n2,two\n"
    first = import_file(store, tmp_path, project, text, "a.csv")
    assert (first.added, first.repeated, first.bad) == (2, 1, 1)
    again = import_file(store, tmp_path, project, "id,text\n2,changed\n1,one\n", "b.csv")
    assert (again.added, again.repeated, again.bad) == (0, 1, 1)
    assert again.errors == [
        {"row": 1, "error": "the key '2' exists already with other content: give this item a key of its own"}
    ]
    assert pool(store, project)["2"][1] == {"text": "two"}


def test_an_interrupted_import_continues_where_it_stopped(store: Store, tmp_path: Path) -> None:
    project = new_project(store)
    path = tmp_path / "a.csv"
    path.write_text(csv_of(3500))
    number = begin(store, project, "a.csv")
    stops = iter([False, True])
    jobs.run(store, number, path, Media(tmp_path), stopped=lambda: next(stops))
    half = progress(store, project, number)
    assert (half.state, half.rows, half.added) == ("reading", 2000, 2000)
    jobs.run(store, number, path, Media(tmp_path))
    done = progress(store, project, number)
    assert (done.state, done.rows, done.added, done.repeated) == ("done", 3500, 3500, 0)
    assert len(pool(store, project)) == 3500


def test_a_crash_inside_a_chunk_leaves_nothing_of_it(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = new_project(store)
    number = begin(store, project, "a.csv")
    (tmp_path / "a.csv").write_text(csv_of(10))

    def crash(*_: Any) -> None:
        raise OSError("the disk is full")

    with monkeypatch.context() as broken:
        broken.setattr(bulk_items, "add_to_tallies", crash)
        with pytest.raises(OSError, match="disk"):
            jobs.run(store, number, tmp_path / "a.csv", Media(tmp_path))
    assert pool(store, project) == {}
    assert tally(store) == {}
    failed = progress(store, project, number)
    assert (failed.state, failed.added) == ("failed", 0)
    assert "send the file again" in failed.message


def test_two_readers_of_one_import_count_each_row_once(store: Store, tmp_path: Path) -> None:
    project = new_project(store)
    path = tmp_path / "a.csv"
    path.write_text(csv_of(3000))
    number = begin(store, project, "a.csv")

    def other_reads_first() -> bool:
        jobs.run(store, number, path, Media(tmp_path))
        return False

    jobs.run(store, number, path, Media(tmp_path), stopped=other_reads_first)
    done = progress(store, project, number)
    assert (done.state, done.rows, done.added, done.repeated) == ("done", 3000, 3000, 0)


def test_bad_rows_are_counted_and_the_first_are_reported(store: Store, tmp_path: Path) -> None:
    project = new_project(store)
    lines = ["id,text", *(f"{number},{'' if number % 2 else 'fine'}" for number in range(600))]
    done = import_file(store, tmp_path, project, "\n".join(lines), "a.csv")
    assert (done.state, done.rows, done.added, done.bad) == ("done", 600, 300, 300)
    assert [error["row"] for error in done.errors] == list(range(2, 202, 2))


def test_messages_can_be_stored_in_any_database(store: Store, tmp_path: Path) -> None:
    done = import_file(store, tmp_path, new_project(store), '[{"id": 1, "text": {"\\u0000\\ud800": 1}}]', "a.json")
    assert (done.state, done.bad) == ("done", 1)


def test_a_file_that_cannot_be_read_fails_with_its_reason(store: Store, tmp_path: Path) -> None:
    done = import_file(store, tmp_path, new_project(store), "id,name\n1,x\n", "a.csv")
    assert (done.state, done.finished_at) == ("failed", store.clock())
    assert "no column to show" in done.message


def test_gold_labels_decide_tasks_at_once(store: Store, tmp_path: Path) -> None:
    project = new_project(store, QUESTIONS)
    columns = Columns(gold={"pet": "p", "mood": "m"})
    done = import_file(store, tmp_path, project, "id,text,p,m\n1,a,dog,\n2,b,cow,\n3,c,,so so\n", "a.csv", columns)
    assert (done.added, done.bad) == (2, 1)
    assert "must be one of cat, dog, got 'cow'" in done.errors[0]["error"]
    assert tally(store) == {"waiting": 2, "expert": 2}
    with store.read() as connection:
        rows = connection.execute(select(tasks.c.gold, tasks.c.status, tasks.c.label).order_by(tasks.c.id)).all()
    assert rows == [(1, "expert", 1), (None, "waiting", None), (None, "waiting", None), (2, "expert", 2)]


def test_gold_of_an_unknown_question_is_refused(store: Store) -> None:
    with pytest.raises(Invalid, match="no question 'colour': the questions are pet"):
        begin(store, new_project(store), "a.csv", Columns(gold={"colour": "c"}))


def test_the_number_of_features_must_not_change(store: Store, tmp_path: Path) -> None:
    project = new_project(store)
    import_file(store, tmp_path, project, '{"id": 1, "features": [1, 2.5]}\n', "a.jsonl")
    done = import_file(store, tmp_path, project, '{"id": 2, "features": [1]}\n{"id": 3, "features": [3, 4]}', "b.jsonl")
    assert (done.added, done.bad) == (1, 1)
    assert pool(store, project)["3"][2] == to_blob([3.0, 4.0])


def test_items_added_to_a_running_project_can_be_asked(store: Store, tmp_path: Path) -> None:
    project = new_project(store)
    import_file(store, tmp_path, project, csv_of(3), "a.csv")
    start(store, project, "running", "test")
    import_file(store, tmp_path, project, csv_of(600), "a.csv")
    with store.read() as connection:
        assert connection.execute(select(func.count()).where(tasks.c.room > 0, tasks.c.ask == "crowd")).scalar() == 600
    assert tally(store) == {"waiting": 0, "asking": 600}


def test_imports_belong_to_their_project(store: Store) -> None:
    mine, other = new_project(store), new_project(store)
    number = begin(store, mine, "a.csv")
    with store.read() as connection:
        assert [row.id for row in jobs.newest(connection, mine)] == [number]
        assert jobs.newest(connection, other) == []
        with pytest.raises(NotFound, match="no import"):
            jobs.get(connection, other, number)


@pytest.fixture
def importer(store: Store, tmp_path: Path) -> Iterator[Importer]:
    importer = Importer(store, tmp_path / "data")
    yield importer
    importer.close()


def test_the_importer_reads_and_cleans_up(store: Store, tmp_path: Path, importer: Importer) -> None:
    project = new_project(store)
    upload = importer.uploads() / "new"
    upload.write_text(csv_of(10))
    number = begin(store, project, "a.csv")
    importer.start(number, upload).result(timeout=PATIENCE)
    assert progress(store, project, number).added == 10
    assert list(importer.uploads().iterdir()) == []


def test_the_importer_continues_after_a_stop(store: Store, tmp_path: Path) -> None:
    project = new_project(store)
    before = Importer(store, tmp_path / "data")
    upload = before.uploads() / "new"
    upload.write_text(csv_of(2500))
    number = begin(store, project, "a.csv")
    before.stopped.set()
    before.start(number, upload).result(timeout=PATIENCE)
    before.close()
    assert progress(store, project, number).rows == 1000
    after = Importer(store, tmp_path / "data")
    for future in after.resume():
        future.result(timeout=PATIENCE)
    after.close()
    assert progress(store, project, number).added == 2500
    with store.read() as connection:
        assert connection.execute(select(func.count()).select_from(items)).scalar() == 2500


def test_large_rows_are_added_a_few_at_a_time(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "CHUNK_BYTES", 10_000)
    project = new_project(store)
    path = tmp_path / "a.csv"
    path.write_text("id,text\n" + "".join(f"{number},{'x' * 4000}\n" for number in range(7)))
    number = begin(store, project, "a.csv")
    progress_seen: list[int] = []

    def record_progress() -> bool:
        progress_seen.append(progress(store, project, number).rows)
        return False

    jobs.run(store, number, path, Media(tmp_path), stopped=record_progress)
    assert progress_seen == [3, 6, 7]
