"""Simulated people at work on the real service, over HTTP."""

from math import inf
from pathlib import Path

import pytest

from quorate.cli.app import main
from quorate.client import Client, ClientError, Overview
from quorate.client.simulated_crowd.crowd import SimulatedCrowd, enter
from quorate.client.simulated_crowd.people import people
from quorate.client.simulated_crowd.truth import Truth, write_truth
from quorate.client.simulated_crowd.watch import Watch
from quorate.service.store.database import Store
from tests.service.clients import owner_token, serving, voter_token
from tests.service.pools import keys_of, make_project, make_voters
from tests.service.waiting import PATIENCE

N_ITEMS = 30
TRUTH = Truth({"pet": {str(number): ["cat", "dog"][number % 2] for number in range(N_ITEMS)}})
CROWD = people(6, seed=1)


def crowd_of(store: Store, url: str, project: int, **changes: float) -> SimulatedCrowd:
    voters = make_voters(store, project, len(CROWD))
    tokens = {who.name: voter_token(store, project, voter) for who, voter in zip(CROWD, voters, strict=True)}
    classes = {"pet": ["cat", "dog"]}
    return SimulatedCrowd(
        url=url,
        project=project,
        people=CROWD,
        tokens=tokens,
        classes=classes,
        truth=TRUTH,
        key_of=keys_of(store).__getitem__,
        speed=inf,
        most_votes=changes.get("most_votes", inf),
    )


def test_they_work_until_all_is_decided(store: Store) -> None:
    project = make_project(store, N_ITEMS)
    seen: list[int] = []

    def told(found: Overview) -> None:
        seen.append(found.n_open)
        if not found.n_open and found.state == "running":  # there is no learner here, which would end it
            client.projects.set_state(project, "done")

    with serving(store) as url, Client(url, token=owner_token(store)) as client:
        watch = Watch(client=client, project=project, told=told)
        assert crowd_of(store, url, project).work(watch=watch, seconds=PATIENCE) == 3 * N_ITEMS
        overview = client.projects.overview(project)
    assert seen[-1] == 0
    assert overview.by_status == {"crowd": N_ITEMS}
    assert (overview.votes, overview.leases, overview.spent) == (3 * N_ITEMS, 0, 3.0 * N_ITEMS)


def test_they_give_no_more_votes_than_they_may(store: Store) -> None:
    project = make_project(store, N_ITEMS)
    with serving(store) as url:
        assert crowd_of(store, url, project, most_votes=3).work(seconds=PATIENCE) == 3 * len(CROWD)


def test_they_go_home_when_the_project_ends(store: Store) -> None:
    project = make_project(store, N_ITEMS)
    with serving(store) as url, Client(url, token=owner_token(store)) as client:
        client.projects.set_state(project, "done")
        assert crowd_of(store, url, project).work(seconds=PATIENCE) == 0


def test_they_agree_to_what_is_asked_first(store: Store) -> None:
    project = make_project(store, N_ITEMS, consent={"version": "1", "text": "You may stop at any time."})
    with serving(store) as url, Client(url, token=owner_token(store)) as client:
        assert enter(client, project, CROWD, TRUTH, speed=inf, most_votes=2).work(seconds=PATIENCE) == 2 * len(CROWD)


def test_what_goes_wrong_with_one_sends_all_home(store: Store) -> None:
    project = make_project(store, N_ITEMS)
    with serving(store) as url:
        crowd = crowd_of(store, url, project)
        tokens = {**crowd.tokens, CROWD[0].name: "qs_wrong"}
        with pytest.raises(ClientError, match="unknown, ended or revoked"):
            SimulatedCrowd(**{**vars(crowd), "tokens": tokens}).work(seconds=PATIENCE)


def test_they_come_in_by_links_from_the_command_line(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    project = make_project(store, N_ITEMS)
    write_truth(TRUTH, tmp_path / "truth.csv")
    options = [
        "--project",
        str(project),
        "--truth",
        str(tmp_path / "truth.csv"),
        "--speed",
        "1000",
        "--most-votes",
        "2",
    ]
    with serving(store) as url:
        command = ["simulate", "crowd", "--url", url, "--workers", "5", *options]
        monkeypatch.delenv("QUORATE_TOKEN", raising=False)
        assert run(command) == 2
        assert "QUORATE_TOKEN is not set" in capsys.readouterr().err
        monkeypatch.setenv("QUORATE_TOKEN", owner_token(store))
        assert run(command) == 0
        assert "10 votes of 5 people counted: 0 of 30 tasks decided, 10.00 spent" in capsys.readouterr().out
        with Client(url, token=owner_token(store, "otto")) as client:
            client.projects.set_state(project, "paused")
        assert run(command) == 2
        assert f"project {project} is paused" in capsys.readouterr().err


def run(command: list[str]) -> object:
    with pytest.raises(SystemExit) as stop:
        main(command)
    return stop.value.code or 0


def test_they_rest_while_the_learner_is_behind(store: Store) -> None:
    project = make_project(store, N_ITEMS)
    with serving(store) as url, Client(url, token=owner_token(store)) as client:
        watch = Watch(client=client, project=project, told=lambda _: None, most_behind=0)
        assert watch(0) == "work"
        orders = iter(["rest", "rest", "rest"])
        votes = crowd_of(store, url, project).work(
            watch=lambda votes: next(orders, "go home") if votes else "work"  # type: ignore[arg-type]
        )
        assert 0 < votes <= 3 * N_ITEMS
        assert watch(0) == "rest"  # nobody learns here


def test_they_go_home_when_nobody_is_left_who_could_answer(store: Store) -> None:
    project = make_project(store, N_ITEMS, policy={"name": "fixed_votes", "options": {"n": 20}})
    with serving(store) as url, Client(url, token=owner_token(store)) as client:
        watch = Watch(client=client, project=project, told=lambda _: None, looks=2)
        assert crowd_of(store, url, project).work(watch=watch, seconds=PATIENCE) == len(CROWD) * N_ITEMS
