"""The shipped models: what they have learned, and that their files can be trusted."""

import json
import math
import os
from collections import Counter
from dataclasses import asdict, replace
from itertools import islice

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from safetensors import safe_open
from safetensors.torch import save_file

from helpers.decoder.model import Decoder
from helpers.decoder.rotary import Rotary
from helpers.judging.long_recall import questions, share_right
from helpers.languages.language import captions, echo, recall
from helpers.training import pretrained
from helpers.training.batches import shuffled_batches
from helpers.training.loop import cross_entropy, worst_prefix
from helpers.training.pretrained import (
    FOLDER,
    LADDER,
    LADDER_SEEDS,
    RECIPES,
    Recipe,
    load,
    main,
    recipe_of,
    save_model,
)
from helpers.weights.by_name import own_weights

NEAR = 0.005  # what counts as "at" a floor, in nats a token


def loss(name):
    return cross_entropy(load(name), RECIPES[name].build_language())


# ---- what they have learned, with the part and without it ---------------------------------------


def test_captions_are_learned_with_attention_or_positions_and_not_without_both():
    floor = captions().floor
    for name in ("captions", "captions_no_attention", "captions_no_positions"):
        assert floor < loss(name) < floor + NEAR, name
    # with neither, only the current token is known: the floor for one token of context
    one_token = captions().best_loss(1)
    assert f"{one_token:.6f}" == "0.532480"
    assert one_token < loss("captions_neither") < one_token + NEAR
    assert one_token > floor + 0.2


def test_echo_is_learned_with_attention_and_not_without():
    floor = echo().floor
    for name in ("echo", "echo_no_positions"):
        assert floor < loss(name) < floor + NEAR, name
    # position and current token do not tell the last word: it costs a coin, ln 2 in 9 tokens
    blind = echo().best_loss(1, position=True)
    assert blind == pytest.approx(floor + math.log(2) / 9, abs=1e-12)
    assert blind < loss("echo_no_attention") < blind + NEAR


def test_recall_is_learned_with_two_blocks_and_not_with_one_nor_without_attention():
    floor = recall().floor
    assert floor < loss("recall_two_blocks") < floor + NEAR
    assert loss("recall_one_block") > floor + 0.02
    blind = recall().best_loss(1, position=True)
    assert blind < loss("recall_two_blocks_no_attention") < blind + NEAR
    assert blind > floor + 0.1


def test_the_ladder_to_llama_is_learned_from_the_second_rung_on_but_for_unlucky_seeds():
    floor, last = recall().floor, len(LADDER) - 1
    for seed in LADDER_SEEDS:
        assert loss(f"ladder_0_seed_{seed}") > floor + 0.01
        assert loss(f"ladder_one_block_seed_{seed}") > floor + 0.01
    for rung in range(1, last + 1):
        losses = [loss(f"ladder_{rung}_seed_{seed}") for seed in LADDER_SEEDS]
        assert min(losses) > floor
        assert sum(value < floor + 0.002 for value in losses) >= 2, rung
    assert RECIPES[f"ladder_{last}_seed_0"].config().tied_head


def test_the_shipped_captions_model_knows_the_law_at_every_prefix():
    assert worst_prefix(load("captions"), captions()) <= 0.08
    sample = captions().sample_law(RECIPES["captions"].rows())
    assert worst_prefix(load("captions"), sample) <= 0.03


LENGTHS = [name for name in RECIPES if name.startswith("lengths_")]


@pytest.mark.parametrize("name", LENGTHS)
def test_the_models_of_lessons_14_and_15_answer_what_they_were_taught(name):
    for objects in (2, 3):
        assert share_right(load(name), questions(objects, 200)) > 0.9, objects


def test_the_models_of_lessons_14_and_15_differ_in_positions_and_seed_alone():
    plain = {name: replace(RECIPES[name], shape={}, seed=0) for name in LENGTHS}
    assert len({str(recipe) for recipe in plain.values()}) == 1
    shapes = [RECIPES[name].config() for name in LENGTHS]
    same = {str(replace(c, positions="none", relative_reach=None, rotary=Rotary())) for c in shapes}
    assert len(same) == 1
    assert len({(str(RECIPES[name].shape), RECIPES[name].seed) for name in LENGTHS}) == len(LENGTHS)


def test_the_first_steps_see_the_shortest_sentences_only():
    recipe = Recipe("recall_2_3", batch_size=96, first_steps=3)
    lengths = [set(b.token_mask.sum(dim=1).tolist()) for b in islice(recipe.batches(), 8)]
    assert lengths == [{13}] * 3 + [{13, 17}] * 5
    # and without them, it is what it was before there were such steps
    plain = Recipe("echo", seed=3)
    expected = shuffled_batches(plain.rows(), 128, seed=3)
    for got, wanted in islice(zip(plain.batches(), expected, strict=False), 3):
        assert torch.equal(got.tokens, wanted.tokens)


def test_sentences_come_as_often_as_they_are_likely():
    rows = Counter(Recipe("recall_2_3", batch_size=96).rows())
    assert {(len(row), count) for row, count in rows.items()} == {(13, 6), (17, 1)}


# of the ladder only its end: before, another processor's last digits can decide what a seed finds
AGAIN = [name for name in RECIPES if name not in LENGTHS and "ladder" not in name]
AGAIN.append("ladder_7_seed_0")


@pytest.mark.slow
@pytest.mark.parametrize("name", AGAIN)
def test_each_recipe_trained_again_reaches_its_loss(name):
    again = cross_entropy(RECIPES[name].train(), RECIPES[name].build_language())
    assert again == pytest.approx(loss(name), abs=0.003)


# ---- the files ----------------------------------------------------------------------------------


def test_a_file_for_each_recipe_and_no_other():
    assert {path.name for path in FOLDER.iterdir()} == {f"{name}.safetensors" for name in RECIPES}
    assert all(path.stat().st_size < 160_000 for path in FOLDER.iterdir())


@pytest.mark.parametrize("name", RECIPES)
def test_each_file_holds_exactly_the_models_weights_and_the_recipe(name):
    model = Decoder(RECIPES[name].config())
    with safe_open(FOLDER / f"{name}.safetensors", framework="pt") as file:
        shapes = {key: tuple(file.get_tensor(key).shape) for key in file.keys()}
        recipe = Recipe(**json.loads(file.metadata()["recipe"]))
    assert shapes == {key: tuple(value.shape) for key, value in own_weights(model).items()}
    assert recipe == RECIPES[name]
    assert all(value.isfinite().all() for value in load(name).state_dict().values())


def same(first, second):
    first, second = first.state_dict(), second.state_dict()
    return first.keys() == second.keys() and all(torch.equal(first[k], second[k]) for k in first)


@pytest.mark.parametrize("name", RECIPES)
def test_load_gives_back_bit_by_bit_what_was_saved(name, tmp_path):
    model = Decoder(RECIPES[name].config(), seed=5)
    path = save_model(name, model, tmp_path / "a new folder")
    loaded = load(name, tmp_path / "a new folder")
    assert same(loaded, model)
    assert not loaded.training
    assert loaded.config == model.config
    assert path.name == f"{name}.safetensors"
    assert os.listdir(path.parent) == [path.name]
    # and once more: the same weights give the same bytes
    before = path.read_bytes()
    save_model(name, loaded, path.parent)
    assert path.read_bytes() == before


def test_each_load_is_a_model_of_its_own():
    first, second = load("echo"), load("echo")
    first.head.bias.data += 1
    assert not same(first, second)
    assert same(second, load("echo"))


def test_loading_does_not_touch_the_global_generator():
    before = torch.get_rng_state()
    load("echo")
    assert torch.equal(torch.get_rng_state(), before)


# ---- files that cannot be used ------------------------------------------------------------------


@pytest.fixture
def shipped(tmp_path):
    """A folder with a copy of one shipped file."""
    path = tmp_path / "echo.safetensors"
    path.write_bytes((FOLDER / "echo.safetensors").read_bytes())
    return path


AGAIN = "make it with: python -m helpers pretrained --again echo"


def refused(error, folder, *words):
    with pytest.raises(error) as caught:
        load("echo", folder)
    for word in (*words, AGAIN):
        assert word in str(caught.value)


def test_an_unknown_name_lists_the_names_there_are(tmp_path):
    calls = [recipe_of, load, lambda name: save_model(name, Decoder(RECIPES["echo"].config()))]
    for call in calls:
        with pytest.raises(ValueError) as caught:
            call("captoins")
        assert "no model is called 'captoins'" in str(caught.value)
        assert all(name in str(caught.value) for name in RECIPES)


def test_a_missing_file_names_the_command_that_makes_it(tmp_path):
    refused(FileNotFoundError, tmp_path, "echo.safetensors is not in")


@given(st.floats(0, 1, exclude_max=True))
def test_a_truncated_file_is_named_whatever_is_left_of_it(tmp_path_factory, share):
    folder = tmp_path_factory.mktemp("models")
    whole = (FOLDER / "echo.safetensors").read_bytes()
    (folder / "echo.safetensors").write_bytes(whole[: int(share * len(whole))])
    refused(ValueError, folder, "echo.safetensors is damaged")


@pytest.mark.parametrize("content", [b"", b"no such format", b"\xff" * 500, b"{}" * 20])
def test_another_kind_of_file_is_named(shipped, content):
    shipped.write_bytes(content)
    refused(ValueError, shipped.parent, "echo.safetensors is damaged")


def change_file(path, change_weights=lambda weights: weights, metadata=None):
    with safe_open(path, framework="pt") as file:
        weights = {key: file.get_tensor(key) for key in file.keys()}
        metadata = file.metadata() if metadata is None else metadata
    save_file(change_weights(weights), path, metadata=metadata)


@pytest.mark.parametrize(
    "change",
    [
        {"steps": 801},
        {"rate": 0.004},
        {"seed": 1},
        {"language": "captions"},
        {"shape": {"blocks": 2}},
        {"batch_size": 64},
    ],
)
def test_a_file_made_by_another_recipe_is_refused(shipped, change):
    recipe = asdict(RECIPES["echo"]) | change
    change_file(shipped, metadata={"recipe": json.dumps(recipe)})
    refused(ValueError, shipped.parent, "echo.safetensors was made by another recipe")


@pytest.mark.parametrize("metadata", [{}, {"recipe": "null"}, {"recipe": "[]"}, {"made by": "me"}])
def test_a_file_without_a_recipe_is_refused(shipped, metadata):
    change_file(shipped, metadata=metadata)
    refused(ValueError, shipped.parent, "echo.safetensors was made by another recipe")


def test_a_recipe_that_is_no_json_is_damage(shipped):
    change_file(shipped, metadata={"recipe": "{"})
    refused(ValueError, shipped.parent, "echo.safetensors is damaged")


def without(weights, key):
    return {name: value for name, value in weights.items() if name != key}


@pytest.mark.parametrize(
    "change",
    [
        lambda weights: without(weights, "head.bias"),
        lambda weights: weights | {"head.extra": torch.zeros(1)},
        lambda weights: weights | {"head.bias": torch.zeros(3)},
        lambda weights: weights | {"head.bias": weights["head.bias"].half()},
    ],
    ids=["missing", "extra", "other shape", "other dtype"],
)
def test_weights_that_do_not_fit_the_model_are_damage(shipped, change):
    change_file(shipped, change)
    refused(ValueError, shipped.parent, "echo.safetensors is damaged", "head.")


# ---- saving -------------------------------------------------------------------------------------


def test_a_crash_while_writing_leaves_the_old_file(shipped, monkeypatch):
    old = shipped.read_bytes()
    model = Decoder(RECIPES["echo"].config(), seed=9)

    def half_written(path, content):
        with open(path, "wb") as file:
            file.write(content[: len(content) // 2])
        raise OSError("no space left")

    with monkeypatch.context() as patch:
        patch.setattr(type(shipped), "write_bytes", half_written)
        with pytest.raises(OSError, match="no space left"):
            save_model("echo", model, shipped.parent)
    assert shipped.read_bytes() == old
    assert same(load("echo", shipped.parent), load("echo"))
    # what the crash left behind is in nobody's way
    save_model("echo", model, shipped.parent)
    assert same(load("echo", shipped.parent), model)
    assert os.listdir(shipped.parent) == [shipped.name]


def test_a_crash_before_the_swap_leaves_the_old_file(shipped, monkeypatch):
    old = shipped.read_bytes()

    def crash(source, target):
        # the whole new file is there by now, under another name
        assert open(source, "rb").read() != old
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", crash)
    with pytest.raises(KeyboardInterrupt):
        save_model("echo", Decoder(RECIPES["echo"].config(), seed=9), shipped.parent)
    assert shipped.read_bytes() == old


def test_a_model_of_another_shape_is_not_saved_under_a_recipes_name(shipped):
    old = shipped.read_bytes()
    with pytest.raises(ValueError) as caught:
        save_model("echo", Decoder(RECIPES["captions"].config()), shipped.parent)
    assert "echo" in str(caught.value)
    assert "context=10" in str(caught.value)  # what the recipe says
    assert "context=9" in str(caught.value)  # what was given
    assert shipped.read_bytes() == old


# ---- recipes and the command line ---------------------------------------------------------------


def test_the_caption_model_has_the_size_that_the_lessons_name():
    assert load("captions").parameter_count() == 13_772


@pytest.mark.parametrize("name", RECIPES)
def test_a_recipe_fits_its_language(name):
    recipe = RECIPES[name]
    language, config = recipe.build_language(), recipe.config()
    assert config.vocab_size == language.vocab_size
    # the caption data set has rows of 9, one more than the longest caption, and the models of
    # lesson 14 have room for longer texts than they were trained on
    assert config.context == {"captions": 9, "recall_2_3": 68}.get(
        recipe.language, language.longest
    )
    assert config.dropout == 0
    assert len(recipe.rows()) >= recipe.batch_size
    assert set(recipe.rows()) <= set(language.sentences)


def test_a_recipe_decides_the_model_to_the_last_bit():
    recipe = Recipe("echo", {"width": 8, "heads": 2}, steps=3, batch_size=8)
    assert same(recipe.train(), recipe.train())
    assert not same(recipe.train(), Recipe(**(asdict(recipe) | {"seed": 1})).train())


@pytest.fixture
def short_recipes(tmp_path, monkeypatch):
    """The command line with two quick recipes and an empty folder."""
    monkeypatch.setattr(pretrained, "FOLDER", tmp_path)
    for name in ("echo", "captions"):
        recipe = Recipe(name, {"width": 8, "heads": 2}, steps=2, batch_size=8)
        monkeypatch.setitem(RECIPES, name, recipe)
    for name in set(RECIPES) - {"echo", "captions"}:
        monkeypatch.delitem(RECIPES, name)
    return tmp_path


def test_the_command_makes_what_is_missing_and_no_more(short_recipes, capsys):
    assert main(["echo"]) == 0
    assert "echo: " in capsys.readouterr().out
    made = short_recipes / "echo.safetensors"
    first = made.stat().st_mtime_ns
    assert main([]) == 0
    out = capsys.readouterr().out
    assert "echo: there already" in out
    assert "captions: " in out and "floor 0.2971" in out
    assert made.stat().st_mtime_ns == first
    assert main(["--again", "echo"]) == 0
    assert "there already" not in capsys.readouterr().out
    assert made.stat().st_mtime_ns != first
    assert sorted(path.name for path in short_recipes.iterdir()) == [
        "captions.safetensors",
        "echo.safetensors",
    ]
    load("echo", short_recipes)


def test_the_command_refuses_an_unknown_name_before_it_trains_anything(short_recipes, capsys):
    with pytest.raises(SystemExit) as caught:
        main(["echo", "captoins"])
    assert caught.value.code == 2
    assert "no model is called 'captoins'; there are: " in capsys.readouterr().err
    assert list(short_recipes.iterdir()) == []


def test_weights_that_are_not_finite_are_neither_saved_nor_loaded(tmp_path):
    model = load("echo")
    good = save_model("echo", model, tmp_path).read_bytes()
    with torch.no_grad():
        model.head.bias[0] = torch.nan
    for broken in (model, load("echo").half()):
        with pytest.raises(ValueError, match="save finite float32 weights"):
            save_model("echo", broken, tmp_path)
    assert (tmp_path / "echo.safetensors").read_bytes() == good
    damaged = bytearray(good)
    damaged[-400:] = b"\xff" * 400  # in float32 this is NaN
    (tmp_path / "echo.safetensors").write_bytes(damaged)
    with pytest.raises(ValueError, match=r"damaged \(weights .*--again echo"):
        load("echo", tmp_path)


def test_a_folder_that_cannot_be_written_ends_with_a_sentence(short_recipes, monkeypatch, capsys):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    assert main(["echo"]) == 1
    assert "echo.safetensors cannot be written" in capsys.readouterr().err
    assert list(short_recipes.iterdir()) == []
