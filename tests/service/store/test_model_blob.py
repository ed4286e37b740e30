import io
import json
import zipfile
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest

from quorate import Votes, registry
from quorate.data.costs import Costs, Prices
from quorate.data.ids import as_names
from quorate.decision.base import TAUGHT, Fused, Machines, PoolState
from quorate.decision.policy_by_name import policy_of
from quorate.errors import QuorateError
from quorate.service.store.model_blob import TREE, pack, pack_parts, unpack, unpack_parts
from quorate.typing import Gold
from tests.contracts.test_policies import POLICIES, VARIANTS
from tests.crowds import small_crowd, some_prior

FUSIONS = [("expected_loss", {"fusion": name}) for name in registry.names("decision.fusion")]
PRICES = Prices(votes={"crowd": 1.0, "expert": 10.0})


@dataclass(frozen=True)
class Pool:
    votes: Votes
    machines: Machines
    gold: Gold


def named(votes: Votes) -> Votes:
    names = [f"wörker {number}" for number in range(votes.n_workers)]
    return replace(votes, workers=as_names(names), tasks=as_names(np.arange(100, 100 + votes.n_tasks)))


def no_gold(votes: Votes) -> Gold:
    return np.full(votes.n_tasks, -1)


def pools() -> dict[str, Pool]:
    two, three, many = small_crowd(2), named(small_crowd(3)), small_crowd(2, n_tasks=130)
    both = {"given": some_prior(two, 1), TAUGHT: some_prior(two, 2)}
    return {
        "votes alone": Pool(three, {}, no_gold(three)),
        "taught": Pool(three, {TAUGHT: some_prior(three)}, no_gold(three)),
        "two machines": Pool(two, both, no_gold(two)),
        "gold": Pool(many, {"given": some_prior(many)}, np.where(np.arange(many.n_tasks) < 120, 1, -1)),
        "no votes": Pool(three.subset(rows=[]), {}, no_gold(three)),
    }


POOLS = pools()


@pytest.mark.parametrize("pool", POOLS.values(), ids=POOLS)
@pytest.mark.parametrize(("name", "options"), [*POLICIES, *VARIANTS, *FUSIONS], ids=str)
def test_decides_as_before(name: str, options: dict[str, Any], pool: Pool) -> None:
    costs = Costs.of_error(100, pool.votes.n_classes)
    policy = policy_of(name, pool.votes.n_classes, costs=costs, prices=PRICES, options=options)
    model = policy.fit(pool.votes, pool.machines, pool.gold)
    model = policy.fit(pool.votes, pool.machines, pool.gold, model)
    again = unpack(pack(model))

    def decide(fitted: Fused) -> Any:
        is_open = np.ones((pool.votes.n_tasks, len(PRICES.kinds)), dtype=bool)
        state = PoolState(votes=pool.votes, machines=pool.machines, model=fitted, gold=pool.gold, open=is_open)
        return policy.decide(state)

    before, after = decide(model), decide(again)
    for field in ("action", "label", "ask", "expected_cost", "value", "probs", "source", "reason"):
        np.testing.assert_array_equal(getattr(before, field), getattr(after, field))
    # A fit that starts from the unpacked model is the same too.
    first, second = (policy.fit(pool.votes, pool.machines, pool.gold, start) for start in (model, again))
    inputs = pool.votes, pool.machines
    np.testing.assert_array_equal(first.posterior(*inputs), second.posterior(*inputs))


def some_model() -> Fused:
    pool = POOLS["taught"]
    policy = policy_of("expected_loss", 3)
    return policy.fit(pool.votes, pool.machines, pool.gold)


def replace_tree(packed: bytes, **tree: Any) -> bytes:
    """Return packed bytes with another tree."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(packed)) as old, zipfile.ZipFile(buffer, "w") as new:
        for name in old.namelist():
            new.writestr(name, json.dumps(json.loads(old.read(name)) | tree) if name == TREE else old.read(name))
    return buffer.getvalue()


def one_line(error: pytest.ExceptionInfo[QuorateError]) -> bool:
    return "\n" not in str(error.value) and len(str(error.value)) < 200


@pytest.mark.parametrize("end", [0, 10, 300, -1])
def test_cut_bytes_are_refused(end: int) -> None:
    with pytest.raises(QuorateError, match="damaged") as error:
        unpack(pack(some_model())[:end])
    assert one_line(error)


def test_any_flipped_byte_is_refused_or_harmless() -> None:
    good = pack(some_model())
    for position in range(0, len(good), 97):
        bad = bytearray(good)
        bad[position] ^= 0xFF
        try:
            unpack(bytes(bad))
        except QuorateError:
            continue


@pytest.mark.parametrize(
    "model",
    [
        {"kind": "os.system", "fields": {}},
        {"kind": "quorate.find.method", "fields": {}},
        {"kind": "quorate.decision.fusion.difficulty.np", "fields": {}},
        {"kind": "quorate.decision.fusion._crowd.Crowd", "fields": {}},
        {"kind": "quorate.decision.nothing.Here", "fields": {}},
        {"kind": "quorate.costs.Costs", "fields": {}},
        {"kind": "learner/linear", "fields": {}},
        {"kind": "fusion/_crowd.Crowd", "fields": {}},
        {"array": 99},
        {"array": "../../x"},
        {"number": "many"},
        {"else": 1},
        {"dict": 3},
        [1, 2],
        None,
    ],
    ids=str,
)
def test_foreign_trees_are_refused(model: Any) -> None:
    with pytest.raises(QuorateError) as error:
        unpack(replace_tree(pack(some_model()), model=model))
    assert one_line(error)


def test_another_format_is_refused() -> None:
    with pytest.raises(QuorateError, match="format 3"):
        unpack(replace_tree(pack(some_model()), format=3))


def test_pickles_are_refused() -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as file:
        file.writestr(TREE, json.dumps({"format": 1, "model": {"array": 0}}))
        with file.open("0.npy", "w") as part:
            np.lib.format.write_array(part, np.array([object], dtype=object), allow_pickle=True)
    with pytest.raises(QuorateError, match="damaged"):
        unpack_parts(buffer.getvalue())


@dataclass(frozen=True)
class Foreign:
    number: int = 1


@pytest.mark.parametrize(
    "value",
    [Foreign(), object(), np.array([1, "x"], dtype=object), Costs.of_error(1, 2)],
    ids=lambda value: type(value).__name__,
)
def test_what_could_not_be_read_again_is_not_written(value: Any) -> None:
    with pytest.raises(QuorateError, match="cannot be stored") as error:
        pack_parts(value)
    assert one_line(error)


@pytest.mark.parametrize("value", [1, 2.5, float("inf"), "ü", None, True, (1, [2.0, None]), {"a": (float("-inf"),)}])
def test_plain_values_come_back(value: Any) -> None:
    assert unpack_parts(pack_parts(value)) == value
