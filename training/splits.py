"""Which scenarios training may not see: asked by datasets and environments alike, so that there is one answer.

By default the lists that a suite's `splits` names otherwise than `train...` or `dev...` are held out, and so is every
family that only they show. A suite whose lists do not say it all has a rule here.
"""

from collections.abc import Callable, Mapping
from functools import cache

from releaseops_mcp.episodes.base import Scenario, Suite
from releaseops_mcp.episodes.canary.splits import reserved
from releaseops_mcp.episodes.gate.splits import reserved as reserved_release
from releaseops_mcp.episodes.registry import suite_of
from releaseops_mcp.errors import InvalidArgument
from releaseops_mcp.world.scenario import parse as release_name

OPEN = ("train", "dev")
"""How the name of a list begins that training may use."""


class HeldOut(InvalidArgument):
    """A held-out scenario turned up in training."""


def _third_column(scenario: Scenario) -> str | None:
    return "seed-2-mod-3" if scenario.seed % 3 == 2 else None


def _reserved_rollout(scenario: Scenario) -> str | None:
    return reserved(scenario.family, scenario.seed)


def _reserved_release(scenario: Scenario) -> str | None:
    return reserved_release(release_name(scenario.id))


RULES: Mapping[str, Callable[[Scenario], str | None]] = {
    "canary": _reserved_rollout,
    "classic-canary": _third_column,
    "gate": _reserved_release,
}
"""By suite: names the held-out part that a scenario is in, or None.

canary holds out whole families, and all seeds whose worlds are drawn from ranges of parameters that training never
sees; its lists show a part of them. classic-canary draws its constants from three columns, chosen by the seed modulo 3:
only a whole column is new to a policy, and a list of seeds is not. gate holds out kinds, organisations and combinations
of both at any seed, and ranges of seeds in every organisation, also in one that was installed or generated.
"""


def held_out(scenario: Scenario) -> str | None:
    """Return the name of the held-out part that a scenario belongs to, or None where training may use it."""
    rule = RULES.get(scenario.suite)
    return rule(scenario) if rule else _by_lists(scenario)


def trainable(scenario_id: str) -> Scenario:
    """Return the scenario of an id; raises HeldOut, and UnknownScenario."""
    scenario = suite_of(scenario_id).parse(scenario_id)
    part = held_out(scenario)
    if part is not None:
        raise HeldOut(
            f"{scenario.id} is held out ({part} of {scenario.suite}): results on it would be worthless after training "
            "on it; take it out of the data and build the data set again"
        )
    return scenario


def _by_lists(scenario: Scenario) -> str | None:
    reserved, families, known = _reserved(suite_of(scenario.id))
    if scenario.id in reserved:
        return reserved[scenario.id]
    return families.get(scenario.family) if scenario.id not in known else None


@cache
def _reserved(suite: Suite) -> tuple[Mapping[str, str], Mapping[str, str], frozenset[str]]:
    """Return held-out ids and families with the list that reserves each, and the ids that are for training."""
    lists = suite.splits()
    train = frozenset(name for key, names in lists.items() if key.startswith(OPEN) for name in names)
    others = {key: names for key, names in lists.items() if not key.startswith(OPEN)}
    ids = {name: key for key, names in reversed(others.items()) for name in names if name not in train}
    if not train:
        return ids, {}, train
    shown = {suite.parse(name).family for name in train}
    families = {suite.parse(name).family: key for name, key in ids.items()}
    return ids, {family: key for family, key in families.items() if family not in shown}, train
