"""The record of decoding: equal first, whole or not there, and README has the tables of it."""

import json

import pytest

from helpers.benchmark import decoding, decoding_speed, decoding_systems
from helpers.benchmark.decoding import FILE, README, load_record, main, points_of
from helpers.benchmark.decoding_report import BEGIN, END, markdown
from helpers.benchmark.decoding_speed import GRID, NEW
from helpers.benchmark.decoding_systems import LIBRARY, OURS, STATIC
from helpers.benchmark.measuring import NotEqual
from helpers.weights.formats import FORMATS

SMALL = ((1, 6), (2, 6))
MANY = {"bfloat16": 1e-3, "float16": 1e-3, "int8": 1e-2, "int4": 1e-3}


@pytest.fixture
def command(tmp_path, folder, systems, monkeypatch):
    """The command on the small model, with as many points as wanted."""
    monkeypatch.setattr(decoding_systems, "all_systems", lambda model, path, longest: systems)
    monkeypatch.setattr(decoding_speed, "ARRAY", 1000)
    monkeypatch.setattr(decoding, "TEXT_TOKENS", 20)
    file, readme = tmp_path / "deep" / "decoding.json", tmp_path / "README.md"
    readme.write_text(f"before\n{BEGIN}\n{END}\nafter\n")

    def run(*arguments, grid=SMALL):
        return main([*arguments, "--repeats", "1"], file, readme, folder, grid, new=3)

    run.file, run.readme, run.folder = file, readme, folder
    run.unfinished = file.with_suffix(".unfinished.json")
    return run


@pytest.fixture
def calls(monkeypatch):
    """The points that are measured; the second one is interrupted, once."""
    honest, made = decoding_speed.measure_point, []

    def measured(systems, ids, point, **options):
        made.append(point)
        if len(made) == 2:
            raise KeyboardInterrupt
        return honest(systems, ids, point, **options)

    monkeypatch.setattr(decoding_speed, "measure_point", measured)
    return made


# ---- the record as it is -------------------------------------------------------------------------


def test_the_record_has_every_system_at_its_points():
    record = load_record()
    measured = points_of(record)
    assert measured == set(GRID)
    assert set(record["machine"]) >= {"processor", "cores", "threads", "torch", "transformers"}
    wanted = {(OURS, precision) for precision in FORMATS}
    wanted |= {(name, p) for name in (LIBRARY, STATIC) for p in ("float32", "bfloat16")}
    for point in measured:
        rows = [r for r in record["rows"] if (r["batch"], r["prompt_tokens"]) == point]
        assert {(r["system"], r["precision"]) for r in rows} >= wanted
        assert len({len(r["times"]["first"]) for r in rows}) == 1  # as many turns for all
        for row in rows:
            assert row["new_tokens"] == NEW and 0 <= row["load"] <= 1
            assert all(0 < a < b for a, b in zip(*row["times"].values(), strict=True))


def test_in_the_record_all_were_equal_first_and_shorter_precisions_stayed_close():
    record = load_record()
    assert record["equal"]["largest_gap_of_logits"] <= 1e-3
    assert record["equal"]["new_tokens"] == NEW and record["equal"]["prompts"] >= 4
    rows = {(r["system"], r["precision"]): r for r in record["quality"]}
    plain = rows[LIBRARY, "float32"]["perplexity"]
    for precision, most in MANY.items():
        row = rows[OURS, precision]
        assert row["tokens"] == 512 and row["kl"] <= most and row["agreement"] > 0.9
        assert row["perplexity"] == pytest.approx(plain, rel=0.01)


def test_readme_has_the_tables_of_the_record():
    between = README.read_text(encoding="utf-8").split(BEGIN)[1].split(END)[0]
    assert between.strip() == markdown(load_record())


def test_it_is_recorded_where_readme_shows_it():
    assert FILE.parts[-3:] == ("data", "benchmarks", "decoding.json")
    assert FILE.with_suffix(".png").read_bytes()[:4] == b"\x89PNG"


# ---- the command ---------------------------------------------------------------------------------


def test_the_command_writes_record_picture_and_tables(command, capsys):
    assert command("--again") == 0
    record = load_record(command.file)
    assert points_of(record) == set(SMALL) and len(record["rows"]) == 2 * 9
    assert record["ratios"] == decoding_speed.ratios(record["rows"])
    assert record["equal"]["prompts"] == 2
    text = command.readme.read_text()
    assert text == f"before\n{BEGIN}\n\n{markdown(record)}\n\n{END}\nafter\n"
    names = sorted(path.name for path in command.file.parent.iterdir())
    assert names == ["decoding.json", "decoding.png"]  # and nothing unfinished
    out = capsys.readouterr().out
    assert "1 of 2: batch 1, prompt 6 ......... about" in out and "2 of 2" in out
    assert out.index("the same tokens, and logits within") < out.index("1 of 2")
    assert "written to decoding.json, its picture, and README.md" in out


def test_what_is_there_is_not_measured_again_and_tables_are_made_of_it(command, capsys):
    assert command() == 0
    before, picture = command.file.read_bytes(), command.file.with_suffix(".png")
    command.readme.write_text(f"another\n{BEGIN}old{END}")
    picture.unlink()
    capsys.readouterr()
    assert command() == 0
    assert capsys.readouterr().out == "all 2 points are there; --again measures them anew\n"
    assert command.file.read_bytes() == before and picture.exists()
    wanted = markdown(load_record(command.file))
    assert command.readme.read_text() == f"another\n{BEGIN}\n\n{wanted}\n\n{END}"
    assert command("--again") == 0 and command.file.read_bytes() != before


def test_a_quick_run_prints_one_point_and_writes_nothing(command, capsys):
    readme = command.readme.read_text()
    assert command("--quick") == 0
    out = capsys.readouterr().out
    assert "1 of 1: batch 1, prompt 6" in out and "| ours, int4 |" in out
    assert command.readme.read_text() == readme and not command.file.parent.exists()


def test_an_interrupted_run_keeps_what_it_has_and_goes_on(command, calls, capsys):
    assert command("--again") == 130
    assert "decoding.unfinished.json keeps 1 of 2 points" in capsys.readouterr().err
    assert points_of(load_record(command.unfinished)) == {SMALL[0]}
    assert not command.file.exists() and f"{BEGIN}\n{END}" in command.readme.read_text()
    kept = load_record(command.unfinished)
    assert command("--again") == 0
    assert "going on with decoding.unfinished.json; delete it" in capsys.readouterr().out
    record = load_record(command.file)
    assert calls == [SMALL[0], SMALL[1], SMALL[1]] and points_of(record) == set(SMALL)
    assert record["rows"][:9] == kept["rows"] and record["quality"] == kept["quality"]
    assert not command.unfinished.exists()


def test_a_record_stays_whole_until_all_points_are_measured_again(command, calls):
    assert command("--again", grid=SMALL[:1]) == 0
    before = command.file.read_bytes(), command.readme.read_bytes()
    calls.clear()
    assert command("--again") == 130
    assert (command.file.read_bytes(), command.readme.read_bytes()) == before


def test_what_differs_is_never_timed(command, capsys, monkeypatch):
    def differs(*arguments):
        raise NotEqual("prompt 1: new token 4 of ours is 7, the library's 8; nothing was timed")

    monkeypatch.setattr(decoding.decoding_quality, "check_equal", differs)
    monkeypatch.setattr(decoding_speed, "measure_point", None)  # would fail when called
    assert command("--again") == 1
    assert capsys.readouterr().err.startswith("prompt 1: new token 4 of ours is 7")
    assert not command.file.exists() and not command.unfinished.exists()


def test_without_the_models_file_the_command_says_how_to_get_it(command, capsys):
    for path in command.folder.iterdir():
        path.unlink()
    for arguments in (["--again"], ["--quick"]):
        assert command(*arguments) == 1
        err = capsys.readouterr().err
        assert err.startswith("the real model's file") and "make real-model" in err
        assert len(err.splitlines()) == 1
    assert not command.file.exists()


def test_points_of_another_machine_are_not_mixed(command, calls, capsys, monkeypatch):
    assert command("--again") == 130
    before = command.unfinished.read_bytes()
    monkeypatch.setattr(decoding, "machine", lambda: {"processor": "another"})
    assert command("--again") == 1
    assert "another machine or with other versions" in capsys.readouterr().err
    assert command.unfinished.read_bytes() == before


def test_versions_of_all_systems_belong_to_the_machine(fake_llama, monkeypatch):
    assert decoding.here()["llama.cpp"] == "by llama-cpp-python 0.0.1"
    monkeypatch.setattr(decoding_systems, "llama_cpp", None)
    assert "llama.cpp" not in decoding.here() and "transformers" in decoding.here()


def test_a_readme_without_markers_is_told_before_anything_is_measured(command, capsys):
    command.readme.write_text("no markers")
    assert command("--again") == 1
    assert capsys.readouterr().err.startswith("README.md needs one line")
    command.readme.unlink()
    assert command("--again") == 1
    assert "README.md" in capsys.readouterr().err


def test_a_place_that_cannot_be_written_is_told_before_anything_is_measured(command, capsys):
    command.file.parent.write_text("a file where a folder should be")
    assert command("--again") == 1
    err = capsys.readouterr().err
    assert "could not be written" in err and "the same command goes on" in err


def test_a_full_disk_is_told_and_what_was_measured_stays(command, capsys, monkeypatch):
    honest, written = decoding.write_whole, []

    def full(path, content):
        written.append(path)
        if len(written) == 2:
            raise OSError(28, "No space left on device")
        honest(path, content)

    monkeypatch.setattr(decoding, "write_whole", full)
    assert command("--again") == 1
    assert "No space left on device" in capsys.readouterr().err
    assert points_of(load_record(command.unfinished)) == {SMALL[0]}


def damages():
    whole = {
        "machine": {},
        "bandwidth": 1,
        "equal": {},
        "quality": [{"system": OURS, "precision": "int4", "kl": 0}],
        "rows": [],
        "ratios": {},
    }
    assert json.loads(json.dumps(whole)) == whole
    yield from ("", "{", "[]", "3")
    for name in whole:
        yield json.dumps({key: value for key, value in whole.items() if key != name})
    for name, wrong in (
        ("machine", 3), ("bandwidth", 0), ("bandwidth", "fast"), ("quality", []), ("quality", [3]),
        ("rows", 3), ("rows", [{"system": OURS}]), ("ratios", {"a / b": 100}),
    ):  # fmt: skip
        yield json.dumps(whole | {name: wrong})


@pytest.mark.parametrize("damage", list(damages()))
def test_a_damaged_record_is_refused_with_the_remedy(command, capsys, damage):
    command.file.parent.mkdir()
    for path in (command.file, command.unfinished):
        path.write_text(damage)
        with pytest.raises(ValueError, match=rf"{path.name} is damaged .*helpers decoding --again"):
            load_record(path)
        assert command() == 1
        assert "is damaged" in capsys.readouterr().err and path.read_text() == damage
        path.unlink()
    with pytest.raises(FileNotFoundError, match="python -m helpers decoding --again"):
        load_record(command.file)


@pytest.mark.parametrize(
    "arguments, words",
    [
        (["--repeats", "0"], "--repeats is 0; give 1 or more"),
        (["--repeats", "two"], "argument --repeats: invalid int value: 'two'"),
        (["--quick", "--again"], "argument --again: not allowed with argument --quick"),
        (["fast"], "unrecognized arguments: fast"),
    ],
)
def test_wrong_arguments_are_told_in_a_sentence(tmp_path, capsys, arguments, words):
    with pytest.raises(SystemExit) as stopped:
        main(arguments, tmp_path / "decoding.json", tmp_path / "README.md", tmp_path)
    assert stopped.value.code == 2
    last = capsys.readouterr().err.splitlines()[-1]
    assert last == f"python -m helpers decoding: error: {words}"
    assert not list(tmp_path.iterdir())
