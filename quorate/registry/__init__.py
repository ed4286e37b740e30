"""Methods by their names: which exist, how to make one with its options, and the type names of stored objects.

A file of a folder such as `aggregation` is a method if it defines the class that its name spells: nothing has to be
registered. What a method computes belongs into its own file.
"""

from quorate.registry.methods import (
    class_name,
    described,
    method,
    method_class,
    module,
    name_of,
    names,
    options,
    require_name,
)
from quorate.registry.option_values import made, options_of, typed

__all__ = [
    "class_name",
    "described",
    "made",
    "method",
    "method_class",
    "module",
    "name_of",
    "names",
    "options",
    "options_of",
    "require_name",
    "typed",
]
