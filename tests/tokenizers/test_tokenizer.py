"""Round trips, special tokens that a text cannot give, and a stream that shows whole characters."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from helpers.tokenizers.bpe import ONE_DIGIT
from helpers.tokenizers.tokenizer import TextStream, Tokenizer, train

TEXT = "low lower lowest new newer newest, 12 times 12; naïve 日本語 日本\n" * 3
END = "<|endoftext|>"
SPECIAL = (END, "<|end|>", "<|end|>x", "<a>")
TRAINED = train(TEXT, 60, special=SPECIAL)
BYTES = Tokenizer(tuple(bytes([byte]) for byte in range(256)))
A_TEXT = st.lists(
    st.one_of(st.text(max_size=8), st.sampled_from([*SPECIAL, "low", "newest", "日本", " "]))
).map("".join)


# ---- there and back -----------------------------------------------------------------------------


@given(A_TEXT)
def test_decoding_what_was_encoded_gives_the_text_back(text):
    for tokenizer in (TRAINED, BYTES):
        ids = tokenizer.encode(text)
        assert tokenizer.decode(ids) == text
        assert tokenizer.to_bytes(ids) == text.encode()
        assert tokenizer.decode(torch.tensor(ids, dtype=torch.int64)) == text
        if tokenizer is TRAINED:
            assert tokenizer.decode(tokenizer.encode(text, allow="all")) == text


@given(A_TEXT)
def test_the_readable_version_gives_the_same_ids(text):
    for allow in ((), "all", ("<|end|>", "<a>")):
        assert TRAINED.encode(text, allow=allow) == TRAINED.encode_readable(text, allow=allow)


def test_exact_ids():
    tokenizer = train("aaabdaaabac", 3)
    assert tokenizer.encode("aaabdaaabac") == [258, 100, 258, 97, 99]
    assert tokenizer.show([258, 100]) == ["aaab", "d"]
    assert BYTES.encode("é!") == [0xC3, 0xA9, 0x21]
    assert len(TRAINED) == 256 + len(TRAINED.merges) + 4


def test_what_is_remembered_is_not_changed_by_the_one_who_asked():
    ids = TRAINED.encode("lowest")
    ids.append(7)
    assert TRAINED.encode("lowest") == ids[:-1]


def test_memory_of_pieces_is_limited(monkeypatch):
    monkeypatch.setattr("helpers.tokenizers.tokenizer._REMEMBERED", 5)
    tokenizer = train("ab ab", 2)
    for number in range(40):
        text = f"w{number} v" + "x" * 99
        assert tokenizer.decode(tokenizer.encode(text)) == text
        assert len(tokenizer._memory) <= 5
        assert all(len(piece) <= 32 for piece in tokenizer._memory)


def test_half_a_surrogate_pair_is_refused_everywhere_alike():
    text = "a\ud83d b"
    for function in (
        BYTES.encode,
        BYTES.encode_readable,
        lambda text: TRAINED.encode(text, allow="all"),
        lambda text: train(text, 3),
        lambda text: train("ab", 3, special=[text]),
    ):
        with pytest.raises(ValueError, match=r"holds U\+D83D at place 1, half of a surrogate pair"):
            function(text)


# ---- special tokens -----------------------------------------------------------------------------


def test_c56_a_text_gives_no_special_token_unless_allowed():
    text = f"a{END}b"
    tokenizer = train("", 0, special=[END])
    assert tokenizer.encode(text) == list(text.encode())
    assert len(tokenizer.encode(END)) == 13
    assert (
        tokenizer.encode(text, allow=[END]) == [97, 256, 98] == tokenizer.encode(text, allow="all")
    )
    for ids in (tokenizer.encode(text), tokenizer.encode(text, allow=[END])):
        assert tokenizer.decode(ids) == text
    assert tokenizer.decode([97, 256, 98], special=False) == "ab"


def test_c56_of_overlapping_special_tokens_the_longest_counts():
    short, long = TRAINED.special["<|end|>"], TRAINED.special["<|end|>x"]
    for allow in ("all", SPECIAL, SPECIAL[::-1]):
        assert TRAINED.encode("<|end|>x<|end|>", allow=allow) == [long, short]
    assert TRAINED.encode("<|end|>x", allow=["<|end|>"]) == [short, ord("x")]


@given(A_TEXT)
def test_c56_ids_of_ordinary_text_are_never_special(text):
    assert not set(TRAINED.encode(text)) & set(TRAINED.special.values())
    allowed = TRAINED.encode(text, allow=["<a>"])
    assert allowed.count(TRAINED.special["<a>"]) == text.count("<a>")
    assert not set(allowed) & {TRAINED.special[name] for name in SPECIAL[:3]}


def test_an_allowed_token_that_is_none_is_named():
    with pytest.raises(ValueError, match=r"'<b>' is no special token; there are: .*<a>"):
        TRAINED.encode("a", allow=["<b>"])
    with pytest.raises(ValueError, match="is no special token; there are: none"):
        BYTES.encode("a", allow=["<b>"])


# ---- a stream -----------------------------------------------------------------------------------


def streamed(ids, tokenizer=BYTES):
    stream = TextStream(tokenizer)
    return [stream.push(token) for token in ids] + [stream.finish()]


def test_c57_a_stream_shows_whole_characters_only():
    assert streamed([0xF0, 0x9F, 0x98, 0x80]) == ["", "", "", "😀", ""]
    assert streamed([0xF0, 0x9F]) == ["", "", "\ufffd"]
    assert streamed([0xFF, 0x41]) == ["\ufffd", "A", ""]
    assert BYTES.decode([0xC3]) == "\ufffd"


@given(st.lists(st.integers(0, len(TRAINED) - 1), max_size=30))
def test_c57_what_a_stream_gives_joined_is_a_decode_at_once(ids):
    assert "".join(streamed(ids, TRAINED)) == TRAINED.decode(ids)
    assert "".join(streamed([i % 256 for i in ids])) == BYTES.decode([i % 256 for i in ids])


@given(A_TEXT)
def test_c57_a_stream_of_a_text_never_shows_a_replacement_character(text):
    assert ("\ufffd" in "".join(streamed(TRAINED.encode(text), TRAINED))) == ("\ufffd" in text)


def test_a_stream_can_leave_special_tokens_out():
    stream = TextStream(TRAINED, special=False)
    ids = TRAINED.encode("a<a>b", allow="all")
    assert "".join(map(stream.push, ids)) + stream.finish() == "ab"


@pytest.mark.parametrize("wrong", [-1, len(TRAINED)])
def test_an_unknown_id_is_named(wrong):
    for function in (TRAINED.decode, TRAINED.show, lambda ids: TextStream(TRAINED).push(ids[0])):
        with pytest.raises(ValueError, match=f"unknown id {wrong}; allowed are 0 to"):
            function([wrong])


# ---- tables -------------------------------------------------------------------------------------


def test_a_byte_without_a_token_is_refused_or_dropped():
    tokens = (b"a", b"b", b"ab")
    strict = Tokenizer(tokens, ((0, 1),))
    with pytest.raises(ValueError, match="no token for the byte 0x63, which is in 'acb'"):
        strict.encode("acb")
    dropping = Tokenizer(tokens, ((0, 1),), drop_unknown=True)
    # what is left moves together, and merges: so does the tokenizers library
    assert dropping.encode("acb") == dropping.encode_readable("acb") == [2]


@pytest.mark.parametrize(
    "tokens, merges, special, words",
    [
        ((b"a", b"a"), (), {}, "two ids have the same bytes"),
        ((b"a", b"b"), ((0, 1),), {}, r"merge \(0, 1\) makes bytes that no token has"),
        ((b"a", b"ab"), ((0, 1),), {}, "a part that no merge before it made"),
        ((b"a", b"b", b"ab", b"abb"), ((2, 1), (0, 1)), {}, r"merge \(2, 1\) uses a part"),
        ((b"a",), ((0, 7),), {}, r"merge \(0, 7\) uses a part"),
        ((b"a", b"<a>"), (), {"<b>": 1}, "special token '<b>' has id 1, which holds no such text"),
        ((b"a",), (), {"<b>": 1}, "special token '<b>' has id 1"),
        ((b"a", b""), (), {"": 1}, "special token '' has id 1"),
    ],
)
def test_tables_that_do_not_fit_are_refused(tokens, merges, special, words):
    with pytest.raises(ValueError, match=words):
        Tokenizer(tokens, merges, special)


def test_digits_one_by_one_is_a_way_of_cutting():
    tokenizer = train("1212 1212 1212", 5, pattern=ONE_DIGIT)
    assert tokenizer.merges == ()
    assert train("1212 1212 1212", 5).merges
