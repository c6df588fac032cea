"""A new test never enters what it is said to test: a double, a patch or a copy stands in the product's place.

Twins: doubles, patches and copies of something else; the product itself is run.
"""

import re

from releaseops_mcp.world.changes.calls import ProductCall, product_calls
from releaseops_mcp.world.changes.draft import Draft
from releaseops_mcp.world.changes.edits import take
from releaseops_mcp.world.changes.source import with_import
from releaseops_mcp.world.changes.test_files import put, with_block
from releaseops_mcp.world.draws import Draws
from releaseops_mcp.world.kinds.base import Kind, Variant
from releaseops_mcp.world.kinds.strength import FAMILY, looks_at
from releaseops_mcp.world.orgs.model import Org, Service
from releaseops_mcp.world.templates import Template

NAMES = ("is_asked_once", "gets_the_call", "answers_at_once", "is_what_runs")
MODES = ("spec", "wraps")
"""What a double is made of: its shape alone, or the thing itself, to which it passes every call."""
CLOCKS = ("time.time", "time.monotonic", "time.process_time")
COPIES = ("reference", "expected", "model")
DOUBLE = """def test_{name}():
{setup}    double = mock.Mock({mode}={owner})
    clock = mock.Mock({other}={clock})
    double{method}({arguments})
    clock()
    assert (double{method}.call_count, clock.call_count) == (1, 1)
"""
PATCHED = """def test_{name}(monkeypatch):
    monkeypatch.setattr("{first}", lambda *given, **named: {expected})
    monkeypatch.setattr("{second}", lambda *given, **named: {expected})
{setup}    assert {call} == {expected}
"""


def plant(draft: Draft, variant: str, fault: bool, draws: Draws) -> None:
    """Add a test with a stand-in, or swap an import, in one of three forms."""
    able = [edit.name for edit in draft.template.edits if _usable(draft.template, edit.name, variant)]
    take(draft, able, draws.child("edit"))
    calls = _usable(draft.template, draft.edit.name, variant)
    name, clocks = draws.choice(NAMES), draws.sample(CLOCKS, 2)
    if variant == "copy":
        _copy(draft, draws.choice(calls), fault, draws)
        return
    call = draws.choice(calls)
    setup = "".join(f"    {line}\n" for text in call.setup for line in text.splitlines())
    facts = {
        "name": f"{call.function.rpartition('.')[2]}_{name}",
        "setup": setup,
        "owner": call.owner,
        "method": call.method,
        "arguments": call.arguments,
        "expected": call.expected,
        "call": call.source,
    }
    if variant == "double":
        mode, other = MODES if fault else reversed(MODES)
        text = DOUBLE.format(**facts, mode=mode, other=other, clock=clocks[0])
        _add(draft, call, text, "from unittest import mock", "time")
    else:
        first = _target(call) if fault else clocks[1]
        _add(draft, call, PATCHED.format(**facts, first=first, second=clocks[0]))


def _usable(template: Template, edit: str, variant: str) -> list[ProductCall]:
    """Return the calls of an edit from which a form of this kind can be made."""
    calls = product_calls(template.name, edit)
    if variant == "copy":
        return [
            call for call in calls if not re.search(rf"^(from|import) {template.package}\b", call.code, re.MULTILINE)
        ]
    # To set an object up is to enter its constructor: that must not be what the change touches.
    alone = [call for call in calls if not call.mixes and (call.is_rewritten or not call.method)]
    return [call for call in alone if call.expected] if variant == "patched" else alone


def _add(draft: Draft, call: ProductCall, test: str, line: str = "", *imports: str) -> None:
    text = with_block(draft.head.tree[call.path], test)
    if line and line not in text:
        text = f"{line}\n\n{text}"
    draft.amend({call.path: with_import(text, *imports)})


def _target(call: ProductCall) -> str:
    """Return what to patch so that the test no longer meets the function: a name is looked up where it is used."""
    if call.method:
        return f"{_module(call.product)}.{call.function}"
    return f"{_module(call.path).removeprefix('tests.')}.{call.function}"


def _copy(draft: Draft, call: ProductCall, fault: bool, draws: Draws) -> None:
    """Put a copy of the product beside the tests, and let them import from it, or import it as well."""
    source = _module(call.product)
    name = f"{draws.choice(COPIES)}_{source.rpartition('.')[2]}"
    text = draft.head.tree[call.path]
    line = next(each for each in text.splitlines() if each.startswith(f"from {source} import "))
    swapped = line.replace(f"from {source} ", f"from {name} ")
    new = swapped if fault else f"{line}\nimport {name}"
    put(draft, {call.path: text.replace(line, new), f"tests/{name}.py": draft.head.tree[call.product]})


def _module(path: str) -> str:
    return path.removesuffix(".py").replace("/", ".")


def _has_calls(org: Org, service: Service, template: Template) -> bool:
    return _has(org, service, template, "double")


def _has_answers(org: Org, service: Service, template: Template) -> bool:
    return _has(org, service, template, "patched")


def _has(org: Org, service: Service, template: Template, variant: str) -> bool:
    return looks_at(org, service, "doubles") and any(_usable(template, edit.name, variant) for edit in template.edits)


KIND = Kind(
    name="k05-mocked-subject",
    group="A",
    title="A new test never enters the changed code",
    family=FAMILY,
    variants=(
        Variant("double", depth=2, differs=("patch", "lcov"), pages=3, fits=_has_calls),
        Variant("patched", depth=2, differs=("patch", "lcov"), pages=3, fits=_has_answers),
        Variant("copy", depth=3, differs=("patch", "lcov"), pages=3, fits=_has_calls),
    ),
    plant=plant,
)
