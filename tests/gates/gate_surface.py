"""What an observation gives away: no more than the worker's record does."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from releaseops_mcp.episodes.base import Json
from tests.gates.gate import Gate, at_most, between
from tests.gates.gate_lab import first_seen, is_faulty, one_of_each, worlds

TRAINED_ON, HELD_OUT = (400_000, 3_000), (410_000, 1_500)
"""Seed and number of the worlds."""
WORDS = 200
REQUESTS = ("merge_change", "promote_artifact", "ship_release_candidate")
CONFIDENCE = ("low", "medium", "high", "very_high")
SURFACES = (
    "tests",
    "workflow",
    "dependencies",
    "schema",
    "source",
    "docs",
    "ownership",
    "quality",
    "api",
    "flags",
)


@dataclass(frozen=True)
class Sample:
    """Proposals as they are first shown."""

    fields: NDArray[np.float64]
    """One row a proposal."""
    texts: tuple[str, ...]
    """Everything about it that is text."""
    records: NDArray[np.float64]
    """The share of wrong ones in the worker's record, smoothed."""
    faulty: NDArray[np.int64]


def gates() -> Iterator[Gate]:
    train, test = sample(*TRAINED_ON), sample(*HELD_OUT)
    record = area_under_curve(test.records, test.faulty)
    note = f"AUC over {len(test.faulty):,} proposals of independent worlds, {test.faulty.mean():.1%} of them faulty"
    yield between("gate: the worker's record alone", record, 0.60, 0.80, "", note)
    note = f"gradient-boosted trees on every field and word, trained on {len(train.faulty):,} proposals, held-out seeds"
    yield at_most("gate: first observation, beyond the record", fitted(train, test) - record, 0.03, "AUC", note)


def sample(seed: int, count: int) -> Sample:
    """Return the proposals of so many independent worlds."""
    fields: list[list[float]] = []
    texts: list[str] = []
    records: list[float] = []
    faulty: list[bool] = []
    for world in worlds(one_of_each(seed, count)):
        for lineage in world.lineages:
            seen = first_seen(world, lineage)
            shown = next(each for each in seen["proposals"] if each["id"] == lineage.id)
            row, text = described(seen, shown)
            fields.append(row)
            texts.append(text)
            records.append(row[0])
            faulty.append(is_faulty(world, lineage))
    return Sample(np.array(fields), tuple(texts), np.array(records), np.array(faulty, dtype=np.int64))


def described(seen: Json, shown: Json) -> tuple[list[float], str]:
    """Return every field of a proposal and of what stands around it as numbers, and its words."""
    worker = next(each for each in seen["workers"] if each["id"] == shown["worker"])
    cases = worker["right"] + worker["wrong"]
    shares = [(each["wrong"] + 1) / (each["right"] + each["wrong"] + 2) for each in seen["workers"]]
    share = (worker["wrong"] + 1) / (cases + 2)
    row = [
        share,
        cases,
        share - max(shares),
        sum(each > share for each in shares),
        len(shares),
        REQUESTS.index(shown["request"]),
        CONFIDENCE.index(shown["confidence"]),
        len(shown["refs"]),
        *(sum(ref.startswith(prefix) for ref in shown["refs"]) for prefix in ("pr_", "ci_", "ticket_", "dep_")),
        *(surface in shown["touches"] for surface in SURFACES),
        len(shown["touches"]),
        len(shown["claim"]),
        len(seen["proposals"]),
        [each["id"] for each in seen["proposals"]].index(shown["id"]),
        sum(each["touches"] == shown["touches"] for each in seen["proposals"]),
        sum(each["claim"] == shown["claim"] for each in seen["proposals"]),
        seen["phase_index"],
        seen["phase_hours"],
        seen["hours_left"],
        seen["units_left"],
        int(shown["id"][1:]),
    ]
    words = (
        seen["organisation"],
        seen["service"],
        seen["time"][11:13],
        shown["worker"],
        worker["role"],
        shown["claim"],
    )
    return list(map(float, row)), " ".join((*words, *shown["touches"]))


def fitted(train: Sample, test: Sample) -> float:
    """Return the AUC of trees grown on one sample, on another."""
    from sklearn.ensemble import HistGradientBoostingClassifier  # pyright: ignore[reportMissingTypeStubs]
    from sklearn.feature_extraction.text import CountVectorizer  # pyright: ignore[reportMissingTypeStubs]

    words: Any = CountVectorizer(max_features=WORDS, ngram_range=(1, 2), binary=True)
    seen = np.hstack([train.fields, words.fit_transform(train.texts).toarray()])
    fresh = np.hstack([test.fields, words.transform(test.texts).toarray()])
    trees: Any = HistGradientBoostingClassifier(max_depth=4, learning_rate=0.05, max_iter=150, random_state=0)
    trees.fit(seen, train.faulty)
    return area_under_curve(trees.predict_proba(fresh)[:, 1], test.faulty)


def area_under_curve(scores: NDArray[np.float64], faulty: NDArray[np.int64]) -> float:
    """Return how often a faulty one scores higher than a sound one; a tie counts half (Mann and Whitney)."""
    sound, wrong = np.sort(scores[faulty == 0]), scores[faulty == 1]
    below = np.searchsorted(sound, wrong, "left") + np.searchsorted(sound, wrong, "right")
    return float(below.mean()) / 2 / len(sound)
