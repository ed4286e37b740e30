"""Puts the pages into a wheel or sdist: builds them where they are not built. An editable install never builds."""

import importlib.util
import shutil
from pathlib import Path
from types import ModuleType
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

EDITABLE = "editable"


class PagesHook(BuildHookInterface):  # type: ignore[type-arg]
    """Called by hatchling before it packs."""

    def dependencies(self) -> list[str]:
        """Node, where a build is due and the machine has none."""
        builder = _builder(Path(self.root))
        if builder is None or builder.is_built():
            return []
        node = shutil.which("node")
        return [] if node and builder.is_new_enough(node) else [builder.WHEEL]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build what is missing. Where the sources of the pages are not here, they were packed with the rest."""
        builder = _builder(Path(self.root))
        if version != EDITABLE and builder is not None:
            builder.build()


def _builder(root: Path) -> ModuleType | None:
    path = root / "web" / "build.py"
    if not path.is_file():
        return None
    spec = importlib.util.spec_from_file_location("build_pages", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
