"""Runs supervisors over scenarios, several episodes at a time, and counts them in the order of the plan."""

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import NamedTuple, Protocol

from releaseops_mcp import canonical
from releaseops_mcp.agents.base import Supervisor
from releaseops_mcp.agents.runner import Played, play_episode
from releaseops_mcp.agents.runners import Runner
from releaseops_mcp.arena import Arena
from releaseops_mcp.evaluation.breakdown import Breakdown
from releaseops_mcp.evaluation.engines.base import Engine
from releaseops_mcp.evaluation.engines.local import Local
from releaseops_mcp.evaluation.entries import Entry, Key
from releaseops_mcp.evaluation.facts import Facts, facts_of
from releaseops_mcp.evaluation.tables import Tables, kind_of
from releaseops_mcp.log.logged import read_episode

Progress = Callable[[Played], None]
"""Is told of each episode, in the order of the plan."""
_AHEAD = 4
"""So many episodes a worker may be begun before the one that is counted next: bounds the memory."""


class Figure(NamedTuple):
    """What the arena said live that an episode earned."""

    episode_id: str
    reward: float | None


class Slot(NamedTuple):
    """One episode of the plan."""

    supervisor: Supervisor
    scenario: str
    repeat: int

    @property
    def key(self) -> Key:
        """Which episode it is."""
        return Key(self.supervisor.suite, self.supervisor.name, self.scenario, self.repeat)


class Record(Protocol):
    """Keeps episodes, so that an evaluation goes on where it was interrupted."""

    def recorded(self, key: Key) -> Entry | None:
        """Return an episode that was kept before, or None."""
        ...

    def keep(self, entry: Entry) -> None:
        """Keep an episode as soon as it has ended; called from several threads."""
        ...


class Nothing:
    """Keeps no episode."""

    def recorded(self, key: Key) -> Entry | None:
        """Return None."""

    def keep(self, entry: Entry) -> None:
        """Do nothing."""


class Run:
    """What came of an evaluation of one suite."""

    def __init__(self, supervisors: Sequence[Supervisor], scenarios: Sequence[str]) -> None:
        self.supervisors = supervisors
        self.scenarios = scenarios
        degenerate = [supervisor.name for supervisor in supervisors if supervisor.degenerate]
        self.tables = Tables(supervisors[0].suite, degenerate)
        self.kinds = Tables(supervisors[0].suite, degenerate, kind_of)
        self.breakdown = Breakdown(degenerate)
        self.figures: list[Figure] = []
        self.faults: list[Played] = []
        self.not_counted: list[Played] = []
        """Episodes that enter no mean."""
        self.steps = 0
        """Judged calls."""

    def add(self, entry: Entry) -> None:
        """Take in one episode."""
        played = entry.played
        self.tables.add_entry(entry)
        self.kinds.add_entry(entry)
        self.breakdown.add_entry(entry)
        self.figures.append(Figure(played.episode_id, played.reward))
        self.steps += played.steps
        if played.fault is not None:
            self.faults.append(played)
        if played.reward is None or played.truncated:
            self.not_counted.append(played)


def draw_seed(scenario: str, repeat: int = 0) -> int:
    """Return the seed for a supervisor that draws: fixed by scenario and repeat, so that a run can be repeated."""
    return int(canonical.sha256(f"{scenario}#{repeat}" if repeat else scenario)[:12], 16)


def plan(supervisors: Sequence[Supervisor], scenarios: Sequence[str], repeats: int = 1) -> Iterator[Slot]:
    """Yield every episode in order; a scenario that is named again is one more repeat."""
    for supervisor in supervisors:
        named: Counter[str] = Counter()
        for scenario in scenarios:
            for _ in range(repeats):
                yield Slot(supervisor, scenario, named[scenario])
                named[scenario] += 1


def run(
    arena: Arena,
    supervisors: Sequence[Supervisor],
    scenarios: Sequence[str],
    *,
    runner: Runner = play_episode,
    progress: Progress | None = None,
    jobs: int = 1,
    repeats: int = 1,
    record: Record | None = None,
    engine: Engine | None = None,
) -> Run:
    """Let every supervisor (all of one suite) play every scenario; memory grows with the scenarios alone.

    Agents are handed tickets. `jobs` episodes are played at a time; what `record` has kept is not played again. An
    `engine` plays in place of `runner` and `jobs`. Raises what `play_episode` raises: UnknownScenario, InvalidArgument
    and the errors of the log.
    """
    came, kept = Run(supervisors, scenarios), record if record is not None else Nothing()
    engine = engine or Local(arena, runner, jobs=jobs)
    engine.begin(list(dict.fromkeys(scenarios)))

    def play(slot: Slot) -> Entry:
        played = engine.play(slot.supervisor, slot.scenario, seed=draw_seed(slot.scenario, slot.repeat))
        entry = Entry(repeat=slot.repeat, played=played, facts=logged_facts(arena, played))
        kept.keep(entry)
        return entry

    for entry in _in_order(plan(supervisors, scenarios, repeats), kept, play, engine.jobs):
        came.add(entry)
        if progress is not None:
            progress(entry.played)
    return came


def logged_facts(arena: Arena, played: Played) -> Facts:
    """Return what the log tells of an episode that was just played."""
    row = arena.store.episode(played.episode_id) if played.episode_id else None
    return facts_of(read_episode(arena.store, row), played) if row is not None else Facts()


def _in_order(slots: Iterable[Slot], kept: Record, play: Callable[[Slot], Entry], jobs: int) -> Iterator[Entry]:
    """Yield the episodes in the order of the plan, however many are played at a time."""
    if jobs == 1:
        yield from (kept.recorded(slot.key) or play(slot) for slot in slots)
        return
    pool = ThreadPoolExecutor(jobs, thread_name_prefix="episode")
    begun: deque[Future[Entry] | Entry] = deque()
    try:
        for slot in slots:
            begun.append(kept.recorded(slot.key) or pool.submit(play, slot))
            if len(begun) > _AHEAD * jobs:
                yield _entry(begun.popleft())
        while begun:
            yield _entry(begun.popleft())
    finally:
        pool.shutdown(cancel_futures=True)


def _entry(begun: Future[Entry] | Entry) -> Entry:
    return begun if isinstance(begun, Entry) else begun.result()
