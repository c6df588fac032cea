"""The arrows of the design hold: who imports whom, and what the core never loads."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import releaseops_mcp

PACKAGE = Path(releaseops_mcp.__file__).parent
CORE = (
    "errors",
    "canonical",
    "events",
    "catalogue",
    "simulation",
    "world",
    "canary",
    "episodes",
    "rewards",
    "log",
    "audit",
    "arena",
)
MAY_IMPORT = {
    "errors": (),
    "canonical": (),
    "events": ("canonical",),
    "catalogue": ("canonical",),
    "world": ("errors", "canonical"),
    "canary": ("errors", "canonical"),
    "episodes": ("errors", "canonical", "catalogue", "world", "canary"),
    "rewards": ("errors", "canonical", "world", "canary", "episodes"),
    "simulation": ("errors", "episodes", "rewards"),
    "log": ("errors", "canonical", "events"),
    "audit": ("errors", "canonical", "events", "episodes", "rewards", "simulation", "log"),
    "arena": ("errors", "canonical", "events", "catalogue", "episodes", "rewards", "simulation", "log", "audit"),
    "settings": ("errors", "world", "log", "arena"),
}
"""What each part of the core may import besides itself; whatever is not listed here stands above the core."""
THIRD_PARTY = {
    "pydantic",
    "sqlalchemy",
    "numpy",
    "yaml",
    "packaging",
    "unidiff",
    "junitparser",
    "scipy",
    "platformdirs",
}
HEAVY = ("torch", "trl", "langgraph", "mcp", "fastapi", "uvicorn", "typer", "rich", "atif", "opentelemetry")


def modules(part: str) -> Iterator[Path]:
    folder = PACKAGE / part
    return folder.rglob("*.py") if folder.is_dir() else iter([folder.with_suffix(".py")])


def imported(file: Path) -> Iterator[str]:
    """Yield the dotted names of all that a module imports, wherever in it."""
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file}: imports are absolute"
            assert node.module is not None
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize("part", MAY_IMPORT)
def test_a_part_imports_only_what_stands_below_it(part):
    allowed = {part, "__version__", *MAY_IMPORT[part]}
    for file in modules(part):
        for name in imported(file):
            top, _, rest = name.partition(".")
            if top == "releaseops_mcp":
                assert rest.partition(".")[0] in allowed, f"{file.relative_to(PACKAGE)} imports {name}"
            else:
                known = top in sys.stdlib_module_names or top in THIRD_PARTY
                assert known, f"{file.relative_to(PACKAGE)} imports {name}"


@pytest.mark.parametrize("part", CORE)
def test_the_core_has_no_clock_of_its_own(part):
    for file in modules(part):
        assert not {name.partition(".")[0] for name in imported(file)} & {"time"}, file
        called = [node.attr for node in ast.walk(ast.parse(file.read_text())) if isinstance(node, ast.Attribute)]
        assert not {"now", "utcnow", "today"} & set(called) or file.parent.name == "arena", file


def test_nothing_above_the_core_is_imported_by_what_stands_beside_it():
    for part in ("agents", "evaluation"):
        for file in modules(part):
            for name in imported(file):
                assert not name.startswith(("releaseops_mcp.doors", "releaseops_mcp.cli")), f"{file}: {name}"


def test_the_core_loads_no_framework():
    names = [
        ".".join(file.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")
        for part in MAY_IMPORT
        for file in modules(part)
    ]
    program = (
        "import importlib, sys\n"
        f"for name in {names!r}: importlib.import_module(name)\n"
        f"print([name for name in {HEAVY!r} if name in sys.modules])"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], cwd=PACKAGE.parent, capture_output=True, text=True, check=True
    )
    assert ran.stdout.strip() == "[]"
