import csv
import io
import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from sqlalchemy import insert, update

from quorate.service.errors import NotFound
from quorate.service.exports.export import TABLES, export
from quorate.service.exports.payments import pay_csv
from quorate.service.projects.settings import PanelEntry
from quorate.service.store.database import Store
from quorate.service.store.tables import identities, projects, tasks, voters
from quorate.service.work.amend import amend
from tests.service.conftest import Clock
from tests.service.imports.importing import QUESTIONS, import_file, new_project
from tests.service.pools import ask, keys_of, make_project, make_voters, vote


def exported(store: Store, project: int, what: str, form: str = "jsonl", **options: Any) -> bytes:
    return b"".join(export(store, project, what, form, **options))


def lines(store: Store, project: int, what: str, **options: Any) -> list[dict[str, Any]]:
    return [json.loads(line) for line in exported(store, project, what, **options).splitlines()]


def vote_on_all(store: Store, project: int, n_voters: int = 3) -> list[int]:
    """Let every voter label the first items as cat and the last ones as dog; return the voters."""
    voter_ids, keys = make_voters(store, project, n_voters), keys_of(store)
    for voter in voter_ids:
        for lease in ask(store, voter, 50).leases:
            vote(store, voter, lease.id, "cat" if int(keys[lease.item_id]) < 2 else "dog", seconds=1.5)
    return voter_ids


@pytest.fixture
def project(store: Store) -> int:
    return make_project(store, prices={"votes": {"crowd": 0.05}, "platform_fee": 0.2})


def test_items_with_label_posterior_cost_and_reason(store: Store, project: int) -> None:
    vote_on_all(store, project)
    rows = lines(store, project, "items")
    assert [(row["key"], row["text"], row["label"]) for row in rows] == [
        ("0", "item 0", "cat"),
        ("1", "item 1", "cat"),
        ("2", "item 2", "dog"),
        ("3", "item 3", "dog"),
    ]
    for row in rows:
        assert row["p(cat)"] + row["p(dog)"] == pytest.approx(1)
        assert (row["status"], row["decided_by"], row["n_votes"]) == ("crowd", "crowd", 3)
        assert row["cost"] == pytest.approx(0.18)
        assert row["reason"]
        assert row["decided_at"] == "2027-01-15T08:00:00.000Z"


def test_undecided_items_have_no_label(store: Store, project: int) -> None:
    vote_on_all(store, project, n_voters=1)
    assert {(row["label"], row["decided_by"], row["status"]) for row in lines(store, project, "items")} == {
        (None, None, "asking")
    }


def test_gold_and_audits_are_distinguished(store: Store) -> None:
    project = make_project(store, 2, gold={0: 1}, state=None)
    with store.write() as connection:
        connection.execute(update(tasks).where(tasks.c.gold.is_(None)).values(status="expert", audited=True, label=0))
    assert [(row["label"], row["decided_by"]) for row in lines(store, project, "items")] == [
        ("dog", "gold"),
        ("cat", "audit"),
    ]


def test_columns_of_several_questions_start_with_their_names(store: Store, tmp_path: Path) -> None:
    project = new_project(store, QUESTIONS)
    import_file(store, tmp_path, project, "id,text\n1,x\n", "a.csv")
    header = exported(store, project, "items", "csv").decode().splitlines()[0]
    assert "pet: p(cat)" in header
    assert "mood: p(so so)" in header


def test_votes_by_codes_and_names(store: Store, project: int) -> None:
    vote_on_all(store, project, n_voters=2)
    rows = lines(store, project, "votes")
    assert [(row["key"], row["worker"], row["label"]) for row in rows] == [
        (str(n), f"crowd{v}", "cat" if n < 2 else "dog") for n in range(4) for v in range(2)
    ]
    assert rows[0] == {
        "key": "0",
        "question": "pet",
        "worker": "crowd0",
        "label": "cat",
        "said": "vote",
        "note": None,
        "purpose": "work",
        "seconds": 1.5,
        "price": 0.05,
        "cost": 0.06,
        "amendment": 0,
        "given_at": "2027-01-15T08:00:00.000Z",
    }


def test_of_amended_votes_the_last_counts(store: Store, project: int, clock: Clock) -> None:
    (voter,) = make_voters(store, project, 1)
    receipts = [vote(store, voter, lease.id, "cat") for lease in ask(store, voter, 4).leases]
    assert receipts[3].vote is not None
    with store.write() as connection:
        second = amend(connection, voter, receipts[3].vote, label="dog", response="vote", key="again", now=clock.now)
        amend(connection, voter, second, label=None, response="skip", key="and again", now=clock.now)
    assert sorted((row["said"], row["amendment"]) for row in lines(store, project, "votes")) == [
        ("skip", 2),
        *[("vote", 0)] * 3,
    ]
    all_votes = lines(store, project, "votes", amended=True)
    assert len(all_votes) == 6
    assert [row["current"] for row in all_votes if row["amendment"] != 2].count(False) == 2
    assert [row["current"] for row in all_votes if row["amendment"] == 2] == [True]


def test_the_last_vote_counts_also_across_frames(
    store: Store, project: int, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    (voter,) = make_voters(store, project, 1)
    for lease in ask(store, voter, 4).leases:
        vote_id = vote(store, voter, lease.id, "cat").vote
        assert vote_id is not None
        with store.write() as connection:
            amend(connection, voter, vote_id, label="dog", response="vote", key=f"again {lease.id}", now=clock.now)
    whole = lines(store, project, "votes", amended=True)
    for n_rows in (1, 2, 3):
        monkeypatch.setattr("quorate.service.exports.table.FRAME_ROWS", n_rows)
        assert lines(store, project, "votes", amended=True) == whole
        assert [row["label"] for row in lines(store, project, "votes")] == ["dog"] * 4, n_rows


def test_platform_ids_are_never_exported(store: Store, project: int) -> None:
    voter_ids = vote_on_all(store, project)
    with store.write() as connection:
        for voter in voter_ids:
            values = {"voter_id": voter, "project_id": project, "platform": "panel", "external_id": f"SECRET{voter}"}
            connection.execute(insert(identities).values(values))
    for what in TABLES:
        content = exported(store, project, what, "csv")
        assert content.count(b"\n") > 1
        assert b"SECRET" not in content


def test_workers_and_payments(store: Store, project: int) -> None:
    vote_on_all(store, project, n_voters=2)
    workers = lines(store, project, "workers")
    assert [(row["worker"], row["n_votes"], row["accuracy"], row["earned"]) for row in workers] == [
        ("crowd0", 4, None, 0.2),
        ("crowd1", 4, None, 0.2),
    ]
    assert lines(store, project, "payments")[0] == {
        "worker": "crowd0",
        "kind": "crowd",
        "n_votes": 4,
        "amount": 0.2,
        "fees": 0.04,
        "cost": 0.24,
    }


@pytest.mark.both_databases
def test_payments_and_the_file_for_the_panel_have_the_same_amounts(store: Store, project: int) -> None:
    first, second = vote_on_all(store, project, n_voters=2)
    (idle,) = make_voters(store, project, 1, kind="expert")
    with store.write() as connection:
        for voter, name in ((first, "=A1"), (second, "'=A1"), (idle, "plain")):
            values = {"voter_id": voter, "project_id": project, "platform": "panel", "external_id": name}
            connection.execute(insert(identities).values(values))
    text = b"".join(pay_csv(store, project, PanelEntry(), external=True)).decode()
    due = {row["worker"]: row["due"] for row in csv.DictReader(io.StringIO(text))}
    assert due == {"'=A1": "0.200000", "''=A1": "0.200000", "plain": "0.000000"}
    assert [row["amount"] for row in lines(store, project, "payments")] == [0.2, 0.2]


def test_decisions_by_name(store: Store, project: int) -> None:
    vote_on_all(store, project)
    rows = lines(store, project, "decisions")
    assert {(row["key"], row["label"], row["status"]) for row in rows} >= {("0", "cat", "crowd"), ("3", "dog", "crowd")}


@pytest.mark.parametrize("what", list(TABLES))
def test_all_formats_have_the_same_content(store: Store, project: int, what: str) -> None:
    vote_on_all(store, project)
    rows = lines(store, project, what)
    table = list(csv.DictReader(io.StringIO(exported(store, project, what, "csv").decode())))
    assert [list(row) for row in table] == [list(row) for row in rows]
    first = next(iter(rows[0]))
    assert [row[first] for row in table] == [row[first] for row in rows]
    frame = pl.read_parquet(io.BytesIO(exported(store, project, what, "parquet")))
    assert frame.columns == list(rows[0])
    assert frame[first].to_list() == [row[first] for row in rows]


@pytest.mark.parametrize("what", list(TABLES))
def test_an_empty_project_has_headers(store: Store, what: str) -> None:
    project = new_project(store)
    assert exported(store, project, what, "csv").count(b"\n") == 1
    assert exported(store, project, what, "jsonl") == b""
    assert pl.read_parquet(io.BytesIO(exported(store, project, what, "parquet"))).height == 0


def test_cells_that_a_spreadsheet_would_run_are_escaped(store: Store, tmp_path: Path) -> None:
    project = new_project(store, [{"name": "=q", "classes": ["+yes", "no"]}])
    text = '{"key": "@sum", "text": "=HYPERLINK(1)"}\n{"key": "-1", "text": "\'=x"}\n{"key": "a", "text": "1-1"}'
    import_file(store, tmp_path, project, text, "a.jsonl")
    rows = list(csv.reader(io.StringIO(exported(store, project, "items", "csv").decode())))
    assert [row[:3] for row in rows[1:]] == [
        ["'@sum", "text", "'=HYPERLINK(1)"],
        ["'-1", "text", "''=x"],
        ["a", "text", "1-1"],
    ]
    assert not any(cell[:1] in ("=", "+", "-", "@") for row in rows for cell in row)


def test_label_studio(store: Store, project: int) -> None:
    vote_on_all(store, project)
    first = json.loads(exported(store, project, "items", "json"))[0]
    assert first["data"] == {"key": "0", "kind": "text", "text": "item 0"}
    (annotation,) = first["annotations"]
    assert annotation["result"] == [
        {"from_name": "pet", "to_name": "text", "type": "choices", "value": {"choices": ["cat"]}}
    ]
    assert first["predictions"][0]["score"] > 0.5
    assert json.loads(exported(store, new_project(store), "items", "json")) == []


def test_a_manifest_of_ground_truth(store: Store, project: int, tmp_path: Path) -> None:
    vote_on_all(store, project)
    import_file(store, tmp_path, project, "id,image\npic,https://a.org/1.png\n", "b.csv")
    manifest = [json.loads(line) for line in exported(store, project, "items", "manifest").splitlines()]
    assert (manifest[3]["source"], manifest[3]["pet"]) == ("item 3", 1)
    assert manifest[3]["pet-metadata"]["class-name"] == "dog"
    assert manifest[3]["pet-metadata"]["human-annotated"] == "yes"
    assert manifest[3]["pet-metadata"]["type"] == "groundtruth/text-classification"
    assert manifest[4] == {"source-ref": "https://a.org/1.png", "key": "pic"}


@pytest.mark.parametrize(("what", "form"), [("secrets", "csv"), ("items", "exe"), ("votes", "manifest")])
def test_unknown_tables_and_formats_are_refused(store: Store, project: int, what: str, form: str) -> None:
    with pytest.raises(NotFound, match="choose one of"):
        exported(store, project, what, form)


def test_an_export_is_a_snapshot_and_does_not_block_writers(
    store: Store, project: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("quorate.service.exports.items.PAGE", 1)
    parts = export(store, project, "items", "jsonl")
    first = next(parts)
    vote_on_all(store, project)
    with store.write() as connection:
        connection.execute(update(projects).values(name="written meanwhile"))
        connection.execute(update(voters).values(state="done"))
    rows = [json.loads(line) for line in (first + b"".join(parts)).splitlines()]
    assert {row["n_votes"] for row in rows} == {0}
    assert {row["n_votes"] for row in lines(store, project, "items")} == {3}
