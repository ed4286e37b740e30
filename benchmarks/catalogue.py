"""All benchmarks by folder and name: what each needs, and how long it takes where that was measured."""

import ast
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Environment:
    """Where a benchmark runs. stamps: the targets of the Makefile that set it up."""

    folder: str
    stamps: tuple[str, ...]
    also: str = ""


LIBRARY = Environment(".venv", (".venv/.dev-ready",))
ENCODERS = Environment(".venv", (".venv/.learn-ready",), "encoders of texts and images")
CROWDKIT = Environment(".venv-bench", (".venv-bench/.ready",))
SERVERS = Environment(".venv", (".venv/.dev-ready", ".venv-peers/.ready"), ".venv-peers")
BROWSER = Environment(".venv", (".venv/.dev-ready", "web"), "the built pages, Chromium")


@dataclass(frozen=True)
class Benchmark:
    """What a benchmark needs. data: the real sets. part_of: the benchmark that runs it too.

    full, quick: how long it takes, as measured on a shared machine with two cores; empty if that was not measured. The
    time of CPU is given where other programs kept the machine busy.
    """

    environment: Environment = LIBRARY
    data: bool = False
    part_of: str = ""
    full: str = ""
    quick: str = ""

    def needs(self) -> str:
        """Return in words what has to be there."""
        data = "QUORATE_DATA" if self.data else ""
        return ", ".join(filter(None, (self.environment.folder, self.environment.also, data)))

    def durations(self) -> str:
        """Return how long it takes."""
        if not self.full and not self.quick:
            return "duration not measured"
        return f"full: {self.full or 'not measured'}, --quick: {self.quick or 'not measured'}"


BENCHMARKS = {
    "aggregation/accuracy": Benchmark(CROWDKIT, data=True, full="most of an hour, nearly all of it crowd-kit's"),
    "aggregation/speed": Benchmark(CROWDKIT),
    "aggregation/without_gold": Benchmark(CROWDKIT, data=True, full="3 minutes on a busy machine (33 s of CPU)"),
    "calibration/by_votes": Benchmark(data=True, part_of="calibration/suite", quick="8.7 minutes on a busy machine"),
    "calibration/suite": Benchmark(data=True),
    "decision/audit": Benchmark(data=True),
    "decision/budget": Benchmark(data=True, quick="10 minutes on a busy machine (90 s of CPU)"),
    "decision/certificates": Benchmark(data=True, quick="1.4 minutes on a busy machine (40 s of CPU)"),
    "decision/experts": Benchmark(data=True, quick="3.2 minutes on a busy machine (18 s of CPU)"),
    "decision/forecast": Benchmark(data=True),
    "decision/replays": Benchmark(data=True),
    "decision/screening": Benchmark(),
    "decision/speed": Benchmark(quick="a minute on a busy machine (18 s of CPU)"),
    "decision/stated_errors": Benchmark(data=True, quick="2.5 minutes"),
    "hybrid/engine": Benchmark(ENCODERS, data=True, full="17 minutes on a busy machine (445 s of CPU)"),
    "learning/classifiers": Benchmark(ENCODERS, data=True, full="most of an hour without LEARN_CACHE"),
    "learning/encoders": Benchmark(ENCODERS, data=True, full="10 minutes on a busy machine (285 s of CPU)"),
    "learning/speed": Benchmark(part_of="learning/classifiers", quick="40 s"),
    "pages/browser": Benchmark(BROWSER),
    "service/demo": Benchmark(part_of="service/suite", full="ten runs of 111 s", quick="two runs of 108 s"),
    "service/faults": Benchmark(part_of="service/suite", quick="1.3 minutes on a busy machine (23 s of CPU)"),
    "service/files": Benchmark(part_of="service/suite"),
    "service/forecast": Benchmark(data=True),
    "service/hot_path": Benchmark(part_of="service/suite", quick="4.3 minutes on a busy machine (58 s of CPU)"),
    "service/load": Benchmark(part_of="service/suite", quick="1.5 minutes on a busy machine"),
    "service/peers": Benchmark(SERVERS, part_of="service/suite"),
    "service/suite": Benchmark(SERVERS),
    "trust/consensus": Benchmark(CROWDKIT, data=True, quick="9 minutes on a busy machine (140 s of CPU)"),
    "trust/ordinal": Benchmark(data=True, full="a minute (23 s of CPU)", quick="20 s"),
    "trust/stated_errors": Benchmark(data=True, full="9 minutes on a busy machine (290 s of CPU)"),
    "trust/workers": Benchmark(data=True, full="a minute", quick="a minute"),
}


def chosen(name: str) -> list[str]:
    """Return the benchmarks that a name asks for: one, or those of a folder that no other one of it runs too."""
    name = name.strip("/").removeprefix("benchmarks/").removesuffix(".py")
    if name in BENCHMARKS:
        return [name]
    return [
        benchmark for benchmark, entry in BENCHMARKS.items() if benchmark.startswith(f"{name}/") and not entry.part_of
    ]


def description(name: str) -> str:
    """Return the first line of a benchmark's docstring."""
    text = ast.get_docstring(ast.parse((FOLDER / f"{name}.py").read_text(encoding="utf-8"))) or ""
    return text.partition("\n")[0]
