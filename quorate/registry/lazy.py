"""Exports of packages that are imported when they are first used, so that importing a package stays light."""

import sys
from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from typing import Any, TypeAlias

Exports: TypeAlias = Mapping[str, tuple[str, str | None]]  # exported name -> module, attribute; None: the module itself


def lazy_exports(
    package: str, exports: Exports | None = None, *, with_methods: bool = False
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return the `__getattr__` and `__dir__` of a package with these exports.

    A name must not be that of a module of the package: importing that module would replace the export.

    Args:
        package: the name of the package.
        exports: what it exports.
        with_methods: whether it also exports the class of every method in its folder and in those below, such as
            DawidSkene of `dawid_skene.py`. A class name that occurs in two folders must be listed in `exports`.

    >>> get, _ = lazy_exports("quorate.registry.lazy", {"root": ("math", "sqrt")})
    >>> get("root")(9)
    3.0
    """

    @cache
    def all_exports() -> Exports:
        if not with_methods:
            return exports or {}
        from quorate.registry.methods import method_exports

        return {**method_exports(package.removeprefix("quorate.")), **(exports or {})}

    def load(name: str) -> Any:
        if name == "__all__":
            return sorted(all_exports())
        # Python asks for names such as __path__ and __wrapped__: no file is searched for them.
        if name.startswith("__") or name not in all_exports():
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        home, attribute = all_exports()[name]
        module = _import(home)
        value = module if attribute is None else getattr(module, attribute)
        setattr(sys.modules[package], name, value)  # found without this function from now on
        return value

    def list_names() -> list[str]:
        return public_names(package, all_exports())

    return load, list_names


def public_names(package: str, exports: Mapping[str, Any] | list[str]) -> list[str]:
    """Return the names that `dir` shows of a package: its exports, and the names that Python itself gives a module."""
    return sorted({*exports, *(name for name in vars(sys.modules[package]) if name.startswith("__"))})


def _import(home: str) -> Any:
    try:
        return import_module(home)
    except ModuleNotFoundError:
        from quorate.registry.methods import module

        return module(home)  # says how to install what is missing
