"""The manifest of a run folder: what was asked for, and the hash of everything that its figures depend on."""

import hashlib
import inspect
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from platform import python_version
from typing import Any, cast

from pydantic import BaseModel, ConfigDict

import releaseops_mcp
from releaseops_mcp import __version__, canonical
from releaseops_mcp.agents.base import Supervisor
from releaseops_mcp.catalogue import schema_hash
from releaseops_mcp.episodes.registry import suites
from releaseops_mcp.errors import VersionMismatch
from releaseops_mcp.rewards.registry import code_hash, scorers
from releaseops_mcp.simulation import Simulation

FORMAT = 1
"""Version of the run folder."""


class SuiteManifest(BaseModel):
    """What one suite's figures depend on."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    version: str
    reward: str
    """Reward id and version."""
    reward_code: str
    """SHA-256 of the scorer's source."""
    tools: str
    """SHA-256 of the tools' schemas."""
    scenarios: int
    scenario_list: str
    """SHA-256 of the scenario ids, in order."""
    worlds: str
    """SHA-256 of the world hashes, in the same order; each episode's own stands in its line of the results."""
    agents: dict[str, str]
    """SHA-256 of the source file of each agent, by name in the order of play; empty where there is none."""
    degenerate: tuple[str, ...]


class Manifest(BaseModel):
    """What was asked for, and what its figures depend on."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: int = FORMAT
    arguments: dict[str, Any]
    """As the command line named them, but for those that change no figure."""
    repeats: int
    releaseops: str
    python: str
    code: str
    """SHA-256 of the package's source."""
    suites: dict[str, SuiteManifest]

    def refuse_other(self, other: "Manifest") -> None:
        """Raise VersionMismatch naming the first difference: a run folder holds one evaluation of one version."""
        ours, theirs = _flat(self.model_dump(mode="json")), _flat(other.model_dump(mode="json"))
        for name in (*ours, *theirs):
            if ours.get(name) != theirs.get(name):
                raise VersionMismatch(
                    f"this run folder was begun with another {name} ({_shown(ours.get(name))}, now "
                    f"{_shown(theirs.get(name))}): figures of different versions are not mixed; write to a new folder"
                )


def manifest_of(
    arguments: Mapping[str, Any], chosen: Mapping[str, tuple[Sequence[Supervisor], Sequence[str]]], *, repeats: int
) -> Manifest:
    """Return the manifest of an evaluation: supervisors and scenario ids by suite. Every world is generated once."""
    return Manifest(
        arguments=dict(arguments),
        repeats=repeats,
        releaseops=__version__,
        python=python_version(),
        code=_package_hash(),
        suites={suite: _suite(suite, *what) for suite, what in chosen.items()},
    )


def _suite(name: str, agents: Sequence[Supervisor], scenarios: Sequence[str]) -> SuiteManifest:
    suite, scorer = suites()[name], scorers()[name]
    return SuiteManifest(
        version=suite.version,
        reward=f"{scorer.reward_id}@{scorer.version}",
        reward_code=code_hash(type(scorer)),
        tools=schema_hash(suite.tools),
        scenarios=len(scenarios),
        scenario_list=canonical.digest(list(scenarios)),
        worlds=canonical.digest([Simulation.of(scenario).episode.world_hash for scenario in scenarios]),
        agents={agent.name: _source_hash(agent) for agent in agents},
        degenerate=tuple(agent.name for agent in agents if agent.degenerate),
    )


def _source_hash(agent: Supervisor) -> str:
    try:
        source = inspect.getsourcefile(agent.policy)
    except TypeError:
        source = None
    return hashlib.sha256(Path(source).read_bytes()).hexdigest() if source else ""


@cache
def _package_hash() -> str:
    root = Path(releaseops_mcp.__file__).parent
    digest = hashlib.sha256()
    for file in sorted(root.rglob("*.py")):
        digest.update(file.relative_to(root).as_posix().encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()


def _flat(value: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for name, item in value.items():
        if isinstance(item, dict) and item:
            flat |= _flat(cast("dict[str, Any]", item), f"{prefix}{name}.")
        else:
            flat[f"{prefix}{name}"] = item
    return flat


def _shown(value: Any) -> str:
    return "nothing" if value is None else str(value)[:60]
