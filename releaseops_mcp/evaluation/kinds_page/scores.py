"""What scripted supervisors earn on each kind: played in memory, kept in `scores.json` beside this file."""

from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from statistics import fmean

from pydantic import BaseModel, ConfigDict

from releaseops_mcp.agents.base import Action, Brief, Supervisor, Turn
from releaseops_mcp.agents.drive import drive
from releaseops_mcp.agents.registry import find_supervisor, supervisors_for
from releaseops_mcp.agents.runner import turn_of
from releaseops_mcp.episodes.gate.splits import LEVELS, SEEDS
from releaseops_mcp.evaluation.runs import draw_seed
from releaseops_mcp.simulation import Simulation
from releaseops_mcp.world.kinds.registry import kinds, plantable
from releaseops_mcp.world.orgs.loader import load_org, org_names
from releaseops_mcp.world.scenario import ScenarioName

FILE = Path(__file__).with_name("scores.json")
SUITE = "gate"
REFERENCE, SIMPLE = "reference", "two-artefacts"
PAIRS = 20
"""Pairs of twins a kind, spread over organisations and levels."""

_Played = tuple[str, float, bool]


class Figure(BaseModel):
    """What one supervisor came to on one kind."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    mean: float
    """Mean raw return of the episodes, faults and twins alike."""
    pairs: float
    """Share of the pairs in which every decision and the end were right in both worlds."""


class Scores(BaseModel):
    """What was measured, and when."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    date: str
    pairs: int
    """Pairs of twins a kind."""
    figures: dict[str, dict[str, Figure]]
    """By kind, then by supervisor: REFERENCE, SIMPLE, and the best that needs no judgement."""
    best: dict[str, str]
    """By kind: the name of the best that needs no judgement."""


def read() -> Scores | None:
    """Return the scores that were kept; None where nothing was measured yet."""
    return Scores.model_validate_json(FILE.read_text(encoding="utf-8")) if FILE.exists() else None


def write(scores: Scores) -> None:
    """Keep scores."""
    FILE.write_text(scores.model_dump_json(indent=1) + "\n", encoding="utf-8")


def measure(date: str, wanted: Iterable[str], pairs: int = PAIRS, processes: int = 1) -> Scores:
    """Play every scripted supervisor on some kinds; `date` is written down as it is."""
    degenerate = [each.name for each in supervisors_for(SUITE) if each.degenerate]
    figures: dict[str, dict[str, Figure]] = {}
    best: dict[str, str] = {}
    for kind in wanted:
        found = _figures(list(sample(kind, pairs)), [REFERENCE, SIMPLE, *degenerate], processes)
        if found:
            best[kind] = max(degenerate, key=lambda name: found[name].mean)
            figures[kind] = {name: found[name] for name in (REFERENCE, SIMPLE, best[kind])}
    return Scores(date=date, pairs=pairs, figures=figures, best=best)


def merged(old: Scores | None, new: Scores) -> Scores:
    """Return the new scores, with the old ones of kinds that were not measured now and still exist."""
    if old is None:
        return new
    kept = {kind for kind in old.figures if kind in kinds()} - new.figures.keys()
    figures = {**{kind: old.figures[kind] for kind in kept}, **new.figures}
    best = {**{kind: old.best[kind] for kind in kept}, **new.best}
    ordered = sorted(figures)
    return new.model_copy(
        update={"figures": {kind: figures[kind] for kind in ordered}, "best": {kind: best[kind] for kind in ordered}}
    )


def sample(kind: str, pairs: int) -> Iterator[ScenarioName]:
    """Yield both worlds of pairs, each of another organisation, level and seed of the dev split than the one before."""
    homes = [name for name in org_names() if any(each.name == kind for each in plantable(load_org(name)))]
    seeds = SEEDS["dev"]
    for number in range(pairs if homes else 0):
        round_, place = divmod(number, len(homes))
        level = LEVELS[(place + round_) % len(LEVELS)]
        name = ScenarioName(homes[place], kind, False, level, seeds[number % len(seeds)])
        yield from (name, name.other)


def _figures(names: list[ScenarioName], agents: list[str], processes: int) -> dict[str, Figure]:
    jobs = [(name.id, agents) for name in names]
    if processes > 1:
        with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
            rows = list(pool.map(_rows, jobs))
    else:
        rows = list(map(_rows, jobs))
    found: dict[str, Figure] = {}
    for place, agent in enumerate(agents if names else ()):
        played = [row[place] for row in rows]
        both = [one[2] and other[2] for one, other in zip(played[::2], played[1::2], strict=True)]
        found[agent] = Figure(mean=round(fmean(each[1] for each in played), 3), pairs=round(fmean(both), 3))
    return found


def _rows(job: tuple[str, list[str]]) -> list[_Played]:
    scenario, agents = job
    return [play(scenario, find_supervisor(agent, SUITE)) for agent in agents]


def play(scenario: str, supervisor: Supervisor) -> _Played:
    """Return the supervisor's name, its raw return, and whether every decision and the end were right."""
    simulation = Simulation.of(scenario)

    def apply(action: Action) -> Turn:
        return turn_of(simulation.call(action.tool, action.arguments))

    brief = Brief(simulation.first_observation, simulation.suite.tools, draw_seed(scenario))
    drive(supervisor.policy, brief, apply)
    score = simulation.score()
    end, metrics = simulation.episode.terminal_reason, score.metrics
    well = end == "safe_ship" or (end == "refused" and not metrics["shippable"])
    return supervisor.name, score.total, well and metrics["right_decisions"] == metrics["decisions"]
