import httpx

from quorate.service.app import create_app
from quorate.service.settings import Settings
from quorate.service.store.database import Store
from tests.service.serving import SECRET, served


def test_the_first_page_tells_every_operation_and_runs_nothing(store: Store) -> None:
    app = create_app(store, Settings(), SECRET)
    with served(app) as address:
        answer, joining = httpx.get(address), httpx.get(f"{address}/join")
    assert answer.status_code == 200
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    assert "<script" not in answer.text
    assert "client.session.join" in joining.text
    for path in app.openapi()["paths"]:
        assert path in answer.text
