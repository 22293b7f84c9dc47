"""The calls that a process gives up for good, and those that it keeps."""

import subprocess
import sys

import pytest

from helpers.exercises import seal

TRY = """
import ctypes, os, threading
from helpers.exercises.seal import seal

def fork():
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)

def thread():
    one = threading.Thread(target=str)
    one.start()
    one.join()

def call(name, *given):
    system = ctypes.CDLL(None, use_errno=True)
    if getattr(system, name)(*given) < 0:
        raise OSError(ctypes.get_errno(), name)

def said(action, *given):
    try:
        action(*given)
        return "yes"
    except OSError as error:
        return error.strerror and error.errno

for processes in (True, False):
    seal(processes)
    print(said(fork), said(os.spawnl, os.P_WAIT, "/bin/true", "true"), said(thread))
print(said(call, "shmget", 0, 4096, 0o1600), said(call, "msgget", 0, 0o1600))
print(said(call, "unshare", 0x10000000), said(call, "ptrace", 16, os.getppid(), 0, 0))
print(said(call, "memfd_create", b"x", 0), said(call, "semget", 0, 1, 0o1600))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such filters")
def test_what_is_given_up_is_not_permitted_and_the_rest_goes_on():
    done = subprocess.run([sys.executable, "-c", TRY], capture_output=True, text=True)
    assert done.stderr == ""
    first, second, *rest = done.stdout.splitlines()
    assert first == "yes yes yes"
    assert second == "1 1 yes"
    assert rest[:3] == ["1 1"] * 3


def test_an_unknown_processor_is_refused_by_name():
    with pytest.raises(ValueError, match="calls of abacus are not known: allowed are x86_64"):
        seal.program("abacus", processes=True)


@pytest.mark.parametrize("machine", seal.KINDS)
def test_a_filter_leads_nowhere_but_to_its_own_steps(machine):
    """A jump beyond the end would be refused by the kernel of that machine only."""
    for processes in (True, False):
        code = seal.program(machine, processes)
        steps = [seal.struct.unpack_from("HBBI", code, place) for place in range(0, len(code), 8)]
        for number, (kind, yes, no, _) in enumerate(steps):
            assert kind != seal.RETURN or yes == no == 0
            assert number + 1 + max(yes, no) < len(steps) or kind == seal.RETURN
        assert steps[-1] == (seal.RETURN, 0, 0, seal.ALLOW)
