"""Running lessons: their order, failures that name the cell, outputs kept only when asked."""

import os
import re

import nbformat
import pytest

from helpers.course import lesson_runner
from helpers.real_models import model_file
from tests.notebooks import code, error, value, write

RAISING = "from helpers.course import lesson_runner as r\nr.find_lessons(r.Path('x'), ['9'])"


@pytest.fixture(scope="module")
def ran(tmp_path_factory):
    """A folder of lessons run with --save: (folder, exit status, printed lines, bytes before)."""
    folder = tmp_path_factory.mktemp("a course") / "lessons"
    # deliberately in another order than their numbers
    write(folder / "03_slow.ipynb", code("x = 1"), code("while True:\n    pass"))
    write(folder / "02_dead.ipynb", code("import os\nos._exit(1)"), code("x = 1"))
    write(folder / "01_bad.ipynb", code("x = 1"), code("1 / 0", count=None), code("x"))
    good = write(
        folder / "00_good.ipynb",
        code("import os\nprint(os.getcwd())", "old\n", count=7),
        code("3;", outputs=[value("3")]),
        code("3", count=None),
        code(RAISING, tags=["raises-exception"]),
        code("print(1)\nprint(2)"),
    )
    notebook = nbformat.read(good, as_version=4)
    notebook.metadata["widgets"] = {"application/vnd.jupyter.widget-state+json": {"state": {}}}
    notebook.metadata["language_info"] = {"name": "python", "version": "3.11.7"}
    notebook.cells[1].metadata["execution"] = {"iopub.status.busy": "2026-01-01T00:00:00Z"}
    nbformat.write(notebook, good)
    before = {path.stem: path.read_bytes() for path in folder.iterdir()}

    lines = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("builtins.print", lambda *parts, **_: lines.extend(parts))
        status = lesson_runner.run_lessons(lesson_runner.find_lessons(folder, []), True, 4)
    return folder, status, "\n".join(lines), before


def test_lessons_run_in_order_and_the_last_line_counts(ran):
    _, status, printed, _ = ran
    assert status == 1
    assert re.findall(r"^0\d_\w+", printed, re.MULTILINE)[:4] == [
        "00_good",
        "01_bad",
        "02_dead",
        "03_slow",
    ]
    assert re.fullmatch(r"1 of 4 lessons passed in \d+ s", printed.splitlines()[-1])


def test_a_failure_names_the_cell(ran):
    folder, _, printed, _ = ran
    cell = nbformat.read(folder / "01_bad.ipynb", as_version=4).cells[2]
    assert f"cell 2 (id {cell.id}) failed" in printed
    assert "ZeroDivisionError: division by zero" in printed


def test_a_dead_kernel_and_an_endless_cell_are_named_and_the_rest_still_runs(ran):
    _, _, printed, _ = ran
    assert re.search(r"cell 1 \(id \w+\): the kernel died", printed)
    assert re.search(r"cell 2 \(id \w+\) ran longer than 4 s", printed)


def test_a_lesson_that_lacks_something_is_skipped_with_the_reason_and_not_counted(
    tmp_path, monkeypatch, capsys
):
    monkeypatch.setattr(model_file, "problem", lambda: "the file is missing; get it")
    write(tmp_path / "00_any.ipynb", code("x = 1"))
    real = write(tmp_path / "01_real.ipynb", code("1 / 0"))
    notebook = nbformat.read(real, as_version=4)
    notebook.metadata["needs"] = "real-model"
    nbformat.write(notebook, real)
    before = real.read_bytes()
    assert lesson_runner.run_lessons(lesson_runner.find_lessons(tmp_path, []), True) == 0
    printed = capsys.readouterr().out
    assert "skipped: the file is missing; get it" in printed
    assert printed.splitlines()[-1].startswith("1 of 2 lessons passed, 1 skipped in ")
    assert real.read_bytes() == before
    monkeypatch.setattr(model_file, "problem", lambda: "")
    assert lesson_runner.run_lessons([real], False) == 1


def test_only_a_lesson_that_passed_is_written(ran):
    folder, _, _, before = ran
    after = {path.stem: path.read_bytes() for path in folder.iterdir()}
    assert [name for name in sorted(before) if before[name] != after[name]] == ["00_good"]
    assert sorted(after) == sorted(before)  # no temporary file is left


def test_saved_outputs_are_fresh_and_hold_nothing_of_the_machine(ran):
    folder, _, _, before = ran
    notebook = nbformat.read(folder / "00_good.ipynb", as_version=4)
    old = nbformat.reads(before["00_good"].decode(), as_version=4)
    cells = notebook.cells[1:]
    assert [cell.id for cell in notebook.cells] == [cell.id for cell in old.cells]
    assert [cell.execution_count for cell in cells] == [1, 2, 3, 4, 5]
    assert cells[0].outputs[0].text == f"{folder}\n"  # the kernel runs in the lesson's folder
    assert cells[1].outputs == []  # the semicolon hides the value, as in JupyterLab
    assert cells[2].outputs[0].data == {"text/plain": "3"}
    assert cells[2].outputs[0].execution_count == 3
    assert cells[4].outputs == [{"name": "stdout", "output_type": "stream", "text": "1\n2\n"}]
    assert notebook.metadata == {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    assert cells[0].metadata == {}


def test_a_saved_traceback_has_no_path_of_the_machine(ran):
    folder, _, _, _ = ran
    shown = "\n".join(
        nbformat.read(folder / "00_good.ipynb", as_version=4).cells[4].outputs[0].traceback
    )
    assert "ValueError" in shown
    assert str(lesson_runner.ROOT) not in shown
    assert f"helpers{os.sep}course{os.sep}lesson_runner.py" in shown


@pytest.mark.parametrize("shown", ["{home}/my course/helpers/x.py:3", "~/my course/helpers/x.py:3"])
def test_the_repositorys_path_is_cut_however_it_is_written(tmp_path, shown):
    home = lesson_runner.Path.home()
    path = write(tmp_path / "00_a.ipynb", code("f()", outputs=[error("ValueError", "no")]))
    notebook = nbformat.read(path, as_version=4)
    notebook.cells[1].outputs[0].traceback = [f"File {shown.format(home=home)}, in f()"]
    lesson_runner.clean(notebook, home / "my course")
    assert notebook.cells[1].outputs[0].traceback == ["File helpers/x.py:3, in f()"]


def test_peak_memory_is_the_kernels_own(tmp_path):
    write(tmp_path / "00_small.ipynb", code("x = 1"))
    write(tmp_path / "01_large.ipynb", code("x = bytearray(200_000_000)\ndel x"))
    small, large = (
        lesson_runner.run_lesson(path)[0].peak_bytes
        for path in lesson_runner.find_lessons(tmp_path, [])
    )
    assert 10_000_000 < small < 200_000_000  # what is in memory, not the address space
    assert 190_000_000 < large - small < 210_000_000


def test_lessons_are_found_by_number(tmp_path):
    for name in ("00_a.ipynb", "01_b.ipynb", "01a_d.ipynb", "10_c.ipynb", "notes.md"):
        write(tmp_path / name, code("x = 1"))

    def found(*wanted):
        return [path.name for path in lesson_runner.find_lessons(tmp_path, list(wanted))]

    assert found() == ["00_a.ipynb", "01_b.ipynb", "01a_d.ipynb", "10_c.ipynb"]
    assert found("10", "1") == ["01_b.ipynb", "10_c.ipynb"]
    assert found("lessons/01_b.ipynb") == ["01_b.ipynb"]
    assert found("1a") == found("01a") == found("lessons/01a_d.ipynb") == ["01a_d.ipynb"]
    with pytest.raises(ValueError, match="no lesson '7'; these exist: 00 01 01a 10"):
        found("7")


def test_a_strange_name_among_the_lessons_gives_one_line_and_status_two(
    tmp_path, monkeypatch, capsys
):
    write(tmp_path / "lessons/00_a.ipynb", code("x = 1"))
    write(tmp_path / "lessons/3_x.ipynb", code("x = 1"))
    monkeypatch.setattr(lesson_runner, "ROOT", tmp_path)
    for arguments in ([], ["0"]):
        assert lesson_runner.main(arguments) == 2
        said = capsys.readouterr().err
        assert said.startswith("'3_x.ipynb' in lessons/ is no lesson's name: rename it")
        assert len(said.splitlines()) == 1


def test_an_unknown_number_on_the_command_line(capsys):
    assert lesson_runner.main(["77"]) == 2
    assert "no lesson '77'; these exist:" in capsys.readouterr().err


def test_outputs_are_kept_only_when_asked(tmp_path, capsys):
    path = write(tmp_path / "00_a.ipynb", code("print(1)", "2\n"))
    before = path.read_bytes()
    assert lesson_runner.run_lessons([path], False) == 0
    assert path.read_bytes() == before
    assert lesson_runner.run_lessons([path], True) == 0
    assert path.read_bytes() != before
    once = path.read_bytes()
    assert lesson_runner.run_lessons([path], True) == 0
    assert path.read_bytes() == once  # a second save changes nothing
    assert capsys.readouterr().out.splitlines()[-1].startswith("1 of 1 lessons passed in ")


def test_a_live_control_runs_and_leaves_no_state_behind(tmp_path):
    source = "from ipywidgets import interactive\ninteractive(lambda x: print(x), x=(0, 3))"
    path = write(tmp_path / "00_slider.ipynb", code(source))
    assert lesson_runner.run_lessons([path], True) == 0
    assert "widgets" not in nbformat.read(path, as_version=4).metadata


def test_a_file_that_is_no_notebook_fails_and_the_rest_still_runs(tmp_path, capsys):
    (tmp_path / "00_broken.ipynb").write_text("broken")
    (tmp_path / "01_empty.ipynb").write_text("")
    write(tmp_path / "02_good.ipynb", code("x = 1"))
    paths = lesson_runner.find_lessons(tmp_path, [])
    assert lesson_runner.run_lessons(paths, True, 30) == 1
    said = capsys.readouterr().out
    assert said.count("cannot be read as a notebook") == 2
    assert "1 of 3 lessons passed" in said
    assert (tmp_path / "00_broken.ipynb").read_text() == "broken"
