"""Exports of packages that are imported when they are first used, so that importing a package stays light."""

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, TypeAlias

Exports: TypeAlias = Mapping[str, tuple[str, str | None]]  # exported name -> module, attribute; None: the module itself


def lazy_exports(package: str, exports: Exports) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return the `__getattr__` and `__dir__` of a package with these exports.

    A name must not be that of a module of the package: importing that module would replace the export.

    >>> get, _ = lazy_exports("quorate.registry.lazy", {"root": ("math", "sqrt")})
    >>> get("root")(9)
    3.0
    """

    def load(name: str) -> Any:
        if name not in exports:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        home, attribute = exports[name]
        module = _import(home)
        value = module if attribute is None else getattr(module, attribute)
        setattr(sys.modules[package], name, value)  # found without this function from now on
        return value

    def list_names() -> list[str]:
        return sorted({*vars(sys.modules[package]), *exports})

    return load, list_names


def _import(home: str) -> Any:
    try:
        return import_module(home)
    except ModuleNotFoundError:
        from quorate.registry.methods import module

        return module(home)  # says how to install what is missing
