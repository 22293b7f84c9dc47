"""Words to ids and back, rows in rectangles, and the checks on what a model is given."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from helpers.languages.language import BOS, EOS, PAD, SPECIAL_WORDS, captions, echo, recall
from helpers.languages.tokens import Vocabulary, check_token_mask, check_tokens, pad_rows

LANGUAGES = (captions(), echo(), recall(2))
CAPTIONS = Vocabulary.of(captions())
WORDS = CAPTIONS.words[3:]


# ---- vocabulary ---------------------------------------------------------------------------------


@given(st.lists(st.sampled_from(WORDS), max_size=12), st.booleans(), st.booleans())
def test_decoding_what_was_encoded_gives_the_text_back(words, bos, eos):
    text = " ".join(words)
    ids = CAPTIONS.encode(text, bos=bos, eos=eos)
    assert len(ids) == len(words) + bos + eos
    assert CAPTIONS.decode(ids) == text
    assert CAPTIONS.decode(torch.tensor(ids, dtype=torch.int64)) == text
    shown = ["<bos>"] * bos + words + ["<eos>"] * eos
    assert CAPTIONS.decode(ids, special=True) == " ".join(shown)


@given(st.lists(st.integers(0, len(CAPTIONS) - 1), max_size=12))
def test_special_words_are_hidden_unless_asked_for(ids):
    assert CAPTIONS.decode(ids, special=True).split() == [CAPTIONS.words[i] for i in ids]
    assert CAPTIONS.decode(ids).split() == [CAPTIONS.words[i] for i in ids if i > 2]


def test_every_sentence_of_every_language_makes_the_round_trip():
    for language in LANGUAGES:
        vocabulary = Vocabulary.of(language)
        assert len(vocabulary) == language.vocab_size
        for sentence in language.sentences:
            text = vocabulary.decode(sentence)
            assert text == language.text(sentence)
            assert tuple(vocabulary.encode(text, eos=True)) == sentence


def test_exact_ids():
    assert CAPTIONS.encode("a small") == [1, 3, 9]
    assert CAPTIONS.encode("a small", bos=False, eos=True) == [3, 9, 2]
    assert CAPTIONS.encode("") == [1]
    assert CAPTIONS.encode("  a   small\n") == [1, 3, 9]  # any white space parts words


@given(st.text(alphabet="abcmopstu ", min_size=1).filter(lambda text: text.split()))
def test_every_text_is_encoded_whole_or_refused_by_the_word(text):
    foreign = [word for word in text.split() if word not in WORDS]
    if not foreign:
        assert CAPTIONS.decode(CAPTIONS.encode(text)).split() == text.split()
    else:
        with pytest.raises(ValueError) as error:
            CAPTIONS.encode(text)
        assert repr(foreign[0]) in str(error.value)


def test_unknown_word_is_named_and_the_known_ones_listed():
    with pytest.raises(ValueError, match=r"unknown word 'cat'; the vocabulary holds: a, photo, of"):
        CAPTIONS.encode("a cat")
    with pytest.raises(ValueError, match="unknown word 'Photo'"):
        CAPTIONS.encode("a Photo")


@pytest.mark.parametrize("word", SPECIAL_WORDS)
def test_a_text_cannot_give_special_tokens(word):
    with pytest.raises(ValueError, match=f"the text holds the special word '{word}'.*bos= or eos="):
        CAPTIONS.encode(f"a photo {word} of")


@pytest.mark.parametrize("wrong", [12, 99, -1, -12])
def test_unknown_id_is_named_with_what_is_allowed(wrong):
    with pytest.raises(ValueError, match=f"unknown id {wrong}; allowed are 0 to 11"):
        CAPTIONS.decode([1, 3, wrong])


def test_vocabulary_begins_with_the_special_words_and_holds_each_word_once():
    with pytest.raises(ValueError, match=r"words begin with \('a', 'b', 'c'\), not with"):
        Vocabulary(("a", "b", "c"))
    with pytest.raises(ValueError, match="a word stands twice"):
        Vocabulary((*SPECIAL_WORDS, "a", "a"))


# ---- rows of unequal length in one rectangle ----------------------------------------------------

ROWS = st.lists(st.lists(st.integers(0, 11), min_size=1, max_size=6), min_size=1, max_size=5)


@given(ROWS, st.integers(0, 3), st.sampled_from(["left", "right"]), st.sampled_from([PAD, EOS, 7]))
def test_padded_rows_hold_each_row_on_its_side_and_the_mask_says_where(rows, extra, side, pad_id):
    # rows hold pad ids of their own: only the mask can tell them from padding
    length = max(map(len, rows)) + extra
    tokens, token_mask = pad_rows(rows, length, side, pad_id)
    assert tokens.dtype == torch.int64 and token_mask.dtype == torch.bool
    assert tokens.shape == token_mask.shape == (len(rows), length)
    for row, got, real in zip(rows, tokens.tolist(), token_mask.tolist(), strict=True):
        gap = length - len(row)
        if side == "right":
            assert got == row + [pad_id] * gap
            assert real == [True] * len(row) + [False] * gap
        else:
            assert got == [pad_id] * gap + row
            assert real == [False] * gap + [True] * len(row)


@given(ROWS)
def test_padding_defaults_are_the_longest_row_on_the_right_with_the_pad_id(rows):
    tokens, token_mask = pad_rows(rows)
    wanted_tokens, wanted_mask = pad_rows(rows, max(map(len, rows)), "right", 0)
    assert torch.equal(tokens, wanted_tokens) and torch.equal(token_mask, wanted_mask)


@given(ROWS, st.sampled_from(["left", "right"]))
def test_padded_rows_pass_the_checks_and_come_back_from_the_mask(rows, side):
    tokens, token_mask = pad_rows(rows, 8, side)
    check_tokens(tokens, 12)
    check_token_mask(token_mask, tokens)
    assert [t[m].tolist() for t, m in zip(tokens, token_mask, strict=True)] == rows


def test_padding_an_exact_example():
    tokens, token_mask = pad_rows([[1, 3], [1, 3, 9]], side="left")
    assert tokens.tolist() == [[0, 1, 3], [1, 3, 9]]
    assert token_mask.tolist() == [[False, True, True], [True, True, True]]


@pytest.mark.parametrize(
    "rows, arguments, message",
    [
        ([], {}, "rows is empty; give at least one row"),
        ([[1], []], {}, r"rows\[1\] is empty; every row needs at least one token"),
        ([[1, 2], [1, 2, 3]], {"length": 2}, r"rows\[1\] has 3 tokens, more than length=2"),
        ([[1]], {"side": "middle"}, "side is 'middle'; give 'left' or 'right'"),
    ],
)
def test_impossible_rows_are_refused(rows, arguments, message):
    with pytest.raises(ValueError, match=message):
        pad_rows(rows, **arguments)


# ---- what a model accepts -----------------------------------------------------------------------


def test_good_tokens_come_back_as_the_same_object():
    tokens = torch.tensor([[1, 3], [0, 11]])
    assert check_tokens(tokens, 12) is tokens
    mask = torch.ones_like(tokens, dtype=torch.bool)
    assert check_token_mask(mask, tokens) is mask


@pytest.mark.parametrize(
    "tokens, error, message",
    [
        ([[1, 3]], TypeError, "tokens is list; give a torch tensor of dtype int64"),
        (torch.ones(1, 3), TypeError, "tokens is torch.float32; give .* int64"),
        (torch.ones(1, 3, dtype=torch.int32), TypeError, "tokens is torch.int32"),
        (torch.ones(1, 3, dtype=torch.bool), TypeError, "tokens is torch.bool"),
        (torch.tensor([1, 3]), ValueError, r"tokens has shape \[2\]; give \[B, T\]"),
        (torch.ones(1, 2, 3).long(), ValueError, r"tokens has shape \[1, 2, 3\]"),
        (torch.ones(0, 3).long(), ValueError, "tokens has an empty batch"),
        (torch.ones(2, 0).long(), ValueError, "tokens has empty rows"),
        (
            torch.tensor([[1, 12]]),
            ValueError,
            "tokens holds the unknown id 12; allowed are 0 to 11",
        ),
        (
            torch.tensor([[-1, 3]]),
            ValueError,
            "tokens holds the unknown id -1; allowed are 0 to 11",
        ),
        (torch.tensor([[-100, 3]]), ValueError, "unknown id -100"),
    ],
)
def test_unusable_tokens_are_refused_by_name(tokens, error, message):
    with pytest.raises(error, match=message):
        check_tokens(tokens, 12)


def test_the_argument_is_called_by_the_name_the_caller_uses():
    with pytest.raises(TypeError, match="prompt is list"):
        check_tokens([[1]], 12, name="prompt")
    with pytest.raises(ValueError, match="prompt_mask row 0 has no real token"):
        check_token_mask(torch.tensor([[False]]), torch.tensor([[1]]), name="prompt_mask")


@given(st.integers(1, 30), st.lists(st.integers(-40, 40), min_size=1, max_size=6))
def test_tokens_pass_exactly_when_every_id_is_in_the_vocabulary(vocab_size, ids):
    if all(0 <= token < vocab_size for token in ids):
        check_tokens(torch.tensor([ids]), vocab_size)
    else:
        with pytest.raises(ValueError, match="unknown id"):
            check_tokens(torch.tensor([ids]), vocab_size)


@given(st.lists(st.booleans(), min_size=1, max_size=8))
def test_token_mask_passes_exactly_when_its_real_tokens_are_one_run(row):
    text = "".join("x" if real else " " for real in row)
    tokens, mask = (
        torch.ones(2, len(row), dtype=torch.int64),
        torch.tensor([[True] * len(row), row]),
    )
    if not any(row):
        with pytest.raises(ValueError, match="token_mask row 1 has no real token"):
            check_token_mask(mask, tokens)
    elif " " in text.strip():
        with pytest.raises(ValueError, match="token_mask row 1 has padding between real tokens"):
            check_token_mask(mask, tokens)
    else:
        check_token_mask(mask, tokens)


@pytest.mark.parametrize(
    "mask, error, message",
    [
        ([[True, True]], TypeError, "token_mask is list; give .* bool, True = real token"),
        (torch.ones(1, 2), TypeError, "token_mask is torch.float32; give .* bool"),
        (torch.ones(1, 2).long(), TypeError, "token_mask is torch.int64"),
        (torch.ones(1, 3).bool(), ValueError, r"shape \[1, 3\], the tokens \[1, 2\]"),
        (torch.ones(2).bool(), ValueError, r"shape \[2\], the tokens \[1, 2\]"),
        (torch.ones(2, 2).bool(), ValueError, r"shape \[2, 2\], the tokens \[1, 2\]"),
        (torch.ones(1, 2, device="meta").bool(), ValueError, "on meta, the tokens on cpu"),
    ],
)
def test_unusable_token_masks_are_refused(mask, error, message):
    with pytest.raises(error, match=message):
        check_token_mask(mask, torch.tensor([[1, 3]]))


def test_special_ids_are_the_first_three():
    assert [CAPTIONS.words[i] for i in (PAD, BOS, EOS)] == list(SPECIAL_WORDS)


def test_ids_that_are_no_whole_numbers_are_refused():
    for call in (lambda: pad_rows([[1.7]]), lambda: pad_rows([[1]], pad_id=0.5)):
        with pytest.raises(TypeError):
            call()
    with pytest.raises(TypeError):
        CAPTIONS.decode([3.9])
