import httpx

from quorate.service.app import create_app
from quorate.service.config import Settings
from quorate.service.store.database import Store
from tests.service.serving import SECRET, served
from tests.service.waiting import PATIENCE


def test_the_page_of_the_api_tells_every_operation_and_runs_nothing(store: Store) -> None:
    app = create_app(store, Settings(), SECRET)
    with served(app) as address:
        answer = httpx.get(f"{address}/api", timeout=PATIENCE)
    assert answer.status_code == 200
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    assert "<script" not in answer.text
    for path in app.openapi()["paths"]:
        assert path in answer.text
