"""List the benchmarks, or run some, each in the environment that it needs.

python -m benchmarks                                list all of them
python -m benchmarks NAME [--quick] [--json FILE]   run a folder (decision) or one benchmark (decision/audit)
python -m benchmarks --needs NAME                   print the targets of the Makefile that set up their environments

`make bench NAME=... ARGS=...` sets up the environments and does the same. With a folder of several benchmarks, --json
names a folder, and each writes a file there. Exits with 1 if a target is missed. Needs the standard library only.
"""

import difflib
import subprocess
import sys
from pathlib import Path

from benchmarks.catalogue import BENCHMARKS, FOLDER, chosen, description

ROOT = FOLDER.parent
UNKNOWN = 2


def main(arguments: list[str]) -> int:
    """Do what the command line asks for; return the exit code."""
    if arguments[:1] in (["-h"], ["--help"]):
        print(__doc__)
        return 0
    if arguments[:1] == ["--needs"]:
        print(*stamps(arguments[1:]))
        return 0
    if not arguments or arguments[0].startswith("-"):
        print(listing())
        return 0
    name, *passed = arguments
    names = chosen(name)
    if not names:
        return refuse(f"No benchmark is called {name!r}{similar(name)}; `make bench` lists all of them.")
    return run_all(names, passed)


def listing() -> str:
    """Return all benchmarks, with what each measures, needs and takes."""
    lines = ['make bench NAME=<folder or benchmark> [ARGS="--quick --json FILE"]']
    folder = ""
    for name, what in BENCHMARKS.items():
        if name.partition("/")[0] != folder:
            folder = name.partition("/")[0]
            lines += ["", folder]
        part = f"part of {what.part_of}; " if what.part_of else ""
        lines += [f"  {name:<26}{description(name)}", f"{'':<28}{part}needs {what.needs()}; {what.durations()}"]
    return "\n".join(lines)


def stamps(names: list[str]) -> list[str]:
    """Return the targets of the Makefile that have to be there before these are run."""
    targets = [
        stamp for name in names for benchmark in chosen(name) for stamp in BENCHMARKS[benchmark].environment.stamps
    ]
    return list(dict.fromkeys(targets))


def run_all(names: list[str], arguments: list[str]) -> int:
    """Run benchmarks one after the other; return 1 if one missed a target or failed."""
    failed = []
    for name in names:
        python = ROOT / BENCHMARKS[name].environment.folder / "bin" / "python"
        if not python.exists():
            folder = BENCHMARKS[name].environment.folder
            return refuse(f"{name} needs {folder}, which is not there: `make bench NAME={name}` sets it up.")
        if len(names) > 1:
            print(f"\n{name}: {description(name)}", flush=True)
        command = [str(python), "-m", f"benchmarks.{name.replace('/', '.')}", *of_one(name, names, arguments)]
        if subprocess.run(command, cwd=ROOT, check=False).returncode:
            failed.append(name)
    if failed and len(names) > 1:
        print(f"\nMissed a target, or failed: {', '.join(failed)}")
    return int(bool(failed))


def of_one(name: str, names: list[str], arguments: list[str]) -> list[str]:
    """Return the arguments of one benchmark: of several, each writes its own file into the folder of --json."""
    if "--json" not in arguments[:-1]:
        return arguments
    index = arguments.index("--json") + 1
    path = Path(arguments[index]).absolute()
    if len(names) > 1:
        path.mkdir(parents=True, exist_ok=True)
        path = path / f"{name.rpartition('/')[2]}.json"
    return [*arguments[:index], str(path), *arguments[index + 1 :]]


def similar(name: str) -> str:
    """Return what may have been meant: names that look like this one, or all of its folder."""
    folder, _, last = name.partition("/")
    inside = [benchmark.partition("/")[2] for benchmark in BENCHMARKS if benchmark.startswith(f"{folder}/")]
    if inside:
        close = difflib.get_close_matches(last, inside, n=1)
        return f" (did you mean {folder}/{close[0]}?)" if close else f" ({folder} has {', '.join(inside)})"
    meant: dict[str, list[str]] = {}
    for benchmark in BENCHMARKS:
        meant[benchmark], meant[benchmark.partition("/")[0]] = [benchmark], [benchmark.partition("/")[0]]
        meant.setdefault(benchmark.partition("/")[2], []).append(benchmark)
    close = difflib.get_close_matches(last or name, meant, n=1)
    return f" (did you mean {' or '.join(meant[close[0]])}?)" if close else ""


def refuse(why: str) -> int:
    """Say in one line why nothing is run."""
    print(why, file=sys.stderr)
    return UNKNOWN


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
