"""A warm start ends when sampled calls are valid, or when there is nothing left to explore."""

from types import SimpleNamespace

import pytest

from tests.training.playing_table import table_of
from training.models.loading import load_model
from training.readiness import Aim, ReadyCallback
from training.sampling import Sampler

pytestmark = pytest.mark.usefixtures("installed")


class Log:
    """A trainer that only keeps what it is told."""

    def __init__(self) -> None:
        self.lines: list[dict] = []

    def log(self, figures: dict) -> None:
        self.lines.append(figures)


def callback(arena, model: str, aim: Aim) -> tuple[ReadyCallback, object, Log]:
    loaded = load_model(model)
    scenarios = [f"arms/bandit/seed-{seed}" for seed in range(4)]

    def sampler(sampled: object, step: int) -> Sampler:
        return Sampler(sampled, loaded.tokenizer, max_tokens=24, seed=step)

    ready = ReadyCallback(aim, table_of(arena), scenarios, sampler)
    ready.trainer = Log()
    return ready, loaded.model, ready.trainer


def step(ready: ReadyCallback, model: object, number: int) -> bool:
    """Make one step and return whether the run is to stop."""
    control = SimpleNamespace(should_training_stop=False)
    ready.on_step_end(None, SimpleNamespace(global_step=number), control, model=model)  # type: ignore[arg-type]
    return control.should_training_stop


def test_a_model_whose_calls_are_valid_is_ready(bench, sqlite_arena):
    ready, model, log = callback(sqlite_arena, bench.warm, Aim(every=2, valid=0.7, min_entropy=0.0))
    assert not step(ready, model, 1)
    assert log.lines == []
    assert step(ready, model, 2)
    assert log.lines[0]["check/valid_rate"] >= 0.7
    assert "of sampled calls are valid" in ready.stopped


def test_a_model_that_calls_nothing_goes_on_learning(bench, sqlite_arena):
    ready, model, log = callback(sqlite_arena, bench.untrained, Aim(every=1, valid=0.7, min_entropy=0.0))
    assert not step(ready, model, 1)
    assert log.lines == [{"check/valid_rate": 0.0, "check/return": 0.0}]


def test_a_model_that_is_certain_of_everything_is_stopped(bench, sqlite_arena):
    ready, _, _ = callback(sqlite_arena, bench.untrained, Aim(every=0, valid=0.7, min_entropy=0.1))
    control = SimpleNamespace(should_training_stop=False)
    for logs, stops in (({"loss": 1.0}, False), ({"entropy": 0.2}, False), ({"entropy": 0.05}, True)):
        ready.on_log(None, None, control, logs)  # type: ignore[arg-type]
        assert control.should_training_stop is stops
    assert ready.stopped == "saturated: 0.0500 nats a token are left, under 0.1"
