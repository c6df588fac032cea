"""What single words give away: a reader of keywords over every page of a proposal, without joining any two of them."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from releaseops_mcp.world.world import World
from tests.gates.gate import Gate, at_most
from tests.gates.gate_lab import is_faulty, one_of_each, worlds

TRAINED_ON, HELD_OUT = (420_000, 3_000), (430_000, 1_500)
"""Seed and number of the worlds."""
WORD = r"[A-Za-z_][A-Za-z_-]+|\|\||[=:]"
"""Words, and the signs between a command and what softens it; numbers and hashes are never the same twice."""
FEATURES = 50_000


@dataclass(frozen=True)
class Sample:
    """The named proposals of some worlds, with every page that can be read about them."""

    kinds: NDArray[np.str_]
    texts: tuple[str, ...]
    faulty: NDArray[np.bool_]


def gates() -> Iterator[Gate]:
    train, test = sample(*TRAINED_ON), sample(*HELD_OUT)
    count = f"{len(train.faulty):,} proposals trained on, {len(test.faulty):,} held out"
    fresh, seen = accuracies(train, test)
    note = f"balanced accuracy, mean of {_spread(fresh)}; each kind left out in turn; {count}"
    yield at_most("gate: keyword reader, kinds that it never saw", float(np.mean(list(fresh.values()))), 0.65, "", note)
    note = f"balanced accuracy, mean of {_spread(seen)}; {count}"
    yield at_most("gate: keyword reader, kinds that it saw", float(np.mean(list(seen.values()))), 0.80, "", note)


def sample(seed: int, count: int) -> Sample:
    """Return the named proposals of so many independent worlds."""
    rows = [row for world in worlds(one_of_each(seed, count)) for row in _named(world)]
    kinds, texts, faulty = zip(*rows, strict=True)
    return Sample(np.array(kinds), texts, np.array(faulty))


def _named(world: World) -> Iterator[tuple[str, str, bool]]:
    """Yield kind, text and whether it is faulty, of the proposals in which the world's own kind is planted."""
    for lineage in world.lineages:
        if lineage.planted.partition("/")[0] == world.name.kind and not lineage.decoy:
            version = lineage.versions[0]
            pages = (sheet.text for artefact in version.artefacts.values() for sheet in artefact.sheets)
            yield world.name.kind, "\n".join((version.claim, *pages)), is_faulty(world, lineage)


def accuracies(train: Sample, test: Sample) -> tuple[dict[str, float], dict[str, float]]:
    """Return the balanced accuracy by kind of readers that never saw it, and of one that saw them all."""
    from sklearn.feature_extraction.text import TfidfVectorizer  # pyright: ignore[reportMissingTypeStubs]

    words: Any = TfidfVectorizer(
        ngram_range=(1, 2), token_pattern=WORD, min_df=3, sublinear_tf=True, max_features=FEATURES
    )
    known, held = words.fit_transform(train.texts), words.transform(test.texts)
    every = sorted(set(test.kinds.tolist()))
    fresh: dict[str, float] = {}
    for kind in every:
        other = train.kinds != kind
        fresh[kind] = _judged(_reader(known[other], train.faulty[other]), held, test, kind)
    reader = _reader(known, train.faulty)
    return fresh, {kind: _judged(reader, held, test, kind) for kind in every}


def _reader(features: Any, faulty: NDArray[np.bool_]) -> Any:
    from sklearn.linear_model import LogisticRegression  # pyright: ignore[reportMissingTypeStubs]

    reader: Any = LogisticRegression(C=10.0, class_weight="balanced", max_iter=300)
    return reader.fit(features, faulty)


def _judged(reader: Any, features: Any, test: Sample, kind: str) -> float:
    """Return the mean of the shares of faulty and of sound ones that were told right."""
    rows = test.kinds == kind
    told, true = reader.predict(features[rows]), test.faulty[rows]
    return float((told[true].mean() + (~told[~true]).mean()) / 2)


def _spread(found: dict[str, float]) -> str:
    """Return the figures from the lowest to the highest."""
    return ", ".join(f"{kind[:3]} {value:.2f}" for kind, value in sorted(found.items(), key=lambda each: each[1]))
