"""Calls of changed product code in a change's own test files: what a new test can be made of."""

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from releaseops_mcp.world.changes.test_files import functions
from releaseops_mcp.world.ci.modules import Function, module
from releaseops_mcp.world.templates import load_template


@dataclass(frozen=True, slots=True)
class ProductCall:
    """A call of a function that the change touches, in a test without arguments, with what comes before it."""

    path: str
    """The test file."""
    product: str
    """The file of the function."""
    function: str
    """`split`, or `Ledger.transfer`."""
    setup: tuple[str, ...]
    """The test's statements before the call, as source."""
    owner: str
    """Source of the function, or of the object whose method is called."""
    arguments: str
    code: str
    """Text of the product file."""
    is_rewritten: bool
    """Whether the change rewrites the function itself, and not only what stands around it."""
    mixes: bool
    """Whether what comes before the call, or the call's arguments, uses other product code as well."""
    expected: str
    """Source of what a test expects of the call; "" where it says nothing of it."""

    @property
    def method(self) -> str:
        """The method's name with its point; "" for a function."""
        return f".{self.function.rpartition('.')[2]}" if "." in self.function else ""

    @property
    def source(self) -> str:
        """The call as it stands."""
        return f"{self.owner}{self.method}({self.arguments})"


@lru_cache(maxsize=256)
def product_calls(template_name: str, edit_name: str) -> tuple[ProductCall, ...]:
    """Return the calls that the tests of an edit make of what it touches."""
    template = load_template(template_name)
    tree = template.edited(next(edit for edit in template.edits if edit.name == edit_name))
    touched = {
        function.name: function
        for path, text in tree.items()
        if path.startswith(f"{template.package}/") and path.endswith(".py") and template.base.get(path) != text
        for function in touched_functions(path, template.base.get(path, ""), text)
    }
    paths = [path for path, text in tree.items() if path.startswith("tests/") and template.base.get(path) != text]
    return tuple(
        replace(call, code=tree[call.product], is_rewritten=_is_rewritten(call, template.base, tree))
        for path in paths
        if path.endswith(".py")
        for call in _calls(path, tree[path], touched)
    )


def touched_functions(path: str, old: str, new: str) -> list[Function]:
    """Return the functions of a file that a change rewrites or adds; all of them where it touches none."""
    every = list(module(path, new).functions.values())
    before = {function.name: _text(function, old) for function in module(path, old).functions.values()}
    return [each for each in every if before.get(each.name) != _text(each, new)] or every


def _is_rewritten(call: ProductCall, base: Mapping[str, str], tree: Mapping[str, str]) -> bool:
    now = module(call.product, tree[call.product]).functions[call.function]
    before = module(call.product, base.get(call.product, "")).functions.get(call.function)
    old = _text(before, base[call.product]) if before else ""
    return old != _text(now, tree[call.product])


def _text(function: Function, text: str) -> str:
    return "\n".join(text.splitlines()[function.first - 1 : function.last])


def _calls(path: str, text: str, touched: Mapping[str, Function]) -> Iterator[ProductCall]:
    for name, function in functions(text).items():
        if not name.startswith("test_") or function.args.args:
            continue
        before: list[ast.stmt] = []
        for statement in function.body:
            if isinstance(statement, ast.With) or any(_is_called(each, touched, path, text, before) for each in before):
                break
            if isinstance(statement, ast.Assert | ast.Expr | ast.Assign):
                yield from _of_statement(statement, touched, before, path, text)
            if not isinstance(statement, ast.Assert):
                before.append(statement)
            elif any(_calls_method(node) for node in ast.walk(statement)):
                # What a check does to an object is not done where the check is left out.
                break


def _calls_method(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)


def _of_statement(
    statement: ast.stmt, touched: Mapping[str, Function], before: list[ast.stmt], path: str, text: str
) -> Iterator[ProductCall]:
    for node in ast.walk(statement):
        if isinstance(node, ast.Call) and (found := _touched(node, touched, before, path, text)):
            yield ProductCall(
                path=path,
                product=found.path,
                function=found.name,
                setup=tuple(ast.unparse(each) for each in before),
                owner=ast.unparse(node.func.value if isinstance(node.func, ast.Attribute) else node.func),
                arguments=", ".join(ast.unparse(each) for each in (*node.args, *node.keywords)),
                code="",
                is_rewritten=True,
                mixes=_mixes([*before, *node.args, *node.keywords], found.path, path, text),
                expected=_expected(statement, node),
            )


def _mixes(nodes: Sequence[ast.AST], product: str, path: str, text: str) -> bool:
    """Return whether pieces of a test name something that it imports from another file than the product's."""
    own = product.removesuffix(".py").replace("/", ".")
    foreign = {name for name, (source, _) in module(path, text).imports.items() if source != own}
    used = {each.id for node in nodes for each in ast.walk(node) if isinstance(each, ast.Name)}
    return not foreign.isdisjoint(used)


def _is_called(
    statement: ast.stmt, touched: Mapping[str, Function], path: str, text: str, before: list[ast.stmt]
) -> bool:
    """Return whether a statement calls what the change touches."""
    calls = [node for node in ast.walk(statement) if isinstance(node, ast.Call)]
    return any(_touched(node, touched, before, path, text) for node in calls)


def _touched(
    node: ast.Call, touched: Mapping[str, Function], before: list[ast.stmt], path: str, text: str
) -> Function | None:
    """Return the touched function that a call calls, where that can be told from the test alone."""
    imported = module(path, text).imports
    if isinstance(node.func, ast.Name):
        return touched.get(node.func.id) if node.func.id in imported else None
    if not isinstance(node.func, ast.Attribute):
        return None
    owner = node.func.value
    if isinstance(owner, ast.Name):
        made = [each.value for each in before if isinstance(each, ast.Assign) and _is_name(each.targets[0], owner.id)]
        owner = made[-1] if made else owner
    if isinstance(owner, ast.Call) and isinstance(owner.func, ast.Name) and owner.func.id in imported:
        return touched.get(f"{owner.func.id}.{node.func.attr}")
    return None


def _is_name(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _expected(statement: ast.stmt, call: ast.Call) -> str:
    """Return the literal that a statement holds against a call, in source."""
    test = statement.test if isinstance(statement, ast.Assert) else None
    if test is call:
        return "True"
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not) and test.operand is call:
        return "False"
    if isinstance(test, ast.Compare) and test.left is call and isinstance(test.ops[0], ast.Eq):
        expected = test.comparators[0]
        if not any(isinstance(each, ast.Name | ast.Call) for each in ast.walk(expected)):
            return ast.unparse(expected)
    return ""
