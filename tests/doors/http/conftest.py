"""The app over an empty log, for every test of the HTTP door that needs no more."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from tests.doors.http.servekit import client_of, live, settings


@pytest.fixture
def http(tmp_path: Path) -> Iterator[TestClient]:
    with client_of(settings(tmp_path)) as client:
        yield client


@pytest.fixture
def url(tmp_path: Path) -> Iterator[str]:
    """The app on a real socket."""
    with live(settings(tmp_path)) as served:
        yield served
