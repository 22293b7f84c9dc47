"""What of a stranger's reply may stand on a page: no text that its author could have chosen.

The name of an exception, of a module or of a variable comes from the answer, and so could say
anything. It passes only where it is a name that there is anyway.
"""

import builtins
import re
import sys
from pathlib import Path

from helpers.exercises import moved, plain

COURSE = {path.stem for path in Path(__file__).resolve().parent.parent.iterdir()}
# What stands in the standard library of some Pythons from 3.11 on, and not of others: a page says
# the same on all of them. (Modules of one underscore differ too, and are nobody's business.)
NOT_ALWAYS = set(
    "aifc annotationlib asynchat asyncore audioop cgi cgitb chunk compression crypt distutils "
    "imghdr imp lib2to3 mailcap msilib nis nntplib ossaudiodev pipes smtpd sndhdr spwd sunau "
    "telnetlib uu xdrlib".split()
)
STANDARD = {name for name in sys.stdlib_module_names if not re.match("_[^_]", name)} | NOT_ALWAYS
LIBRARIES = {"helpers", "torch", "numpy", "np", "F", "nn", "matplotlib", "plt", "pandas", "scipy"}


def without_words(reply: dict) -> dict:
    """Return a worker's reply with no text but the name of a known exception, module, variable."""
    if "not plain" in reply:
        return {"not plain": "a value of another type than is allowed"}
    if "raised" not in reply:
        return reply
    raised = reply["raised"]
    known = vars(builtins).get(raised) if type(raised) is str else None
    error = isinstance(known, type) and issubclass(known, BaseException)
    clean = {"raised": raised if error else "an exception"}
    for key in ("refused", "name"):
        if key in reply:
            clean[key] = known_name(reply[key])
    return clean


def known_name(name: plain.Plain) -> str:
    """Return the name of a module that there is or was, less what stands behind it, or "a name"."""
    if type(name) is not str:
        return "a name"
    if old := moved.moved_from(name):
        return old
    first, _, rest = name.partition(".")
    if first == "helpers" and rest.split(".")[0] in COURSE:
        return f"helpers.{rest.split('.')[0]}"
    return first if first in STANDARD | LIBRARIES | COURSE else "a name"
