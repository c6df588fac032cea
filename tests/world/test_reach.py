"""Which product functions a test enters is read off its source; running the tests under a profiler finds the same."""

import json
import os
import subprocess
import sys

import pytest

from releaseops_mcp.world.ci.collection import collect
from releaseops_mcp.world.ci.reach import entered
from releaseops_mcp.world.templates import load_template
from tests.world.test_artefacts import write

PLUGIN = """
import json, os, sys

import pytest

ROOT = os.getcwd() + os.sep
HITS = {}


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    found = HITS.setdefault(item.nodeid, set())

    def note(frame, event, argument):
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(ROOT) and "<" not in code.co_qualname:
            found.add((code.co_filename.removeprefix(ROOT), code.co_qualname))

    sys.setprofile(note)
    try:
        return (yield)
    finally:
        sys.setprofile(None)


def pytest_sessionfinish(session):
    with open("hits.json", "w") as file:
        json.dump({test: sorted(found) for test, found in HITS.items()}, file)
"""


def profiled(folder, tree, arguments=()):
    """Return what each test really enters, as (path, function), by test id; functions inside others are left out."""
    write(folder, {**tree, "note_calls.py": PLUGIN})
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "note_calls", "--rootdir=.", *arguments],
        cwd=folder,
        env={
            "PATH": os.environ["PATH"],
            "CI": "true",
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
            "PYTHONPATH": str(folder),
        },
        check=False,
        capture_output=True,
        text=True,
    )
    assert (folder / "hits.json").exists(), ran.stdout + ran.stderr
    hits = json.loads((folder / "hits.json").read_text())
    return {test: {(path, name) for path, name in found} for test, found in hits.items()}


@pytest.mark.parametrize("name", ["payments", "inventory"])
def test_every_test_of_a_template_enters_what_its_source_says(tmp_path, name):
    template = load_template(name)
    tree = template.edited(template.edits[0])

    real = profiled(tmp_path, tree)

    for test in collect(tree):
        ours = {place for place in entered(tree, test.id) if place[0].startswith(f"{template.package}/")}
        theirs = {place for place in real[test.id] if place[0].startswith(f"{template.package}/")}
        assert ours == theirs, test.id


PRODUCT = '''"""Prices."""


def rate(kind):
    return {"a": 2}.get(kind, 1)


def price(amount, kind="a"):
    return amount * rate(kind)


class Basket:
    def __init__(self):
        self.amounts = []

    def add(self, amount):
        self.amounts.append(amount)

    @property
    def total(self):
        return sum(price(each) for each in self.amounts)


class Gift(Basket):
    pass
'''
TESTS = {
    "plain": "    assert price(2) == 4",
    "property": "    basket = Basket()\n    basket.add(3)\n    assert basket.total == 6",
    "inherited": "    Gift().add(1)",
    "spec": "    double = mock.Mock(spec=price)\n    double(2)",
    "wraps": "    double = mock.Mock(wraps=price)\n    double(2)",
    "wrapped_method": "    double = mock.Mock(wraps=Basket())\n    double.add(1)",
    "patched_where_used": '    monkeypatch.setattr("test_shop.price", lambda amount: 4)\n    assert price(2) == 4',
    "patched_too_late": '    monkeypatch.setattr("shop.prices.price", lambda amount: 5)\n    assert price(2) == 4',
    "patched_inside": '    monkeypatch.setattr(prices, "rate", lambda kind: 3)\n    assert price(2) == 6',
    "patched_method": '    monkeypatch.setattr("shop.prices.Basket.add", lambda *given: None)\n    Basket().add(1)',
}


def test_doubles_and_patches_are_followed_as_python_follows_them(tmp_path):
    head = "from unittest import mock\n\nfrom shop import prices\nfrom shop.prices import Basket, Gift, price\n"
    given = {name: "monkeypatch" if "monkeypatch" in body else "" for name, body in TESTS.items()}
    bodies = (f"\n\ndef test_{name}({given[name]}):\n{body}\n" for name, body in TESTS.items())
    tree = {"shop/__init__.py": "", "shop/prices.py": PRODUCT, "tests/test_shop.py": head + "".join(bodies)}

    real = profiled(tmp_path, tree)

    for name in TESTS:
        test = f"tests/test_shop.py::test_{name}"
        theirs = {place for place in real[test] if place[0] == "shop/prices.py"}
        assert {place for place in entered(tree, test) if place[0] == "shop/prices.py"} == theirs, name
