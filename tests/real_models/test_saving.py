"""Folders that we write: the transformers library opens them and says the same, and so do we."""

import errno
import json
import os
from dataclasses import replace

import pytest
import torch
import transformers
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from helpers.decoder.config import DecoderConfig
from helpers.decoder.model import Decoder
from helpers.languages.language import echo
from helpers.languages.tokens import Vocabulary
from helpers.real_models import saving
from helpers.real_models.chat import chat_text, load_template
from helpers.real_models.checkpoint import load_folder, load_tokenizer
from helpers.real_models.saving import FILES, save_folder
from helpers.tokenizers.bpe import ONE_DIGIT
from helpers.tokenizers.tokenizer import train
from helpers.training import pretrained
from helpers.weights.by_name import own_weights
from helpers.weights.packed_model import pack
from tests.small_models import shaken, tokens_of
from tests.tiers import examples

TOKENIZER = train(
    "the cat sat on the mat, the rat sat on the cat. 1984 cats! " * 3,
    20,
    special=["<|start|>", "<|end|>", "<pad>"],
)
V = len(TOKENIZER)
TEMPLATE = """{%- for message in messages %}
    <|start|>{{ message.role }}
{{ message.content | trim }}<|end|>
{% endfor %}
{% if add_generation_prompt %}<|start|>assistant
{% endif %}"""
TURNS = [
    {"role": "user", "content": " is 1 < 2 & 'so'? "},
    {"role": "assistant", "content": "Yes.\n"},
    {"role": "user", "content": "é\n\nüüü"},
]
TEXTS = [
    "",
    "the cat sat on 1984 mats",
    "<|start|>user\nhi<|end|>",
    "é \U0001f600  \n\n x",
    "  the ",
]
LLAMA = {
    "vocab_size": V, "context": 24, "width": 24, "blocks": 2, "pad_id": None, "heads": 4,
    "positions": "rotary", "norm": "rms", "norm_placement": "pre", "final_norm": True,
    "feed_forward": "swiglu", "hidden": 20, "head_bias": False,
    "qkv_bias": False, "output_bias": False, "feed_forward_bias": False,
}  # fmt: skip


def model_of(seed=0, **changes):
    """A model of Llama's kind whose norms and biases are away from their beginning."""
    return shaken(Decoder(DecoderConfig(**LLAMA | changes), seed=seed)).eval()


def opened(folder):
    """The library's model of a folder."""
    return transformers.AutoModelForCausalLM.from_pretrained(folder).eval()


@torch.no_grad()
def gap(model, folder, length=20):
    """The largest difference of logits, and whether the library's was loaded whole."""
    tokens = tokens_of(2, length, vocab_size=model.config.vocab_size)
    theirs, notes = transformers.AutoModelForCausalLM.from_pretrained(
        folder, output_loading_info=True
    )
    assert not any(notes.values()), notes
    return float((theirs.eval()(tokens).logits - model(tokens)).abs().max())


# ---- the model ----------------------------------------------------------------------------------

ROTARY = st.one_of(
    st.builds(dict, base=st.sampled_from([50.0, 10_000.0, 1e6])),
    st.just({"scaling": "linear", "factor": 3.0}),
    st.just({"scaling": "llama3", "base": 50.0, "factor": 4.0, "original_context": 12,
             "low_turns": 0.5, "high_turns": 3.0}),
    st.builds(
        dict, scaling=st.just("yarn"), base=st.just(100.0), factor=st.sampled_from([1.5, 3.0]),
        original_context=st.just(8), high_turns=st.just(5.0),
        magnitude=st.sampled_from([None, 1.0, 1.3]),
    ),
)  # fmt: skip


@st.composite
def llama_configs(draw):
    """Configurations that Llama or a relative of it can say."""
    heads = draw(st.sampled_from([1, 2, 4, 6]))
    kind = draw(st.sampled_from(["llama", "llama", "mistral", "qwen2", "qwen3"]))
    blocks = draw(st.integers(1, 3))
    width = draw(st.sampled_from([12, 24]))
    changes = {
        "heads": heads,
        "width": width,
        "blocks": blocks,
        "key_value_heads": draw(st.sampled_from([None, 1, heads, max(heads // 2, 1)])),
        "head_width": draw(st.sampled_from([2, 6, 8])),
        "hidden": draw(st.sampled_from([None, 9, 20])),
        "tied_head": draw(st.booleans()),
        "norm_eps": draw(st.sampled_from([1e-5, 1e-6, 0.03])),
        "feed_forward": draw(st.sampled_from(["swiglu", "geglu", "geglu_tanh"])),
        "dropout": draw(st.sampled_from([0.0, 0.2])),
        "rotary": draw(ROTARY) | {"layout": draw(st.sampled_from(["halves", "pairs"]))},
    }
    if not changes["tied_head"]:
        changes["pad_id"] = draw(st.sampled_from([None, 0, 5]))
    bias, window = draw(st.booleans()), draw(st.sampled_from([None, 3, 7]))
    if kind == "llama":
        changes |= {"qkv_bias": bias, "output_bias": bias, "feed_forward_bias": draw(st.booleans())}
    if kind == "mistral":
        changes |= {"window": window, "width": draw(st.sampled_from([width, 10]))}
    if kind in ("qwen2", "qwen3"):
        changes["window"] = tuple(draw(st.sampled_from([None, window])) for _ in range(blocks))
        changes |= {"qkv_bias": True} if kind == "qwen2" else {
            "qkv_bias": bias, "output_bias": bias, "query_key_norm": True,
        }  # fmt: skip
    return changes


@examples(40)
@given(changes=llama_configs(), seed=st.integers(0, 9))
def test_the_library_and_we_open_what_was_saved_with_equal_logits(changes, seed, tmp_path_factory):
    folder = tmp_path_factory.mktemp("saved") / "model"
    model = model_of(seed, **changes)
    save_folder(model, None, None, folder)
    assert gap(model, folder) < 1e-4
    again, tokens = load_folder(folder), tokens_of(2, 20, vocab_size=V)
    if model.config.rotary.layout == "halves":
        assert torch.equal(again(tokens), model(tokens))
    assert torch.allclose(again(tokens), model(tokens), atol=1e-5)


def test_the_files_name_the_family_that_can_say_the_model(tmp_path):
    for number, (changes, family) in enumerate(
        [
            ({}, "llama"),
            ({"window": 5}, "mistral"),
            ({"width": 10}, "mistral"),  # Llama's own class wants C to be a multiple of H
            ({"qkv_bias": True}, "qwen2"),
            ({"window": (5, None)}, "qwen2"),
            ({"query_key_norm": True}, "qwen3"),
        ]
    ):
        if family == "qwen2":
            changes = changes | {"qkv_bias": True}
        model = model_of(head_width=6, **changes)
        save_folder(model, None, None, tmp_path / str(number))
        said = json.loads((tmp_path / str(number) / "config.json").read_text())
        assert said["model_type"] == family
        assert gap(model, tmp_path / str(number)) < 1e-4


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_16_bit_weights_are_written_as_they_are(dtype, tmp_path):
    model = model_of().to(dtype)
    save_folder(model, None, None, tmp_path / "a")
    theirs = opened(tmp_path / "a")
    assert {parameter.dtype for parameter in theirs.parameters()} == {dtype}
    ours = load_folder(tmp_path / "a")
    for name, tensor in own_weights(model).items():
        assert torch.equal(own_weights(ours)[name], tensor.float())


@pytest.mark.parametrize(
    "name", ["ladder_7_seed_0", pytest.param("ladder_one_block_seed_1", id="one block")]
)
def test_a_model_that_this_course_trained_is_opened_by_the_library(name, tmp_path):
    model = pretrained.load(name)
    save_folder(model, None, None, tmp_path / "a")
    assert gap(model, tmp_path / "a", length=model.config.context) < 1e-4


def test_wrapped_and_compiled_models_are_saved_as_the_one_inside(tmp_path):
    model = model_of()
    save_folder(model, None, None, tmp_path / "bare")
    save_folder(nn.DataParallel(torch.compile(model)).cpu(), None, None, tmp_path / "wrapped")
    bare, wrapped = (
        (tmp_path / name / "model.safetensors").read_bytes() for name in ("bare", "wrapped")
    )
    assert bare == wrapped


@pytest.mark.parametrize(
    "changes",
    [
        {"positions": "learned"},
        {"positions": "learned", "head_width": 3},
        {"positions": "alibi"},
        {"attention": False, "positions": "none"},
        {"causal": False},
        {"cross_attention": True},
        {"embedding_scale": 2.0},
        {"embedding_norm": True},
        {"experts": 3, "experts_used": 2},
        {"norm": "layer"},
        {"norm": "one_plus_rms"},
        {"norm_placement": "post"},
        {"norm_placement": "both"},
        {"parallel": True},
        {"final_norm": False},
        {"head_bias": True},
        {"logit_cap": 30.0},
        {"feed_forward": "gelu"},
        {"feed_forward": "relu"},
        {"output_bias": True},
        {"rotary": {"width": 2}},
        {"rotary": {"magnitude": 2.0}},
        {"window": (2, 5), "qkv_bias": True},
        {"feed_forward_bias": True, "window": 4},
        {"query_key_norm": True, "qkv_bias": True},
    ],
    ids=str,
)
def test_what_the_files_cannot_say_is_refused_by_name(changes, tmp_path):
    with pytest.raises(ValueError, match=r"files of Llama's kind cannot say .*") as caught:
        save_folder(model_of(**changes), None, None, tmp_path / "a")
    assert any(f"{name}=" in str(caught.value) for name in changes)
    assert list(tmp_path.iterdir()) == []


def test_no_blocks_are_refused_by_name(tmp_path):
    with pytest.raises(ValueError, match="num_hidden_layers is 0"):
        save_folder(model_of(blocks=0), None, None, tmp_path / "a")


def test_weights_that_are_not_the_models_own_are_refused_by_name(tmp_path):
    model = model_of()
    with pytest.raises(
        ValueError, match=r"blocks\.0\..* is no weight of this model's configuration"
    ):
        save_folder(pack(model_of(width=64, hidden=64), "int8"), None, None, tmp_path / "a")
    with pytest.raises(TypeError, match="the model is a Linear; give a Decoder"):
        save_folder(nn.Linear(2, 2), None, None, tmp_path / "a")
    with pytest.raises(ValueError, match=r"token_embedding\.weight is torch\.float64; give all"):
        save_folder(model_of().double(), None, None, tmp_path / "a")
    model.head.to(torch.bfloat16)
    with pytest.raises(ValueError, match=r"head\.weight is torch\.bfloat16; give all weights one"):
        save_folder(model, None, None, tmp_path / "a")
    model = model_of()
    model.final_norm.weight.data[1] = torch.nan
    with pytest.raises(ValueError, match=r"final_norm\.weight holds NaN or infinity"):
        save_folder(model, None, None, tmp_path / "a")
    assert list(tmp_path.iterdir()) == []


# ---- tokenizer and template ---------------------------------------------------------------------


@pytest.mark.parametrize("pattern", [TOKENIZER.pattern, ONE_DIGIT], ids=["gpt2", "one digit"])
def test_ids_and_conversations_are_the_librarys(pattern, tmp_path):
    tokenizer = replace(TOKENIZER, pattern=pattern)
    folder = save_folder(model_of(), tokenizer, TEMPLATE, tmp_path / "a", stop_ids=[V - 2])
    theirs, ours = transformers.AutoTokenizer.from_pretrained(folder), load_tokenizer(folder)
    for text in TEXTS:
        wanted = tokenizer.encode(text, allow="all")
        assert theirs(text)["input_ids"] == wanted == ours.encode(text, allow="all")
        assert theirs.decode(wanted) == tokenizer.decode(wanted)
        assert ours.encode(text) == tokenizer.encode(text)
    assert load_template(folder) == TEMPLATE
    for prompt in (False, True):
        text = chat_text(TEMPLATE, TURNS, add_generation_prompt=prompt)
        options = {"add_generation_prompt": prompt, "tokenize": False}
        assert theirs.apply_chat_template(TURNS, **options) == text
        ids = theirs.apply_chat_template(TURNS, add_generation_prompt=prompt)["input_ids"]
        assert ids == tokenizer.encode(text, allow="all")
    assert theirs.eos_token == "<|end|>" and len(theirs) == V


def test_the_library_stops_at_our_stop_ids_and_at_no_other(tmp_path):
    model = model_of()
    folder = save_folder(model, TOKENIZER, None, tmp_path / "a")
    prompt = torch.tensor([[5, 9]])
    free = opened(folder).generate(prompt, max_new_tokens=12, do_sample=False, pad_token_id=0)
    assert free.shape == (1, 14)  # Llama's own end, id 2, is none of ours
    stop = int(free[0, 6])
    first = free[0, 2:].tolist().index(stop)
    for stops in ([stop], [stop, V - 1]):
        folder = save_folder(model, TOKENIZER, None, tmp_path / str(stops), stop_ids=stops)
        found = opened(folder).generate(prompt, max_new_tokens=12, do_sample=False, pad_token_id=0)
        assert found[0].tolist() == free[0, : 3 + first].tolist()


@pytest.mark.parametrize(
    "tokenizer, template, error, words",
    [
        (Vocabulary.of(echo()), None, TypeError, "the tokenizer is a Vocabulary; token"),
        (replace(TOKENIZER, pattern=r"\S+|\s+"), None, ValueError, r"by the pattern '\\\\S\+\|"),
        (TOKENIZER, "{% for x in %}", ValueError, "the chat template is no Jinja: line 1"),
        (None, TEMPLATE, ValueError, "a template is given, but no tokenizer"),
        (train("aab " * 9, 3, special=[f"<{i}>" for i in range(60)]), None, ValueError,
         "the tokenizer has 319 tokens, the model rows for 278"),
    ],
)  # fmt: skip
def test_tokenizers_and_templates_that_cannot_be_said_are_refused(
    tokenizer, template, error, words, tmp_path
):
    with pytest.raises(error, match=words):
        save_folder(model_of(), tokenizer, template, tmp_path / "a")
    assert list(tmp_path.iterdir()) == []


# ---- the folder ---------------------------------------------------------------------------------


def contents(folder):
    """What is in a folder, by name."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_a_folder_is_written_whole_or_not_at_all(tmp_path, monkeypatch):
    folder = tmp_path / "deep" / "model"
    written = []

    def full_disk(path, content):
        written.append(path.name)
        if len(written) == 3:
            raise OSError(errno.ENOSPC, "no space left")
        path.write_bytes(content if isinstance(content, bytes) else content.encode())

    monkeypatch.setattr(saving, "write_whole", full_disk)
    with pytest.raises(OSError, match="no space left"):
        save_folder(model_of(), TOKENIZER, TEMPLATE, folder)
    assert list(folder.parent.iterdir()) == []
    monkeypatch.undo()
    save_folder(model_of(), TOKENIZER, TEMPLATE, folder)
    assert set(contents(folder)) == set(FILES) and list(folder.parent.iterdir()) == [folder]


def test_what_is_there_is_replaced_only_if_it_is_ours_and_asked_for(tmp_path):
    folder = tmp_path / "model"
    folder.mkdir()  # an empty one is as good as none
    save_folder(model_of(seed=1), TOKENIZER, None, folder)
    before = contents(folder)
    with pytest.raises(FileExistsError, match=r"model holds config\.json already; .* again=True"):
        save_folder(model_of(seed=2), TOKENIZER, None, folder)
    assert contents(folder) == before
    save_folder(model_of(seed=2), None, None, folder, again=True)
    assert len(contents(folder)) == 3  # nothing of the old one is left
    (folder / "notes.txt").write_text("mine")
    before = contents(folder)
    with pytest.raises(FileExistsError, match=r"model holds notes\.txt already; give another f"):
        save_folder(model_of(), None, None, folder, again=True)
    assert contents(folder) == before
    (tmp_path / "file").write_text("x")
    with pytest.raises(FileExistsError, match="file is a file"):
        save_folder(model_of(), None, None, tmp_path / "file", again=True)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "model"]


def test_a_failed_swap_leaves_the_old_folder(tmp_path, monkeypatch):
    folder = save_folder(model_of(seed=1), None, None, tmp_path / "model")
    before = contents(folder)
    real = os.replace

    calls = []

    def fails_once(source, target):
        calls.append(target)
        if target == folder and calls.count(folder) == 1:
            raise OSError("interrupted")
        real(source, target)

    monkeypatch.setattr(saving.os, "replace", fails_once)
    with pytest.raises(OSError, match="interrupted"):
        save_folder(model_of(seed=2), None, None, folder, again=True)
    assert contents(folder) == before and list(tmp_path.iterdir()) == [folder]
