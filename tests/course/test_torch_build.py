"""C76: which build of PyTorch is taken, and that an index without an answer is not waited for."""

import os
import socket
import sys
import time

import pytest

from helpers.course import torch_build
from helpers.course.python_version import SetupError
from helpers.course.torch_build import CPU, DEFAULT, choose
from tests.course.small_index import Index, wheel


@pytest.fixture
def machine(monkeypatch):
    """A machine to be told what it has: machine(driver, index, system)."""

    def told(driver, index, system="linux"):
        monkeypatch.setattr(torch_build.sys, "platform", system)
        monkeypatch.setattr(torch_build, "driver_answers", lambda: driver)
        monkeypatch.setattr(torch_build, "index_answers", lambda address: index)

    return told


def test_linux_without_a_driver_takes_the_cpu_build_and_says_its_size(machine):
    machine(driver=False, index=True)
    build, why = choose(None)
    assert build == CPU
    assert why == (
        "No NVIDIA driver answers: taking PyTorch's CPU build, 0.2 GB (TORCH=default takes the "
        "usual one, 2.7 GB)."
    )
    assert choose(DEFAULT) == (DEFAULT, "")
    assert choose(CPU) == (CPU, "")


def test_with_a_driver_the_usual_build_is_taken_unless_asked_otherwise(machine):
    machine(driver=True, index=True)
    assert choose(None)[0] == DEFAULT
    assert choose(CPU) == (CPU, "")


def test_without_the_index_set_up_goes_on_with_the_usual_build_or_refuses_at_once(machine):
    machine(driver=False, index=False)
    build, why = choose(None)
    assert build == DEFAULT and "does not answer: taking the usual build" in why
    with pytest.raises(SetupError, match=r"TORCH=default") as caught:
        choose(CPU)
    assert "\n" not in str(caught.value) and torch_build.CPU_INDEX in str(caught.value)


@pytest.mark.parametrize("system", ["darwin", "win32"])
def test_elsewhere_the_usual_build_is_the_small_one(machine, system):
    machine(driver=False, index=False, system=system)
    assert [choose(asked) for asked in (None, CPU, DEFAULT)] == [(DEFAULT, "")] * 3
    assert [torch_build.meant(asked) for asked in (None, CPU)] == [None, DEFAULT]


def test_an_index_answers_if_it_tells_of_pytorch():
    with Index([wheel("torch", "2.0+cpu")]) as index:
        assert torch_build.index_answers(f"{index.host}/cpu")
    assert not torch_build.index_answers(f"{index.host}/cpu")  # it was closed
    with Index([wheel("numpy", "2.0")]) as index:
        assert not torch_build.index_answers(f"{index.host}/cpu")
    with Index([], portal=b"Welcome to this hotel: log in") as index:
        assert not torch_build.index_answers(f"{index.host}/cpu")
    with Index([wheel("torch", "2.0+cpu")], status=403) as index:
        assert not torch_build.index_answers(f"{index.host}/cpu")


def test_an_index_that_says_nothing_is_left_after_a_few_seconds(monkeypatch):
    monkeypatch.setattr(torch_build, "SECONDS", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        start = time.monotonic()
        assert not torch_build.index_answers(f"http://127.0.0.1:{silent.getsockname()[1]}/cpu")
        assert time.monotonic() - start < 5


def test_an_address_that_takes_long_to_find_is_left_as_well(monkeypatch):
    monkeypatch.setattr(torch_build, "SECONDS", 0.2)
    monkeypatch.setattr(torch_build, "_tells", lambda address: time.sleep(30))
    start = time.monotonic()
    assert not torch_build.index_answers("http://index")
    assert time.monotonic() - start < 5


def test_a_proxy_of_pips_is_used_for_the_question(monkeypatch):
    for name in [name for name in os.environ if "proxy" in name.lower()]:
        monkeypatch.delenv(name)
    with Index([wheel("torch", "2.0+cpu")]) as proxy:
        monkeypatch.setenv("PIP_PROXY", proxy.host)
        torch_build.index_answers("http://download.invalid/cpu")
        assert proxy.asked == ["http://download.invalid/cpu/torch/"]


@pytest.mark.skipif(sys.platform == "win32", reason="the driver is played by a shell script")
@pytest.mark.parametrize(
    "script, answers",
    [
        ("echo 'GPU 0: NVIDIA H200 (UUID: GPU-1)'", True),
        ("echo 'No devices were found'", False),
        ("echo 'NVIDIA-SMI has failed: GPU 0'; exit 9", False),
        ("exec sleep 30", False),
    ],
)
def test_a_driver_is_asked_for_its_gpus(script, answers, tmp_path, monkeypatch):
    command = tmp_path / "nvidia-smi"
    command.write_text(f"#!/bin/sh\n{script}\n")
    command.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setattr(torch_build, "SECONDS", 1)
    assert torch_build.driver_answers() is answers


def test_a_machine_without_the_drivers_command_has_no_driver(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert not torch_build.driver_answers()
