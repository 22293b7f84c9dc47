"""Each field that the gguf package knows: the library's logits and ids, or refused by its name.

The package's own table says which fields there are. A version with a new one tries it as well, and
it is refused until someone lists it.
"""

import gguf
import pytest
import torch
import transformers

from helpers.real_models.llama_gguf import (
    HARMLESS,
    OFF,
    OTHERS_HARMLESS,
    OTHERS_OFF,
    READ,
    decoder_of_gguf,
)
from helpers.tokenizers import gguf as tokenizer_file
from helpers.tokenizers.gguf import from_gguf, from_gguf_fields
from helpers.weights.gguf_file import GGUF, read_gguf
from tests import gguf_files
from tests.gguf_files import BLOCKS, HIDDEN, D, H, V
from tests.real_models.library_of_gguf import library_model
from tests.small_models import tokens_of

TEXTS = ("lowest new <|end|> newer", "lower<think>low", " low\n\nnew12", "new er")
END = gguf_files.TOKENIZER.special["<|end|>"]


def names_of(table=gguf.constants.Keys):
    """Every name of a field in the package's table; where a part varies, one of its values."""
    for name, value in vars(table).items():
        if isinstance(value, type):
            yield from names_of(value)
        elif isinstance(value, str) and not name.startswith("__"):
            yield value.format(arch="llama", id=0, name="tools", dense="dense_2")


NAMES = sorted(set(names_of()))
MODEL = [name for name in NAMES if not name.startswith("tokenizer.")]
TOKENIZER = [name for name in NAMES if name.startswith("tokenizer.")]


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    """The small file, read."""
    return read_gguf(gguf_files.write(tmp_path_factory.mktemp("gguf") / "small.gguf"))


def logits(model):
    with torch.no_grad():
        return model(tokens_of(2, 9, vocab_size=V)).float()


def changed(file, **fields):
    """The file with other fields under "llama."; None takes one out."""
    there = dict(file.fields) | {f"llama.{n.replace('__', '.')}": v for n, v in fields.items()}
    return GGUF({name: v for name, v in there.items() if v is not None}, file.tensors)


def rope(kind="default", **others):
    return {"rope_parameters": {"rope_type": kind, "rope_theta": 500.0} | others}


LINEAR = rope("linear", factor=4.0)
# each field that is read: what the file says, and what the library's configuration says then,
# or a word of our refusal
CASES = [
    ({"context_length": 20}, {"max_position_embeddings": 20}),
    ({"embedding_length": 32, "attention__key_length": D, "attention__value_length": D},
     "token_embd.weight has shape"),
    ({"block_count": BLOCKS - 1}, "weights have no place"),
    ({"feed_forward_length": HIDDEN - 1}, "ffn_up.weight has shape"),
    ({"vocab_size": V - 1}, "token_embd.weight has shape"),
    ({"vocab_size": None}, {}),
    ({"attention__head_count": 2, "attention__head_count_kv": 1, "rope__dimension_count": 2 * D},
     {"num_attention_heads": 2, "num_key_value_heads": 1, "head_dim": 2 * D}),
    ({"attention__head_count_kv": H}, "attn_k.weight has shape"),
    ({"attention__head_count_kv": None}, "attn_k.weight has shape"),
    ({"attention__key_length": D}, {}),
    ({"attention__key_length": D // 2, "rope__dimension_count": None}, "attn_q.weight has shape"),
    ({"attention__value_length": D}, {}),
    ({"attention__value_length": D // 2}, "llama.attention.value_length is 8; a head"),
    ({"attention__layer_norm_rms_epsilon": 0.1}, {"rms_norm_eps": 0.1}),
    ({"rope__dimension_count": D // 2}, "llama.rope.dimension_count is 8; a head"),
    ({"rope__dimension_count": None}, {}),
    ({"rope__freq_base": 77.0}, rope(rope_theta=77.0)),
    ({"rope__freq_base": None}, rope(rope_theta=10_000.0)),
    ({"rope__scale_linear": 4.0}, LINEAR),
    ({"rope__scale_linear": 1.0}, {}),
    ({"rope__scaling__factor": 4.0}, LINEAR),
    ({"rope__scaling__factor": 0.0}, {}),
    ({"rope__scaling__factor": 4.0, "rope__scale_linear": 4.0}, LINEAR),
    ({"rope__scaling__factor": 4.0, "rope__scale_linear": 2.0}, "rope.scale_linear differ; give"),
    ({"rope__scaling__factor": "4"}, "llama.rope.scaling.factor is '4'; it should be of"),
    ({"rope__scaling__type": "linear", "rope__scaling__factor": 4.0}, LINEAR),
    ({"rope__scaling__type": "none", "rope__scaling__factor": 4.0}, {}),
    ({"rope__scaling__type": "yarn", "rope__scaling__factor": 4.0}, "rope.scaling.type is 'yarn'"),
    ({"rope__scaling__type": "longrope"}, "rope.scaling.type is 'longrope'; built here are none"),
]  # fmt: skip


@pytest.mark.parametrize("fields, wanted", CASES, ids=str)
def test_a_field_that_is_read_gives_the_librarys_logits_or_is_refused(plain, fields, wanted):
    file = changed(plain, **fields)
    if isinstance(wanted, str):
        with pytest.raises(ValueError, match=wanted):
            decoder_of_gguf(file)
        return
    ours, theirs = logits(decoder_of_gguf(file)), library_model(plain, **wanted)
    with torch.no_grad():
        assert torch.allclose(ours, theirs(tokens_of(2, 9, vocab_size=V)).logits, atol=1e-5)
    same = torch.allclose(ours, logits(decoder_of_gguf(plain)), atol=1e-5)
    assert same is (wanted == {} or fields == {"context_length": 20})


def test_d11_positions_are_divided_by_the_factor_under_either_name(tmp_path, plain):
    for name in ("llama.rope.scale_linear", "llama.rope.scaling.factor"):
        fields = gguf_files.settings() | {name: ("float32", 4.0)}
        file = read_gguf(gguf_files.write(tmp_path / "a.gguf", fields=fields))
        ours = logits(decoder_of_gguf(file))
        with torch.no_grad():
            wanted = library_model(file, **LINEAR)(tokens_of(2, 9, vocab_size=V)).logits
        assert torch.allclose(ours, wanted, atol=1e-5)
        assert not torch.allclose(ours, logits(decoder_of_gguf(plain)), atol=1e-2)


def test_every_field_that_is_read_is_among_those_cases():
    tried = {name.replace("__", ".") for fields, _ in CASES for name in fields}
    assert tried == set(READ)


@pytest.mark.parametrize("name", [n for n in MODEL if n.removeprefix("llama.") not in READ])
def test_every_other_field_changes_nothing_or_is_refused_by_name(plain, name):
    wanted = logits(decoder_of_gguf(plain))
    off = OFF.get(name.removeprefix("llama."), ()) + OTHERS_OFF.get(name, ())
    harmless = name.removeprefix("llama.") in HARMLESS or name in OTHERS_HARMLESS
    told = harmless or name.startswith(("general.base_model.", "general.dataset."))
    for value in (*off, 3, 0.5, "x", [1, 2], True, False):
        passes = any(value == one and type(value) is type(one) for one in off)
        file = GGUF(dict(plain.fields) | {name: value}, plain.tensors)
        try:
            ours = logits(decoder_of_gguf(file))
        except ValueError as error:
            assert name in str(error) or name == "general.architecture"
            assert not told and not passes
        else:
            assert torch.equal(ours, wanted)
            assert told or passes


def test_only_fields_that_speak_of_the_file_are_let_pass():
    """None of them is a setting of a model; these few are older names, or the reader's own."""
    older = {
        "general.datasets", "general.parameter_count", "general.source.huggingface.repository",
        "GGUF.version", "GGUF.tensor_count", "GGUF.kv_count", "quantize.imatrix.file",
        "quantize.imatrix.dataset", "quantize.imatrix.entries_count",
        "quantize.imatrix.chunks_count",
    }  # fmt: skip
    assert OTHERS_HARMLESS - set(NAMES) == older
    assert {f"llama.{name}" for name in (*HARMLESS, *OFF)} <= set(NAMES)
    firsts = {name.split(".")[0] for name in OTHERS_HARMLESS}
    assert firsts == {"general", "GGUF", "imatrix", "quantize", "split"}


# ---- the tokenizer ------------------------------------------------------------------------------


def with_think(kind=4, text="<think>"):
    """The small file's fields with one more token, of a kind, in place of the last ordinary one."""
    fields = gguf_files.settings()
    tokens, kinds = (list(fields[f"tokenizer.ggml.{part}"][1]) for part in ("tokens", "token_type"))
    tokens[V - 2], kinds[V - 2] = text, kind
    merges = fields["tokenizer.ggml.merges"][1][:-1]
    for part, value in (("tokens", tokens), ("token_type", kinds), ("merges", merges)):
        fields[f"tokenizer.ggml.{part}"] = ("array", value)
    return fields


def library_ids(path):
    library = transformers.AutoTokenizer.from_pretrained(path.parent, gguf_file=path.name)
    return [library.encode(text) for text in TEXTS]


def our_ids(tokenizer):
    return [tokenizer.encode(text, allow="all") for text in TEXTS]


def test_d01_a_token_of_kind_4_comes_out_of_a_text_whole(tmp_path):
    path = gguf_files.write(tmp_path / "a.gguf", fields=with_think())
    tokenizer = from_gguf(path)
    assert our_ids(tokenizer) == library_ids(path)
    assert tokenizer.encode("lower<think>low").count(V - 2) == 1
    assert list(tokenizer.special) == ["<|end|>"]
    ordinary = from_gguf(gguf_files.write(tmp_path / "b.gguf", fields=with_think(1)))
    assert V - 2 not in ordinary.encode("lower<think>low")


def test_d01_a_token_of_kind_4_may_hold_blanks_and_any_script(tmp_path):
    for text in ("two words", "思考"):
        fields = with_think(text=text)
        tokenizer = from_gguf(gguf_files.write(tmp_path / "a.gguf", fields=fields))
        ids = tokenizer.encode(f"a{text}b")
        assert ids == [ord("a"), V - 2, ord("b")] and tokenizer.decode(ids) == f"a{text}b"


@pytest.mark.parametrize("kind", [0, 2, 5, 6, 7])
def test_tokens_of_other_kinds_are_refused(tmp_path, kind):
    path = gguf_files.write(tmp_path / "a.gguf", fields=with_think(kind))
    with pytest.raises(ValueError, match=f"tokenizer.ggml.token_type = {kind} for id {V - 2}"):
        from_gguf(path)


def test_a_token_of_kind_4_that_can_be_read_in_two_ways_is_refused(tmp_path):
    path = gguf_files.write(tmp_path / "a.gguf", fields=with_think(text="éa"))
    with pytest.raises(ValueError, match="has the token 'éa' of kind 4; some read it as char"):
        from_gguf(path)


# the values that are tried, with the kind that the writer needs
VALUES = {
    "tokenizer.ggml.scores": ("array", [float(i) for i in range(V)]),
    "tokenizer.ggml.token_type_count": ("uint32", 2),
    "tokenizer.ggml.precompiled_charsmap": ("array", [1, 2]),
    "tokenizer.huggingface.json": ("string", "{}"),
    "tokenizer.rwkv.world": ("string", "x"),
    "tokenizer.chat_template": ("string", "{{ bos_token }}"),
    "tokenizer.chat_template.tools": ("string", "x"),
    "tokenizer.chat_templates": ("array", ["tools"]),
}


@pytest.mark.parametrize(
    "name", [n for n in TOKENIZER if n.split(".")[-1] not in tokenizer_file.READ]
)
def test_every_field_of_a_tokenizer_gives_the_librarys_ids_or_is_refused(tmp_path, name):
    if name.endswith("_token_id"):
        values = [("uint32", END), ("uint32", 5), ("uint32", V + 1), ("string", "x")]
    elif name in VALUES:
        values = [VALUES[name]]
    else:
        values = [("bool", True), ("bool", False)]
    found = []
    for value in values:
        fields = gguf_files.settings() | {name: value}
        path = gguf_files.write(tmp_path / "a.gguf", fields=fields)
        try:
            ours = our_ids(from_gguf(path))
        except ValueError as error:
            assert name in str(error)
            found.append("refused")
        else:
            assert ours == library_ids(path)
            found.append("equal")
    refused = {"precompiled_charsmap", "json", "world"}
    if name.endswith("_token_id"):
        assert found == ["equal", "refused", "refused", "refused"]
    elif name in VALUES:
        assert found == (["refused"] if name.split(".")[-1] in refused else ["equal"])
    else:
        assert found == ["refused", "equal"]


@pytest.mark.parametrize(
    "part, value",
    [
        ("model", "llama"), ("model", None), ("pre", "llama-bpe"), ("pre", None), ("merges", None),
        ("tokens", None), ("token_type", None), ("merges", ["l o", "l o"]), ("tokens", []),
        ("token_type", [1]), ("new", 1),
    ],
)  # fmt: skip
def test_what_a_tokenizer_is_made_of_is_read_or_refused(plain, part, value):
    fields = dict(plain.fields) | {f"tokenizer.ggml.{part}": value}
    if value is None:  # the library makes merges of its own where there are none
        fields.pop(f"tokenizer.ggml.{part}")
    with pytest.raises(ValueError, match=r"^a\.gguf (holds|is damaged|says)"):
        from_gguf_fields(fields, "a.gguf")
