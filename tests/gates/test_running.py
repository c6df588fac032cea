"""`python -m tests.gates` runs the modules it is asked for, writes what it found and fails where a gate does."""

import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.gates import __main__ as running
from tests.gates.gate import Gate, at_least, at_most, between


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the gates are written, with two modules of one gate each in place of the real ones."""
    modules = {"toy_good": at_most("errors", 2.0, 5.0, "%"), "toy_bad": Gate("bytes", "different", "equal", ok=False)}
    made = [(name, SimpleNamespace(gates=lambda gate=gate: iter([gate]))) for name, gate in modules.items()]
    monkeypatch.setattr(running, "_all", lambda: iter(made))
    monkeypatch.setattr(running, "FILE", tmp_path / "build" / "gates.json")
    return tmp_path / "build" / "gates.json"


def test_a_failed_gate_fails_the_run_and_is_written(written: Path) -> None:
    assert running.main([]) == 1

    good, bad = json.loads(written.read_text())
    assert good == {"gate": "errors", "value": 2.0, "must": "at most 5 %", "ok": True, "note": ""}
    assert (bad["gate"], bad["value"], bad["must"], bad["ok"]) == ("bytes", "different", "equal", False)


def test_a_word_chooses_the_modules_that_begin_with_it(written: Path) -> None:
    assert running.main(["toy_good"]) == 0
    assert [row["gate"] for row in json.loads(written.read_text())] == ["errors"]


def test_a_word_that_no_module_begins_with_is_refused(written: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert running.main(["nothing"]) == 2
    assert "toy_good, toy_bad" in capsys.readouterr().out
    assert not written.exists()


def test_the_canarys_gates_are_found() -> None:
    names = {name for name, _ in running.found("canary")}

    assert {"canary_counts", "canary_judged", "canary_secrets", "canary_seeds", "canary_series"} <= names


@pytest.mark.parametrize(("value", "ok"), [(2.9, False), (3.0, True), (8.0, True), (8.1, False)])
def test_a_band_holds_its_ends(value: float, ok: bool) -> None:
    gate = between("false alarms", value, 3.0, 8.0, "%")

    assert (gate.ok, gate.must) == (ok, "3 to 8 %")


def test_a_floor_and_a_ceiling_hold_their_limit() -> None:
    assert at_least("tables", 9_990, 9_990).ok
    assert not at_least("tables", 9_989, 9_990).ok
    assert not at_most("errors", 5.01, 5.0).ok
