"""What a requester says about one item: its label, one more vote, or an expert. The item is the answer."""

from collections.abc import Callable
from typing import Annotated, Any

from fastapi import APIRouter
from pydantic import Field

from quorate.service.accounts.permissions import may_manage
from quorate.service.items import detail as item_detail
from quorate.service.items import overrides as overriding
from quorate.service.projects import projects
from quorate.service.projects.plan import plan_of
from quorate.service.routes.authentication import Caller
from quorate.service.routes.errors import PROBLEMS
from quorate.service.routes.inputs import Id, ProjectId, StoreOf
from quorate.service.routes.params import Body

router = APIRouter(prefix="/api/projects/{project_id}/items/{item_id}", tags=["items"], responses=PROBLEMS)

Name = Annotated[str, Field(min_length=1, max_length=200)]


class OfQuestion(Body):
    """Which of the questions about the item; the first where none is named."""

    question: Annotated[Name | None, Field(examples=["pet"])] = None


class Relabelled(OfQuestion):
    """And the label that it is known to have."""

    label: Annotated[Name, Field(examples=["cat"])]


@router.post("/relabel")
def relabel(project_id: ProjectId, item_id: Id, sent: Relabelled, who: Caller, store: StoreOf) -> dict[str, Any]:
    """Give an item a label that is known from now on: nobody is asked again, and workers may be checked by it."""
    return _do(overriding.relabel, store, who, project_id, item_id, sent.question, label=sent.label)


@router.post("/reopen")
def reopen(project_id: ProjectId, item_id: Id, sent: OfQuestion, who: Caller, store: StoreOf) -> dict[str, Any]:
    """Take a decision back: at least one more vote of the crowd is asked for."""
    return _do(overriding.reopen, store, who, project_id, item_id, sent.question)


@router.post("/expert")
def ask_expert(project_id: ProjectId, item_id: Id, sent: OfQuestion, who: Caller, store: StoreOf) -> dict[str, Any]:
    """Send an item to an expert, apart from the random audit."""
    return _do(overriding.ask_expert, store, who, project_id, item_id, sent.question)


def _do(
    act: Callable[..., None],
    store: StoreOf,
    who: Caller,
    project_id: int,
    item_id: int,
    question: str | None,
    **more: Any,
) -> dict[str, Any]:
    with store.write() as connection:
        may_manage(connection, who, project_id)
        version = projects.get(connection, project_id).settings_version
        plan = plan_of(connection, project_id, version)
        act(connection, plan, item_id, question, **more, actor=who.actor, now=store.clock())
        return item_detail.item_details(connection, plan, item_id)
