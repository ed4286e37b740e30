"""Call a function in a fresh process: python -m benchmarks.child MODULE:FUNCTION [ARGUMENT ...]

Used by `harness.in_child` and by benchmarks that start a server; not a benchmark itself. Arguments arrive as text.
"""

import sys
from importlib import import_module


def main() -> None:
    """Call the function that the command line names."""
    module, _, function = sys.argv[1].partition(":")
    getattr(import_module(module), function)(*sys.argv[2:])


if __name__ == "__main__":
    main()
