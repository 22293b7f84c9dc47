"""The process that runs answers: whatever they do, the next answer runs as if alone.

C81: an answer that never ends costs itself only. What takes the process down is tried with a fork
for each answer; the rest also in the one process of systems without forks.
"""

import os
import signal
import subprocess
import sys
import time

import pytest
import torch

from helpers.exercises import worker
from helpers.exercises.process import COMMAND, ROOT, Process, Stopped

LINUX = sys.platform == "linux"
FORK, NO_FORK = COMMAND, (*COMMAND, "--no-fork")
IMPORTS = (
    "math",
    "torch",
    "os",
    "sys",
    "time",
    "signal",
    "resource",
    "threading",
    "helpers.decoder.masks",
)


@pytest.fixture(scope="module")
def alone():
    process = Process(NO_FORK)
    yield process
    process.stop()


@pytest.fixture(scope="module")
def forking():
    if not LINUX:
        pytest.skip("forks are used on Linux only")
    process = Process(FORK)
    yield process
    process.stop()


@pytest.fixture(params=["forking", "alone"])
def process(request):
    return request.getfixturevalue(request.param)


def ask(process, source, *arguments, imports=IMPORTS, seconds=60):
    """Open an answer, call its f, close it; return the reply, or why none came."""
    try:
        reply = process.open(source, "f", list(imports), seconds)
        if "ready" in reply:
            reply = process.call(list(arguments))
    except Stopped as error:
        reply = {"stopped": str(error)}
    finally:
        process.close()
    return reply


def body(*lines, before=""):
    return before + "def f(*given):\n" + "".join(f"    {line}\n" for line in lines)


def works(process):
    """Return whether the next answer runs."""
    return ask(process, body("return given[0] + 1"), 41) == {"result": 42, "arguments": [41]}


def pids(process):
    """Return the process ids of the worker's session that are alive, read from /proc."""
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat") as file:
                state, _, _, session = file.read().rpartition(")")[2].split()[:4]
        except OSError:
            continue
        if int(session) == process and state != "Z":
            found.append(int(name))
    return found


def gone(session, seconds=20):
    """Wait until nothing of a session is left; return whether that came."""
    end = time.monotonic() + seconds
    while pids(session) and time.monotonic() < end:
        time.sleep(0.02)
    return not pids(session)


def test_a_result_comes_back_with_the_arguments_as_they_are_afterwards(process):
    reply = ask(process, body("given[0].append(3)", "return (1, given[1] * 2)"), [1], torch.ones(2))
    assert reply["result"][0] == 1
    assert torch.equal(reply["result"][1], torch.full((2,), 2.0))
    assert reply["arguments"][0] == [1, 3]
    assert torch.equal(reply["arguments"][1], torch.ones(2))


def test_an_exception_is_told_with_its_message_and_line(process):
    source = "def g():\n    raise ValueError('no: \\u2192\\nmore')\n\n\n" + body("g()", "return 1")
    reply = ask(process, source)
    assert reply == {"raised": "ValueError", "message": "no: \u2192", "line": 2}
    # inside a library the answer's own line counts
    reply = ask(process, "import torch\n" + body("x = 1", "torch.nn.Linear(2, 2)(torch.ones(3))"))
    assert (reply["raised"], reply["line"]) == ("RuntimeError", 4)
    reply = ask(process, "def f(a=1 / 0):\n    pass\n" + body("return 1"))
    assert (reply["raised"], reply["line"]) == ("ZeroDivisionError", 1)


def test_only_imports_and_definitions_must_run(process):
    assert ask(process, "x = 1 / 0\nprint(y)\n" + body("return 1"))["result"] == 1


def test_without_details_only_names_that_there_are_anyway_are_told():
    process = Process(COMMAND[:-1])
    try:
        assert ask(process, body("raise ValueError('secret')")) == {"raised": "ValueError"}
        reply = ask(process, "import os\n" + body("return 1"), imports=())
        assert reply == {"raised": "an exception", "refused": "os"}
        source = "class Secret(Exception):\n    pass\n\n\n" + body("raise Secret")
        assert ask(process, source) == {"raised": "an exception"}
    finally:
        process.stop()


def test_a_name_of_another_cell_is_told(process):
    reply = ask(process, body("return other_cell(given)"))
    assert (reply["raised"], reply["name"], reply["line"]) == ("NameError", "other_cell", 2)
    reply = ask(process, body("x += 1", "return x"))
    assert reply["raised"] == "UnboundLocalError" and "name" not in reply


RAISING = [
    ("raise SystemExit(0)", "SystemExit"),
    ("sys.exit()", "SystemExit"),
    ("exit()", "SystemExit"),
    ("raise KeyboardInterrupt", "KeyboardInterrupt"),
    ("raise GeneratorExit", "GeneratorExit"),
    ("return f(*given)", "RecursionError"),
    ("return input('?')", "EOFError"),
    ("return sys.stdin.read(1) or [][0]", "IndexError"),
    ("return open('/nowhere')", "FileNotFoundError"),
    ("return bytearray(50 * 2**30)", "MemoryError"),
    ("return torch.empty(50 * 2**28)", "RuntimeError"),
    ("return torch.empty(6 * 2**28)", "RuntimeError"),
    ("x = []\n    while True: x.append(torch.empty(2**28))", "RuntimeError"),
    ("raise type('W' * 200, (Exception,), {})", "W" * 80),
    ("class E(Exception):\n        __str__ = lambda self: 1 / 0\n    raise E", "E"),
    ("raise Exception('long' * 10**6)", "Exception"),
]


@pytest.mark.parametrize("line, name", RAISING, ids=[line[:24] for line, _ in RAISING])
def test_whatever_an_answer_raises_is_its_own_affair(process, line, name):
    if "2**" in line and not LINUX:
        pytest.skip("memory is bounded on Linux only")
    reply = ask(process, body(line, before="import sys\nimport torch\n"))
    assert reply["raised"] == name
    assert len(reply["message"]) <= 300
    assert works(process)


@pytest.mark.parametrize(
    "line",
    [
        "while True: pass",
        "while True:\n        try:\n            f()\n        except BaseException: pass",
        "time.sleep(3600)",
    ],
    ids=["endless", "catches everything", "sleep"],
)
def test_an_answer_that_never_ends_is_stopped_and_the_next_one_works(forking, line):
    """C81."""
    reply = ask(forking, body(line, before="import time\n"), seconds=1)
    assert reply == {"stopped": "it took longer than 1 s"}
    assert works(forking)


def test_the_time_limit_counts_while_the_cell_runs_too(forking):
    reply = ask(forking, "while True: pass\n" + body("return 1"), seconds=1)
    assert reply == {"stopped": "it took longer than 1 s"}


def test_without_forks_the_process_is_started_anew(alone):
    """C81."""
    source = body("while True:", "    try: f()", "    except BaseException: pass")
    assert ask(alone, source, seconds=1) == {"stopped": "it took longer than 1 s"}
    assert works(alone)
    source = body("os._exit(0)", before="import os\n")
    assert ask(alone, source) == {"stopped": "it ended its process"}
    assert works(alone)


@pytest.mark.parametrize(
    "line",
    ["os._exit(0)", "os.kill(os.getpid(), signal.SIGKILL)", "os.close(3), os.close(4), f()"],
    ids=["_exit", "SIGKILL", "closes all"],
)
def test_an_answer_that_ends_its_process_is_told_so(forking, line):
    reply = ask(forking, body(line, before="import os\nimport signal\n"))
    assert reply == {"stopped": "it ended its process"}
    assert works(forking)


def test_two_hundred_megabytes_of_printing_go_nowhere(process):
    lines = (
        "for _ in range(100): print('x' * 2**20)",
        "print('y' * 2**20, file=sys.stderr)",
        "for _ in range(50): os.write(1, b'x' * 2**20), os.write(2, b'x' * 2**20)",
        "return 5",
    )
    reply = ask(process, body(*lines, before="import os\nimport sys\n"))
    assert reply == {"result": 5, "arguments": []}


def test_printing_signs_of_any_script_is_no_fault(monkeypatch):
    """C83."""
    monkeypatch.setenv("LC_ALL", "C")
    monkeypatch.setenv("PYTHONUTF8", "0")
    process = Process((*COMMAND, "--no-fork"))
    try:
        source = body(
            "print('→ é 日本 😀 \\ud800')",
            "print('→', file=sys.stderr)",
            "if given[0] == '→日本': return '😀\\ud800'",
            "raise ValueError(f'→ {given[0]}')",
            before="import sys  # → 日本 😀\n",
        )
        assert ask(process, source, "→日本")["result"] == "😀\ud800"
        assert ask(process, source, "é")["message"] == "→ é"
    finally:
        process.stop()


def test_large_results_pass_and_too_large_ones_are_refused_in_words(process):
    before = "import torch\n"
    reply = ask(process, body("return torch.ones(2**18)", before=before))
    assert reply["result"].shape == (2**18,)
    reply = ask(process, body("return torch.ones(25 * 2**20)", before=before))
    assert reply == {"not plain": "more than 2 MB of data"}
    # what it puts into its arguments counts too
    reply = ask(process, body("given[0].append('x' * 40_000_000)"), [])
    assert reply == {"not plain": "more than 2 MB of data"}
    assert works(process)


def test_results_that_are_not_plain_are_refused_by_name(process):
    reply = ask(process, body("return {1, 2}"))
    assert reply["not plain"].startswith("a set (list(...) makes a list of it); plain data")
    nested = "x = 1\n    for _ in range({}): x = [x]\n    return x"
    for depth in (49, 50, 100):
        reply = ask(process, body(nested.format(depth)))
        assert reply["not plain"].startswith("lists within lists")
    reply = ask(process, body("given[0].append(len)"), [])
    assert reply == {"result": None, "arguments": None}


@pytest.mark.parametrize(
    "source, module",
    [
        ("import os\n" + body("return 1"), "os"),
        ("import os.path as p\n" + body("return 1"), "os.path"),
        ("from os import path\n" + body("return 1"), "os.path"),
        (body("import os", "return 1"), "os"),
        (body("import torchgen", "return 1"), "torchgen"),
        (body("return __import__('os').getpid()"), "os"),
        (
            body("return __import__('helpers.decoder', fromlist=('attention',))"),
            "helpers.decoder.attention",
        ),
        ("from helpers.decoder import attention\n" + body("return 1"), "helpers.decoder.attention"),
        ("import helpers.decoder.attention\n" + body("return 1"), "helpers.decoder.attention"),
        (
            "from helpers.decoder import masks, attention\n" + body("return 1"),
            "helpers.decoder.attention",
        ),
        ("from helpers.decoder import Block\n" + body("return 1"), "helpers.decoder.block"),
        ("from helpers import *\n" + body("return 1"), "helpers.*"),
        ("import helpers\n" + body("return 1"), "helpers"),
        ("from . import masks\n" + body("return 1"), ".masks"),
        (body("exec('import os')"), "os"),
        (body("return eval('__import__(\"os\")')"), "os"),
    ],
)
def test_an_import_that_is_not_allowed_is_refused_by_name(process, source, module):
    reply = ask(process, source, imports=("torch", "helpers.decoder.masks"))
    assert reply["raised"] == "Refused"
    assert reply["refused"].lstrip(".") == module.lstrip(".")


@pytest.mark.parametrize(
    "line",
    [
        "import torch.nn.functional as F; F.relu",
        "from torch import nn; nn.Linear",
        "from helpers.decoder import masks; masks.causal",
        "from helpers.decoder.masks import causal",
        "from helpers.languages import pad_rows, Vocabulary",
        "import helpers.decoder.masks as m; m.causal",
        "from math import *",
        "from torch.nn import *",
    ],
)
def test_what_is_allowed_can_be_imported_in_every_form(process, line):
    allowed = ("torch", "helpers.decoder.masks", "helpers.languages.tokens", "math")
    assert ask(process, f"{line}\n" + body("return 1"), imports=allowed)["result"] == 1


def test_ordinary_classes_and_data_classes_work(process):
    source = (
        "from __future__ import annotations\nimport dataclasses\n"
        "from typing import NamedTuple\n\n\n"
        "@dataclasses.dataclass\nclass Pair:\n    a: int\n    b: dataclasses.InitVar[int] = 2\n\n\n"
        "class Triple(NamedTuple):\n    c: int\n\n\n" + body("return Pair(3).a + Triple(4).c")
    )
    reply = ask(process, source, imports=("dataclasses", "typing", "__future__"))
    assert reply.get("result") == 7, reply


def test_a_cell_may_hold_trials_that_only_the_notebook_can_run(process):
    """What is neither import nor definition may fail; what the function misses is told then."""
    source = "f(other_cell)\ncheck('03.3', f)\nN = 2\nM = missing\n" + body("return N")
    assert ask(process, source + "print(unknown)\n1 / 0\n")["result"] == 2
    assert ask(process, source + body("return M"))["name"] == "M"
    reply = ask(process, "import os\n" + body("return 1"), imports=())
    assert reply["refused"] == "os"
    for definition in ("def g(x=missing): ...\n", "class G(missing): ...\n"):
        reply = ask(process, "N = 2\n" + definition + body("return 1"))
        assert (reply["name"], reply["line"]) == ("missing", 2)
    # what would end the process or the notebook is told
    assert ask(process, "exit()\n" + body("return 1"))["raised"] == "SystemExit"


def test_a_future_import_counts_for_all_that_follows(process):
    source = "from __future__ import annotations\n\n\ndef f(x: Later) -> Later:\n    return x\n"
    reply = ask(process, source, 5, imports=("__future__",))
    assert reply.get("result") == 5, reply
    assert ask(process, source.split("\n", 1)[1], 5)["name"] == "Later"


def test_an_answer_has_one_thread(process):
    assert ask(process, "import torch\n" + body("return torch.get_num_threads()"))["result"] == 1
    # a product large enough for several threads does not hang
    product = "return (torch.ones(300, 300) @ torch.ones(300, 300)).sum().item()"
    assert ask(process, "import torch\n" + body(product))["result"] == 300.0**3


def test_names_of_one_answer_are_not_seen_by_the_next(process):
    assert ask(process, "x = 5\n" + body("global y", "y = 6", "return x"))["result"] == 5
    for name in ("x", "y"):
        assert ask(process, body(f"return {name}"))["name"] == name


def test_in_a_fork_nothing_that_an_answer_does_reaches_the_next(forking):
    spoil = body(
        "torch.softmax = None; torch.set_default_dtype(torch.float64); torch.manual_seed(1)",
        "math.pi = 3; os.environ['SPOILED'] = '1'; os.chdir('/')",
        "sys.setrecursionlimit(60)",
        "return 1",
        before="import math\nimport os\nimport sys\nimport torch\n",
    )
    look = body(
        "return [torch.softmax is None, torch.ones(1).dtype == torch.float64, math.pi == 3,"
        " 'SPOILED' in os.environ, os.getcwd() == '/', sys.getrecursionlimit() < 100]",
        before="import math\nimport os\nimport sys\nimport torch\n",
    )
    assert ask(forking, spoil)["result"] == 1
    assert ask(forking, look)["result"] == [False] * 6
    # also where the cell itself did it and then failed
    assert ask(forking, "import math\nmath.pi = 3\ndef f(a=b): 1\n" + spoil)["raised"]
    assert ask(forking, look)["result"] == [False] * 6


FORGE = """
import os
import sys
import torch
from helpers.exercises import plain, worker

def frame(tree):
    tree = plain.encode(tree)
    return len(tree).to_bytes(8, "big") + tree

def write(message):
    for file in range(3, 12):
        try: os.write(file, message)
        except OSError: pass

"""
FORGE_IMPORTS = (*IMPORTS, "helpers.exercises")
FORGED = [
    "b''",
    "frame({'closed': True})",
    "frame({'ready': True})",
    "frame({'result': 1})",
    "frame({'result': 1, 'arguments': 5, 'number': 'of another'})",
    "frame({'closed': True, 'number': number})",
    "frame({'result': 1, 'number': number})",
    "frame({'raised': 'NameError', 'name': 'x', 'number': number})",
    "frame({'closed': True}) * 1000",
    "frame({'raised': 1, 'line': torch.ones(2), 'number': number})",
    "frame({'not plain': 'x' * 10**5, 'number': number})",
    "frame([number])",
    "b'garbage that is no message at all'",
    "b'\\xff' * 100",
]


def forge(process, message, seconds):
    """Ask an answer that writes a message of its own to every open file."""
    lines = ("number = sys._getframe(2).f_locals['number']", f"write({message})", "return 7")
    reply = ask(process, body(*lines, before=FORGE), imports=FORGE_IMPORTS, seconds=seconds)
    for name, value in reply.items():
        if name not in ("result", "arguments"):
            assert type(value) in (str, int, bool)
            assert not isinstance(value, str) or len(value) < 500


@pytest.mark.parametrize("message", FORGED)
def test_forged_messages_spoil_nothing_but_the_answer_itself(forking, message):
    forge(forking, message, 20)
    assert works(forking)


def test_forged_messages_without_forks(alone):
    for message in FORGED[:8]:
        forge(alone, message, 20)
        assert works(alone)


def test_endless_forged_messages_are_stopped(forking):
    source = body("while True: write(frame({'result': 'x' * 10**6}))", before=FORGE)
    reply = ask(forking, source, imports=FORGE_IMPORTS, seconds=2)
    assert reply["stopped"] in ("it took longer than 2 s", "it ended its process")
    assert works(forking)


def test_an_answer_that_stops_reading_is_stopped_by_time(forking):
    """It answers by a forged message and then reads no more: the next call must not hang."""
    source = body(
        "number = sys._getframe(2).f_locals['number']",
        "write(frame({'result': 1, 'arguments': [], 'number': number}))",
        "while True: pass",
        before=FORGE,
    )
    assert forking.open(source, "f", list(FORGE_IMPORTS), 2) == {"ready": True}
    assert forking.call([]) == {"result": 1, "arguments": []}
    with pytest.raises(Stopped, match="longer than 2 s"):
        forking.call([torch.ones(10**6)])
    forking.close()
    assert works(forking)


def test_processes_that_an_answer_left_behind_end_with_it(forking):
    assert works(forking)
    lines = ("if os.fork() == 0:", "    while True: time.sleep(1)", "return 1")
    before = "import os\nimport time\n"
    session = forking._process.pid
    assert ask(forking, body(*lines, before=before))["result"] == 1
    assert works(forking)
    assert pids(session) == [session]
    # and those of an answer that is stopped
    lines = (*lines[:-1], "while True: pass")
    assert ask(forking, body(*lines, before=before), seconds=1)["stopped"]
    assert gone(session)


PARENT = """
import sys
from helpers.exercises.process import COMMAND, Process
process = Process((*COMMAND, *sys.argv[1:]))
process.start()
print(process._process.pid, flush=True)
source = "import os\\ndef f():\\n    FORK\\n    while True: pass\\n"
process.open(source, "f", ["os", "time"], 600)
print("open", flush=True)
process.call([])
"""


@pytest.mark.skipif(not LINUX, reason="reads /proc")
@pytest.mark.parametrize("mode", [[], ["--no-fork"]], ids=["fork", "no-fork"])
def test_the_death_of_the_notebook_ends_the_worker_even_in_an_endless_loop(mode):
    code = PARENT.replace("FORK", "pass" if mode else "os.fork()")
    parent = subprocess.Popen(
        [sys.executable, "-c", code, *mode], stdout=subprocess.PIPE, cwd=ROOT, text=True
    )
    session = int(parent.stdout.readline())
    try:
        assert parent.stdout.readline() == "open\n"
        end = time.monotonic() + 20
        while len(pids(session)) < (1 if mode else 3) and time.monotonic() < end:
            time.sleep(0.02)
        assert len(pids(session)) == (1 if mode else 3)
        parent.kill()
        parent.wait()
        assert gone(session)
    finally:
        parent.kill()
        for pid in pids(session):
            os.kill(pid, signal.SIGKILL)
        parent.stdout.close()


@pytest.mark.skipif(not LINUX, reason="reads /proc")
def test_stop_leaves_nothing_behind():
    process = Process(FORK)
    assert process.open(body("return 1"), "f", [], 20) == {"ready": True}
    session = process._process.pid
    assert len(pids(session)) == 2
    process.stop()
    assert gone(session)
    process.stop()


def test_the_worker_knows_no_answers(forking):
    """Its imports hold no check and no solution, so no answer can reach one through them."""
    source = "import sys\n" + body("return [n for n in sys.modules if n.startswith('helpers')]")
    assert sorted(ask(forking, source)["result"]) == [
        "helpers",
        "helpers.exercises",
        "helpers.exercises.plain",
        "helpers.exercises.seal",
        "helpers.front_door",
    ]


@pytest.mark.skipif(sys.platform != "linux", reason="namespaces are a part of Linux")
def test_a_worker_without_process_ids_of_its_own_never_kills_all_that_it_sees():
    # in a sandbox it may end whatever an answer left; here that would be everything
    outside = os.readlink("/proc/self/ns/pid")
    ended = subprocess.run(
        [*COMMAND, f"--apart-from={outside}"], capture_output=True, text=True, timeout=120
    )
    assert ended.returncode == 1 and "no process ids of its own" in ended.stderr
    assert worker.stands_apart([]) is False
    assert worker.stands_apart(["--apart-from=pid:[1]"]) is True


def test_the_time_that_a_check_takes_is_not_the_answers(process, monkeypatch):
    assert process.open(body("return 1"), "f", [], 60) == {"ready": True}
    now = time.monotonic
    monkeypatch.setattr(time, "monotonic", lambda: now() + 600)  # the check has thought for long
    assert process.call([])["result"] == 1
    process.close()
