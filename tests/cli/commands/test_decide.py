"""`quorate decide`: one row per task, a summary, costs and prices as they are typed; one line per error."""

import json
import re

import polars as pl
import pytest

from quorate import simulate_votes, write_votes
from tests.cli.running import Run

CROWD = simulate_votes(n_tasks=120, votes_per_task=3, classes=("no", "yes"), seed=4)


@pytest.fixture
def run(call: Run) -> Run:
    """Write votes on 120 tasks; probabilities of these and of five more; gold of ten."""
    write_votes(CROWD.votes, "votes.csv")
    tasks, names = CROWD.votes.tasks.tolist(), CROWD.votes.classes[CROWD.gold].tolist()
    pl.DataFrame({"task": tasks[:10], "label": names[:10]}).write_csv("gold.csv")
    sure = [0.9 if name == "yes" else 0.1 for name in names] + [0.999, 0.5, 0.5, 0.5, 0.001]
    more = [*tasks, *(f"new{number}" for number in range(5))]
    pl.DataFrame({"task": more, "p_yes": sure, "p_no": [1 - share for share in sure]}).write_csv("probs.csv")
    return call


def rows(out: str) -> list[dict[str, object]]:
    table: list[dict[str, object]] = json.loads(out)
    return table


@pytest.mark.parametrize("width", ["60", "80", "120"])
def test_shows_what_to_do_and_what_it_costs(run: Run, monkeypatch: pytest.MonkeyPatch, width: str) -> None:
    monkeypatch.setenv("COLUMNS", width)
    code, out, err = run("decide votes.csv --cost-error 20 --out d.csv")
    assert (code, err) == (0, "")
    for part in ("360 votes on 120 tasks", "accept", "ask crowd", "Most worth asking", "To ask them now costs"):
        assert part in out
    stated = r"How often they are wrong: about [\d.]+% \(model estimate, 80% band [\d.]+% to [\d.]+%\)\."
    assert re.search(stated, out)
    table = pl.read_csv("d.csv")
    asked = int((table["action"] == "ask").sum())
    assert f"To ask them now costs {asked}." in out
    assert table["task"].to_list() == CROWD.votes.tasks.tolist()
    assert set(table["action"]) == {"accept", "ask"}
    assert max(len(line) for line in out.splitlines()) <= max(int(width), 90)


def test_where_there_are_few_votes_it_says_what_to_ask_first(run: Run) -> None:
    assert "few votes" not in run("decide votes.csv --cost-error 20")[1]
    write_votes(CROWD.votes.subset(rows=range(9)), "few.csv")
    # Three tasks have three votes each: that is enough for a pool of three. Of 125 that a machine knows, the square
    # root of 125 * 20, by 8, are to have one.
    assert "few votes" not in run("decide few.csv --cost-error 20")[1]
    out = run("decide few.csv --machines probs.csv --cost-error 20")[1]
    assert "This rests on few votes: first have 1 vote on each of 6 tasks drawn at random." in " ".join(out.split())


def test_new_tasks_of_a_machine_and_labels_of_experts(run: Run) -> None:
    code, out, _ = run("decide votes.csv --machines probs.csv --gold gold.csv --format json")
    assert code == 0
    table = rows(out)
    assert [row["task"] for row in table[-5:]] == [f"new{number}" for number in range(5)]
    assert [row["source"] for row in table] == ["expert"] * 10 + ["model"] * (len(table) - 10)
    assert [table[120]["label"], table[124]["label"]] == ["yes", "no"]
    assert table[121]["action"] == "ask"


def test_costs_of_two_kinds_of_error(run: Run) -> None:
    pl.DataFrame({"true": ["yes", "no"], "yes": [0, 1], "no": [40, 0]}).write_csv("costs.csv")
    by_pair = run("decide votes.csv --false-positive 1 --false-negative 40 --format csv")
    by_matrix = run("decide votes.csv --cost-matrix costs.csv --format csv")
    turned = run("decide votes.csv --false-positive 40 --false-negative 1 --positive no --format csv")
    assert by_pair == by_matrix == turned
    assert by_pair[1].count(",yes,") > run("decide votes.csv --format csv")[1].count(",yes,")


def test_no_label_where_all_cost_more(run: Run) -> None:
    _, out, _ = run("decide votes.csv --cost-error 20 --unclassifiable 0.5")
    assert "unclassifiable" in out


def test_a_budget(run: Run) -> None:
    _, out, _ = run("decide votes.csv --budget 3 --rest undecided --out d.csv")
    assert "To ask them now costs 3." in out
    actions = pl.read_csv("d.csv")["action"].to_list()
    assert actions.count("ask") == 3
    assert actions.count("undecided") > 3
    assert "the budget is spent" in run("decide votes.csv --budget 0 --format csv")[1]


def test_an_audit_tells_how_often_others_are_wrong(run: Run) -> None:
    tasks, names = CROWD.votes.tasks.tolist(), CROWD.votes.classes[CROWD.gold].tolist()
    pl.DataFrame({"task": tasks[::3], "label": names[::3]}).write_csv("audit.csv")
    _, out, _ = run("decide votes.csv --cost-error 5 --gold gold.csv --audit audit.csv --out d.csv")
    assert "How often they are wrong: " in out
    assert "% (90% interval " in out
    assert "unknown" not in out
    assert re.search(r"Without the audit: about [\d.]+% \(model estimate, 80% band ", out)
    assert "contradicts" not in out
    sources = pl.read_csv("d.csv")["source"].to_list()
    assert sources.count("expert") == 40 + 6  # gold of ten, four of which are also audited
    assert (
        "50 labels of experts on tasks drawn at random (--audit) would measure it, for 500."
        in run("decide votes.csv")[1]
    )
    assert "would measure it.\n" in run("decide votes.csv --price crowd=1")[1]


def test_an_audit_that_contradicts_the_model_is_relied_on(run: Run) -> None:
    tasks, names = CROWD.votes.tasks.tolist(), CROWD.votes.classes[1 - CROWD.gold].tolist()  # experts see the opposite
    pl.DataFrame({"task": tasks[::3], "label": names[::3]}).write_csv("audit.csv")
    out = run("decide votes.csv --cost-error 5 --policy crowd_only --audit audit.csv")[1]
    audited, model = out.partition("How often they are wrong: ")[2].splitlines()[:2]
    assert "model estimate" not in audited
    assert model.startswith("Without the audit: about ")
    assert "The audit contradicts this: rely on the audit." in out


def test_whether_an_audit_pays_is_told_where_experts_have_a_price(run: Run) -> None:
    expensive = run("decide votes.csv --price crowd=1 --price expert=1000")[1]
    assert "An audit of 100 expert labels (100,000) is expected to cost " in expensive
    assert "expected to pay" not in run("decide votes.csv --price crowd=1")[1]


def test_a_warning_is_one_line_on_stderr(run: Run) -> None:
    code, out, err = run("decide votes.csv --cost-error 1 --format json")
    assert code == 0
    assert err == "quorate: a vote (1) costs as much as an error (1) or more: none will be asked for\n"
    assert {row["action"] for row in rows(out)} == {"accept"}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--price crowd", "--price takes WHO=PRICE, such as crowd=1, got 'crowd'"),
        ("--price crowd=much", "got 'crowd=much'"),
        ("--price crowd=1 --price crowd=2", "names crowd twice"),
        ("--price crwd=1", "--price crwd=1: 'crwd' is not a worker of the votes: did you mean crowd?"),
        ("--price crowd=-1", "the price of crowd must be zero or more"),
        ("--false-positive 3", "go together: give both"),
        ("--false-positive 3 --false-negative 4 --positive maybe", "no class 'maybe': --positive is one of no, yes"),
        ("--positive yes", "--positive goes with --false-positive"),
        ("--cost-matrix gold.csv", "gold.csv: no column 'true' (there are: task, label)"),
        ("--cost-matrix part.csv", "part.csv: no row or no column for class 'no'"),
        ("--cost-matrix part.csv --false-positive 3", "give either --cost-matrix, or"),
        ("--policy expected_los", "did you mean 'expected_loss'?"),
        ("--option horizons=3", "no option 'horizons'"),
        ("--option horizon", "--option takes NAME=VALUE, such as horizon=3, got 'horizon'"),
        ("--machines gold.csv", "gold.csv: there are no probabilities"),
        ("--cost-error -3", "--cost-error must be zero or more, got -3"),
        ("--false-positive -3 --false-negative 1", "--false-positive must be zero or more, got -3"),
        ("--classes ja,nein", "votes.csv: label 'no' is not one of --classes ja, nein: correct it, or name it in"),
        ("--machines odd.csv", "odd.csv: it has no probabilities of class 'yes', which is a label in votes.csv"),
        ("--out votes.csv", "two of the files are the same"),
    ],
)
def test_what_is_wrong_is_told_in_one_line(run: Run, options: str, message: str) -> None:
    pl.DataFrame({"true": ["yes"], "yes": [0]}).write_csv("part.csv")
    pl.read_csv("probs.csv").rename({"p_yes": "p_maybe"}).write_csv("odd.csv")
    code, out, err = run(f"decide votes.csv {options}")
    assert (code, out) == (2, "")
    assert err.startswith("quorate: ")
    assert message in err
    assert err.count("\n") == 1
