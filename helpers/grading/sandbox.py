"""The sandbox in which other people's answers run: no network, nothing to write, nothing to read.

Linux has the parts: bubblewrap gives a file system, process ids and a network of its own, setpriv
another user, prlimit the limits; the worker itself gives up calls of the system, and each answer
the one that starts processes. Of the course the sandbox sees only what serves answers, so there is
no right answer in it, no other submission and no gradebook. Everything in it is read-only.

The sandbox proves itself before it is used: a probe tries what it must not be able to do.
"""

import ast
import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from helpers.exercises import plain, worker
from helpers.exercises.process import START_SECONDS, Process, Stopped
from helpers.files import ROOT

# what of the course stands in the sandbox: the code that serves answers, and none that knows them
VISIBLE = (
    "helpers/__init__.py",
    "helpers/exercises/__init__.py",
    "helpers/exercises/plain.py",
    "helpers/exercises/seal.py",
    "helpers/exercises/worker.py",
    "helpers/front_door.py",
)
PROCESSES = 12  # processes and threads in one sandbox; torch alone has a few
CPU_SECONDS = 600  # of one process
FIRST_USER = 100_000  # user ids from here on belong to nobody
REMEDY = (
    "To grade other people's work, use Linux with bubblewrap: `sudo apt install bubblewrap`. "
    "Ubuntu 24.04 and later also need `sudo sysctl "
    "kernel.apparmor_restrict_unprivileged_userns=0`. In a container, allow user namespaces or run "
    "as root. Your own work can be graded without a sandbox: add --own-work."
)


class NoSandbox(Exception):
    """There is no sandbox that holds; the text says why, and what to do."""

    def __str__(self) -> str:
        return f"{self.args[0]} {REMEDY}"


def command(slot: int) -> list[str]:
    """Return the command of a worker in a sandbox.

    slot: a number of the grader's worker. Sandboxes with different slots belong to different users,
    since the system counts processes by user. Only root can give users away; for others the
    sandbox has a user namespace of its own, which has its own count.
    """
    root = os.geteuid() == 0
    # where memory runs out, the system ends what runs in a sandbox first
    parts = ["choom", "-n", "1000", "--"]
    parts += ["bwrap", "--die-with-parent", "--new-session", "--clearenv"]
    parts += ["--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts"]
    parts += ["--unshare-cgroup-try"]
    if root:
        parts += ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
    else:
        parts += ["--unshare-user"]
    for path in _system():
        parts += ["--symlink", os.readlink(path), path] if os.path.islink(path) else _bound(path)
    for path in _pythons():
        parts += _bound(path)
    for name in VISIBLE:
        parts += _bound(str(ROOT / name))
    parts += ["--proc", "/proc", "--dev", "/dev", "--remount-ro", "/dev", "--remount-ro", "/"]
    settings = {"PATH": "/usr/bin:/bin", "HOME": "/", "LANG": "C.UTF-8", "OMP_NUM_THREADS": "1"}
    settings["PYTHONDONTWRITEBYTECODE"] = "1"
    # torch's optimisers look for a folder to keep things in, and there is none to write to
    settings["TORCHINDUCTOR_CACHE_DIR"] = "/"
    for name, value in settings.items():
        parts += ["--setenv", name, value]
    parts += ["--chdir", str(ROOT), "--"]
    if root:
        user = str(FIRST_USER + slot)
        parts += ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups"]
        parts += ["--no-new-privs", "--inh-caps=-all", "--"]
    parts += ["prlimit", f"--nproc={PROCESSES}", "--fsize=0", "--core=0", "--nofile=64"]
    parts += [f"--cpu={CPU_SECONDS}", "--"]
    outside = os.readlink(worker.PROCESSES)
    return [*parts, sys.executable, "-m", "helpers.exercises.worker", f"--apart-from={outside}"]


class SandboxProcess(Process):
    """A worker in a sandbox; each answer brings the modules of the course that it may import."""

    def __init__(self, slot: int):
        # the first process in a sandbox shows the environment that it was started with
        super().__init__(command(slot), {"PATH": os.environ.get("PATH", os.defpath)})

    def kill(self, process: subprocess.Popen) -> None:
        """End the sandbox, and wait until nothing in it is left.

        Its first process ends last, and bwrap, which waits for it, after that.
        """
        started = Path(f"/proc/{process.pid}/task/{process.pid}/children")
        try:
            for child in started.read_text().split():
                os.kill(int(child), signal.SIGKILL)
            process.wait(5)
        except (OSError, subprocess.TimeoutExpired):
            pass
        if process.poll() is None:
            super().kill(process)

    def modules(self, imports: list[str]) -> list:
        """Return the allowed modules and what they import, as [name, source], in loading order."""
        found: dict[str, str] = {}
        for name in imports:
            if name.startswith("helpers."):
                _add(name, found)
        return [[name, source] for name, source in found.items()]


def _add(name: str, found: dict[str, str]) -> None:
    """Add a module's source behind those of the modules that it imports."""
    path = ROOT / f"{name.replace('.', '/')}.py"
    if name in found or not path.is_file() or path.relative_to(ROOT).as_posix() in VISIBLE:
        return
    room, _, _ = name.rpartition(".")
    if room != "helpers":  # that one is there already
        found.setdefault(room, (ROOT / room.replace(".", "/") / "__init__.py").read_text("utf-8"))
    source = path.read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("helpers"):
            for alias in node.names:
                _add(f"{node.module}.{alias.name}", found)
            _add(node.module, found)
    found[name] = source


def _system() -> list[str]:
    """Return the folders that programs need, as far as they are there."""
    wanted = ("/usr", "/bin", "/lib", "/lib64", "/etc/ld.so.cache", "/etc/alternatives")
    return [path for path in wanted if os.path.lexists(path)]


def _pythons() -> list[str]:
    """Return the folders of this Python, those outside /usr."""
    found = dict.fromkeys([sys.base_prefix, sys.prefix, os.path.realpath(sys.prefix)])
    # the program in an environment may be a link to a link
    found[str(Path(os.path.realpath(sys.executable)).parent.parent)] = None
    return [path for path in found if not path.startswith("/usr")]


def _bound(path: str) -> list[str]:
    """Return the arguments that show a path, read-only, in folders that everyone may enter."""
    parts = []
    for parent in reversed(Path(path).parents[:-1]):
        parts += ["--perms", "0755", "--dir", str(parent)]
    return [*parts, "--ro-bind", path, path]


PROBE = '''
import ctypes
import os
import socket
import threading

import torch

libc = ctypes.CDLL(None)


def probe(port, paths):
    """Try what must not be possible; return what was."""
    found = []

    def attempt(name, action):
        try:
            if action() is not False:
                found.append(name)
        except Exception:
            pass

    def connect(address):
        with socket.create_connection(address, timeout=2):
            pass

    def write(folder):
        os.mkdir(os.path.join(folder, "probe"))  # no limit on the size of files forbids this

    def seen():
        return any(name.isdigit() and int(name) > 40 for name in os.listdir("/proc"))

    def threads():
        end, started = threading.Event(), []
        try:
            for _ in range(PROCESSES + 10):
                thread = threading.Thread(target=end.wait)
                thread.start()
                started.append(thread)
        finally:
            end.set()
            for thread in started:
                thread.join()

    def fork():
        child = os.fork()
        if child == 0:
            os._exit(0)
        os.waitpid(child, 0)

    def shared():
        return libc.shmget(0, 4096, 0o1600) >= 0

    attempt("reach the grader's own machine over the network", lambda: connect(("127.0.0.1", port)))
    attempt("reach another machine over the network", lambda: connect(("1.1.1.1", 53)))
    for folder in ("/", "/tmp", "/dev", "/dev/shm", "/usr", "/var/tmp", paths[0]):
        attempt(f"write in {folder}", lambda folder=folder: write(folder))
    for path in paths[1:]:
        attempt(f"see {path}", lambda path=path: os.stat(path) and None)
    attempt("see the processes of others", seen)
    attempt("start more threads than are allowed", threads)
    attempt("start a process", fork)
    attempt("take memory that no limit counts", shared)
    attempt("become another user", lambda: os.setuid(0))
    return [found, torch.ones(2).sum().item(), os.getuid(), sorted(os.environ)]
'''


def prove(slot: int = 0, hidden: Sequence[Path] = ()) -> None:
    """Start a sandbox and try it; NoSandbox with the reason if it is missing or does not hold.

    hidden: files that nothing in the sandbox may see, such as the gradebook.
    """
    for program in ("choom", "bwrap", "setpriv", "prlimit"):
        if sys.platform != "linux" or not shutil.which(program):
            raise NoSandbox(f"There is no {program} here.")
    paths = [ROOT, ROOT / "tests", ROOT / "lessons", ROOT / "helpers/exercises/checks", *hidden]
    process = SandboxProcess(slot)
    with socket.create_server(("127.0.0.1", 0)) as server:
        try:
            source = PROBE.replace("PROCESSES", str(PROCESSES))
            imports = ["ctypes", "os", "socket", "threading", "torch"]
            opened = process.open(source, "probe", imports, START_SECONDS)
            if "ready" not in opened:
                raise NoSandbox(f"The sandbox does not run Python as it should ({opened}).")
            port = server.getsockname()[1]
            reply = process.call([port, [str(path) for path in paths]])
        except (RuntimeError, Stopped) as error:
            raise NoSandbox(f"The sandbox does not start: {error}.") from None
        finally:
            process.stop()
    result = reply.get("result")
    if not isinstance(result, list) or len(result) != 4 or result[1] != 2.0:
        raise NoSandbox(f"The sandbox does not run an answer as it should ({plain.show(reply)}).")
    if result[0]:
        raise NoSandbox(f"The sandbox does not hold: an answer can {result[0][0]}.")
