"""What an answer in a sandbox may no longer ask of Linux: a process gives up calls, for good.

Limits count what a process holds. Some memory belongs to no process: shared segments and message
queues of System V, keys, disks in memory that a user namespace of one's own gives. None of it is
needed here, so the calls for it fail with "not permitted". So do those with which one process
reaches into another. In the last step an answer gives up starting processes; threads remain.

A filter is a small program that the kernel runs before each call: seccomp(2).
"""

import ctypes
import os
import platform
import struct

# the numbers of the calls on each kind of processor; 0xC000003E and 0xC00000B7 name the kinds
KINDS = {
    "x86_64": (
        0xC000003E,
        {
            "clone": 56,
            "fork": 57,
            "vfork": 58,
            "shmget": 29,
            "semget": 64,
            "msgget": 68,
            "ptrace": 101,
            "mount": 165,
            "mq_open": 240,
            "add_key": 248,
            "request_key": 249,
            "keyctl": 250,
            "unshare": 272,
            "perf_event_open": 298,
            "setns": 308,
            "process_vm_readv": 310,
            "process_vm_writev": 311,
            "memfd_create": 319,
            "bpf": 321,
            "userfaultfd": 323,
        },
    ),
    "aarch64": (
        0xC00000B7,
        {
            "clone": 220,
            "shmget": 194,
            "semget": 190,
            "msgget": 186,
            "ptrace": 117,
            "mount": 40,
            "mq_open": 180,
            "add_key": 217,
            "request_key": 218,
            "keyctl": 219,
            "unshare": 97,
            "perf_event_open": 241,
            "setns": 268,
            "process_vm_readv": 270,
            "process_vm_writev": 271,
            "memfd_create": 279,
            "bpf": 280,
            "userfaultfd": 282,
        },
    ),
}
EVERYWHERE = {"io_uring_setup": 425, "clone3": 435, "memfd_secret": 447}
STARTS = ("clone", "clone3", "fork", "vfork")
NAMESPACES = 0x7E020000  # flags of clone
THREAD = 0x00010000
OTHER_CALLS = 0x40000000  # from here on, x86 has its calls once more in another form

LOAD, EQUAL, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
ALLOW, NOT_PERMITTED, NOT_THERE = 0x7FFF0000, 0x00050001, 0x00050026  # 1 EPERM, 38 ENOSYS
NUMBER, KIND, FLAGS = 0, 4, 16  # where a call's facts stand
SET_DUMPABLE, SET_SECCOMP, SET_NO_NEW_PRIVILEGES = 4, 22, 38


def program(machine: str, processes: bool) -> bytes:
    """Return the filter for a kind of processor; ValueError for one that is not known here.

    processes: whether processes may still be started.
    """
    if machine not in KINDS:
        raise ValueError(f"calls of {machine} are not known: allowed are {', '.join(KINDS)}")
    kind, calls = KINDS[machine]
    steps = [(LOAD, 0, 0, KIND), (EQUAL, 1, 0, kind), (RETURN, 0, 0, NOT_PERMITTED)]
    steps += [(LOAD, 0, 0, NUMBER)]
    steps += [(AT_LEAST, 0, 1, OTHER_CALLS), (RETURN, 0, 0, NOT_PERMITTED)]
    for name, number in {**calls, **EVERYWHERE}.items():
        if name not in STARTS:
            steps += [(EQUAL, 0, 1, number), (RETURN, 0, 0, NOT_PERMITTED)]
        elif name == "clone3":  # its flags cannot be seen: the C library then uses clone
            steps += [(EQUAL, 0, 1, number), (RETURN, 0, 0, NOT_THERE)]
        elif name != "clone" and not processes:
            steps += [(EQUAL, 0, 1, number), (RETURN, 0, 0, NOT_PERMITTED)]
    steps += [(EQUAL, 0, 4, calls["clone"]), (LOAD, 0, 0, FLAGS)]
    steps += [(ANY_BIT, 1, 0, NAMESPACES)]
    steps += [(ANY_BIT, 1, 0, 0xFFFFFFFF if processes else THREAD)]
    steps += [(RETURN, 0, 0, NOT_PERMITTED), (RETURN, 0, 0, ALLOW)]
    return b"".join(struct.pack("HBBI", *step) for step in steps)


def seal(processes: bool) -> None:
    """Give up the calls in this thread, and in all threads and processes that it will start.

    processes: whether processes may still be started. Raises: OSError if the kernel has no filters,
    ValueError for an unknown kind of processor.
    """
    code = program(platform.machine(), processes)
    kept = ctypes.create_string_buffer(code, len(code))
    head = ctypes.create_string_buffer(struct.pack("HP", len(code) // 8, ctypes.addressof(kept)))
    system = ctypes.CDLL(None, use_errno=True)
    # what is not dumpable belongs to root in /proc: no answer writes into another's memory there
    for call in ((SET_DUMPABLE, 0), (SET_NO_NEW_PRIVILEGES, 1), (SET_SECCOMP, 2, head)):
        if system.prctl(*call, *[0] * (5 - len(call))):
            raise OSError(ctypes.get_errno(), f"prctl: {os.strerror(ctypes.get_errno())}")
