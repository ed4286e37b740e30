"""Peak memory of a method, measured in a process of its own. A part of benchmarks/aggregation/speed.py."""

from pathlib import Path

from benchmarks.aggregation import crowds
from benchmarks.harness import peak_megabytes
from quorate import aggregate
from quorate.registry.method_names import AggregationMethod


def megabytes_now() -> float:
    status = Path("/proc/self/status").read_text().splitlines()
    return int(next(line for line in status if line.startswith("VmRSS")).split()[1]) / 1024


def report(method: AggregationMethod, n_votes: str, n_classes: str) -> None:
    """Print how many times (index arrays + outputs) the peak is, and megabytes.

    The votes and all that they hold count; what the process held before them does not.
    """
    aggregate(crowds.votes(1_000_000, int(n_classes)), method, max_rounds=2)  # loads what is loaded once
    before = megabytes_now()
    votes = crowds.votes(int(n_votes), int(n_classes))
    index = sum(array.nbytes for array in (votes.task, votes.worker, votes.label)) / 2**20
    Path("/proc/self/clear_refs").write_text("5")  # forget the peak so far
    posterior = aggregate(votes, method, max_rounds=3)
    peak = peak_megabytes() - before
    outputs = posterior.probs.nbytes / 2**20
    table = getattr(posterior.worker_model, "log_matrices", None)
    outputs += 0 if table is None else table.nbytes / 2**20
    print(peak / (index + outputs), peak)
