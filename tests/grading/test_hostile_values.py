"""Values and bytes that no honest answer gives, straight into every check and into what reads them.

Here the answer's process is left out: what a check does with a value must not depend on who sends
it. A check may find a value wrong in any way, but it ends, and it says nothing of the value.
"""

import json
import math
import struct
import sys
import threading

import pytest
import torch

from helpers.exercises import catalog, expect, plain, process
from helpers.exercises.answers import Answer
from helpers.exercises.exercise import FAILED, Call
from helpers.exercises.process import Ended, Process, Stopped

MARK = 8675309  # a number that stands in no right answer, and must stand in no feedback
WORD = f"pwned{MARK}"
BOTTOM = []
for _ in range(40):
    BOTTOM = [BOTTOM]

VALUES = {
    "nothing": None,
    "minus one": -1,
    "a large integer": MARK * 10**400,
    "infinity": math.inf,
    "not a number": math.nan,
    "a text": WORD,
    "a long text": WORD * 100_000,
    "a list of texts": [WORD] * 5,
    "a long list": [MARK] * 150_000,
    "a long list of lists": [[]] * 150_000,
    "lists within lists": BOTTOM,
    "a dict": {WORD: MARK, MARK: WORD},
    "a long dict": dict.fromkeys(range(60_000), WORD),
    "an empty tensor": torch.empty(0),
    "a billion empty rows": torch.empty(10**9, 0),
    "more dimensions than any": torch.ones([1] * 60),
    "a large tensor": torch.full((2**20,), float(MARK)),
    "a large matrix": torch.full((2**10, 2**10), MARK),
    "a tensor of one": torch.tensor(float(MARK)),
    "a boolean tensor": torch.ones(3, 3, dtype=torch.bool),
    "a complex tensor": torch.ones(3, 3, dtype=torch.complex64) * MARK,
    "half a tensor": torch.full((3, 3), math.nan, dtype=torch.float16),
    "small floats": torch.ones(3, 3).to(torch.float8_e4m3fn),
}


class Given(Call):
    """A call whose answer is always the same value, or a mapping from its number."""

    def __init__(self, value):
        super().__init__(None, Answer("def f(*given): return 0", "f"))
        self.value = value

    def _reply(self, arguments):
        self.results += 1
        return {"result": self.value, "arguments": list(arguments)}


def in_time(work, seconds=120):
    """Return what work() returns; fail where it hangs."""
    found = []
    thread = threading.Thread(target=lambda: found.append(work()), daemon=True)
    thread.start()
    thread.join(seconds)
    assert found, "it never ended, or raised"
    return found[0]


@pytest.mark.parametrize("name", VALUES)
def test_no_check_hangs_on_a_value_or_repeats_it(name):
    value = VALUES[name]
    for exercise in catalog.exercises().values():
        lines = in_time(lambda exercise=exercise: exercise._lines(Given(value), seed=7))
        assert any(line.state == "fails" for line in lines), f"{exercise.id} takes {name}"
        said = " ".join(line.fault for line in lines)
        assert str(MARK) not in said, f"{exercise.id} repeats {name}: {said[:300]}"


@pytest.mark.parametrize("name", VALUES)
def test_a_value_is_shown_in_few_characters(name):
    assert len(in_time(lambda: plain.show(VALUES[name]))) <= 72


def message(text: bytes, blob: bytes = b"") -> bytes:
    """Return the bytes of a message with this JSON and these tensors."""
    return struct.pack(">Q", len(text)) + text + blob


def tensors(**facts) -> bytes:
    """Return the bytes of tensors with a header of one's own."""
    header = json.dumps({"0": facts}).encode()
    return struct.pack("<Q", len(header)) + header + bytes(16)


def many_tensors(number: int) -> bytes:
    """Return the bytes of so many empty tensors."""
    facts = {"dtype": "U8", "shape": [0], "data_offsets": [0, 0]}
    header = json.dumps({str(name): facts for name in range(number)}).encode()
    return struct.pack("<Q", len(header)) + header


ONE = b'{"tensor": "0"}'
FORGED = {
    "no bytes": b"",
    "half a header": b"\0\0\0",
    "a length beyond the end": struct.pack(">Q", 2**63) + b"1",
    "no text": message(b"\xff\xfe"),
    "no JSON": message(b"{pwned}"),
    "deep": message(b"[" * 100_000),
    "deep and closed": message(b"[" * 900 + b"]" * 900 + b"}"),
    "too many values": message(b"[" + b"[]," * 1_000_000 + b"[]]"),
    "a long number": message(b"9" * 100_000),
    "a tensor that is missing": message(ONE),
    "a tensor named twice": message(
        b'[{"tensor": "0"}, {"tensor": "0"}]',
        tensors(dtype="F32", shape=[4], data_offsets=[0, 16]),
    ),
    "many tensors": message(b"1", many_tensors(plain.TENSORS + 3)),
    "a tensor named by a list": message(b'{"tensor": []}', tensors(dtype="F32")),
    "a dict without pairs": message(b'{"dict": [1]}'),
    "a dict that is none": message(b'{"dict": 7}'),
    "a key that is a list": message(b'{"dict": [[[], 1]]}'),
    "a key that is a truth": message(b'{"dict": [[true, 1]]}'),
    "an object of no kind": message(b'{"a": 1}'),
    "an unknown dtype": message(ONE, tensors(dtype="PWNED", shape=[4], data_offsets=[0, 16])),
    "a shape that overflows": message(
        ONE, tensors(dtype="F32", shape=[2**63, 2], data_offsets=[0, 16])
    ),
    "an empty shape that overflows": message(
        ONE, tensors(dtype="F32", shape=[2**64 - 1, 0], data_offsets=[0, 0])
    ),
    "a negative shape": message(ONE, tensors(dtype="F32", shape=[-4], data_offsets=[0, 16])),
    "offsets beyond the end": message(ONE, tensors(dtype="F32", shape=[8], data_offsets=[0, 32])),
    "a long header": message(ONE, struct.pack("<Q", 2**40)),
}


@pytest.mark.parametrize("name", FORGED)
def test_forged_bytes_are_damaged_data_and_nothing_else(name):
    with pytest.raises(ValueError, match="no plain data"):
        plain.decode(FORGED[name])


SPEAKER = """
import re, struct, sys, time
out = sys.stdout.buffer
NUMBER = number = b"0" * 16
def say(data):
    data = data.replace(NUMBER, number)
    out.write(struct.pack(">Q", len(data)) + data)
    out.flush()
say({hello!r})
"""


def speaker(tmp_path, *lines) -> Process:
    """Return a process that greets rightly and then does as it likes.

    Of sixteen zeros, what it says makes the number that a reply must bear, once it is known.
    """
    path = tmp_path / "speaker.py"
    path.write_text(SPEAKER.format(hello=plain.encode({"hello": True})) + "\n".join(lines))
    return Process([sys.executable, str(path)])


REPLIES = {
    "closed is a tensor": {"closed": torch.ones(2)},
    "raised is a tensor": {"raised": torch.ones(2)},
    "raised is deep": {"raised": BOTTOM},
    "raised is half a sign": {"raised": "\ud800"},
    "raised is a message": {"raised": WORD, "name": WORD, "refused": WORD, "message": WORD},
    "refused is a list": {"raised": "ImportError", "refused": [WORD]},
    "refused stands under a known name": {"raised": "ImportError", "refused": f"os.{WORD}"},
    "refused stands under helpers": {"raised": "ImportError", "refused": f"helpers.{WORD}"},
    "not plain is a message": {"not plain": WORD},
    "nothing": {},
    "a list": [1],
    "ready, and no result": {"ready": True},
    "ready, with arguments of another kind": {"ready": True, "result": 1, "arguments": BOTTOM},
    "ready, without arguments": {"ready": True, "result": 1},
}


@pytest.mark.parametrize("name", REPLIES)
def test_no_reply_stops_the_grader_or_speaks_through_it(name, tmp_path):
    reply = REPLIES[name]
    data = plain.encode(reply | {"number": "0" * 16} if isinstance(reply, dict) else reply)
    exercise = catalog.find("03.3")
    answer = Answer(catalog.solution_text(exercise), exercise.function)
    sender = speaker(
        tmp_path,
        "while asked := sys.stdin.buffer.read1(2**20):",
        """    number = (re.findall(rb'"number", "(.{16})"', asked) or [number])[-1]""",
        f"    say({data!r})",
        "    time.sleep(.1)",
    )
    try:
        report = exercise.check(answer, sender, seconds=20)
    finally:
        sender.stop()
    assert report.state == FAILED
    assert str(MARK) not in " ".join(report.faults)


def test_a_process_that_reads_nothing_does_not_hold_the_grader_up(tmp_path):
    sender = speaker(tmp_path, "time.sleep(600)")

    def ask():
        try:
            sender.open("x" * 2**22, "f", [], 1)
        except Stopped as error:
            return str(error)

    assert in_time(ask) == "it took longer than 1 s"
    sender.stop()


def test_replies_that_nobody_asked_for_are_not_kept(tmp_path):
    data = plain.encode({"ready": True, "result": 0, "arguments": []})
    sender = speaker(tmp_path, "for _ in range(10_000):", f"    say({data!r})", "time.sleep(600)")
    sender.start()
    sender._process.wait(60)  # what it writes to is closed behind it
    assert sender._replies.qsize() <= process.MOST + 2
    sender.stop()


def test_the_largest_message_ends_the_reading(tmp_path):
    length = struct.pack(">Q", process.worker.LARGEST + 1)
    sender = speaker(tmp_path, f"out.write({length!r})", "out.flush()", "time.sleep(600)")
    with pytest.raises(Ended):
        sender.open("", "f", [], 60)
    sender.stop()


def test_sizes_of_a_shape_are_no_message():
    for value in (torch.empty(0, MARK), torch.empty([0] * 5 + [7]), [0] * 5000):
        with pytest.raises(expect.WrongForm) as caught:
            if isinstance(value, list):
                expect.items(value, 3)
            else:
                expect.tensor(value, (2, 3))
        assert str(MARK) not in caught.value.fault
        assert "larger" in caught.value.fault or "1000 or more" in caught.value.fault
