"""How long a dataset is built from 100,000 logged episodes, and whether memory stays flat."""

import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict
from itertools import cycle, islice
from pathlib import Path

from sqlalchemy import insert

from releaseops_mcp import canonical
from releaseops_mcp.agents.registry import supervisors_for
from releaseops_mcp.agents.runner import play_episode
from releaseops_mcp.arena import Arena
from releaseops_mcp.episodes.registry import suites
from releaseops_mcp.log import tables
from releaseops_mcp.log.chain import GENESIS, Link
from releaseops_mcp.log.rows import EpisodeRow
from releaseops_mcp.log.store import Store
from releaseops_mcp.settings import Settings, open_arena
from tests.bench.figures import Figure
from tests.bench.watching import watch
from training.heldout import training_scenarios

MANY, FEW = 100_000, 50_000
PLAYED, SCENARIOS = ("classic-gate", "classic-canary"), 60
"""Suites and scenarios of each, played by all their supervisors: the log holds these again and again, by other ids."""
KINDS = ("sft", "starts", "preferences")
LOG = "log.sqlite3"
Episode = tuple[EpisodeRow, list[Link]]
PROGRAM = """
import sys
from pathlib import Path
from training.dataset import Order, Source, build
if __name__ == "__main__":
    url, kind, out = sys.argv[1:]
    build([Source(url=url)], Order(kind=kind), Path(out), processes=2)
"""


def figures() -> Iterator[Figure]:
    with tempfile.TemporaryDirectory() as folder, closing(_arena(Path(folder))) as arena:
        played = _play(arena)
        fill(arena.store, played, FEW)
        few = {kind: _build(Path(folder), kind, f"{kind}-few") for kind in KINDS}
        fill(arena.store, played, MANY)
        for kind in KINDS:
            seconds, most = _build(Path(folder), kind, f"{kind}-many")
            yield Figure(f"dataset {kind} from {MANY:,} episodes", seconds, "s", 60)
            growth = most / few[kind][1]
            yield Figure(f"dataset {kind}: memory for {MANY:,} episodes beside {FEW:,}", growth, "ratio", 1.15)


def _arena(folder: Path) -> Arena:
    return open_arena(Settings(database_url=f"sqlite:///{folder / LOG}"))


def _play(arena: Arena) -> list[Episode]:
    """Let every supervisor play, and return the episodes."""
    for suite in (suites()[name] for name in PLAYED):
        for scenario in training_scenarios(suite, SCENARIOS):
            for agent in supervisors_for(suite.name):
                play_episode(arena, agent, scenario, max_calls=40)
    return [arena.store.chain(row.number) for row in arena.store.stream()]


def fill(store: Store, played: list[Episode], episodes: int) -> None:
    """Bring a log to so many episodes: those that were played, copied under other ids with chains of their own."""
    numbers = iter(range(store.started() + 1, episodes + 1))
    copies = cycle(played)
    while batch := list(islice(numbers, 1_000)):
        made = [_copy(row, links, number) for number, (row, links) in zip(batch, copies, strict=False)]
        with store._database.writing() as connection:
            connection.execute(insert(tables.episodes), [asdict(row) for row, _ in made])
            events = [{"episode": row.number, **link._asdict()} for row, links in made for link in links]
            connection.execute(insert(tables.events), events)
    with store._database.writing() as connection:
        connection.execute(tables.counters.update().where(tables.counters.c.name == "episodes").values(value=episodes))


def _copy(row: EpisodeRow, links: list[Link], number: int) -> Episode:
    name, previous, forged = f"ep_{number:032x}", GENESIS, list[Link]()
    for link in links:
        before = forged[-1].hash if forged else GENESIS
        body = link.body.replace(row.id, name).replace(f'"prev":"{previous}"', f'"prev":"{before}"')
        forged.append(link._replace(body=body, hash=canonical.sha256(body)))
        previous = link.hash
    kept = asdict(row) | {"number": number, "id": name, "head": forged[-1].hash}
    return EpisodeRow(**kept), forged


def _build(folder: Path, kind: str, name: str) -> tuple[float, float]:
    """Return the seconds of one build over two processes, and the most memory that one of them held, in MB."""
    program = folder / f"{name}.py"
    program.write_text(PROGRAM)
    return watch([sys.executable, str(program), f"sqlite:///{folder / LOG}", kind, str(folder / name)])
