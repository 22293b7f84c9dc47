"""Every key of a config.json: our logits are the library's, or the key is refused by its name.

D06 to D09 stand here by number; then each key of the nine configuration classes, with values that
change something.
"""

from dataclasses import fields

import pytest
import torch

from helpers.real_models.checkpoint import decoder_of
from helpers.real_models.families import FAMILIES
from tests.real_models.every_key import CASES, EQUAL, EVERYWHERE, REFUSED, YARN, base, without
from tests.real_models.library_models import CLASSES, V, model_of, saved

TOLERANCE = 1e-4


@torch.no_grad()
def gap(family, settings, length=20):
    """The largest difference of logits between the library's model of a file and ours."""
    theirs = model_of(family, settings)
    _, weights = saved(theirs)
    tokens = torch.randint(V, (2, length), generator=torch.Generator().manual_seed(1))
    wanted = theirs(tokens)
    wanted = wanted[0] if isinstance(wanted, tuple) else wanted.logits
    ours = decoder_of(settings, weights, family=FAMILIES[family])
    return float((ours(tokens) - wanted).abs().max())


def refusal(family, settings):
    """What is said where a file is refused; None where it is taken."""
    try:
        FAMILIES[family].read_config(settings)
    except ValueError as error:
        return str(error)
    return None


def params():
    """Every case by name; keys that no family reads are tried on two of them in the quick tier."""
    for number, case in enumerate(CASES):
        shared = case.key in EVERYWHERE[EQUAL] and case.family not in ("llama", "gpt2")
        marks = [pytest.mark.thorough] if shared and case.follows == EQUAL else []
        name = f"{case.family}-{case.key}-{case.follows}-{number}"
        yield pytest.param(case, id=name, marks=marks)


@pytest.mark.parametrize("case", params())
def test_each_key_gives_the_librarys_logits_or_is_refused_by_its_name(case):
    said = refusal(case.family, case.settings())
    if case.follows == REFUSED:
        assert said is not None and case.key in said, said
    else:
        assert said is None
        assert gap(case.family, case.settings()) < TOLERANCE


@pytest.mark.parametrize("family", FAMILIES)
def test_no_key_of_the_librarys_class_is_left_out(family):
    config_class = CLASSES[family][0]
    known = {field.name for field in fields(config_class)} | set(config_class.attribute_map)
    known |= set(config_class().to_dict())
    tried = {case.key for case in CASES if case.family == family}
    assert known - tried <= {"rope_parameters"}  # by what stands in it


# ---- the public reports --------------------------------------------------------------------------


def test_rope_scaling_added_by_hand_beside_rope_parameters_is_refused_D06():
    settings = base("qwen3") | {"rope_scaling": without(YARN, "rope_theta")}
    said = refusal("qwen3", settings)
    assert "config.json has rope_scaling {'rope_type': 'yarn'" in said
    assert "beside rope_parameters {" in said and "write all of it into one of them" in said
    whole = settings["rope_parameters"] | settings.pop("rope_scaling")  # as it says
    assert gap("qwen3", settings | {"rope_parameters": whole}) < TOLERANCE


def test_an_original_context_beside_the_rope_dictionary_counts_D07():
    rope = {"rope_type": "llama3", "rope_theta": 10_000.0, "factor": 8.0,
            "low_freq_factor": 1.0, "high_freq_factor": 4.0}  # fmt: skip
    settings = base("llama") | {"max_position_embeddings": 64, "head_dim": 12}
    inside = settings | {"rope_parameters": rope | {"original_max_position_embeddings": 16}}
    beside = settings | {"rope_parameters": rope, "original_max_position_embeddings": 16}
    read = FAMILIES["llama"].read_config
    assert read(beside) == read(inside) and read(beside).rotary.original_context == 16
    assert gap("llama", beside, length=60) < TOLERANCE


@pytest.mark.parametrize("family", ["qwen2", "qwen3"])
def test_a_qwen_window_that_nobody_switched_on_is_none_D08(family):
    settings = base(family) | {"sliding_window": 8, "max_position_embeddings": 64}
    del settings["use_sliding_window"]
    assert FAMILIES[family].read_config(settings).window is None
    assert gap(family, settings, length=60) < TOLERANCE
    switched = settings | {"use_sliding_window": True, "num_hidden_layers": 29}
    del switched["max_window_layers"]  # 28 where nothing is said
    assert FAMILIES[family].read_config(switched).windows == (None,) * 28 + (8,)
    assert gap(family, switched, length=60) < TOLERANCE


def test_mistral_looks_back_4096_tokens_unless_the_file_says_null_D09():
    settings = base("mistral") | {"max_position_embeddings": 5000, "num_hidden_layers": 1}
    del settings["sliding_window"]
    read = FAMILIES["mistral"].read_config
    assert (
        read(settings).window == 4096 and read(settings | {"sliding_window": None}).window is None
    )
    assert gap("mistral", settings, length=4300) < TOLERANCE
    assert gap("mistral", settings | {"sliding_window": None}, length=4300) < TOLERANCE


def test_a_window_one_too_wide_is_seen():
    theirs = model_of("mistral", base("mistral"))
    _, weights = saved(theirs)
    wrong = base("mistral") | {"sliding_window": base("mistral")["sliding_window"] + 1}
    tokens = torch.arange(20)[None]
    with torch.no_grad():
        ours = decoder_of(wrong, weights)
        assert (ours(tokens) - theirs(tokens).logits).abs().max() > 100 * TOLERANCE
