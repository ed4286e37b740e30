"""Methods by name: which exist, their options, and the type names of stored objects.

A file of a folder such as `aggregation` is a method if it defines the class that its name spells: nothing has to be
registered. What a method computes belongs into its own file. `lazy` has the helper for packages that import what they
export on first use.
"""

from typing import TYPE_CHECKING

from quorate.registry.lazy import Exports, lazy_exports

if TYPE_CHECKING:
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

_EXPORTS: Exports = {
    "class_name": ("quorate.registry.methods", "class_name"),
    "described": ("quorate.registry.methods", "described"),
    "made": ("quorate.registry.option_values", "made"),
    "method": ("quorate.registry.methods", "method"),
    "method_class": ("quorate.registry.methods", "method_class"),
    "module": ("quorate.registry.methods", "module"),
    "name_of": ("quorate.registry.methods", "name_of"),
    "names": ("quorate.registry.methods", "names"),
    "options": ("quorate.registry.methods", "options"),
    "options_of": ("quorate.registry.option_values", "options_of"),
    "require_name": ("quorate.registry.methods", "require_name"),
    "typed": ("quorate.registry.option_values", "typed"),
}

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

if not TYPE_CHECKING:
    __getattr__, __dir__ = lazy_exports(__name__, _EXPORTS)
