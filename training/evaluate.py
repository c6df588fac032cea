"""Evaluates trained supervisors on held-out scenarios, beside scripted references and ceilings.

    python -m training.evaluate --out build/eval --suite canary --policy base=MODEL --policy sft=DIR --policy grpo=DIR

Each policy plays the same scenarios at every temperature, in raw mode: what it says is neither mended nor replaced. The
folder gets `results.json`, and under `traces/` an expert's episode and two cases before and after training.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from releaseops_mcp.agents.registry import find_supervisor
from releaseops_mcp.agents.runner import play_episode
from releaseops_mcp.arena import Arena
from releaseops_mcp.episodes.base import Suite
from releaseops_mcp.episodes.registry import suite_of
from releaseops_mcp.errors import InvalidArgument
from releaseops_mcp.evaluation.measures import measures_of
from releaseops_mcp.evaluation.yardsticks import yardsticks
from releaseops_mcp.events import Origin
from training.evaluation.comparing import comparisons
from training.evaluation.games import Player
from training.evaluation.measuring import figures_of, outcome_of, yardstick_column
from training.evaluation.results import Column, Comparison, Evaluation, Outcome
from training.evaluation.traces import cases, episode_on, trace
from training.heldout import families_in_turn, held_out_scenarios, is_held_out
from training.models.loading import Loaded, load_model
from training.seat import Table

RESULTS = "results.json"
HELD_OUT = "heldout"
"""The set of the first held-out scenarios, whatever their split."""
Timer = Callable[[], float]


class Plan(BaseModel):
    """What is to be played."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    policies: dict[str, str] = Field(min_length=1)
    """Name to model, in the order of training: each is compared with the one before it."""
    temperatures: tuple[float, ...] = (0.0, 1.0)
    sets: dict[str, tuple[str, ...]] = Field(min_length=1)
    """Name to scenarios, of one suite each."""
    pairs: tuple[tuple[str, str], ...] = ()
    """Which policies are compared, the earlier first; empty for each with the one before it, and the last with the
    first."""
    repeats: int = Field(default=1, ge=1)
    """How often each scenario is played at a temperature above 0; greedy play is played once."""
    size: int = Field(default=64, ge=1)
    """Episodes side by side."""
    max_answer: int = Field(default=128, ge=1)
    """Tokens of one answer."""
    seed: int = 0


def scenario_sets(suite: Suite, most: int, splits: Sequence[str] = ()) -> dict[str, tuple[str, ...]]:
    """Return the named splits of a suite, or `most` of its held-out scenarios; raises InvalidArgument.

    A split with a scenario that training may see says nothing of generalisation, and is refused.
    """
    if not splits:
        return {HELD_OUT: held_out_scenarios(suite, most)}
    found: dict[str, tuple[str, ...]] = {}
    for name in splits:
        listed = suite.splits().get(name)
        if listed is None:
            raise InvalidArgument(f"{suite.name} has no split {name[:80]!r}: it has {', '.join(suite.splits())}")
        found[name] = tuple(islice(families_in_turn(suite, listed), most))
        seen = [scenario for scenario in found[name] if not is_held_out(scenario)]
        if seen:
            raise InvalidArgument(f"split {name} is no test: training may see {seen[0]}; name a held-out split")
    return found


def evaluate(plan: Plan, arena: Arena, out: Path, *, timer: Timer = time.perf_counter) -> Evaluation:
    """Play the plan, logging every episode, and write results and traces into `out`.

    Raises InvalidArgument for a model that cannot be loaded, and what the arena raises.
    """
    began = timer()
    played = [column for name, model in plan.policies.items() for column in _columns(plan, arena, name, model, timer)]
    columns = (*played, *(column for name, ids in plan.sets.items() for column in _beside(name, ids)))
    compared = tuple(comparisons(columns, plan.pairs))
    result = Evaluation(
        columns=columns,
        comparisons=compared,
        environment_calls=sum(column.environment_calls for column in columns),
        seconds=timer() - began,
        seed=plan.seed,
        verdict=" ".join(each.sentence for each in compared) or "One policy was played: there is nothing to compare.",
    )
    out.mkdir(parents=True, exist_ok=True)
    (out / RESULTS).write_text(result.model_dump_json(indent=2) + "\n", encoding="utf-8")
    for name, text in _traces(arena, columns, compared):
        file = out / "traces" / f"{name}.md"
        file.parent.mkdir(exist_ok=True)
        file.write_text(text + "\n", encoding="utf-8")
    return result


def read_results(folder: Path) -> Evaluation:
    """Return an evaluation from its folder; raises InvalidArgument where there is none."""
    file = folder / RESULTS
    if not file.is_file():
        raise InvalidArgument(f"{folder} holds no {RESULTS}: run an evaluation there first")
    return Evaluation.model_validate_json(file.read_bytes())


def _columns(plan: Plan, arena: Arena, name: str, model: str, timer: Timer) -> Iterator[Column]:
    loaded = load_model(model)
    for temperature in plan.temperatures:
        for scenario_set, scenarios in plan.sets.items():
            yield _column(plan, arena, loaded, name, scenario_set, scenarios, temperature, timer)


def _column(
    plan: Plan,
    arena: Arena,
    loaded: Loaded,
    name: str,
    scenario_set: str,
    scenarios: Sequence[str],
    temperature: float,
    timer: Timer,
) -> Column:
    table = Table(arena, Origin(door="python", agent=f"eval-{name}", model=loaded.name), "tools", timer)
    player = Player(loaded, table, temperature=temperature, max_answer=plan.max_answer)
    times = plan.repeats if temperature > 0 else 1
    began = timer()
    outcomes, states, inside = list[Outcome](), set[bytes](), 0.0
    for game in player.play([*scenarios] * times, size=plan.size, seed=plan.seed):
        outcomes.append(outcome_of(game))
        states.update(game.states)
        inside += game.seat.seconds
    return Column.model_validate(
        {
            "suite": scenarios[0].partition("/")[0],
            "scenario_set": scenario_set,
            "policy": name,
            "model": loaded.name,
            "temperature": temperature,
            "role": "trained",
            "distinct_states": len(states),
            "environment_seconds": inside,
            "seconds": timer() - began,
            **figures_of(outcomes),
        }
    )


def _beside(scenario_set: str, scenarios: Sequence[str]) -> Iterator[Column]:
    suite = suite_of(scenarios[0])
    families = {scenario: suite.parse(scenario).family for scenario in scenarios}
    for stick in yardsticks(suite.name, scenarios):
        yield yardstick_column(stick, scenario_set, families)


def _traces(arena: Arena, columns: Sequence[Column], compared: Sequence[Comparison]) -> Iterator[tuple[str, str]]:
    trained = [column for column in columns if column.role == "trained"]
    last = compared[-1] if compared else None
    chosen = [
        column
        for column in trained
        if last
        and (column.suite, column.scenario_set, column.temperature) == (last.suite, last.scenario_set, last.temperature)
    ]
    by_name: Mapping[str, Column] = {column.policy: column for column in chosen}
    if last is not None:
        for number, scenario in enumerate(cases(by_name[last.before], by_name[last.after]), 1):
            for when, policy in (("before", last.before), ("after", last.after)):
                title = f"Case {number}, {when} training: {policy}"
                yield f"case-{number}-{when}", trace(arena, episode_on(by_name[policy], scenario), title)
    yield from _expert(arena, trained[0])


def _expert(arena: Arena, column: Column) -> Iterator[tuple[str, str]]:
    reference = measures_of(column.suite).reference
    if reference:
        played = play_episode(arena, find_supervisor(reference, column.suite), column.outcomes[0].scenario)
        yield "expert", trace(arena, played.episode_id, f"The expert: {reference}")
