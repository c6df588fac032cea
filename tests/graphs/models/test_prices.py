"""What a call costs: a figure where price and usage are known, nothing elsewhere."""

import json

import pytest

pytest.importorskip("langchain_core", reason="needs langchain-core")

from graphs.models.prices import cost_usd, read_prices
from releaseops_mcp.errors import InvalidArgument

TABLE = {"m-1": {"input_usd_per_million": 0.5, "output_usd_per_million": 2}}


@pytest.fixture
def prices(tmp_path):
    path = tmp_path / "prices.json"
    path.write_text(json.dumps(TABLE))
    return read_prices(path)


@pytest.mark.parametrize(
    ("model", "tokens", "cost"),
    [
        ("m-1", (1_000_000, 500_000), 1.5),
        ("m-1", (0, 0), 0.0),
        ("m-1", (None, 5), None),
        ("m-1", (5, None), None),
        ("m-2", (5, 5), None),
    ],
)
def test_an_unknown_cost_is_not_zero(prices, model, tokens, cost):
    assert cost_usd(prices, model, *tokens) == cost


def test_without_a_table_nothing_is_known():
    assert cost_usd(read_prices(None), "m-1", 1, 1) is None


@pytest.mark.parametrize("text", ["{", "[]", '{"m": {"input_usd_per_million": -1, "output_usd_per_million": 1}}'])
def test_a_table_that_makes_no_sense_is_refused(tmp_path, text):
    path = tmp_path / "prices.json"
    path.write_text(text)

    with pytest.raises(InvalidArgument, match="price table"):
        read_prices(path)
    with pytest.raises(InvalidArgument, match="cannot read"):
        read_prices(tmp_path / "none.json")
