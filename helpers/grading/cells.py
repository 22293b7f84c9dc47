"""Cells of a CSV file that no spreadsheet runs, whatever it takes for the end of a cell."""

import csv
import io
import re
from collections.abc import Iterable, Sequence

FORMULA = "=+@\\-\t\r＝＋－＠"  # what a formula begins with, as a spreadsheet reads it
BETWEEN = ",;|\t\r\n"  # what a spreadsheet may take for the end of a cell
# where a part of the text begins; in front of a formula may stand spaces, and quotes that it strips
_BEGINS = re.compile(rf"(^|[{BETWEEN}])(?=[\s\"']*[{FORMULA}])")


def safe(text: str) -> str:
    """Return a text with an apostrophe before each part that would be a formula."""
    if text == "-":  # Moodle's sign for no grade
        return text
    return _BEGINS.sub(r"\1'", text)


def table(rows: Iterable[Sequence[str | int]], quoted: bool = False) -> str:
    """Return rows as CSV, their texts made safe.

    quoted: texts stand in quotes, so that each stays one cell where ; is taken for the comma.
    """
    text = io.StringIO(newline="")
    writer = csv.writer(text, quoting=csv.QUOTE_NONNUMERIC if quoted else csv.QUOTE_MINIMAL)
    for row in rows:
        writer.writerow([safe(cell) if isinstance(cell, str) else cell for cell in row])
    return text.getvalue()
