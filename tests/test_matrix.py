"""The matrix of processors: which rows run where, and what its last line says."""

import subprocess
import sys

import pytest

from tests import matrix
from tests.notebooks import code, write

ALL = {"mkl", "onednn"}


def ran(monkeypatch, capsys, level, libraries, red=(), words=""):
    """Return (exit status, printed lines) of a matrix whose rows only pretend to run."""
    monkeypatch.setattr(matrix, "processor", lambda: (level, libraries))
    said = "FAILED lessons/00_a.ipynb::Cell 3 - differs\n1 failed"
    monkeypatch.setattr(matrix, "run_row", lambda row, *_: (row.name not in red, said))
    return matrix.main(words), capsys.readouterr().out.splitlines()


def test_eight_rows_with_three_levels_and_two_thread_counts():
    rows = matrix.rows()
    assert len({row.name for row in rows}) == 8
    seen = {(row.variables.get("ATEN_CPU_CAPABILITY"), row.threads) for row in rows}
    assert seen == {(level, n) for level in matrix.LEVELS for n in (1, 2)} | {(None, 1)}


def test_all_green(monkeypatch, capsys):
    status, lines = ran(monkeypatch, capsys, "avx512", ALL)
    assert (status, lines[-1]) == (0, "8 of 8 green")


@pytest.mark.parametrize(
    "level, libraries, last",
    [
        ("avx2", ALL, "6 of 6 green, skipped: avx512 1-thread, avx512 2-thread"),
        ("avx512", {"mkl"}, "7 of 7 green, skipped: oneDNN SSE4.1"),
    ],
)
def test_rows_that_cannot_run_are_skipped_by_name(monkeypatch, capsys, level, libraries, last):
    status, lines = ran(monkeypatch, capsys, level, libraries)
    assert (status, lines[-1]) == (0, last)


def test_a_red_row_prints_its_cells(monkeypatch, capsys):
    status, lines = ran(monkeypatch, capsys, "avx512", ALL, red=["avx2 2-thread"])
    assert (status, lines[-1]) == (1, "7 of 8 green")
    assert "    FAILED lessons/00_a.ipynb::Cell 3 - differs" in lines


def test_the_environment_reaches_pytest(monkeypatch, tmp_path):
    calls, popen = [], subprocess.Popen

    def start(command, env, **how):
        calls.append((" ".join(command), env["OMP_NUM_THREADS"], env.get("MKL_CBWR")))
        return popen([sys.executable, "-c", ""], **how)

    monkeypatch.setattr(matrix.subprocess, "Popen", start)
    by_name = {row.name: row for row in matrix.rows()}
    for name in ("MKL compatible", "avx2 2-thread"):
        assert matrix.run_row(by_name[name], tmp_path) == (True, "")
    (first, *rest), (second, *other) = calls
    assert "-n 2 --dist loadfile" in first and rest == ["1", "COMPATIBLE"]
    assert "-n 2" not in second and other == ["2", None]


def test_rows_are_chosen_by_the_beginnings_of_their_names(monkeypatch, capsys):
    status, lines = ran(monkeypatch, capsys, "avx512", ALL, words="avx2 , MKL compatible")
    assert (status, lines[-1]) == (0, "3 of 3 green")
    assert [line.split("  ")[0] for line in lines if not line.startswith(" ")][:-1] == [
        "avx2 1-thread",
        "avx2 2-thread",
        "MKL compatible",
    ]


def test_an_unknown_row_is_one_sentence(capsys):
    assert matrix.main("avx2,sse") == 2
    said = capsys.readouterr().err
    assert said.startswith("there is no row 'sse'; give the beginning of one of: default 1-thread,")
    assert len(said.splitlines()) == 1


def test_it_says_at_which_lesson_it_is(tmp_path):
    for name in ("00_a", "03a_b"):
        write(tmp_path / f"{name}.ipynb", code("x = 1"))
    told = []
    passed, output = matrix.run_row(matrix.rows()[0], tmp_path, told.append)
    assert passed, output
    assert sorted(told) == ["00_a", "03a_b"]
