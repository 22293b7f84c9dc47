"""pip, watched: what goes by is told, and each way to fail has its sentence."""

import subprocess
import sys

import pytest

from helpers.course import installing
from helpers.course.installing import Passing, clear_half_installed, remedy_for, watch
from helpers.course.python_version import SetupError


@pytest.mark.parametrize(
    "pip_said, sentence",
    [
        ("OSError: [Errno 28] No space left on device", "The disk is full"),
        ("OSError: [Errno 122] Disk quota exceeded", "The disk is full"),
        ("WARNING: Retrying (Retry(total=4)) ProxyError('Cannot connect to proxy.'", "The proxy"),
        ("SSLError(SSLCertVerificationError(1, '[SSL: CERTIFICATE_VERIFY_FAILED]", "PIP_CERT"),
        ("WARNING: Retrying (Retry(total=4))\nERROR: No matching distribution", "be reached"),
        ("ProtocolError: ('Connection broken: IncompleteRead(10 bytes read)'", "it goes on"),
        ("ERROR: Wheel 'x' located at /tmp/x-1-py3-none-any.whl is invalid.", "it goes on"),
        ("ERROR: No matching distribution found for torch", "no build of that package"),
        ("ERROR: ResolutionImpossible: for help visit", "an environment of its own"),
        ("/x/.venv/bin/python: No module named pip", "delete the folder .venv"),
        ("ModuleNotFoundError: No module named 'pip._internal'", "delete the folder .venv"),
        ("PermissionError: [Errno 13] Permission denied: '/x'", "cannot be written"),
        ("ERROR: something else", "pip failed"),
    ],
)
def test_a_failure_of_pip_names_its_remedy(pip_said, sentence):
    assert sentence in remedy_for(pip_said) and "\n" not in remedy_for(pip_said)


PIP = """
import os, sys, time
temporary, packages = os.environ["TMPDIR"], sys.argv[1]
def said(line, name=None, size=0):
    if name: open(os.path.join(temporary, name), "wb").write(b"x" * size)
    print(line, flush=True); time.sleep(0.5)
os.makedirs(temporary, exist_ok=True)
said("Collecting torch==2.0 (from -r requirements.txt (line 1))")
said("  Downloading torch-2.0.dist.whl.metadata (1 kB)")
said("  Downloading https://x/torch-2.0-py3-none-any.whl (192.3 MB)", "torch", 3_000_000)
said("Processing /wheels/filelock-5-py3-none-any.whl (from torch==2.0)")
said("Installing collected packages: filelock, torch")
os.mkdir(os.path.join(packages, "filelock-5.dist-info")); time.sleep(1)
sys.stderr.write("ERROR: at the end")
"""


def test_every_few_seconds_a_line_tells_packages_bytes_and_what_is_installed(
    tmp_path, monkeypatch, capsys
):
    temporary, packages = tmp_path / "temporary", tmp_path / "packages"
    packages.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    process = subprocess.Popen(
        [sys.executable, "-c", PIP, packages], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert watch(process, Passing(str(temporary), str(packages)), 0.1) == b"ERROR: at the end"
    lines = [line.split(" s: ")[1] for line in capsys.readouterr().out.splitlines()]
    assert "1 packages found, 0 MB fetched" in lines
    assert "1 packages found, 3 MB fetched, now torch-2.0 (192.3 MB)" in lines
    assert "2 packages found, 3 MB fetched, now torch-2.0 (192.3 MB)" in lines
    assert lines[-1] == "1 of 2 packages installed"


def test_c76_cpu_build_comes_from_pytorchs_index(tmp_path, monkeypatch):
    commands = []

    def noted(command, **_):
        commands.append(command)
        raise OSError

    monkeypatch.delenv("TORCH_CPU_INDEX", raising=False)
    monkeypatch.setattr(installing.subprocess, "Popen", noted)
    for build in ("cpu", "default", None):
        with pytest.raises(OSError):
            installing.pip_install("python", ["-r", "x"], build, str(tmp_path / "t"), "packages")
    address = "--extra-index-url https://download.pytorch.org/whl/cpu"
    assert [address in " ".join(command) for command in commands] == [True, False, False]


def test_pip_refuses_to_install_outside_an_environment(tmp_path, capfd):
    base = getattr(sys, "_base_executable", None) or sys.executable
    words = ["--require-virtualenv", "numpy"]
    with pytest.raises(SetupError):
        installing.pip_install(base, words, "default", str(tmp_path / "t"), str(tmp_path))
    assert "virtualenv" in capfd.readouterr().err


def test_an_interruption_ends_pip_and_leaves_no_downloads(tmp_path, monkeypatch):
    started = []
    popen = installing.subprocess.Popen

    def sleeper(command, **named):
        started.append(popen([sys.executable, "-c", "import time; time.sleep(60)"], **named))
        return started[-1]

    def interrupted(process, passing):
        raise KeyboardInterrupt

    monkeypatch.setattr(installing.subprocess, "Popen", sleeper)
    monkeypatch.setattr(installing, "watch", interrupted)
    with pytest.raises(KeyboardInterrupt):
        installing.pip_install("python", [], None, str(tmp_path / "t"), str(tmp_path))
    assert started[0].returncode and not (tmp_path / "t").exists()


def test_what_an_interrupted_pip_left_of_a_package_goes(tmp_path):
    for name in ("whole-1.dist-info", "half-1.dist-info", "whole", "~alf"):
        (tmp_path / name).mkdir()
    (tmp_path / "whole-1.dist-info" / "RECORD").touch()
    assert clear_half_installed(str(tmp_path)) is True
    assert sorted(path.name for path in tmp_path.iterdir()) == ["whole", "whole-1.dist-info"]
    assert clear_half_installed(str(tmp_path)) is False
