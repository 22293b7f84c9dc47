"""The process that runs answers: python -m helpers.exercises.worker, with --details and others.

It knows no right answer and gives no verdict. It reads requests from its standard input and writes
replies to its standard output: "open" runs the source of an answer, "call" calls its function and
returns the result and the arguments as they came back, "close" ends. Each message is its length
(8 bytes), then plain data.

It imports torch once. Then, on Linux, each answer runs in a fork of its own, so that nothing an
answer does reaches the next one. Elsewhere, where forks are missing or unsafe, it runs in the
process itself, as with --no-fork. With --alone nobody else's processes can be seen here, and it
kills whatever an answer leaves running. With --details a reply also tells the message of an
exception and its line, which only the person who wrote the answer may see.
"""

import builtins
import os
import signal
import struct
import sys
import time
import types
from collections.abc import Callable

import numpy  # noqa: F401  imported once here, for every answer
import torch

from helpers.exercises import plain

LARGEST = 16 * 2**20  # bytes of one message
MEMORY = 2 * 2**30  # bytes of address space that an answer may add
DIED = {"died": True}


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
        if not allow(name):  # from helpers import masks
            wanted = [f"{name}.{part}" for part in fromlist or ("",)]
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
        sys.modules[name] = module
        package, _, last = name.rpartition(".")
        setattr(sys.modules[package], last, module)
        exec(compile(source, name, "exec", dont_inherit=True), vars(module))


class Answer:
    """One opened answer: its own names, and the function that is asked for."""

    def __init__(self, source: str, function: str, imports: list[str]):
        allowed = dict(vars(builtins), __import__=guarded(imports))
        self.names = {"__builtins__": allowed, "__name__": "answer"}
        code = compile(source, "answer", "exec", dont_inherit=True)
        exec(code, self.names)
        self.function = self.names[function]

    def call(self, arguments: list) -> dict:
        """Call the function; return its result and the arguments afterwards, as plain data."""
        result = self.function(*arguments)
        try:
            encoded = plain.encode(result)
        except plain.NotPlain as error:
            return {"not plain": str(error)}
        if len(encoded) > LARGEST // 2:
            return {"not plain": f"more than {LARGEST // 2**21} MB of data"}
        try:
            after = plain.copy(arguments)
        except plain.NotPlain:
            after = None
        return {"result": plain.decode(encoded), "arguments": after}


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
    answer = None
    while request is not None:
        try:
            if "open" in request:
                provide(request.get("modules", []))
                answer = Answer(request["open"], request["function"], request["imports"])
                reply = {"ready": True}
            else:
                reply = answer.call(request["call"])
        except BaseException as error:  # sys.exit too: the answer's own affair
            reply = describe(error, details)
        write_message(OUT, plain.encode(reply))
        message = read_message(IN)
        request = None if message is None else plain.decode(message)
        if request is not None and "close" in request:
            return


IN, OUT = 0, 1


def separate() -> None:
    """Keep the two pipes for the messages, and give what an answer prints or reads to nothing."""
    global IN, OUT
    IN, OUT = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    for file in (0, 1, 2):
        os.dup2(nothing, file)


def limit() -> None:
    """Bound the memory and the threads of the process that runs an answer."""
    torch.set_num_threads(1)  # without this a fork may hang in its first matrix product
    try:
        import resource

        with open("/proc/self/statm") as file:
            now = int(file.read().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (now + MEMORY, now + MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    except (ImportError, ValueError, OSError):  # only Linux has all of this
        pass


def clear() -> None:
    """Kill what the last answer left running, so that the next one finds room and quiet."""
    for _ in range(200):
        try:
            os.kill(-1, signal.SIGKILL)  # all of this namespace but itself and its first process
        except ProcessLookupError:
            return
        time.sleep(0.005)


def main(arguments: list[str]) -> None:
    """Serve answers until the standard input ends."""
    details = "--details" in arguments
    fork = sys.platform == "linux" and "--no-fork" not in arguments
    separate()
    if not fork:
        limit()
    write_message(OUT, plain.encode({"hello": True}))
    while (message := read_message(IN)) is not None:
        request = plain.decode(message)
        if not fork:
            serve_answer(request, details)
            write_message(OUT, plain.encode({"closed": True}))
            continue
        child = os.fork()
        if child == 0:
            try:
                limit()
                serve_answer(request, details)
            finally:
                os._exit(0)
        os.waitpid(child, 0)
        if "--alone" in arguments:
            clear()
        write_message(OUT, plain.encode({"closed": True}))


if __name__ == "__main__":
    main(sys.argv[1:])
