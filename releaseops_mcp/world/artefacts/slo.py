"""A service's error ratios, as Prometheus answers an instant query: values are strings, and `NaN` is one of them.

Two recorded series: the ratio of failed requests over several windows, and the part of it that each incident caused.
"""

import json
import math
from dataclasses import dataclass

from releaseops_mcp.world import clock
from releaseops_mcp.world.artefacts.loading import loaded
from releaseops_mcp.world.artefacts.registry import Format
from releaseops_mcp.world.evidence.sheet import Record, Sheet, Topic

TOTAL, PART = "slo:sli_error:ratio_rate", "slo:incident_error:ratio_rate"
"""Names of the two series."""


@dataclass(frozen=True, slots=True)
class Ratio(Record):
    """The ratio of failed requests over a window that ends now."""

    service: str
    window: str
    """As Prometheus writes it, such as `28d`."""
    value: float
    """NaN where there was no request."""
    incident: str = ""
    """The incident that caused this part; "" for all of it."""


def sheets(subject: str, ratios: tuple[Ratio, ...], minute: int) -> tuple[Sheet, ...]:
    """Return the one page; `subject` is the service's name."""
    result = [
        {
            "metric": {"__name__": PART if each.incident else TOTAL, "service": each.service, "window": each.window}
            | ({"incident": each.incident} if each.incident else {}),
            "value": [clock.seconds(minute), "NaN" if math.isnan(each.value) else f"{each.value:.6f}"],
        }
        for each in ratios
    ]
    document = {"status": "success", "data": {"resultType": "vector", "result": result}}
    return (Sheet(Topic(FORMAT.name, subject), json.dumps(document)),)


def parse(subject: str, text: str) -> tuple[Record, ...]:
    """Return the ratios; raises ValueError for a text that is no answer with a vector."""
    data = loaded(subject, text, "an answer of Prometheus", "data")["data"]
    if data["resultType"] != "vector":
        raise ValueError(f"{subject}: wanted a vector, got a {data['resultType']}")
    return tuple(
        Ratio(
            row["metric"]["service"],
            row["metric"]["window"],
            float(row["value"][1]),
            row["metric"].get("incident", ""),
        )
        for row in data["result"]
    )


FORMAT = Format(name="slo", tool="inspect_service_health", parse=parse, minutes=5)
