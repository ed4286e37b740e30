"""End of the streams when the server stops: it waits for open responses, and streams would not end by themselves."""

import signal
import threading
from types import FrameType
from typing import Any

from quorate.service.streams.streams import Streams


def close_on_signals(streams: Streams) -> None:
    """Close the streams before the handlers of signals run. Call this after the server has set its handlers."""
    if threading.current_thread() is not threading.main_thread():
        return  # such as in tests: only the main thread can handle signals
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _closing_first(streams, signal.getsignal(number)))


def _closing_first(streams: Streams, then: Any) -> Any:
    def handle(number: int, frame: FrameType | None) -> None:
        streams.close()
        if callable(then):
            then(number, frame)

    return handle
