"""The mutations: every kind appears, each is one small change, and every mutant is a program."""

import ast

import pytest

from tests.exercises.mutations import COMPARISONS, OPERATORS, mutations


def names(source):
    return [mutation.name for mutation in mutations(source)]


@pytest.mark.parametrize(
    "source, expected",
    [
        ("a < b", "a < b  ->  a <= b"),
        ("a <= b", "a <= b  ->  a < b"),
        ("a > b", "a > b  ->  a >= b"),
        ("a >= b", "a >= b  ->  a > b"),
        ("a == b", "a == b  ->  a != b"),
        ("a != b", "a != b  ->  a == b"),
        ("a is b", "a is b  ->  a is not b"),
        ("a is not b", "a is not b  ->  a is b"),
        ("a in b", "a in b  ->  a not in b"),
        ("a not in b", "a not in b  ->  a in b"),
        ("a < b < c", "a < b < c  ->  a < b <= c"),
        ("a + b", "a + b  ->  a - b"),
        ("a - b", "a - b  ->  a + b"),
        ("a * b", "a * b  ->  a / b"),
        ("a / b", "a / b  ->  a * b"),
        ("a // b", "a // b  ->  a * b"),
        ("a % b", "a % b  ->  a // b"),
        ("a ** b", "a ** b  ->  a * b"),
        ("a & b", "a & b  ->  a | b"),
        ("a | b", "a | b  ->  a & b"),
        ("-a", "-a  ->  a"),
        ("not a", "not a  ->  a"),
        ("~a", "~a  ->  a"),
        ("a and b", "a and b  ->  a or b"),
        ("a or b", "a or b  ->  a and b"),
        ("x = True", "True  ->  False"),
        ("x = 7", "7  ->  8"),
        ("x = 7", "7  ->  6"),
        ("x = 0", "0  ->  -1"),
        ("x = 0.5", "0.5  ->  1.5"),
        ("f(dim=-1)", "1  ->  2"),
        ("f(dim=-1)", "1  ->  0"),
        ("a[b:]", "b:  ->  :"),
        ("a[:b]", ":b  ->  :"),
        ("a[b:c:d]", "b:c:d  ->  :c:d"),
        ("a if b else c", "a if b else c  ->  a"),
        ("a if b else c", "a if b else c  ->  c"),
        ("a = b", "a = b  ->  nothing"),
        ("a += b", "a += b  ->  nothing"),
        ("a.b(c)", "a.b(c)  ->  nothing"),
        ("if a:\n    b()", "if a:\n    b()  ->  nothing"),
        ("for a in b:\n    c()", "for a in b:\n    c()  ->  nothing"),
        ("while a:\n    b()", "while a:\n    b()  ->  nothing"),
        ("raise a", "raise a  ->  nothing"),
        ("for a in b:\n    continue", "continue  ->  nothing"),
        ("for a in b:\n    break", "break  ->  nothing"),
        ("def f(a=2):\n    return a", "2  ->  3"),
        ("x = [a < b for a in c if a > 2]", "a > 2  ->  a >= 2"),
    ],
)
def test_each_kind_of_mutation_appears(source, expected):
    assert expected in names(source)


def test_every_comparison_and_operator_has_its_opposite():
    for table in (COMPARISONS, OPERATORS):
        assert all(before is not after for before, after in table.items())


SOURCE = '''"""A text with 1 < 2."""
import torch
from math import pi


def f(x: list[1] = 0, *, y: "int < 3" = None) -> tuple[2]:
    """Return x + 1 < 2."""
    z: list[5] = 1
    for t in range(1, len(x) - 1):
        if t < 2 and x[t] == x[t - 1]:
            continue
        z += x[t] * 2 if y is None else -x[-1]
        z += x[t] * 2
    text = f"{z:.3f} 4"
    return torch.ones(3)[1:, :-1] + z, text


def g():
    "7"
    return "8"


class C:
    """9"""
    w = 6
'''


def test_names_are_unique_and_every_mutant_is_another_program():
    found = mutations(SOURCE)
    assert len(found) > 40
    assert len({mutation.name for mutation in found}) == len(found)
    sources = {mutation.source for mutation in found}
    assert len(sources) == len(found)
    assert ast.unparse(ast.parse(SOURCE)) + "\n" not in sources
    for mutation in found:
        compile(mutation.source, "mutant", "exec")
    assert {"x[t] * 2  ->  x[t] / 2", "x[t] * 2  ->  x[t] / 2  (2)"} <= set(names(SOURCE))


def test_the_same_program_gives_the_same_mutations_wherever_its_lines_stand():
    assert names(SOURCE) == names(
        "\n\n" + SOURCE.replace("    for t", "    # a comment\n    for t")
    )


def parts(tree):
    """Return what must stay: docstrings, annotations and imports."""
    kept = []
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Module):
            kept.append(ast.get_docstring(node))
        if isinstance(node, ast.FunctionDef):
            kept.append(node.returns and ast.unparse(node.returns))
        if isinstance(node, ast.arg):
            kept.append(node.annotation and ast.unparse(node.annotation))
        if isinstance(node, ast.Import | ast.ImportFrom):
            kept.append(ast.unparse(node))
    return kept


def test_docstrings_annotations_and_imports_stay():
    before = parts(ast.parse(SOURCE))
    for mutation in mutations(SOURCE):
        after = ast.parse(mutation.source)
        assert parts(after) == before, mutation.name
        assert "list[5]" in mutation.source


def test_one_thing_changes_at_a_time():
    lines = (ast.unparse(ast.parse(SOURCE)) + "\n").splitlines()
    for mutation in mutations(SOURCE):
        after = mutation.source.splitlines()
        if "\n" in mutation.name or len(after) != len(lines):  # a block was dropped
            continue
        assert sum(a != b for a, b in zip(after, lines, strict=True)) == 1, mutation.name


def test_a_program_without_anything_to_change_has_no_mutations():
    assert mutations('def f(x):\n    """Return x."""\n    return x\n') == []
    assert mutations("import torch\n") == []


def test_the_sign_of_the_last_axis_is_left_alone():
    assert names("x.softmax(-1)") == ["x.softmax(-1)  ->  nothing", "1  ->  2", "1  ->  0"]
    assert "-2  ->  2" in names("y = x.softmax(-2)")


def test_mutants_do_what_their_names_say():
    source = "def f(x):\n    return [y for y in x if y < 3][1:]\n"
    results = {}
    for mutation in mutations(source):
        made = {}
        exec(mutation.source, made)
        results[mutation.name] = made["f"]([1, 2, 3, 4])
    assert results == {
        "y < 3  ->  y <= 3": [2, 3],
        "3  ->  4": [2, 3],
        "3  ->  2": [],
        "1:  ->  :": [1, 2],
        "1  ->  2": [],
        "1  ->  0": [1, 2],
    }
