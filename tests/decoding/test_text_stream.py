"""Text as it is made: whole characters, no stop, every row as if it were alone."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from helpers.decoder.config import DecoderConfig
from helpers.decoder.model import Decoder
from helpers.decoding.generation import generate
from helpers.decoding.text_stream import stream_text
from helpers.languages.language import BOS, EOS, captions
from helpers.languages.tokens import Vocabulary, pad_rows
from tests.decoding.test_stops import _LOW, BYTES, ER, LOW, MORE, cut, some_ids, some_strings
from tests.decoding.test_stops import TRAINED as TOKENIZER
from tests.stub_models import Scripted
from tests.tiers import examples

WORDS = Vocabulary.of(captions())
HALF = "😀".encode()[:2]
scripts_of_8 = st.lists(
    some_ids.map(lambda ids: (ids + [ord("x")] * 8)[:8]), min_size=1, max_size=3
)
some_stop_ids = st.none() | st.sets(st.integers(96, 99), min_size=1, max_size=3)


def scripted(scripts, vocabulary=MORE, prompt=1):
    return Scripted(scripts, vocab_size=len(vocabulary), prompt=prompt)


def say(script, vocabulary=MORE, **options):
    """The pieces of one scripted row."""
    options = {"max_new_tokens": len(script), "temperature": 0, "stop_ids": None, **options}
    return list(stream_text(scripted([script], vocabulary), vocabulary, [BOS], **options))


# ---- one row ------------------------------------------------------------------------------------


def test_pieces_come_when_they_are_certain():
    assert say([LOW, _LOW, ER]) == ["low", " low", "er"]
    assert say([LOW, _LOW, ER], stop_strings=["w l"]) == ["lo"]
    assert say([LOW, _LOW, ER], stop_strings=["lowest"]) == ["low ", "lower"]
    assert say([LOW, _LOW], stop_strings=["lowest"]) == ["low low"]  # held back, and is text


def test_half_a_character_is_never_shown_C57():
    assert say(list("😀!".encode())) == ["😀", "!"]
    assert say([ord("a"), *HALF]) == ["a", "\ufffd"]  # it ended there
    assert say([*HALF, EOS, 97], stop_ids=[EOS]) == ["\ufffd"]
    assert say([0xFF, 0x41]) == ["\ufffd", "A"]


def test_stop_tokens_are_not_shown_and_what_waited_for_them_is():
    assert say([LOW, ER, _LOW], stop_ids=[EOS, ER, 97]) == ["low"]
    assert say([_LOW, EOS, LOW], stop_ids=[EOS], stop_strings=["lower"]) == [" ", "low"]
    assert say([EOS, LOW], stop_ids=[EOS]) == []
    # a stop token is no text: it completes no stop string
    assert say([LOW, ER, _LOW], stop_ids=[ER], stop_strings=["lower"]) == ["low"]


@given(scripts_of_8, some_strings, some_stop_ids, st.integers(1, 8))
@examples(200)
def test_the_pieces_joined_are_the_decoded_text_before_the_stop(scripts, strings, ids, limit):
    model = scripted(scripts, TOKENIZER)
    options = {"max_new_tokens": limit, "temperature": 0, "stop_ids": ids}
    pieces = stream_text(model, TOKENIZER, [[BOS]] * len(scripts), stop_strings=strings, **options)
    steps = list(pieces)
    assert all(map(any, steps))  # a step without text is none
    columns = list(zip(*steps, strict=True)) or [()] * len(scripts)
    new = generate(
        scripted(scripts, TOKENIZER), torch.full((len(scripts), 1), BOS), vocabulary=TOKENIZER,
        stop_strings=strings, **options,
    )  # fmt: skip
    assert pieces.reasons == new.reasons
    for row, column in zip(new.rows(), columns, strict=True):
        if row[-1] in (ids or ()):
            row = row[:-1]
        text = "".join(column)
        assert text == cut(TOKENIZER.decode(row), strings)
        assert not any(string in text for string in strings)


def test_words_stream_too():
    script = WORDS.encode("a large plus a circle", bos=False, eos=True)
    assert say(script, WORDS, stop_ids=[EOS]) == ["a", " large", " plus", " a", " circle"]
    assert say(script, WORDS, stop_strings=["large plus", "circle"]) == ["a"]
    assert say(script, WORDS, stop_strings=["  large \n circle"])[:2] == ["a", " large plus"]
    pieces = stream_text(scripted([script], WORDS), WORDS, "", temperature=0)  # <bos> alone
    assert "".join(pieces) == "a large plus a circle"


# ---- a batch ------------------------------------------------------------------------------------


def test_a_batch_gives_a_text_a_row_and_no_step_in_which_all_wait():
    scripts = [[LOW, _LOW, ER, LOW, LOW], list("😀!".encode()), [EOS] * 5]
    pieces = stream_text(
        scripted(scripts), MORE, [[BOS]] * 3, max_new_tokens=5, temperature=0, stop_ids=[EOS],
        stop_strings=["er"],
    )  # fmt: skip
    assert pieces.reasons == (None,) * 3
    assert list(pieces) == [("low", "", ""), (" low", "", ""), ("", "😀", ""), ("", "!", "")]
    assert pieces.reasons == ("stop", "length", "stop")
    assert pieces.report.new_tokens == 3 + 5 + 1


def tiny(vocabulary, **shape):
    shape = {"vocab_size": len(vocabulary), "context": 24, "width": 8, "heads": 2} | shape
    return Decoder(DecoderConfig(**shape), seed=3).eval()


MODEL = tiny(TOKENIZER)
prompts = st.lists(
    st.text("abU:\n😀é日本", min_size=1, max_size=5)
    | st.lists(st.integers(3, len(TOKENIZER) - 1), min_size=1, max_size=9),
    min_size=1, max_size=3,
)  # fmt: skip


@given(prompts, st.sampled_from([0, 1.0]), st.booleans())
@examples(30)
def test_each_row_of_unequal_prompts_is_as_if_it_were_alone(prompts, temperature, cached):
    options = {"max_new_tokens": 4, "temperature": temperature, "stop_strings": ["a", "er"]}

    def cache(rows):
        return {"cache": MODEL.new_cache(rows)} if cached else {}

    together = stream_text(MODEL, TOKENIZER, prompts, seed=5, **options, **cache(len(prompts)))
    columns = list(zip(*together, strict=True)) or [()] * len(prompts)
    for b, (prompt, column) in enumerate(zip(prompts, columns, strict=True)):
        alone = stream_text(MODEL, TOKENIZER, prompt, seed=5 + b, **options, **cache(1))
        pieces = list(alone)
        assert pieces == [piece for piece in column if piece]
        assert alone.reasons == together.reasons[b : b + 1]
        ids = TOKENIZER.encode(prompt) if isinstance(prompt, str) else prompt
        new = generate(
            MODEL, torch.tensor([ids]), seed=5 + b, vocabulary=TOKENIZER, **options
        ).rows()[0]
        ended = new[-1] == EOS
        assert "".join(pieces) == cut(TOKENIZER.decode(new[: len(new) - ended]), ["a", "er"])


def test_the_model_sees_padding_on_the_left_and_none_where_there_is_none():
    model = scripted([[LOW], [LOW]], prompt=2)
    list(stream_text(model, MORE, [[97], "ab"], max_new_tokens=1, temperature=0, pad_id=5))
    ((tokens, mask),) = model.batches
    assert tokens.tolist() == [[5, 97], [97, 98]] and mask.tolist() == [[False, True], [True, True]]
    square = torch.tensor([[97, 98], [99, 97]])
    for whole, rows in ((["ab", "cd"], 2), ("ab", 1), ([97, 98], 1), (square, 2)):
        model = scripted([[LOW]] * rows, prompt=2)
        list(stream_text(model, MORE, whole, max_new_tokens=1, temperature=0))
        assert model.batches[0][1] is None


def test_a_prompt_that_is_text_gives_no_command():
    model = scripted([[LOW]], TOKENIZER, prompt=7)
    list(stream_text(model, TOKENIZER, "<|end|>", max_new_tokens=1, temperature=0))
    assert model.batches[0][0].tolist() == [list(b"<|end|>")]


def test_pieces_are_strings_for_one_prompt_and_tuples_for_a_list():
    options = {"max_new_tokens": 1, "temperature": 0}
    for prompt in ("a", [97], torch.tensor([97])):
        assert list(stream_text(scripted([[LOW]]), MORE, prompt, **options)) == ["low"]
    for prompt in (["a"], [[97]], ("a",), [torch.tensor([97])]):
        assert list(stream_text(scripted([[LOW]]), MORE, prompt, **options)) == [("low",)]


def test_collections_that_can_be_read_once_are_read_once():
    pieces = stream_text(
        scripted([[LOW, _LOW, 97, 98]]), MORE, "a", temperature=0, stop_ids=iter([97]),
        stop_strings=iter(["x", "zz"]), max_new_tokens=4,
    )  # fmt: skip
    assert list(pieces) == ["low", " low"] and pieces.reasons == ("stop",)


# ---- who looks, and what is refused -------------------------------------------------------------


def test_a_pass_is_made_only_when_a_piece_is_asked_for():
    model = scripted([[LOW, _LOW, ER]])
    pieces = stream_text(model, MORE, "a", max_new_tokens=3, temperature=0)
    assert model.forwards == 0 and pieces.report.seconds_to_first_token is None
    assert next(pieces) == "low" and model.forwards == 1
    report = pieces.report
    assert report.new_tokens == 1 and report.seconds_to_first_token > 0
    assert report.tokens_per_second is None
    assert list(pieces) == [" low", "er"] and next(pieces, None) is None
    assert pieces.report.new_tokens == 3 and pieces.report.tokens_per_second > 0


BAD = [
    (5, {}, TypeError, "prompts is 5; give a text, a row of ids, or a list of these"),
    ([], {}, ValueError, "rows is empty; give at least one"),
    ("", {}, ValueError, r"prompts\[0\] has no token; give at least one"),
    (["a", []], {}, ValueError, r"prompts\[1\] has no token"),
    (["a", 5], {}, TypeError, r"prompts\[1\] is 5; give a text or a row of ids"),
    ([97, "a"], {}, TypeError, "rows.0. holds 'a'; give ids"),
    ("a", {"stop_strings": []}, ValueError, "stop_strings is empty"),
    ("a", {"stop_strings": "ab"}, TypeError, "give a list of strings"),
    ("a", {"stop_strings": [""]}, ValueError, "has no word or character"),
    ("a", {"stop_ids": []}, ValueError, "stop_ids is empty; give at least one id, or None"),
    ("a", {"stop_ids": [999]}, ValueError, "stop_ids holds the unknown id 999"),
    ("a" * 30, {"max_new_tokens": 5}, ValueError, "prompt of 30 tokens plus max_new_tokens=5"),
    ("a", {"topk": 5}, TypeError, "'topk' is no control"),
]


@pytest.mark.parametrize(("prompts", "options", "error", "words"), BAD)
def test_bad_arguments_are_refused_before_the_first_pass(prompts, options, error, words):
    model = scripted([[LOW]])
    with pytest.raises(error, match=words):
        stream_text(model, MORE, prompts, **options)
    assert model.forwards == 0


def test_another_models_tokenizer_is_refused():
    with pytest.raises(ValueError, match="vocabulary has 256 words or tokens, the model 259 ids"):
        stream_text(scripted([[LOW]]), BYTES, "a")
    with pytest.raises(TypeError, match="vocabulary is None; give a Vocabulary or a Tokenizer"):
        stream_text(scripted([[LOW]]), None, "a")


def test_padding_is_the_batchs_own():
    with pytest.raises(TypeError, match="token_mask"):
        stream_text(MODEL, TOKENIZER, "a", token_mask=pad_rows([[97]])[1])
