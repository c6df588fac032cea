"""How long a dataset is built from 100,000 logged episodes, and whether memory stays flat."""

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict
from itertools import cycle, islice
from pathlib import Path

from sqlalchemy import insert

from releaseops_mcp import canonical
from releaseops_mcp.agents.registry import supervisors_for
from releaseops_mcp.agents.runner import play_episode
from releaseops_mcp.episodes.registry import suites
from releaseops_mcp.log import tables
from releaseops_mcp.log.chain import GENESIS, Link
from releaseops_mcp.log.rows import EpisodeRow
from releaseops_mcp.log.store import Store
from releaseops_mcp.settings import Settings, open_arena
from tests.bench.figures import Figure
from training.heldout import training_scenarios

MANY, FEW = 100_000, 50_000
PLAYED, SCENARIOS = ("classic-gate", "classic-canary"), 60
"""Suites and scenarios of each, played by all their supervisors: the log holds these again and again, by other ids."""
KINDS = ("sft", "starts", "preferences")
PROGRAM = """
import resource, sys
from pathlib import Path
from training.dataset import Order, Source, build
if __name__ == "__main__":
    url, kind, out = sys.argv[1:]
    build([Source(url=url)], Order(kind=kind), Path(out), processes=2)
    peaks = [resource.getrusage(who).ru_maxrss / 1024 for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    print(max(peaks))
"""


def figures() -> Iterator[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        few, many = Path(folder) / "few.sqlite3", Path(folder) / "many.sqlite3"
        fill(few, FEW)
        fill(many, MANY)
        for kind in KINDS:
            seconds, most = _build(many, kind, Path(folder) / f"{kind}-many")
            _, least = _build(few, kind, Path(folder) / f"{kind}-few")
            yield Figure(f"dataset {kind} from {MANY:,} episodes", seconds, "s", 60)
            yield Figure(f"dataset {kind}: memory for {MANY:,} episodes beside {FEW:,}", most / least, "ratio", 1.15)


def fill(path: Path, episodes: int) -> None:
    """Write a log of so many episodes: what every supervisor plays, copied under other ids with chains of their own."""
    arena = open_arena(Settings(database_url=f"sqlite:///{path}"))
    for suite in (suites()[name] for name in PLAYED):
        for scenario in training_scenarios(suite, SCENARIOS):
            for agent in supervisors_for(suite.name):
                play_episode(arena, agent, scenario, max_calls=40)
    store: Store = arena.store
    played = [store.chain(row.number) for row in store.stream()]
    numbers = iter(range(len(played) + 1, episodes + 1))
    copies = cycle(played)
    while batch := list(islice(numbers, 1_000)):
        made = [_copy(row, links, number) for number, (row, links) in zip(batch, copies, strict=False)]
        with store._database.writing() as connection:
            connection.execute(insert(tables.episodes), [asdict(row) for row, _ in made])
            events = [{"episode": row.number, **link._asdict()} for row, links in made for link in links]
            connection.execute(insert(tables.events), events)
    with store._database.writing() as connection:
        connection.execute(tables.counters.update().where(tables.counters.c.name == "episodes").values(value=episodes))
    arena.close()


def _copy(row: EpisodeRow, links: list[Link], number: int) -> tuple[EpisodeRow, list[Link]]:
    name, previous, forged = f"ep_{number:032x}", GENESIS, list[Link]()
    for link in links:
        before = forged[-1].hash if forged else GENESIS
        body = link.body.replace(row.id, name).replace(f'"prev":"{previous}"', f'"prev":"{before}"')
        forged.append(link._replace(body=body, hash=canonical.sha256(body)))
        previous = link.hash
    kept = asdict(row) | {"number": number, "id": name, "head": forged[-1].hash}
    return EpisodeRow(**kept), forged


def _build(log: Path, kind: str, out: Path) -> tuple[float, float]:
    """Return the seconds of one build over two processes, and the most memory that one of them held, in MB."""
    program = out.with_suffix(".py")
    program.write_text(PROGRAM)
    began = time.perf_counter()
    ran = subprocess.run(
        [sys.executable, str(program), f"sqlite:///{log}", kind, str(out)], capture_output=True, text=True, check=True
    )
    return time.perf_counter() - began, float(ran.stdout.splitlines()[-1])
