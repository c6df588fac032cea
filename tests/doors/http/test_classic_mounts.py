"""The classics where they are mounted: one log with every other door, one guard, and documents that tell the truth."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from releaseops_mcp.doors.http import classic_canary, classic_gate
from tests.doors.http import servekit
from tests.doors.http.classickit import serving
from tests.doors.http.servekit import GATE, HOLD, ROLLBACK, TOKEN, begin, client_of

MOUNTS = ["/classic-gate", "/classic-canary"]
WAIT = {"tool": "hold_release", "arguments": {"reason_code": "awaiting_fix"}}


def test_an_environment_of_classic_gate_is_an_episode_of_every_door(http):
    env_id = http.post("/classic-gate/reset", json={"seed": 42}).json()["env_id"]
    held = http.post(f"/episodes/{env_id}/step", json=WAIT).json()
    again = http.post("/classic-gate/step", json={"env_id": env_id, **WAIT}).json()
    assert (held["observation"]["phase_index"], again["observation"]["phase_index"]) == (2, 3)
    assert http.post(f"/episodes/{env_id}/step", json=WAIT).json()["done"] is True
    assert http.post("/classic-gate/step", json={"env_id": env_id, **WAIT}).status_code == 404


def test_an_episode_of_classic_canary_is_an_episode_of_every_door(http):
    episode_id = http.post("/classic-canary/episodes", json={}).json()["episode_id"]
    shown = http.post(f"/episodes/{episode_id}/step", json=HOLD).json()
    moved = http.post(f"/classic-canary/episodes/{episode_id}/step", json={"action": HOLD["arguments"]}).json()
    assert (shown["observation"]["step_number"], moved["observation"]["step_number"]) == (1, 2)
    assert http.post(f"/episodes/{episode_id}/step", json=ROLLBACK).json()["done"] is True
    result = http.get(f"/classic-canary/episodes/{episode_id}/transcript").json()
    assert (result["outcome"], result["steps"]) == ("rollback", 3)


def test_an_episode_of_the_root_is_an_environment_of_classic_gate(http):
    assert http.post("/classic-gate/close", json={"env_id": begin(http, GATE)}).json()["closed"] is True


def test_the_wire_names_who_called(http):
    env_id = http.post("/classic-gate/reset", json={}, headers={"user-agent": "trainer/2.1"}).json()["env_id"]
    events = http.get(f"/episodes/{env_id}/events").json()["events"]
    origin = events[0]["data"]["origin"]
    assert (origin["door"], origin["client"], origin["client_version"]) == ("http", "trainer", "2.1")


@pytest.mark.parametrize("mount", MOUNTS)
def test_a_mounted_app_documents_itself_under_its_own_path(http, mount):
    document = http.get(f"{mount}/openapi.json").json()
    assert document["servers"] == [{"url": mount}]
    assert http.get(f"{mount}/docs").status_code == 200
    assert http.get(f"{mount}/no-such-path").json() == {"detail": "Not Found"}
    assert http.get(f"{mount}/reset").status_code == 405


@pytest.mark.parametrize("mount", MOUNTS)
def test_the_servers_guard_stands_before_the_mounts(tmp_path, mount):
    with client_of(servekit.settings(tmp_path, token="the-token", max_body_bytes=1_024)) as http:
        assert http.post(f"{mount}/reset", json={}).status_code == 401
        assert http.post(f"{mount}/reset", json={}, headers=TOKEN).status_code == 200
        assert http.post(f"{mount}/reset", json={"pad": "x" * 2_000}, headers=TOKEN).status_code == 413
        chunks = iter([b'{"pad": "', b"x" * 2_000, b'"}'])
        assert http.post(f"{mount}/reset", content=chunks, headers=TOKEN).status_code == 413
        assert http.get(f"{mount}/health", headers={"host": "elsewhere.example"}).status_code == 421


@pytest.mark.parametrize("build", [classic_gate.build, classic_canary.build])
def test_what_a_mount_documents_is_what_it_answers(tmp_path, build):
    schemathesis = pytest.importorskip("schemathesis")
    checks = pytest.importorskip("schemathesis.specs.openapi.checks")
    chosen = [
        schemathesis.checks.not_a_server_error,
        checks.status_code_conformance,
        checks.response_schema_conformance,
    ]
    quietly = settings(
        max_examples=10, derandomize=True, deadline=None, database=None, suppress_health_check=list(HealthCheck)
    )

    def holds(case: Any) -> None:
        case.call_and_validate(checks=chosen)

    with serving(build, tmp_path) as served:
        schema = schemathesis.openapi.from_asgi("/openapi.json", served.app)
        for found in schema.get_all_operations():
            quietly(given(case=found.ok().as_strategy())(holds))()
