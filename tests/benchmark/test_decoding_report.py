"""README's tables and the picture are what the record says, and nothing else of README changes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.backends.backend_agg import FigureCanvasAgg

from helpers.benchmark.decoding_report import (
    BEGIN,
    END,
    PICTURE,
    alternative,
    cost_table,
    finding,
    markdown,
    picture,
    points_of,
    save_picture,
    speed_table,
    tables,
    with_tables,
)
from helpers.benchmark.decoding_systems import FILE_BITS, LIBRARY, LLAMA, OURS, STATIC


def row(system, precision, batch, length, speed, load=0.0):
    return {
        "system": system,
        "precision": precision,
        "batch": batch,
        "prompt_tokens": length,
        "new_tokens": 64,
        "tokens_per_second": speed,
        "seconds_to_first_token": length / 400,
        "peak_bytes": 655e6,
        "fraction_of_bandwidth": 0.875,
        "load": load,
    }


def a_record():
    rows = [
        row(OURS, "int4", 1, 64, 100.4),
        row(LIBRARY, "float32", 1, 64, 20.0),
        row(STATIC, "float32", 1, 64, 19.0),
        row(LLAMA, FILE_BITS, 1, 64, 80.0),
        row(OURS, "int4", 1, 512, 90.0),
        row(LIBRARY, "float32", 1, 512, 18.0),
        row(STATIC, "float32", 1, 512, 17.0),
        row(LLAMA, FILE_BITS, 1, 512, 70.0),
        row(OURS, "int4", 8, 64, 400.0, load=0.5),
        row(LIBRARY, "float32", 8, 64, 100.0, load=0.5),
        row(STATIC, "float32", 8, 64, 90.0, load=0.5),
    ]
    fit = {"tokens": 512, "agreement": 0.9961, "kl": 3.2e-4, "perplexity": 13.14}
    quality = [
        {"system": OURS, "precision": "int4", **fit},
        {"system": LIBRARY, "precision": "float32", **fit, "kl": -1e-9, "agreement": 1.0},
        {"system": LLAMA, "precision": FILE_BITS, **fit},
    ]
    machine = {"processor": "a chip", "threads": 2, "torch": "2.13", LIBRARY: "5.24", LLAMA: "0.3"}
    return {
        "machine": machine,
        "bandwidth": 2.4567e10,
        "rows": rows,
        "quality": quality,
        "ratios": {"all in: a / b": 5.017},
    }


def test_the_speed_table_has_a_line_for_every_system_and_a_column_for_every_point():
    assert speed_table(a_record()).splitlines() == [
        "| tokens a second | prompt 64, batch 1 | prompt 64, batch 8 | prompt 512, batch 1 |",
        "| --- | ---: | ---: | ---: |",
        "| ours, int4 | 100 | 400* | 90 |",
        "| transformers, float32 | 20 | 100* | 18 |",
        "| transformers, static cache, float32 | 19 | 90* | 17 |",
        "| llama.cpp, Q4_1 | 80 |  | 70 |",
    ]


def test_the_cost_table_is_of_one_prompt_at_a_time():
    lines = cost_table(a_record()).splitlines()
    assert "first token after 512, s" in lines[0]
    assert lines[2:] == [
        "| ours, int4 | 1.28 | 655 | 88% | 3e-04 | 99.6% | 13.14 |",
        "| transformers, float32 | 1.28 | 655 | 88% | 0 | 100.0% | 13.14 |",
        "| transformers, static cache, float32 | 1.28 | 655 | 88% |  |  |  |",
        "| llama.cpp, Q4_1 | 1.28 | 655 | 88% | 3e-04 | 99.6% | 13.14 |",
    ]
    record = a_record()
    record["rows"][0]["peak_bytes"] = None  # a system that keeps no count
    assert "| ours, int4 | 1.28 |  | 88% |" in cost_table(record)


def test_the_text_says_machine_threads_versions_and_that_the_file_has_4_bits():
    text = tables(a_record())
    assert "a chip with 2 threads, PyTorch 2.13, transformers 5.24, llama.cpp 0.3" in text
    assert "24.6 GB/s" in text and "| all in: a / b | 5.02 |" in text
    assert "itself a 4-bit version of the model: float32 means its numbers written out" in text
    assert "the 63 tokens after the first" in text and "* = more than 30 %" in text
    calm = a_record()
    calm["machine"] |= {"threads": 1}
    del calm["machine"][LLAMA]
    calm["rows"] = [r | {"load": 0.3} for r in calm["rows"]]
    text = tables(calm)
    assert "with 1 thread, PyTorch 2.13, transformers 5.24. Mem" in text and "*" not in text


def test_the_finding_is_of_ours_beside_float32_and_llama_cpp():
    assert finding(a_record()) == (
        "at batch 1 ours in int4 gives 5.0 times the tokens of transformers in float32 and 1.3 "
        "times the tokens of llama.cpp in Q4_1"
    )


# ---- README --------------------------------------------------------------------------------------


TEXT = st.text(max_size=30).filter(lambda text: BEGIN not in text and END not in text)


@given(before=TEXT, old=TEXT, after=TEXT)
def test_only_what_stands_between_the_markers_changes(before, old, after):
    fresh = with_tables(f"{before}{BEGIN}{old}{END}{after}", a_record())
    assert fresh == f"{before}{BEGIN}\n\n{markdown(a_record())}\n\n{END}{after}"
    assert with_tables(fresh, a_record()) == fresh


@pytest.mark.parametrize(
    "readme",
    ["", BEGIN, END, f"{END}\n{BEGIN}", f"{BEGIN}{BEGIN}{END}", f"{BEGIN}{END}{END}"],
    ids=["none", "no end", "no begin", "turned round", "two begins", "two ends"],
)
def test_a_readme_without_its_markers_is_refused(readme):
    with pytest.raises(ValueError, match=r"README.md needs one line '<!-- decoding table -->' and"):
        with_tables(readme, a_record())


# ---- picture -------------------------------------------------------------------------------------


def test_the_picture_has_a_panel_for_each_point_and_a_bar_for_each_row():
    record = a_record()
    figure = picture(record)
    shown = [ax for ax in figure.axes if ax.get_visible()]
    assert len(figure.axes) == 4 and len(shown) == len(points_of(record)) == 3
    for ax in shown:
        batch, length = (int(word.split()[1]) for word in ax.get_title(loc="left").split(", "))
        here = [r for r in record["rows"] if (r["batch"], r["prompt_tokens"]) == (batch, length)]
        assert [bar.get_width() for bar in ax.patches] == [r["tokens_per_second"] for r in here]
        alone = [text for text in ax.texts if "one prompt at a time" in text.get_text()]
        assert len(alone) == 4 - len(here)
        low, high = ax.get_ylim()
        assert low > high  # the first system on top
    labels = [label.get_text() for label in figure.axes[0].get_yticklabels()]
    assert labels[0] == "ours, int4" and labels[-1] == "llama.cpp, Q4_1"
    assert finding(record)[1:] in figure.get_suptitle().replace("\n", " ")


def test_no_word_of_the_picture_is_cut_off():
    figure = picture(a_record())
    renderer = FigureCanvasAgg(figure).get_renderer()
    figure.draw(renderer)
    whole = figure.bbox
    for ax in figure.axes:
        texts = [*ax.texts, *ax.get_yticklabels(), ax.xaxis.label] if ax.get_visible() else []
        for text in filter(lambda text: text.get_text() and text.get_visible(), texts):
            box = text.get_window_extent(renderer)
            assert whole.x0 <= box.x0 and box.x1 <= whole.x1, text
    (title,) = figure.texts
    box = title.get_window_extent(renderer)
    assert whole.x0 <= box.x0 and box.x1 <= whole.x1 and box.y1 <= whole.y1


def test_the_picture_is_written_whole_and_the_same_each_time(tmp_path):
    paths = [tmp_path / name for name in ("a.png", "b.png")]
    for path in paths:
        save_picture(a_record(), path)
    first, second = (path.read_bytes() for path in paths)
    assert first[:8] == b"\x89PNG\r\n\x1a\n" and first == second
    assert sorted(tmp_path.iterdir()) == paths


def test_the_picture_stands_in_the_text_with_words_for_those_who_cannot_see_it():
    last = markdown(a_record()).splitlines()[-1]
    assert last == f"![{alternative(a_record())}]({PICTURE})"
    assert finding(a_record()) in last
