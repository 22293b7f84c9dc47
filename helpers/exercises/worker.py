"""The process that runs answers: python -m helpers.exercises.worker, with --details and others.

It knows no right answer and gives no verdict. It reads requests from its standard input and writes
replies to its standard output: "open" runs the source of an answer, "call" calls its function and
returns the result and the arguments as they came back, "close" ends. Each message is its length
(8 bytes), then plain data. An answer has a number, which each reply to it bears.

It imports torch once. Then, on Linux, each answer runs in a fork of its own, so that nothing an
answer does reaches the next one. Elsewhere, where forks are missing or unsafe, it runs in the
process itself, as with --no-fork. With --details a reply also tells the message of an exception
and its line, which only the person who wrote the answer may see. With --apart-from=NAMESPACE the
worker stands in a sandbox with process ids of its own, other than those of that namespace: it kills
whatever an answer leaves running, and gives up calls of the system (helpers/exercises/seal.py). The
end of its standard input ends the process and, on Linux, all that runs in it, whatever an answer is
doing.
"""

import __future__

import ast
import builtins
import os
import select
import signal
import struct
import sys
import threading
import time
import types
from collections.abc import Callable

import numpy  # noqa: F401  imported once here, for every answer
import torch

from helpers.exercises import plain
from helpers.exercises.seal import seal
from helpers.front_door import file_of

LARGEST = 4 * 2**20  # bytes of one message
MEMORY = 2 * 2**30  # bytes of address space that an answer may add


def read_message(file: int) -> bytes | None:
    """Return one message from a file descriptor, or None at its end."""
    header = _read(file, 8)
    if len(header) < 8:
        return None
    (length,) = struct.unpack(">Q", header)
    if length > LARGEST:
        return None
    message = _read(file, length)
    return message if len(message) == length else None


def write_message(file: int, message: bytes) -> None:
    """Write one message whole to a file descriptor."""
    data = memoryview(struct.pack(">Q", len(message)) + message)
    while data:
        data = data[os.write(file, data) :]


def _read(file: int, length: int) -> bytes:
    parts = []
    while length:
        part = os.read(file, min(length, 2**20))
        if not part:
            break
        parts.append(part)
        length -= len(part)
    return b"".join(parts)


class Refused(ImportError):
    """An import that an exercise does not allow; name is the module."""


def guarded(allowed: list[str]) -> Callable:
    """Return an __import__ that refuses, by name, what is not allowed."""

    def allow(name: str) -> bool:
        return any(name == known or name.startswith(known + ".") for known in allowed)

    def guarded_import(name, globals=None, locals=None, fromlist=(), level=0):
        wanted = [name]
        if not allow(name):  # from helpers.decoder import masks, Decoder
            wanted = [file_of(name, part) or f"{name}.{part}" for part in fromlist or ("",)]
        for module in wanted:
            if level or not allow(module):
                raise Refused(f"import of {module.rstrip('.')}", name=module.rstrip("."))
        return builtins.__import__(name, globals, locals, fromlist, level)

    return guarded_import


def provide(modules: list) -> None:
    """Make modules of the course from their text, [name, source], in an order that they can load.

    A worker in a sandbox has no files of the course but this one and what it imports. It gets what
    an exercise allows with the answer, and nothing else.
    """
    for name, source in modules:
        module = types.ModuleType(name)
        module.__file__ = f"{name.replace('.', '/')}.py"  # nothing is there, but some ask for it
        sys.modules[name] = module
        package, _, last = name.rpartition(".")  # which stands before it
        setattr(sys.modules[package], last, module)
        exec(compile(source, name, "exec", dont_inherit=True), vars(module))


DEFINES = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


class Answer:
    """One opened answer: its own names, and the function that is asked for.

    Its cell is run statement by statement. Another statement than an import or a definition may
    fail: it may be there to try the answer out, with names that only the notebook has.
    """

    def __init__(self, source: str, function: str, imports: list[str]):
        module = types.ModuleType("answer")
        sys.modules["answer"] = module  # dataclasses look their module up
        self.names = vars(module)
        self.names["__builtins__"] = dict(vars(builtins), __import__=guarded(imports))
        flags = 0  # of "from __future__ import ...", which counts for all that follows
        for statement in ast.parse(source, "answer").body:
            if isinstance(statement, ast.ImportFrom) and statement.module == "__future__":
                for feature in statement.names:
                    flags |= getattr(__future__, feature.name).compiler_flag
            alone = ast.Module([statement], [])
            code = compile(alone, "answer", "exec", flags, dont_inherit=True)
            try:
                exec(code, self.names)
            except Exception:
                if isinstance(statement, DEFINES):
                    raise
        self.function = self.names[function]

    def call(self, arguments: list) -> dict:
        """Call the function; return its result, and the arguments as they are afterwards."""
        result = self.function(*arguments)
        try:
            after = plain.copy(arguments)
        except plain.NotPlain:
            after = None
        return {"result": result, "arguments": after}


def packed(reply: dict, number: str) -> bytes:
    """Return a reply as bytes, or, if what it holds may not pass, a reply that says so."""
    try:
        message = plain.encode({**reply, "number": number})
        if len(message) <= LARGEST // 2:
            return message
        reason = f"more than {LARGEST // 2**21} MB of data"
    except plain.NotPlain as error:
        reason = str(error)
    return plain.encode({"not plain": reason, "number": number})


def describe(error: BaseException, details: bool) -> dict:
    """Return an exception as plain data: the name of its class, and more only with details."""
    reply = {"raised": type(error).__name__[:80]}
    if isinstance(error, Refused):
        reply["refused"] = str(error.name)[:80]
    if isinstance(error, NameError) and not isinstance(error, UnboundLocalError):
        reply["name"] = str(error.name)[:80]
    if details:
        reply["message"] = _message(error)
        reply["line"] = _line(error)
    return reply


def _message(error: BaseException) -> str:
    try:
        return (str(error).strip().splitlines() or [""])[0][:300]
    except Exception:  # a __str__ of the learner's
        return ""


def _line(error: BaseException) -> int:
    """Return the last line of the answer's own source that the exception came through, or 0."""
    if isinstance(error, SyntaxError):
        return error.lineno or 0
    line = 0
    step = error.__traceback__
    while step:
        if step.tb_frame.f_code.co_filename == "answer":
            line = step.tb_lineno
        step = step.tb_next
    return line


def serve_answer(request: dict, details: bool) -> None:
    """Serve the messages of one answer, from its opening to its closing."""
    # new for each answer: exit() closes the input. An arrow is no fault, whatever the system speaks
    sys.stdin = open(os.devnull, encoding="utf-8")
    sys.stdout = sys.stderr = open(os.devnull, "w", encoding="utf-8", errors="replace")
    answer, number = None, request["number"]
    while request is not None:
        try:
            if "open" in request:
                provide(request["modules"])
                answer = Answer(request["open"], request["function"], request["imports"])
                reply = {"ready": True}
            else:
                reply = answer.call(request["call"])
            reply = packed(reply, number)
        except BaseException as error:  # sys.exit too: the answer's own affair
            reply = packed(describe(error, details), number)
        write_message(OUT, reply)
        message = read_message(IN)
        request = None if message is None else plain.decode(message)
        if request is not None and "close" in request:
            return


IN, OUT = 0, 1
PROCESSES = "/proc/self/ns/pid"  # on Linux a link whose text names the namespace of process ids


def separate() -> None:
    """Keep the two pipes for the messages, and give what an answer prints or reads to nothing."""
    global IN, OUT
    IN, OUT = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    for file in (0, 1, 2):
        os.dup2(nothing, file)


def limit(parent: int) -> None:
    """Bound the memory, the threads and the life of the process that runs an answer."""
    threading.Thread(target=end_with, args=(parent,), daemon=True).start()
    torch.set_num_threads(1)  # without this a fork may hang in its first matrix product
    try:
        import resource

        with open("/proc/self/statm") as file:
            now = int(file.read().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (now + MEMORY, now + MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    except (ImportError, ValueError, OSError):  # only Linux has all of this
        pass


def end_with(parent: int) -> None:
    """End this process when its parent has ended, even in the middle of an answer."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)


def serve_in_fork(request: dict, details: bool, apart: bool) -> None:
    """Serve one answer in a fork, then end it and all that it started."""
    if "helpers.training.loop" in request["imports"]:
        import torch._dynamo  # noqa: F401  the first optimiser loads it: once, not in each fork
    parent = os.getpid()
    child = os.fork()
    if child == 0:
        try:
            os.setpgid(0, 0)  # a group of its own
            if apart:
                seal(processes=False)  # before there is a second thread: that would stay free
            limit(parent)
            serve_answer(request, details)
        finally:
            os._exit(0)
    gone = select.poll()
    gone.register(IN, 0)  # tells only that the other end is closed
    while os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
        if gone.poll(5):
            break
    for kill in (os.killpg, os.kill):  # it may have had no time to make its group
        try:
            kill(child, signal.SIGKILL)
        except ProcessLookupError:
            pass
    os.waitpid(child, 0)


def clear() -> None:
    """Kill what the last answer left running, so that the next one finds room and quiet."""
    for _ in range(200):
        try:
            os.kill(-1, signal.SIGKILL)  # all of this namespace but itself and its first process
        except ProcessLookupError:
            return
        time.sleep(0.005)


def stands_apart(arguments: list[str]) -> bool:
    """Return whether this is a sandbox whose every process may be killed; exit if it is none."""
    outside = [a.removeprefix("--apart-from=") for a in arguments if a.startswith("--apart-from=")]
    if outside and os.readlink(PROCESSES) == outside[0]:
        sys.exit("--apart-from: this worker has no process ids of its own, and would kill others")
    return bool(outside)


def main(arguments: list[str]) -> None:
    """Serve answers until the standard input ends."""
    details = "--details" in arguments
    fork = sys.platform == "linux" and "--no-fork" not in arguments
    apart = stands_apart(arguments)
    separate()
    if apart:
        seal(processes=True)
    if not fork:
        limit(os.getppid())
    write_message(OUT, plain.encode({"hello": True}))
    while (message := read_message(IN)) is not None:
        request = plain.decode(message)
        if "open" in request:  # else it was meant for an answer that has ended
            if fork:
                serve_in_fork(request, details, apart)
            else:
                serve_answer(request, details)
            if apart:
                clear()
            write_message(OUT, plain.encode({"closed": True, "number": request["number"]}))


if __name__ == "__main__":
    main(sys.argv[1:])
    os._exit(0)  # nothing is left to tidy up
