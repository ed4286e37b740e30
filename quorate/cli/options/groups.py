"""Option groups: a dataclass of options that a command takes as one parameter."""

import inspect
from collections.abc import Callable
from copy import copy
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import wraps
from typing import Annotated, Any, get_args, get_type_hints

from typer.models import OptionInfo


def with_option_groups(command: Callable[..., None]) -> Callable[..., None]:
    """Return a command in which every parameter that is an option group is replaced by the options of the group.

    An option group is a frozen dataclass whose fields are annotated as options of typer, with defaults. Its class
    attribute PANEL, where it has one, is the title under which the help shows the options. The command is called with
    objects of the groups, so that a group is declared, documented and turned into objects of the library in one place.

    >>> from dataclasses import dataclass
    >>> from typing import ClassVar
    >>> import typer
    >>> @dataclass(frozen=True)
    ... class CostOptions:
    ...     PANEL: ClassVar[str] = "Costs"
    ...     cost_error: Annotated[float, typer.Option(help="The cost of an error.")] = 100.0
    >>> @with_option_groups
    ... def command(*, costs: CostOptions, budget: float = 0.0) -> None:
    ...     print(costs.cost_error, budget)
    >>> list(inspect.signature(command).parameters)
    ['cost_error', 'budget']
    >>> command(cost_error=5.0, budget=20.0)
    5.0 20.0
    """
    hints = get_type_hints(command, include_extras=True)
    groups: dict[str, type[Any]] = {}
    parameters: list[inspect.Parameter] = []
    for name, parameter in inspect.signature(command).parameters.items():
        if is_dataclass(hints[name]):
            groups[name] = hints[name]
            parameters += _options(hints[name])
        else:
            parameters.append(parameter.replace(annotation=hints[name], kind=inspect.Parameter.KEYWORD_ONLY))
    _refuse_repeats(command, [parameter.name for parameter in parameters])

    @wraps(command)
    def run(**values: Any) -> None:
        for name, group in groups.items():
            values[name] = group(**{field.name: values.pop(field.name) for field in fields(group)})
        command(**values)

    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return run


def _options(group: type[Any]) -> list[inspect.Parameter]:
    """Return the fields of a group as parameters."""
    hints = get_type_hints(group, include_extras=True)
    panel = getattr(group, "PANEL", None)
    return [_parameter(field, hints[field.name], panel) for field in fields(group)]


def _parameter(field: Field[Any], annotation: Any, panel: str | None) -> inspect.Parameter:
    default = inspect.Parameter.empty if field.default is MISSING else field.default
    kind = inspect.Parameter.KEYWORD_ONLY
    return inspect.Parameter(field.name, kind, default=default, annotation=_in_panel(annotation, panel))


def _in_panel(annotation: Any, panel: str | None) -> Any:
    """Return an annotation whose option is shown in this panel, unless it names another one."""
    kind, *metadata = get_args(annotation)
    placed = []
    for option in metadata:
        if isinstance(option, OptionInfo) and option.rich_help_panel is None:
            option = copy(option)
            option.rich_help_panel = panel
        placed.append(option)
    return Annotated[kind, *placed]


def _refuse_repeats(command: Callable[..., None], names: list[str]) -> None:
    repeated = sorted({name for name in names if names.count(name) > 1})
    if repeated:
        raise TypeError(f"{command.__module__} has options twice: {', '.join(repeated)}")
