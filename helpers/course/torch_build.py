"""Which build of PyTorch: the small one for processors, or the one of the usual package index.

On Linux the usual index gives a build for NVIDIA GPUs, several times as large, and the course needs
none of it. On macOS and Windows the usual build is the small one, so there is nothing to choose.
"""

import os
import subprocess
import sys
import threading
import urllib.request

from helpers.course.disk import TORCH, gigabytes
from helpers.course.python_version import SetupError

CPU_INDEX = "https://download.pytorch.org/whl/cpu"
SECONDS = 5  # as long as an index may take to answer
DEFAULT, CPU = "default", "cpu"


def cpu_index():
    """Return the address of the index of CPU builds; TORCH_CPU_INDEX names a mirror of it."""
    return os.environ.get("TORCH_CPU_INDEX") or CPU_INDEX


def meant(asked):
    """Return which build an answer means here: on macOS and Windows the usual one is the small."""
    return DEFAULT if asked and sys.platform != "linux" else asked


def choose(asked):
    """Return the build to take, and one sentence that says why, or "" where nothing was chosen.

    asked: "cpu", "default", or None to choose the CPU build where no NVIDIA driver answers and its
    index does. Raises: SetupError if "cpu" was asked for and its index does not answer.
    """
    if sys.platform != "linux" or asked == DEFAULT:
        return DEFAULT, ""
    if asked is None and driver_answers():
        return DEFAULT, "An NVIDIA driver answers: taking PyTorch's build for GPUs."
    if index_answers(cpu_index()):
        if asked is None:
            sizes = [gigabytes(TORCH[build][0]) for build in (CPU, DEFAULT)]
            return CPU, (
                "No NVIDIA driver answers: taking PyTorch's CPU build, {} (TORCH=default takes the "
                "usual one, {}).".format(*sizes)
            )
        return CPU, ""
    if asked is None:
        return DEFAULT, "PyTorch's index of CPU builds does not answer: taking the usual build."
    raise SetupError(
        f"PyTorch's index of CPU builds does not answer ({cpu_index()}): check the network and "
        "the variable "
        "https_proxy, or take the usual build with TORCH=default."
    )


def driver_answers():
    """Return whether an NVIDIA driver tells of a GPU here."""
    try:
        said = subprocess.run(
            ["nvidia-smi", "-L"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=2 * SECONDS,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return said.returncode == 0 and b"GPU " in said.stdout


def index_answers(address):
    """Return whether a package index tells of PyTorch within a few seconds.

    Finding an address can take longer than any time-out, so another thread asks, and is left alone.
    """
    answers = []
    asker = threading.Thread(target=lambda: answers.append(_tells(address)), daemon=True)
    asker.start()
    asker.join(SECONDS)
    return answers == [True]


def _tells(address):
    proxy = os.environ.get("PIP_PROXY")
    proxies = urllib.request.ProxyHandler({"http": proxy, "https": proxy} if proxy else None)
    try:
        opened = urllib.request.build_opener(proxies).open(address + "/torch/", timeout=SECONDS)
        with opened as page:
            return b"torch-" in page.read(2**20)  # a page that asks to log in does not
    except (OSError, ValueError) as error:
        # pip trusts certificates of its own, which this Python may not know
        return "CERTIFICATE_VERIFY_FAILED" in str(error)
