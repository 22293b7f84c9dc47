"""The requirement files, as set-up reads them."""

from helpers.course import requirements


def test_lines_are_read_by_the_name_that_an_index_compares(tmp_path):
    (tmp_path / "r.txt").write_text("# words\ntorch==2.13.0  # tensors\nPsycopg_X[binary]==3.3.9\n")
    assert requirements.pins(str(tmp_path / "r.txt")) == {
        "torch": "torch==2.13.0",
        "psycopg-x": "Psycopg_X[binary]==3.3.9",
    }


def test_a_build_of_a_version_is_that_version_and_no_other():
    assert requirements.same("2.13.0+cpu", "torch==2.13.0")
    assert not requirements.same("2.13.1", "torch==2.13.0")
    assert not requirements.same("", "torch==2.13.0")
