"""Fixtures of the graph tests; this folder's own are left out where the extra `graph` is not installed."""

from importlib.util import find_spec

import pytest

collect_ignore_glob = [] if find_spec("langgraph") else ["test_graph_*.py"]


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"
