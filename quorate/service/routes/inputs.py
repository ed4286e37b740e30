"""What requests have in common."""

from typing import Annotated

from fastapi import Depends, Path, Request

from quorate.service.store.database import Store

MOST = 2**62  # more than any row's number, and within what a database can hold

Id = Annotated[int, Path(ge=1, le=MOST)]
ProjectId = Annotated[int, Path(ge=1, le=MOST, description="The number of the project.", examples=[1])]


async def _store(request: Request) -> Store:  # a plain function would be called in a thread, for every vote
    store: Store = request.app.state.store
    return store


StoreOf = Annotated[Store, Depends(_store)]
