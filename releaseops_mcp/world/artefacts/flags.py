"""What the flag service serves, as Unleash's API lists features: how far each is rolled out where, and since when."""

import json
from dataclasses import dataclass
from typing import Any

from releaseops_mcp.world import clock
from releaseops_mcp.world.artefacts.loading import loaded
from releaseops_mcp.world.artefacts.registry import Format, grouped
from releaseops_mcp.world.evidence.sheet import Record, Sheet, Topic

PRODUCTION, STAGING = "production", "staging"


@dataclass(frozen=True, slots=True)
class Served(Record):
    """One feature in one environment."""

    flag: str
    environment: str
    percent: int
    """Share of the users for whom it is on."""
    minute: int
    """Since when it has been so."""


def sheets(subject: str, served: tuple[Served, ...]) -> tuple[Sheet, ...]:
    """Return the pages, each a list of features; `subject` is the artefact's id."""
    names = dict.fromkeys(each.flag for each in served)
    rows = [
        json.dumps({"name": name, "environments": [_environment(each) for each in served if each.flag == name]})
        for name in names
    ]
    topic = Topic(FORMAT.name, subject)
    texts = ['{"version": 1, "features": [' + ",\n ".join(page) + "]}" for page in grouped(rows)]
    return tuple(Sheet(topic, text, number, len(texts)) for number, text in enumerate(texts, 1))


def parse(subject: str, text: str) -> tuple[Record, ...]:
    """Return what is served; raises ValueError for a text that is no list of features."""
    features = loaded(subject, text, "a list of features", "features")["features"]
    return tuple(
        Served(
            feature["name"],
            environment["name"],
            sum(int(each["parameters"]["rollout"]) for each in environment["strategies"][:1]),
            clock.minute_of(environment["changedAt"]),
        )
        for feature in features
        for environment in feature["environments"]
    )


def _environment(each: Served) -> dict[str, Any]:
    return {
        "name": each.environment,
        "enabled": each.percent > 0,
        "strategies": [{"name": "flexibleRollout", "parameters": {"rollout": str(each.percent)}}],
        "changedAt": clock.stamp(each.minute),
    }


FORMAT = Format(name="flags", tool="inspect_deployment", parse=parse, minutes=5)
