"""Builds a dataset: streams logs through a kind, over several processes, and writes rows and card.

Memory does not grow with the log: chunks of 500 episodes are under way a few at a time, what must be known of all of
them waits on disk, and only the marks by which duplicates are found stay in memory (two sets of 64-bit numbers).
"""

import hashlib
import multiprocessing
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

from releaseops_mcp import __version__
from releaseops_mcp.audit.rescore import Unscored
from releaseops_mcp.episodes.registry import suites
from releaseops_mcp.errors import InvalidArgument
from training.datasets.base import Again, Collector, Kind
from training.datasets.card import ROWS, Card, SourceCard, log_name, write_card
from training.datasets.picking import Batch, Order, kind_of, pick_chunk
from training.datasets.rollout import Rollout, rollout_of
from training.datasets.source import CHUNK, Chunk, Source, chunks, read_again
from training.rendering.registry import rendering_of

ALONE = 4
"""Up to so many chunks are read in this process: starting others takes longer."""

Progress = Callable[[int, int], None]
"""Is told how many episodes were read, and of how many at most."""


def _silent(done: int, total: int) -> None:
    return


def build(
    sources: Sequence[Source], order: Order, folder: Path, *, processes: int = 1, progress: Progress = _silent
) -> Card:
    """Write a dataset into an empty or new folder and return its card.

    Raises InvalidArgument for a folder that holds something, an unknown kind and wrong options, HeldOut where an
    episode was played on a held-out scenario and `skip_held_out` is not set, and what reading the logs raises.
    """
    if folder.exists() and any(folder.iterdir()):
        raise InvalidArgument(f"{folder} is not empty: name a new folder")
    kind = kind_of(order)
    with closing(kind.collector()) as collector:
        tally = _Tally()
        cards: list[SourceCard] = []
        for source in sources:
            parts = list(chunks(source))
            batches = _batches(parts, order, kind, processes)
            cards.append(_take_in(source, batches, collector, tally, _following(progress, len(parts) * CHUNK)))
        folder.mkdir(parents=True, exist_ok=True)
        rows, digest = _write(folder / ROWS, collector.rows(_again(sources)))
        left_out = tally.left_out + Counter(collector.left_out)
    card = Card(
        kind=kind.name,
        summary=kind.summary,
        options=kind.chosen.model_dump(mode="json"),
        sources=tuple(cards),
        package=__version__,
        suites={name: suites()[name].version for name in sorted(tally.rewards)},
        renderings={name: rendering_of(name).version for name in sorted(tally.rewards)},
        rewards={name: tally.rewards[name][0] for name in sorted(tally.rewards)},
        reward_code={name: tally.rewards[name][1] for name in sorted(tally.rewards)},
        rows=rows,
        rows_sha256=digest,
        left_out=dict(sorted((reason, count) for reason, count in left_out.items() if count)),
        held_out=dict(sorted(tally.held_out.items())),
    )
    write_card(folder, card)
    return card


class _Tally:
    """What the batches of all sources came to, beside what was picked."""

    def __init__(self) -> None:
        self.left_out: Counter[str] = Counter()
        self.held_out: Counter[str] = Counter()
        self.rewards: dict[str, tuple[str, str]] = {}

    def add(self, batch: Batch) -> None:
        self.left_out += batch.left_out
        self.held_out += batch.held_out
        self.rewards |= batch.rewards


def _following(progress: Progress, total: int) -> Callable[[int], None]:
    return lambda done: progress(done, max(done, total))


def _take_in(
    source: Source,
    batches: Iterator[Batch],
    collector: Collector[Any],
    tally: _Tally,
    follow: Callable[[int], None],
) -> SourceCard:
    heads, episodes = hashlib.sha256(), 0
    for batch in batches:
        for picked in batch.picked:
            collector.add(picked)
        tally.add(batch)
        heads.update(batch.heads)
        episodes += len(batch.heads) // 32
        follow(episodes)
    return SourceCard(
        log=log_name(source),
        suite=source.suite,
        agent=source.agent,
        episodes=episodes,
        heads_sha256=heads.hexdigest(),
    )


def _batches(parts: Sequence[Chunk], order: Order, kind: Kind[Any, Any], processes: int) -> Iterator[Batch]:
    """Yield the batches in the log's order; at most two a process are under way, so that memory stays flat."""
    if processes == 1 or len(parts) <= ALONE:
        yield from (pick_chunk(part, order, kind) for part in parts)
        return
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, mp_context=context, initializer=_prepare, initargs=(order,)) as pool:
        under_way: deque[Future[Batch]] = deque()
        waiting = iter(parts)
        try:
            while True:
                while len(under_way) < 2 * processes and (part := next(waiting, None)) is not None:
                    under_way.append(pool.submit(_pick, part))
                if not under_way:
                    return
                yield under_way.popleft().result()
        finally:
            pool.shutdown(cancel_futures=True)


_of_this_process: list[tuple[Order, Kind[Any, Any]]] = []
"""What a process of the pool was started for."""


def _prepare(order: Order) -> None:
    _of_this_process.append((order, kind_of(order)))


def _pick(chunk: Chunk) -> Batch:
    return pick_chunk(chunk, *_of_this_process[-1])


def _again(sources: Sequence[Source]) -> Again:
    def again(ids: frozenset[str]) -> Iterator[Rollout]:
        for source in sources:
            for episode in read_again(source, ids):
                rollout = rollout_of(episode)
                if not isinstance(rollout, Unscored):
                    yield rollout

    return again


def _write(file: Path, lines: Iterator[str]) -> tuple[int, str]:
    """Write the rows; return how many there are, and the SHA-256 of the file."""
    digest, rows = hashlib.sha256(), 0
    draft = file.with_suffix(".draft")
    with draft.open("wb") as out:
        for line in lines:
            data = line.encode() + b"\n"
            out.write(data)
            digest.update(data)
            rows += 1
    draft.replace(file)
    return rows, digest.hexdigest()
