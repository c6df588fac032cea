"""Golden files and the code that renders them: laid out anew, or with one of their values changed in both places."""

import ast
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations

from releaseops_mcp.world.draws import Draws
from releaseops_mcp.world.templates import load_template

GOLDENS = re.compile(r"^tests/goldens/\w+\.json$")
INDENT = re.compile(r"\bindent=(\d)")
WAYS = tuple(permutations(("upper", "lower", "title"), 2))
"""Pairs of methods: in one order they give a text as it was, in the other they may not."""
FRESH = ("layout", "version", "schema")
"""Names of a field that an answer gets anew."""
Tree = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Field:
    """A value of a golden file, and the expression of product code that gives it."""

    golden: str
    product: str
    key: str
    value: str | int
    start: int
    """Where the expression begins in the product file."""
    source: str


def fields(tree: Tree, package: str) -> tuple[Field, ...]:
    """Return the texts and numbers of a tree's golden file that no other test looks up in an answer."""
    goldens = [path for path in tree if GOLDENS.match(path)]
    renders = [path for path in tree if path.startswith(f"{package}/") and INDENT.search(tree[path])]
    if len(goldens) != 1 or len(renders) != 1:
        return ()
    golden, product = goldens[0], renders[0]
    values = json.loads(tree[golden])
    tests = "".join(text for path, text in tree.items() if path.startswith("tests/") and path.endswith(".py"))
    return tuple(
        Field(golden, product, key, values[key], start, source)
        for key, (start, source) in _expressions(tree[product]).items()
        if isinstance(values.get(key), str | int) and not isinstance(values[key], bool)
        if values[key] not in ("", 0) and not re.search(rf"\[\"{key}\"\]|'\"{key}\"", tests)
    )


@lru_cache(maxsize=64)
def steady_fields(template_name: str) -> int:
    """Return how many fields a template has whatever its edit."""
    template = load_template(template_name)
    return min(len(fields(template.edited(edit), template.package)) for edit in template.edits)


def laid_out(tree: Tree, package: str, indent: int) -> dict[str, str]:
    """Return the golden file and the code that renders it with another indent."""
    field = fields(tree, package)[0]
    text = json.dumps(json.loads(tree[field.golden]), indent=indent) + "\n"
    return {field.golden: text, field.product: INDENT.sub(f"indent={indent}", tree[field.product])}


def rewritten(tree: Tree, field: Field, draws: Draws, *, changed: bool) -> tuple[dict[str, str], str]:
    """Return product code that treats a field in a new way, and the golden file with what that gives; and the value.

    The way may leave the value as it was.
    """
    own = draws.child(field.key)
    expression, value = own.choice([way for way in _ways(field) if (way[1] != field.value) is changed])
    text = tree[field.product]
    product = text[: field.start] + expression + text[field.start + len(field.source) :]
    old, new = json.dumps(field.value), json.dumps(value)
    golden = tree[field.golden].replace(f'"{field.key}": {old}', f'"{field.key}": {new}')
    return {field.product: product, field.golden: golden}, new


def with_field(tree: Tree, package: str, key: str, draws: Draws) -> dict[str, str]:
    """Return the golden file and the code that renders it with one field more, before the one with this key."""
    field = next(each for each in fields(tree, package) if each.key == key)
    name, value = draws.choice(FRESH), draws.integer(2, 4)
    text, golden = tree[field.product], tree[field.golden]
    place = text.rindex(f'"{key}"', 0, field.start)
    before = text[:place]
    space = before[len(before.rstrip()) :] if before[-1:].isspace() else " "
    product = f'{before}"{name}": {value},{space}{text[place:]}'
    line = f'  "{key}": '
    return {field.product: product, field.golden: golden.replace(line, f'  "{name}": {value},\n{line}', 1)}


def _ways(field: Field) -> list[tuple[str, str | int]]:
    """Return new expressions of a field with the values that they give, the old one among them."""
    if isinstance(field.value, str):
        value, source = field.value, _closed(field.source)
        return [(f"{source}.{one}().{other}()", getattr(getattr(value, one)(), other)()) for one, other in WAYS]
    # Never 0: an empty value is no field any more.
    bounds = (max(1, field.value // 2), field.value + 1, field.value * 2 + 3)
    return [
        (f"{word.__name__}({field.source}, {each})", word(field.value, each)) for word in (max, min) for each in bounds
    ]


def _closed(source: str) -> str:
    """Return an expression to which a method can be added."""
    node = ast.parse(source, mode="eval").body
    return source if isinstance(node, ast.Name | ast.Attribute | ast.Subscript | ast.Call) else f"({source})"


def _expressions(text: str) -> dict[str, tuple[int, str]]:
    """Return place and source of what is shown by key, in the one mapping with constant keys that a file renders."""
    starts = [0]
    for line in text.splitlines(True):
        starts.append(starts[-1] + len(line))
    found: dict[str, tuple[int, str]] = {}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values, strict=True):
                if isinstance(key, ast.Constant) and not isinstance(value, ast.Constant):
                    place = starts[value.lineno - 1] + value.col_offset
                    found[str(key.value)] = (place, ast.get_source_segment(text, value) or "")
    return found
