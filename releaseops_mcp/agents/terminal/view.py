"""Shows any suite's observation or result: names and values, and a table or a list of cards for each list of objects.

All of it is text that workers and agents wrote, so nothing in it is read as markup or as control characters.
"""

from collections.abc import Iterator, Mapping
from typing import Any, cast

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from releaseops_mcp.episodes.base import Json

LONG = 40
"""A longer value makes a card of an object, with that value in a line of its own, instead of a table's row."""


def readable(value: Any, style: str = "") -> Text:
    """Return a value as one harmless text: no markup, no control characters, no lone surrogates."""
    text = spoken(value)
    return Text("".join(char if char.isprintable() or char == "\n" else ascii(char)[1:-1] for char in text), style)


def spoken(value: Any) -> str:
    """Return a value in words: `a, b` for a list, `name value, name value` for an object, `-` for nothing."""
    if value is None or value in ("", [], {}):
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {spoken(item)}" for key, item in cast("Mapping[str, Any]", value).items())
    if isinstance(value, list):
        return ", ".join(spoken(item) for item in cast("list[Any]", value))
    return str(value)


def show(data: Json) -> RenderableType:
    """Return an object as a block of names and values, followed by the lists of objects in it."""
    facts = Table.grid(padding=(0, 2))
    facts.add_column(style="dim", no_wrap=True)
    facts.add_column()
    lists = list[RenderableType]()
    for key, value in data.items():
        if _is_list_of_objects(value):
            lists += [Text(), _words(key, "bold"), _cards(value) if _is_long(value) else _table(value)]
        else:
            facts.add_row(_words(key), readable(value))
    return Group(facts, *lists) if facts.row_count else Group(*lists)


def _is_list_of_objects(value: Any) -> bool:
    items = cast("list[Any]", value) if isinstance(value, list) else []
    return bool(items) and all(item and isinstance(item, dict) for item in items)


def _is_long(items: list[Json]) -> bool:
    return any(len(spoken(value)) > LONG for item in items for value in item.values())


def _table(items: list[Json]) -> Table:
    table = Table(header_style="dim", box=None)
    columns = list(dict.fromkeys(key for item in items for key in item))
    for column in columns:
        table.add_column(_words(column), overflow="fold")
    for item in items:
        table.add_row(*(readable(item.get(column)) for column in columns))
    return table


def _cards(items: list[Json]) -> RenderableType:
    return Group(*(Padding(line, (0, 0, 0, indent)) for item in items for line, indent in _card(item)))


def name_of(item: Json) -> str:
    """Return the key of the value that an object goes by: `id` where it has one, else its first (logs sort keys)."""
    return "id" if "id" in item else next(iter(item))


def _card(item: Json) -> Iterator[tuple[Text, int]]:
    """Yield what an object goes by with its short values behind it, then each long value, with their indents."""
    name = name_of(item)
    others = [(key, value) for key, value in item.items() if key != name]
    line = Text.assemble(" ", readable(item[name], "bold"))
    for key, value in others:
        if len(spoken(value)) <= LONG:
            line.append_text(Text.assemble("  ", _words(key, "dim"), " ", readable(value)))
    yield line, 0
    for key, value in others:
        if len(spoken(value)) > LONG:
            yield Text.assemble(_words(key, "dim"), " ", readable(value)), 6


def _words(key: str, style: str = "") -> Text:
    return readable(key.replace("_", " "), style)
