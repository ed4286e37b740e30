from benchmarks.trust import workers
from benchmarks.trust.workers_tables import MEASURES, tables_of


def test_the_table_has_a_row_for_every_ranking() -> None:
    names = [f"workers: {measure}: {words}" for words in workers.RANKINGS.values() for measure in MEASURES]
    values = {name: number / 10 for number, name in enumerate(names)}
    texts = tables_of({**values, "workers: share of 95% intervals with the true accuracy": 0.944})
    assert texts["worker intervals"] == "94%"
    assert texts["ranking of workers"].splitlines()[2:] == [
        "| `consensus_agreement` | 0.00 | 0.10 | 0.200 |",
        "| `accuracy` of ensemble | 0.30 | 0.40 | 0.500 |",
        "| `accuracy` of dawid_skene | 0.60 | 0.70 | 0.800 |",
    ]
