"""Which functions of the product a test enters: a reading of its source, not a run.

Followed are imports, instances, methods and properties, what `monkeypatch.setattr` and `mock.patch` put in a function's
place, and doubles that pass calls on (`mock.Mock(wraps=...)`). Both branches of a condition count as taken. A test of
this package measures the same with real coverage.
"""

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from releaseops_mcp.world.ci.modules import Function, Module, modules

Place = tuple[str, str]
"""Path and name of a function."""
DOUBLES = ("Mock", "MagicMock", "AsyncMock", "create_autospec")


@dataclass(frozen=True, slots=True)
class Value:
    """What an expression is, as far as it matters."""

    sort: Literal["module", "function", "class", "object", "double"]
    module: Module | None = None
    name: str = ""
    bound: bool = False
    """Whether it was taken from its module before the test ran: patching the module no longer changes it."""
    inner: "Value | None" = None
    """What a double passes its calls on to."""


@dataclass
class _Walk:
    """One test's walk through the tree."""

    known: Mapping[str, Module]
    entered: dict[Place, Function] = field(default_factory=dict[Place, Function])
    patched: set[Place] = field(default_factory=set[Place])

    def body(self, node: ast.AST, here: Module, names: dict[str, Value]) -> None:
        """Follow everything that a piece of code evaluates, in its order."""
        for child in ast.iter_child_nodes(node):
            self.body(child, here, names)
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            value = self.value(node.value, here, names)
            names.pop(node.targets[0].id, None)
            if value:
                names[node.targets[0].id] = value
        elif isinstance(node, ast.Call):
            self._call(node, here, names)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
            value = self.value(node, here, names)
            if value and value.sort == "function" and self._is_property(value):
                self._enter(value)

    def value(self, node: ast.expr, here: Module, names: Mapping[str, Value]) -> Value | None:
        """Return what an expression is; None where that cannot be told or does not matter."""
        if isinstance(node, ast.Name):
            return names.get(node.id) or self._global(here, node.id)
        if isinstance(node, ast.Attribute):
            owner = self.value(node.value, here, names)
            return self._member(owner, node.attr) if owner else self._by_method_name(node)
        if isinstance(node, ast.Call):
            if double := self._double(node, here, names):
                return double
            made = self.value(node.func, here, names)
            return Value("object", made.module, made.name) if made and made.sort == "class" else None
        return None

    def _call(self, node: ast.Call, here: Module, names: Mapping[str, Value]) -> None:
        if _word(node.func) in ("setattr", "object") and node.args:
            self._patch(node, here, names)
            return
        if _word(node.func) in DOUBLES:
            return
        value = self.value(node.func, here, names)
        while value and value.sort == "double":
            value = value.inner
        if value:
            self._enter(value)

    def _enter(self, value: Value) -> None:
        name = f"{value.name}.__init__" if value.sort == "class" else value.name
        found = self._find(value.module, name)
        if found is None or (not value.bound and (found.path, value.name) in self.patched):
            return
        if (found.path, found.name) in self.entered:
            return
        self.entered[found.path, found.name] = found
        here = next(each for each in self.known.values() if each.path == found.path)
        owner, _, method = found.name.rpartition(".")
        names: dict[str, Value] = {}
        if method and owner and found.node.args.args:
            names[found.node.args.args[0].arg] = Value("object", here, owner)
        for statement in found.node.body:
            self.body(statement, here, names)

    def _patch(self, node: ast.Call, here: Module, names: Mapping[str, Value]) -> None:
        """Note which place a `setattr(target, name, new)` or `setattr("dotted.name", new)` takes over."""
        first = node.args[0]
        if isinstance(first, ast.Constant) and isinstance(first.value, str):
            for split in range(first.value.count("."), 0, -1):
                parts = first.value.split(".")
                owner = self.known.get(".".join(parts[:split]))
                if owner:
                    self.patched.add((owner.path, ".".join(parts[split:])))
                    return
        target = self.value(first, here, names)
        if target and target.module and len(node.args) > 1 and isinstance(node.args[1], ast.Constant):
            prefix = f"{target.name}." if target.sort in ("class", "object") else ""
            self.patched.add((target.module.path, prefix + str(node.args[1].value)))

    def _double(self, node: ast.Call, here: Module, names: Mapping[str, Value]) -> Value | None:
        if _word(node.func) not in DOUBLES:
            return None
        wraps = next((each.value for each in node.keywords if each.arg == "wraps"), None)
        return Value("double", inner=self.value(wraps, here, names) if wraps else None)

    def _global(self, here: Module, name: str) -> Value | None:
        if (here.path, name) in self.patched:
            return None
        if name in here.functions:
            return Value("function", here, name)
        if name in here.classes:
            return Value("class", here, name)
        source, what = here.imports.get(name, ("", ""))
        if not what:
            return Value("module", self.known[source]) if source in self.known else None
        if f"{source}.{what}" in self.known:
            return Value("module", self.known[f"{source}.{what}"])
        found = self._global(self.known[source], what) if source in self.known else None
        # A name that was imported keeps what it meant then.
        if found is None and source in self.known and (self.known[source].path, what) in self.patched:
            found = _Walk(self.known).value(ast.Name(what), self.known[source], {})
        return Value(found.sort, found.module, found.name, bound=found.sort == "function") if found else None

    def _member(self, owner: Value, name: str) -> Value | None:
        if owner.sort == "double":
            inner = self._member(owner.inner, name) if owner.inner else None
            return Value("double", inner=inner)
        if owner.sort == "module" and owner.module:
            return self._global(owner.module, name)
        if owner.sort in ("object", "class") and self._find(owner.module, f"{owner.name}.{name}"):
            return Value("function", owner.module, f"{owner.name}.{name}")
        return None

    def _by_method_name(self, node: ast.Attribute) -> Value | None:
        """Return the one method of that name, for an owner of which nothing is known."""
        owners = [
            Value("function", each, function.name)
            for each in self.known.values()
            for function in each.functions.values()
            if function.name.endswith(f".{node.attr}") and not function.is_property
        ]
        return owners[0] if len(owners) == 1 else None

    def _find(self, where: Module | None, name: str) -> Function | None:
        """Return a function or method, of a class or of the bases that it inherits from."""
        if where is None or name in where.functions:
            return where.functions[name] if where else None
        owner, _, method = name.rpartition(".")
        for base in where.classes.get(owner, ()):
            parent = self._global(where, base)
            found = self._find(parent.module, f"{parent.name}.{method}") if parent else None
            if found:
                return found
        return None

    def _is_property(self, value: Value) -> bool:
        found = self._find(value.module, value.name)
        return found is not None and found.is_property


def entered(tree: Mapping[str, str], test: str) -> frozenset[Place]:
    """Return the functions, of the product or of helpers, that a test enters; raises KeyError for an unknown test."""
    path, _, name = test.partition("::")
    known = modules(tree)
    here = next(each for each in known.values() if each.path == path)
    walk = _Walk(known)
    names: dict[str, Value] = {}
    for statement in here.functions[name.replace("::", ".")].node.body:
        walk.body(statement, here, names)
    return frozenset(walk.entered)


def _word(node: ast.expr) -> str:
    """Return the last word of a called name, such as `Mock` of `mock.Mock`."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
