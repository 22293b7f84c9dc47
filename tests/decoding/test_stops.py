"""The text of one row up to its first stop string, and rows that end where it is whole."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from helpers.decoding.generation import generate, stream
from helpers.decoding.grammar import Grammar
from helpers.decoding.stops import RowText
from helpers.languages.language import BOS, EOS, captions
from helpers.languages.tokens import Vocabulary
from helpers.tokenizers.tokenizer import TextStream, Tokenizer, train
from tests.stub_models import Scripted

TEXT = "User: low lower 😀é naïve 日本語 aabab\n"
TRAINED = train(TEXT * 3, 40, special=["<|end|>"])
BYTES = Tokenizer(tuple(bytes([byte]) for byte in range(256)))
MORE = Tokenizer((*BYTES.tokens, b"low", b" low", b"er"))  # "low lower" in three tokens
LOW, _LOW, ER = range(256, 259)
WORDS = Vocabulary.of(captions())
A, LARGE, PLUS, CIRCLE = (WORDS.words.index(word) for word in "a large plus circle".split())

# texts as ids, drawn tokens, and single bytes, so that characters are whole, cut and broken
texts = st.text("abU:\n😀é日本", max_size=6) | st.sampled_from(["User:", "lower", "aabab"])
some_ids = st.lists(
    texts.map(TRAINED.encode)
    | texts.map(lambda text: list(text.encode()))
    | st.lists(st.integers(0, len(TRAINED) - 1), max_size=3),
    max_size=5,
).map(lambda rows: [token for row in rows for token in row])
some_strings = st.lists(
    st.text("abU:\n😀é日本\ufffd", min_size=1, max_size=4)
    | st.sampled_from(["User:", "low", "ser", "<|end|>", "aab"]),
    min_size=1,
    max_size=4,
)


def units(strings, vocabulary=TRAINED):
    return [tuple(vocabulary.text_units(string)) for string in strings]


def shown(ids, strings, vocabulary=TRAINED):
    """What is shown with each id, and at last."""
    row = RowText(vocabulary, units(strings, vocabulary))
    return [row.push(token) for token in ids] + [row.finish()]


def cut(text, strings):
    """The text before the stop string that is whole first, of two that end alike the longer."""
    ends = [(text.find(s) + len(s), -len(s)) for s in strings if s in text]
    return text[: sum(min(ends))] if ends else text


def whole(ids):
    """The text that is certain by now: whole characters, and bytes that can be none."""
    stream = TextStream(TRAINED)
    return "".join(stream.push(token) for token in ids)


# ---- the text of a row --------------------------------------------------------------------------


@given(some_ids, some_strings)
def test_the_pieces_joined_are_the_decoded_text_cut_before_the_stop(ids, strings):
    assert "".join(shown(ids, strings)) == cut(TRAINED.decode(ids), strings)
    assert "".join(shown(ids, [])) == TRAINED.decode(ids)


@given(some_ids, some_strings)
def test_only_the_beginning_of_a_stop_string_is_held_back_and_all_of_it(ids, strings):
    row, given_out = RowText(TRAINED, units(strings)), ""
    for n in range(1, len(ids) + 1):
        given_out += row.push(ids[n - 1])
        text = whole(ids[:n])
        assert row.stopped == any(string in text for string in strings)
        assert text.startswith(given_out)
        if row.stopped:
            assert given_out == cut(text, strings)
            continue
        held = text[len(given_out) :]
        beginnings = {string[:k] for string in strings for k in range(1, len(string))}
        assert held == max((b for b in beginnings if text.endswith(b)), key=len, default="")


def test_a_stop_string_is_found_wherever_it_stands():
    low = [LOW, _LOW, ER]
    assert shown(low, ["w l"], MORE) == ["lo", "", "", ""]  # from inside one token into the next
    assert shown(low, ["ow"], MORE) == ["l", "", "", ""]  # inside a token
    assert shown(low, ["r"], MORE) == ["low", " low", "e", ""]  # at the end of the last
    assert shown(low, ["wer"], MORE) == ["lo", "w lo", "", ""]  # what waited for one was none
    assert shown(low, ["lowest"], MORE) == ["", "low ", "lower", ""]
    assert shown(low[:2], ["lowest"], MORE) == ["", "low ", "low"]
    smile = list("é😀!".encode())
    assert shown(smile, ["😀"]) == ["", "é", "", "", "", "", "", ""]
    assert shown(smile, ["é!", "😁"]) == ["", "", "", "", "", "é😀", "!", ""]
    assert shown(smile[:4], ["😀"]) == ["", "é", "", "", "\ufffd"]  # half of it is not it


def test_the_stop_string_that_is_whole_first_ends_the_text():
    assert "".join(shown(BYTES.encode("abcde"), ["bcd", "c"], BYTES)) == "ab"
    assert "".join(shown(BYTES.encode("abcde"), ["c", "bc"], BYTES)) == "a"
    assert "".join(shown(BYTES.encode("aabaabaaac"), ["aabaaac"], BYTES)) == "aab"


def test_a_special_token_is_text_like_any_other():
    ids = [*TRAINED.encode("low"), TRAINED.special["<|end|>"], *TRAINED.encode("er")]
    assert "".join(shown(ids, ["<|end|>"])) == "low"
    assert "".join(shown(ids, ["w<"])) == "lo"
    assert "".join(shown(ids, ["lower"])) == "low<|end|>er"


word_ids = st.lists(st.integers(0, 6), max_size=9)
word_stops = st.lists(st.lists(st.integers(3, 6), min_size=1, max_size=3), min_size=1, max_size=3)


@given(word_ids, word_stops)
def test_words_are_matched_whole_and_special_words_part_them(ids, stops):
    ends = [
        (n, -len(stop)) for stop in stops for n in range(len(ids) + 1)
        if n >= len(stop) and ids[n - len(stop) : n] == stop
    ]  # fmt: skip
    kept = ids[: sum(min(ends))] if ends else ids
    strings = [WORDS.decode(stop) for stop in stops]
    assert "".join(shown(ids, strings, WORDS)) == WORDS.decode(kept)


def test_words_come_with_the_space_that_parts_them():
    assert shown([BOS, A, LARGE, PLUS], [], WORDS) == ["", "a", " large", " plus", ""]
    assert shown([A, LARGE, PLUS], ["large plus"], WORDS) == ["a", "", "", ""]
    assert shown([A, LARGE, EOS, PLUS], ["large plus"], WORDS) == ["a", "", " large", " plus", ""]
    assert shown([LARGE], ["large plus"], WORDS) == ["", "large"]


# ---- rows of a batch ----------------------------------------------------------------------------

batches = st.lists(
    some_ids.map(lambda ids: (ids + [ord("x")] * 8)[:8]), min_size=1, max_size=3
)  # fmt: skip


def say(scripts, strings, *, limit=8, stop_ids=None, vocabulary=TRAINED, **options):
    model = Scripted(scripts, vocab_size=len(vocabulary))
    tokens = torch.full((len(scripts), 1), BOS)
    return generate(
        model, tokens, max_new_tokens=limit, temperature=0, stop_strings=strings,
        vocabulary=vocabulary, stop_ids=stop_ids, **options,
    )  # fmt: skip


@given(
    batches, some_strings, st.none() | st.sets(st.integers(96, 99), min_size=1), st.integers(1, 8)
)
def test_a_row_ends_in_the_step_in_which_its_text_holds_a_stop_string(scripts, strings, ids, limit):
    got = say(scripts, strings, limit=limit, stop_ids=ids)
    for row, reason, script in zip(got.rows(), got.reasons, scripts, strict=True):
        ends = [
            n for n in range(1, limit + 1)
            if script[n - 1] in (ids or ()) or any(s in whole(script[:n]) for s in strings)
        ]  # fmt: skip
        assert row == script[: min([*ends, limit])]
        assert reason == ("stop" if ends else "length")
        alone = say([script], strings, limit=limit, stop_ids=ids)
        assert alone.rows() == [row] and alone.reasons == (reason,)


def test_a_stop_string_ends_its_own_row_only_and_never_with_the_prompt():
    low, smile = [LOW, _LOW, ER, ER, ER], list("😀x".encode())
    got = say([low, smile], ["w l", "😀"], limit=5, vocabulary=MORE)
    assert got.rows() == [low[:2], smile[:4]]
    assert got.reasons == ("stop", "stop")
    assert say([[ord("b")] * 2], [chr(BOS) + "b"], limit=2).reasons == ("length",)


def test_padding_behind_the_end_of_a_row_is_no_text():
    got = say([[EOS, 0, 0], [97, 98, 97]], ["aa"], limit=3, stop_ids=[EOS], pad_id=97)
    assert got.lengths.tolist() == [1, 3]
    assert got.reasons == ("stop", "length")


# ---- refusals -----------------------------------------------------------------------------------

BAD = [
    ({"stop_strings": []}, ValueError, "stop_strings is empty; give at least one, or None"),
    ({"stop_strings": "ab"}, TypeError, "stop_strings is 'ab'; give a list of strings"),
    ({"stop_strings": ["a", 10]}, TypeError, "stop_strings holds 10; give strings"),
    ({"stop_strings": ["a", ""]}, ValueError, "stop string '' has no word or character; it would"),
    ({"stop_strings": ["\ud83d"]}, ValueError, "can never come: .*half of a surrogate pair"),
    ({"vocabulary": None}, ValueError, "stop_strings needs vocabulary=, the model's Vocabulary"),
    ({"vocabulary": BYTES}, ValueError, "vocabulary has 256 words or tokens, the model 2"),
    ({"vocabulary": ["a"] * len(TRAINED)}, TypeError, "give a Vocabulary or a Tokenizer"),
    ({"grammar": Grammar.of_texts([[97, EOS]])}, ValueError, "so could characters; give stop_ids"),
]


@pytest.mark.parametrize(("options", "error", "words"), BAD)
def test_bad_stop_strings_of_a_tokenizer_are_named_before_the_first_pass(options, error, words):
    model = Scripted([[7] * 9], vocab_size=len(TRAINED))
    options = {"stop_strings": ["a"], "vocabulary": TRAINED, **options}
    with pytest.raises(error, match=words):
        stream(model, torch.tensor([[BOS]]), **options)
    assert model.forwards == 0


def test_a_space_is_a_stop_string_of_a_tokenizer_but_not_of_words():
    got = say([[LOW, _LOW, ER]], [" "], limit=3, vocabulary=MORE)
    assert got.rows() == [[LOW, _LOW]]
    with pytest.raises(ValueError, match="stop string ' ' has no word"):
        say([[A, CIRCLE]], [" "], vocabulary=WORDS)
