"""The other end of the worker: starting, time, messages that are none, interrupts."""

import os
import signal
import sys
import threading

import pytest

from helpers.exercises import plain, worker
from helpers.exercises.process import Process, Stopped


def frame(value) -> bytes:
    message = plain.encode(value)
    return len(message).to_bytes(8, "big") + message


HELLO = frame({"hello": True})


def stand_in(code: str, greeting: bytes = HELLO) -> Process:
    """Return a process whose other end is a few lines of Python, without torch: fast to start."""
    before = (
        "import os, sys, time\n"
        "def read():\n"
        "    n = int.from_bytes(os.read(0, 8), 'big')\n"
        "    got = b''\n"
        "    while len(got) < n: got += os.read(0, n - len(got))\n"
        "    return got\n"
        f"os.write(1, {greeting!r})\n"
    )
    return Process((sys.executable, "-c", before + code))


def opened(process, seconds=30):
    return process.open("source", "f", [], seconds)


def test_messages_pass_whole_through_a_pipe():
    read, write = os.pipe()
    sent = [b"", b"abc", bytes(10**6)]
    thread = threading.Thread(
        target=lambda: [worker.write_message(write, m) for m in sent] + [os.close(write)]
    )
    thread.start()
    assert [worker.read_message(read) for _ in range(4)] == [*sent, None]
    thread.join()
    os.close(read)


@pytest.mark.parametrize(
    "data", [b"123", b"\xff" * 8, (5).to_bytes(8, "big") + b"four", (2**26 + 1).to_bytes(8, "big")]
)
def test_a_message_that_is_cut_or_too_long_is_none(data):
    read, write = os.pipe()
    os.write(write, data)
    os.close(write)
    assert worker.read_message(read) is None
    os.close(read)


@pytest.mark.parametrize(
    "command",
    [
        ("/nowhere/python",),
        (sys.executable, "-c", "1 / 0"),
        (sys.executable, "-c", "print('hello')"),
    ],
    ids=["no such program", "fails", "says something else"],
)
def test_a_process_that_does_not_start_is_one_sentence(command):
    for _ in range(2):
        process = Process(command)
        with pytest.raises(RuntimeError, match="the process that runs answers did not start"):
            process.start()
        process.close()
        process.stop()


def test_another_greeting_is_refused():
    process = stand_in("time.sleep(60)", frame({"hello": "you"}))
    with pytest.raises(RuntimeError, match=r"did not start: it greeted with \{'hello': 'you'\}"):
        process.start()
    assert process._process is None


def test_a_process_that_never_greets_is_given_up(monkeypatch):
    monkeypatch.setattr("helpers.exercises.process.START_SECONDS", 0.2)
    process = stand_in("time.sleep(60)", b"")
    process._limit = 20
    with pytest.raises(RuntimeError, match=r"it took longer than 0\.2 s"):
        process.start()


@pytest.mark.parametrize(
    "reply",
    [
        b"",
        b"12345678" * 4,
        (3).to_bytes(8, "big") + b"abc",
        frame([1]),
        frame({"raised": "x" * 500}),
        frame({"raised": [1]}),
        frame({"raised": None}),
        frame({"line": 1.5}),
    ],
)
def test_what_is_no_reply_ends_the_process(reply):
    process = stand_in(f"read()\nos.write(1, {reply!r})\nos.close(1)\ntime.sleep(60)")
    with pytest.raises(Stopped, match="it ended its process"):
        opened(process)
    assert process._process is None
    with pytest.raises(Stopped, match="it was stopped before"):
        process.call([])
    process.close()


def test_replies_without_the_number_of_the_answer_are_left_out():
    other = frame({"ready": True, "number": "1"}) + frame({"closed": True})
    process = stand_in(f"read()\nos.write(1, {other!r})\ntime.sleep(60)")
    with pytest.raises(Stopped, match="it took longer than 1 s"):
        opened(process, 1)


def test_a_flood_of_messages_fills_no_memory_and_ends():
    process = stand_in(
        f"read()\nmessage = {frame({'number': 'x' * 400})!r} * 1000\n"
        "while True: os.write(1, message)"
    )
    with pytest.raises(Stopped):
        opened(process, 1)
    assert process._replies.qsize() < 100
    process.stop()


def test_a_process_that_does_not_read_stops_no_one():
    """More than a pipe holds is written: the time limit counts all the same."""
    process = stand_in("time.sleep(60)")
    with pytest.raises(Stopped, match="it took longer than 1 s"):
        process.open("x" * 10**6, "f", [], 1)


def test_time_that_has_run_out_is_out():
    process = stand_in("read()\ntime.sleep(60)")
    with pytest.raises(Stopped, match=r"it took longer than 0\.1 s"):
        opened(process, 0.1)
    assert process._process is None


def test_closing_and_stopping_more_than_once_does_nothing():
    process = Process(("/nowhere",))
    process.close()
    process.stop()
    process.close()
    with pytest.raises(Stopped, match="it was stopped before"):
        process.call([])


def test_one_answer_is_open_at_a_time():
    """An answer that was not closed is closed before the next one opens."""
    echo = (
        "import json\n"
        "sys.path[:0] = [os.getcwd()]\n"
        "names = []\n"
        "while True:\n"
        "    m = read()\n"
        "    tree = dict(json.loads(m[8:])['dict'])\n"
        "    names.append([*tree][0])\n"
        "    number = tree.get('number') or number\n"
        "    key = 'closed' if 'close' in tree else 'ready'\n"
        "    pairs = [[key, True], ['number', number], ['result', names]]\n"
        "    text = json.dumps({'dict': pairs}).encode()\n"
        "    text = len(text).to_bytes(8, 'big') + text\n"
        "    os.write(1, len(text).to_bytes(8, 'big') + text)\n"
    )
    process = stand_in(echo)
    try:
        assert opened(process)["result"] == ["open"]
        assert opened(process)["result"] == ["open", "close", "open"]
        process.close()
        process.close()
        assert opened(process)["result"] == ["open", "close", "open", "close", "open"]
    finally:
        process.stop()


@pytest.mark.skipif(sys.platform == "win32", reason="no such signal")
@pytest.mark.parametrize("greeting", [HELLO, b""], ids=["in an answer", "while it starts"])
def test_an_interrupt_ends_the_check_and_the_process(greeting):
    process = stand_in("read()\ntime.sleep(60)", greeting)
    timer = threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        opened(process)
    timer.join()
    # what did not greet is not taken for a process that did
    assert process._process is None
    with pytest.raises(Stopped, match="it was stopped before"):
        process.call([])


@pytest.mark.skipif(sys.platform == "win32", reason="groups of processes")
def test_an_interrupt_of_the_notebook_does_not_reach_the_process():
    process = stand_in("time.sleep(60)")
    process.start()
    try:
        assert os.getpgid(process._process.pid) != os.getpgid(0)
        assert os.getsid(process._process.pid) != os.getsid(0)
    finally:
        process.stop()


def test_stop_ends_a_process_that_does_not_listen():
    process = stand_in("time.sleep(600)")
    process.start()
    running = process._process
    process.stop()
    assert running.poll() is not None


def test_a_process_that_was_lost_is_started_again():
    process = stand_in("time.sleep(60)")
    process.start()
    first = process._process
    first.kill()
    first.wait()
    process.start()
    assert process._process is not first and process._process.poll() is None
    process.start()
    process.stop()
