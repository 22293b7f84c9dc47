"""Small changes to a program, one at a time: what a check must notice.

A comparison, an operator, a constant, an axis, a slice, a condition or a whole line is changed in
the syntax tree. A mutation is named by the text before and after, so that the list of equal
programs survives when lines move: "a < b  ->  a <= b".
"""

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass

COMPARISONS = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
OPERATORS = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}


@dataclass(frozen=True)
class Mutation:
    """A changed program, and what was changed."""

    name: str
    source: str


def mutations(source: str) -> list[Mutation]:
    """Return all mutations of a program, each with a name of its own."""
    tree = ast.parse(source)
    found, names = [], {}
    for place, changed in _places(tree):
        mutant = copy.deepcopy(tree)
        node = _at(mutant, place)
        before = ast.unparse(node)
        new = changed(node)
        _put(mutant, place, new)
        after = "nothing" if isinstance(new, ast.Pass) else ast.unparse(new)
        if before == after:
            continue
        name = f"{before}  ->  {after}"
        names[name] = names.get(name, 0) + 1
        if names[name] > 1:  # the same change in another place
            name += f"  ({names[name]})"
        found.append(Mutation(name, ast.unparse(ast.fix_missing_locations(mutant)) + "\n"))
    return found


def _places(tree: ast.Module) -> Iterator:
    """Yield (path to a node, a function that returns it changed)."""
    for path, node in _walk(tree, ()):
        if isinstance(node, ast.Compare):
            for number, operator in enumerate(node.ops):
                if type(operator) in COMPARISONS:
                    yield path, _with_comparison(number)
        elif isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
            yield path, lambda node: ast.BinOp(node.left, OPERATORS[type(node.op)](), node.right)
        elif isinstance(node, ast.UnaryOp) and not _is_last(node):
            yield path, lambda node: node.operand
        elif isinstance(node, ast.BoolOp):
            yield path, _other_bool
        elif isinstance(node, ast.Constant) and type(node.value) is bool:
            yield path, lambda node: ast.Constant(not node.value)
        elif isinstance(node, ast.Constant) and type(node.value) in (int, float):
            yield path, lambda node: ast.Constant(node.value + 1)
            yield path, lambda node: _constant(node.value - 1)
        elif isinstance(node, ast.Slice):
            if node.lower is not None:
                yield path, lambda node: ast.Slice(None, node.upper, node.step)
            if node.upper is not None:
                yield path, lambda node: ast.Slice(node.lower, None, node.step)
        elif isinstance(node, ast.IfExp):
            yield path, lambda node: node.body
            yield path, lambda node: node.orelse
        elif isinstance(
            node, ast.Assign | ast.AugAssign | ast.If | ast.For | ast.While | ast.Raise
        ):
            yield path, lambda node: ast.Pass()
        elif isinstance(node, ast.Expr) and not isinstance(node.value, ast.Constant):
            yield path, lambda node: ast.Pass()
        elif isinstance(node, ast.Continue | ast.Break):
            yield path, lambda node: ast.Pass()


def _walk(node: ast.AST, path: tuple) -> Iterator:
    """Yield (path, node) for all nodes below one, without annotations and imports."""
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns"):
            continue
        children = value if isinstance(value, list) else [value]
        for number, child in enumerate(children):
            if not isinstance(child, ast.AST) or isinstance(child, ast.Import | ast.ImportFrom):
                continue
            if _is_docstring(node, name, number, child):
                continue
            here = (*path, (name, number if isinstance(value, list) else None))
            yield here, child
            yield from _walk(child, here)


def _is_last(node: ast.UnaryOp) -> bool:
    """Return whether a node is -1, the last axis or item: its constant is changed, not its sign."""
    return isinstance(node.operand, ast.Constant) and node.operand.value == 1


def _is_docstring(node, name, number, child) -> bool:
    owner = isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Module)
    text = isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant)
    return owner and name == "body" and number == 0 and text


def _at(tree: ast.AST, path: tuple) -> ast.AST:
    for name, number in path:
        tree = getattr(tree, name)
        if number is not None:
            tree = tree[number]
    return tree


def _put(tree: ast.AST, path: tuple, new: ast.AST) -> None:
    *before, (name, number) = path
    owner = _at(tree, tuple(before))
    if number is None:
        setattr(owner, name, new)
    else:
        getattr(owner, name)[number] = new


def _with_comparison(number: int):
    def change(node):
        operators = list(node.ops)
        operators[number] = COMPARISONS[type(operators[number])]()
        return ast.Compare(node.left, operators, node.comparators)

    return change


def _other_bool(node: ast.BoolOp) -> ast.BoolOp:
    return ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)


def _constant(value) -> ast.expr:
    if value < 0:
        return ast.UnaryOp(ast.USub(), ast.Constant(-value))
    return ast.Constant(value)
