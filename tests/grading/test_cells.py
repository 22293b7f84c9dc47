"""CSV cells that no spreadsheet takes for a formula."""

import csv
import io

import pytest

from helpers.grading import cells

FORMULA = "=+-@\t\r＝＋－＠"


@pytest.mark.parametrize(
    "text, safe",
    [
        ("a;=1+1;b", "a;'=1+1;b"),
        ("=1", "'=1"),
        ("  =1", "'  =1"),
        ('x;"=1+1"', 'x;\'"=1+1"'),
        ("a,-b\t@c|+d\n=e", "a,'-b\t'@c|'+d\n'=e"),
        ("\r=1", "'\r'=1"),
        (";;=1", ";;'=1"),
        ("＝1", "'＝1"),
    ],
)
def test_each_part_of_a_text_that_would_be_a_formula_gets_an_apostrophe(text, safe):
    assert cells.safe(text) == safe


@pytest.mark.parametrize("text", ["Ann-Marie", "a - b; c + d", "1;2", "x=1", "", "-", "ann@x.org"])
def test_what_is_no_formula_stays_as_it_is(text):
    assert cells.safe(text) == text


@pytest.mark.parametrize("mark", [",", ";", "\t"])
@pytest.mark.parametrize("quoted", [True, False])
def test_no_cell_begins_with_a_formula_whatever_parts_the_cells(mark, quoted):
    """Each sign of a formula behind each mark, in front of it spaces or quotes."""
    names = [
        f"a{m}{before}{sign}1" for m in ",;\t" for before in ("", " ", '"') for sign in FORMULA
    ]
    text = cells.table([[name, 1, name] for name in names], quoted)
    for quoting in (csv.QUOTE_MINIMAL, csv.QUOTE_NONE):
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=mark, quoting=quoting)
        found = [cell for row in reader for cell in row]
        assert not [
            cell for cell in found if cell.lstrip(" \"'")[:1] in FORMULA and cell[:1] != "'"
        ]
    assert [row[1] for row in csv.reader(io.StringIO(text, newline=""))] == ["1"] * len(names)
