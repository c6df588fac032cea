"""What a model's tokens cost: a table that the user gives, since prices change and nobody else knows the contract.

{"some-model": {"input_usd_per_million": 0.5, "output_usd_per_million": 1.5}}
"""

from collections.abc import Mapping
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from releaseops_mcp.errors import InvalidArgument


class Price(BaseModel):
    """The price of one model, in US dollars for a million tokens."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    input_usd_per_million: float = Field(ge=0, allow_inf_nan=False)
    output_usd_per_million: float = Field(ge=0, allow_inf_nan=False)


Prices = Mapping[str, Price]
"""By the name of the model, without its scheme."""


def read_prices(path: Path | None) -> Prices:
    """Return the prices in a JSON file, none where no file is given; raises InvalidArgument."""
    if path is None:
        return {}
    try:
        return TypeAdapter(dict[str, Price]).validate_json(path.read_bytes())
    except OSError as error:
        raise InvalidArgument(f"cannot read the price table {path}: {error.strerror}") from error
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "the file"
        raise InvalidArgument(f"the price table {path}: {where}: {first['msg']}") from None


def cost_usd(prices: Prices, model: str, input_tokens: int | None, output_tokens: int | None) -> float | None:
    """Return what a call cost, or None where the price or the usage is unknown: unknown is not 0."""
    price = prices.get(model)
    if price is None or input_tokens is None or output_tokens is None:
        return None
    return (input_tokens * price.input_usd_per_million + output_tokens * price.output_usd_per_million) / 1_000_000
