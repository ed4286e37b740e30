"""Names: methods and their options by name, type names of stored objects, and former names.

A file of a folder such as `aggregation` is a method if it defines the class that its name spells: nothing has to be
registered. What a method computes belongs in its own file. `lazy` has the helper for packages that import their exports
on first use, `method_names` the names of methods for type checkers.
"""

from typing import TYPE_CHECKING

from quorate.registry.lazy import Exports, lazy_exports

if TYPE_CHECKING:
    from quorate.registry.method_names import AggregationMethod, CalibratorName, ItemScoreName, PolicyName
    from quorate.registry.methods import (
        FOLDERS,
        class_name,
        describe,
        method,
        method_class,
        method_exports,
        module,
        name_of,
        names,
        options,
        require_name,
    )
    from quorate.registry.option_values import build, options_of, parse_option

_EXPORTS: Exports = {
    "AggregationMethod": ("quorate.registry.method_names", "AggregationMethod"),
    "CalibratorName": ("quorate.registry.method_names", "CalibratorName"),
    "ItemScoreName": ("quorate.registry.method_names", "ItemScoreName"),
    "PolicyName": ("quorate.registry.method_names", "PolicyName"),
    "FOLDERS": ("quorate.registry.methods", "FOLDERS"),
    "build": ("quorate.registry.option_values", "build"),
    "class_name": ("quorate.registry.methods", "class_name"),
    "describe": ("quorate.registry.methods", "describe"),
    "method": ("quorate.registry.methods", "method"),
    "method_class": ("quorate.registry.methods", "method_class"),
    "method_exports": ("quorate.registry.methods", "method_exports"),
    "module": ("quorate.registry.methods", "module"),
    "name_of": ("quorate.registry.methods", "name_of"),
    "names": ("quorate.registry.methods", "names"),
    "options": ("quorate.registry.methods", "options"),
    "options_of": ("quorate.registry.option_values", "options_of"),
    "parse_option": ("quorate.registry.option_values", "parse_option"),
    "require_name": ("quorate.registry.methods", "require_name"),
}

__all__ = [
    "FOLDERS",
    "AggregationMethod",
    "CalibratorName",
    "ItemScoreName",
    "PolicyName",
    "build",
    "class_name",
    "describe",
    "method",
    "method_class",
    "method_exports",
    "module",
    "name_of",
    "names",
    "options",
    "options_of",
    "parse_option",
    "require_name",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = lazy_exports(__name__, _EXPORTS)
