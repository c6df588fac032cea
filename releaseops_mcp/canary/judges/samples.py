"""What is done to a sample before ranks are compared: missing values, outliers."""

from typing import Literal

import numpy as np

from releaseops_mcp.canary.judges.arm import Array

Missing = Literal["remove", "replace"]


def filled(values: Array, missing: Missing) -> Array:
    """Return the values that are finite; the others are left out, or put at 0, as suits a count of events."""
    unknown = ~np.isfinite(values)
    return values[~unknown] if missing == "remove" else np.where(unknown, 0.0, values)


def without_outliers(values: Array, factor: float) -> Array:
    """Return the values within `factor` interquartile ranges of the quartiles, which tame samples keep whole."""
    if not values.size:
        return values
    low, high = np.quantile(values, (0.25, 0.75))
    reach = factor * (high - low)
    return values[(values >= low - reach) & (values <= high + reach)]
