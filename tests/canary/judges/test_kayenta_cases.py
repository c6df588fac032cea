"""The rank test classifies the samples of Kayenta's own cases as Kayenta does; the figures say where they are from."""

import json
from pathlib import Path

import pytest

from releaseops_mcp.canary.judges.kayenta import Kayenta
from tests.canary.judges.conftest import one

FILE = Path(__file__).parents[2] / "data" / "canary" / "kayenta_cases.json"
RECORD = json.loads(FILE.read_text(encoding="utf-8"))
SIDES = {"increase": (True,), "decrease": (False,), "either": (True, False)}
"""Whether higher is worse: a metric of which either is worse is judged both ways."""


@pytest.mark.parametrize(("canary", "control", "direction", "expected"), RECORD["cases"])
def test_a_sample_is_classified_as_kayenta_classifies_it(canary, control, direction, expected):
    samples = RECORD["samples"]
    judge = Kayenta(confidence=0.95)
    length = max(len(samples[canary]), len(samples[control]))
    padded = [samples[name] + [float("nan")] * (length - len(samples[name])) for name in (canary, control)]
    labels = {judge.classify(one(*padded, higher_is_worse=higher).series[0])[0] for higher in SIDES[direction]}
    assert labels - {"Pass"} == {expected} - {"Pass"}
