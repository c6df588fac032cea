"""Where the time of a GRPO step goes: what the arena takes of it, and what keeping every token takes.

A model this small is the hard case: the larger the model, the smaller both shares.
"""

import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from releaseops_mcp.agents.registry import supervisors_for
from releaseops_mcp.agents.runner import play_episode
from releaseops_mcp.episodes.registry import suites
from releaseops_mcp.settings import Settings, open_arena
from tests.bench.figures import Figure

SUITE, SCENARIOS = "classic-canary", 6
STEPS, BATCH, GROUP = 4, 32, 8


def figures() -> Iterator[Figure]:
    """Yield the shares; a model is warm-started first, since one that calls nothing costs the arena nothing."""
    with tempfile.TemporaryDirectory() as folder:
        steps = _train(Path(folder))
    whole = sum(step["step_time"] for step in steps)
    calls = sum(step["rollout/calls"] for step in steps) / len(steps)
    note = f"{BATCH} rollouts of {calls:.1f} calls in {whole / len(steps):.1f} s"
    for part, name, target in (
        ("time/environment_seconds", "environment", 0.05),
        ("time/capture_seconds", "capture of tokens", 0.25),
    ):
        yield Figure(
            f"{name} / GRPO step of a tiny model", sum(step[part] for step in steps) / whole, "ratio", target, note=note
        )


def _train(folder: Path) -> list[dict[str, float]]:
    """Return the figures of a few GRPO steps."""
    from training import grpo, sft  # torch comes with it: what is measured before runs without
    from training.dataset import Order, Source, build
    from training.journal import read_metrics
    from training.models.tiny import TinySize, build_tiny

    url = _log(folder)
    for kind in ("sft", "starts"):
        build([Source(url=url)], Order(kind=kind), folder / kind)
    build_tiny(folder / "tiny", TinySize(hidden=64, layers=2))
    tiny, warm, out = (str(folder / name) for name in ("tiny", "warm", "run"))
    usual = sft.Config(model=tiny, data=str(folder / "sft"), out=warm, steps=80, batch=8, lr=1e-2)
    sft.main(replace(usual, check_every=20, check_episodes=8))
    played = grpo.Config(model=warm, data=str(folder / "starts"), out=out, steps=STEPS, batch=BATCH, group=GROUP)
    grpo.main(replace(played, beta=0.0, max_tokens=1_024, patience=STEPS + 1))
    return [line for line in read_metrics(Path(out)) if "step_time" in line]


def _log(folder: Path) -> str:
    """Let every scripted supervisor of the suite play, and return the log's URL."""
    from training.heldout import training_scenarios

    url = f"sqlite:///{folder / 'log.sqlite3'}"
    arena = open_arena(Settings(database_url=url))
    for scenario in training_scenarios(suites()[SUITE], SCENARIOS):
        for agent in supervisors_for(SUITE):
            play_episode(arena, agent, scenario)
    arena.close()
    return url
