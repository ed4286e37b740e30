from quorate import Votes, aggregate
from quorate.inference.progress import watch_rounds


def test_every_round_is_reported() -> None:
    seen: list[tuple[int, int]] = []
    votes = Votes.from_matrix([[0, 0, 1], [1, 1, 0], [0, 1, 1]])
    with watch_rounds(lambda number, most: seen.append((number, most))):
        posterior = aggregate(votes, "dawid_skene", max_rounds=7, tol=-1)
        aggregate(votes, "glad", max_rounds=2)
    assert seen[:7] == [(number, 7) for number in range(1, 8)]
    assert len(posterior.objective) == 7
    assert (1, 2) in seen
    aggregate(votes, "dawid_skene")
    assert len(seen) <= 9
