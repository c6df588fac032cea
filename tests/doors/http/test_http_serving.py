"""How the server is started: what uvicorn is told, and which settings keep it from starting."""

import os
from typing import Any

import pytest

from releaseops_mcp.cli import main
from releaseops_mcp.doors.http import serving
from releaseops_mcp.errors import InvalidArgument


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What uvicorn would have run."""
    kept: dict[str, Any] = {}
    monkeypatch.setattr(serving.uvicorn, "run", lambda app, **options: kept.update(options, app=app))
    return kept


def test_this_machine_alone_is_served_on_the_usual_port(told):
    serving.serve()

    assert (told["app"], told["factory"]) == ("releaseops_mcp.doors.http.app:create_app", True)
    assert (told["host"], told["port"], told["workers"]) == ("127.0.0.1", 7860, 1)
    assert (told["loop"], told["access_log"], told["ws_per_message_deflate"]) == ("uvloop", False, False)


def test_the_command_line_says_where_and_how_many_serve(told, monkeypatch, sqlite_url):
    monkeypatch.setenv("RELEASEOPS_DATABASE_URL", "sqlite:///elsewhere.sqlite3")

    code = main(["--database", sqlite_url, "http", "--port", "9000", "--workers", "3"])

    assert (code, told["port"], told["workers"]) == (0, 9000, 3)
    assert os.environ["RELEASEOPS_DATABASE_URL"] == sqlite_url


def test_an_address_for_others_needs_names_to_be_reached_by(told, monkeypatch):
    with pytest.raises(InvalidArgument, match="RELEASEOPS_ALLOWED_HOSTS"):
        serving.serve("0.0.0.0")
    monkeypatch.setenv("SPACE_HOST", "me-arena.hf.space")
    serving.serve("0.0.0.0")
    assert told["host"] == "0.0.0.0"
