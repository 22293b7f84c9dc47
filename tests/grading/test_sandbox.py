"""The sandbox proves itself, and where a part of it is missing, nobody else's work is graded."""

import os
import pickle
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from helpers.exercises import catalog
from helpers.grading import sandbox

ROOT = catalog.ROOT
REAL = sandbox.command
PROVE = """
import sys
from helpers.grading import sandbox
try:
    sandbox.prove(3)
    print("it holds")
except sandbox.NoSandbox as error:
    print(error)
"""


def test_it_holds_here(sandboxed):
    """What is shown skips instead where there is no sandbox at all."""


def altered(monkeypatch, change):
    """Make the sandbox's command another one."""

    def command(slot):
        # a worker that stands apart ends all that it sees: here it might see more than its own
        return change([part for part in REAL(slot) if not part.startswith("--apart-from")])

    monkeypatch.setattr(sandbox, "command", command)


def without(*names):
    return lambda parts: [part for part in parts if part not in names]


def before_programs(*more):
    """Return what adds arguments of bwrap behind its own."""

    def change(parts):
        place = parts.index("--remount-ro")
        return [*parts[:place], *more, *parts[place:]]

    return change


def without_user(parts):
    """Leave out setpriv: the answer runs as root, or with the rights of whoever grades."""
    start = parts.index("setpriv")
    return parts[:start] + parts[parts.index("--", start) + 1 :]


def unlimited(parts):
    return [part for part in parts if not part.startswith("--nproc=")]


TAKEN_AWAY = {
    "network": (without("--unshare-net"), "reach the grader's own machine over the network"),
    "write": (before_programs("--perms", "0777", "--tmpfs", "/dev/shm"), "write in /dev/shm"),
    "hidden": (before_programs("--ro-bind", str(ROOT), str(ROOT)), f"see {ROOT}/tests"),
    "processes": (without("--unshare-pid"), "see the processes of others"),
    "limit": (unlimited, "start more threads than are allowed"),
    "calls": (without(), "start a process"),  # a worker that does not stand apart keeps all calls
}


@pytest.mark.parametrize("part", TAKEN_AWAY)
def test_without_one_of_its_parts_it_refuses_with_the_remedy(sandboxed, monkeypatch, part):
    change, words = TAKEN_AWAY[part]
    altered(monkeypatch, change)
    with pytest.raises(sandbox.NoSandbox) as caught:
        sandbox.prove(3)
    assert f"The sandbox does not hold: an answer can {words}." in str(caught.value)
    assert str(caught.value).endswith(sandbox.REMEDY)


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root gives users away"
)
def test_as_root_it_refuses_without_another_user(sandboxed, monkeypatch):
    altered(monkeypatch, without_user)
    with pytest.raises(sandbox.NoSandbox, match=r"an answer can (become|start|write)"):
        sandbox.prove(3)


def test_a_gradebook_that_can_be_seen_is_named(sandboxed, monkeypatch, tmp_path):
    (tmp_path / "gradebook.db").touch()
    tmp_path.chmod(0o755)
    altered(monkeypatch, before_programs(*sandbox._bound(str(tmp_path))))
    with pytest.raises(sandbox.NoSandbox, match=r"an answer can see .*gradebook.db"):
        sandbox.prove(3, [tmp_path / "gradebook.db"])


@pytest.mark.parametrize("program", ["bwrap", "prlimit"])
def test_without_a_program_on_the_path_it_names_it(monkeypatch, program):
    which = shutil.which
    monkeypatch.setattr(sandbox.sys, "platform", "linux")
    monkeypatch.setattr(
        sandbox.shutil, "which", lambda name: None if name == program else which(name) or name
    )
    with pytest.raises(sandbox.NoSandbox) as caught:
        sandbox.prove(3)
    assert str(caught.value).startswith(f"There is no {program} here. To grade other people's work")
    assert "sudo apt install bubblewrap" in str(caught.value)


def test_on_another_system_it_refuses(monkeypatch):
    monkeypatch.setattr(sandbox.sys, "platform", "win32")
    with pytest.raises(sandbox.NoSandbox, match="use Linux with bubblewrap"):
        sandbox.prove(3)


def test_where_user_namespaces_are_forbidden_it_says_that_it_does_not_start(
    sandboxed, monkeypatch, tmp_path
):
    """As on Ubuntu 24.04: bwrap is there, and fails."""
    script = tmp_path / "bwrap"
    script.write_text(
        "#!/bin/sh\necho 'bwrap: setting up uid map: Permission denied' >&2\nexit 1\n"
    )
    script.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    with pytest.raises(sandbox.NoSandbox, match=r"does not start: .*apparmor_restrict"):
        sandbox.prove(3)


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="the other tests are not root here"
)
def test_a_user_without_rights_has_a_sandbox_or_the_reason(sandboxed):
    """Root cannot hand its Python over where its home is closed, so it shows it to that user."""
    base = Path(os.path.realpath(sys.executable)).parent.parent
    home = Path("/root")
    command = ["bwrap", "--dev-bind", "/", "/"]
    if home in base.parents:
        command += ["--perms", "0755", "--tmpfs", str(home), "--ro-bind", str(base), str(base)]
    command += ["--cap-add", "ALL", "--", "setpriv", "--reuid=65534", "--regid=65534"]
    command += ["--clear-groups", "--inh-caps=-all", "--bounding-set=-all", "--"]
    command += [sys.executable, "-c", PROVE]
    settings = {**os.environ, "HOME": "/", "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(command, env=settings, cwd="/", capture_output=True, text=True)
    if done.returncode and "Permission denied" in done.stderr:
        pytest.skip("the course lies where that user may not read")
    said = done.stdout.strip()
    assert said == "it holds" or said.endswith(sandbox.REMEDY), done.stderr


def test_an_answer_gets_the_modules_that_it_may_import_and_what_they_need():
    process = sandbox.SandboxProcess(3)
    names = [name for name, _ in process.modules(["math", "torch", "helpers.decoder.block"])]
    assert names[-1] == "helpers.decoder.block"
    assert names.index("helpers.decoder.attention") < names.index("helpers.decoder.block")
    assert process.modules(["math", "torch", "helpers.exercises.checks", "tests"]) == []
    for name, source in process.modules(["helpers.decoder.block"]):
        path = ROOT / name.replace(".", "/")
        path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
        assert path.read_text(encoding="utf-8") == source
    assert names.index("helpers.decoder") < names.index("helpers.decoder.attention")  # its door


def test_nothing_of_the_course_but_the_worker_is_shown():
    shown = [
        part for part in REAL(3) if part.startswith(f"{ROOT}/") and not part.startswith(sys.prefix)
    ]
    assert {str(Path(part).relative_to(ROOT)) for part in shown if Path(part).is_file()} == set(
        sandbox.VISIBLE
    )


def test_the_refusal_keeps_its_words_between_processes():
    error = sandbox.NoSandbox("There is no bwrap here.")
    assert str(pickle.loads(pickle.dumps(error))) == str(error)
