"""What must not give the truth away: alerts alone (C10), the first observation; and one interval not too much."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from releaseops_mcp import canonical
from releaseops_mcp.canary.alerts import RULES, UNRELATED
from releaseops_mcp.canary.families.base import TWIN
from releaseops_mcp.canary.families.registry import families_by_id
from releaseops_mcp.canary.metrics import ARMS
from releaseops_mcp.episodes.base import Json
from releaseops_mcp.simulation import Simulation
from tests.gates.gate import Gate, at_least, between

HOLD = {"action_type": "hold", "diagnosis": "healthy"}
ALERTS = {"metric": "alerts"}
ALERT_KINDS = [*((rule.name, arm) for rule in RULES for arm in ARMS), *((name, None) for name, _, _ in UNRELATED)]
LOOKS = 6
"""Intervals whose alerts the classifier sees."""
PAIRS = 300
CHANCE = 0.5
MARGIN = 0.07
"""Three standard errors of an area under the curve at chance, over 300 pairs of twins."""
ONE_INTERVAL = (0.6, 0.8)
"""There must be something to see after one interval, and not enough to decide on."""


@dataclass(frozen=True)
class Sample:
    """What a classifier is to learn the truth from; twins share a group, so that none is tested on its sibling."""

    features: Sequence[Sequence[float]]
    bad: Sequence[bool]
    group: Sequence[int]


def gates() -> Iterator[Gate]:
    for family, what in (("f04-phantom", "phantom alerts"), ("f16-brokenquery", "wrong label")):
        area = area_under_curve(alerts_of(family, PAIRS))
        note = f"AUC of boosted trees on the alerts of {LOOKS} intervals, {PAIRS} pairs of twins, five folds"
        yield between(f"C10 {what} from alerts alone", area, CHANCE - MARGIN, CHANCE + MARGIN, note=note)
    area = area_under_curve(alerts_of("f03-sharedincident", PAIRS))
    note = "the same trees on shared incidents: they find what there is"
    yield at_least("truth from alerts that nobody muted", area, CHANCE + MARGIN, note=note)
    begun = first_observations(50)
    same = sum(one == other for one, other in begun)
    yield Gate("twins begin with the same bytes", f"{same} of {len(begun)}", "all", same == len(begun), "all families")
    area = area_under_curve(looks(0, 50))
    note = "AUC of boosted trees on 950 pairs of twins over all families, five folds"
    yield between("truth from the first observation", area, CHANCE - 0.04, CHANCE + 0.04, note=note)
    yield between("truth from one interval at 5 % traffic", area_under_curve(looks(1, 50)), *ONE_INTERVAL, note=note)


def alerts_of(family: str, pairs: int) -> Sample:
    """Return how often each kind of alert fired, look by look, while the canary was held."""
    features: list[list[float]] = []
    bad: list[bool] = []
    for seed in range(pairs):
        for simulation in _twins(family, seed):
            features.append(_alerts(simulation))
            bad.append(simulation.episode.truth()["bad"])
    return Sample(features, bad, [row // 2 for row in range(len(bad))])


def first_observations(seeds: int) -> list[tuple[bytes, bytes]]:
    """Return what twins begin with, pair by pair, over all families."""
    pairs = (_twins(family, seed) for family in families_by_id() for seed in range(seeds))
    return [(canonical.dumps(one.first_observation), canonical.dumps(other.first_observation)) for one, other in pairs]


def looks(intervals: int, seeds: int) -> Sample:
    """Return everything that an agent is told by itself until it has held for some intervals, over all families."""
    features: list[list[float]] = []
    bad: list[bool] = []
    for family in families_by_id():
        for seed in range(seeds):
            for simulation in _twins(family, seed):
                row = _numbers(simulation.first_observation)
                for _ in range(intervals):
                    row += _compared(simulation.call("decide_rollout", HOLD).observation)
                features.append(row)
                bad.append(simulation.episode.truth()["bad"])
    return Sample(features, bad, [row // 2 for row in range(len(bad))])


def area_under_curve(sample: Sample) -> float:
    """Return how well boosted trees rank truth over lie, cross-validated: .5 is chance, 1 is certainty."""
    from sklearn.ensemble import HistGradientBoostingClassifier
    from sklearn.metrics import roc_auc_score
    from sklearn.model_selection import GroupKFold, cross_val_predict

    features: NDArray[np.float64] = np.array(sample.features, dtype=np.float64)
    told = ~np.isnan(features).all(axis=0)
    trees = HistGradientBoostingClassifier(max_iter=80, max_depth=4, learning_rate=0.08, random_state=0)
    found = cross_val_predict(
        trees, features[:, told], sample.bad, groups=sample.group, cv=GroupKFold(5), method="predict_proba"
    )
    return float(roc_auc_score(sample.bad, found[:, 1]))


def _twins(family: str, seed: int) -> tuple[Simulation, Simulation]:
    one, other = (Simulation.of(f"canary/{name}/seed-{seed}") for name in (family, family + TWIN))
    return one, other


def _alerts(simulation: Simulation) -> list[float]:
    row: list[float] = []
    for _ in range(LOOKS):
        simulation.call("decide_rollout", HOLD)
        result = simulation.call("inspect_metric", ALERTS).result
        assert result is not None
        fired = Counter((alert["name"], alert["labels"].get("arm")) for alert in result["firing"])
        row += [fired[kind] for kind in ALERT_KINDS]
    return row


def _numbers(told: Json) -> list[float]:
    """Return every number of an observation, and its words as numbers."""
    flat: list[object] = []
    for value in told.values():
        nested = value.values() if isinstance(value, dict) else value if isinstance(value, list) else [value]
        flat += nested
    return [_number(value) for value in flat]


def _number(value: object) -> float:
    if value is None:
        return float("nan")
    return float(sum(value.encode())) if isinstance(value, str) else float(value)


def _compared(told: Json) -> list[float]:
    """Return the numbers of an observation, and of each pair how many times the second the first is."""
    pairs = [_numbers({"": pair}) for pair in told.values() if isinstance(pair, list)]
    return [*_numbers(told), *(float(np.log((one + 0.05) / (other + 0.05))) for one, other in pairs)]
