"""Cutting, learning and merging: exact traces, and the fast merging equal to the readable one."""

from collections import Counter

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from helpers.tokenizers.bpe import (
    GPT2,
    ONE_DIGIT,
    apply_merges,
    apply_merges_fast,
    byte_characters,
    check_text,
    count_pairs,
    learn,
    merge,
    pieces,
    show,
    unshow,
)

SURROGATE = st.characters(categories=["Cs"])
PATTERNS = pytest.mark.parametrize("pattern", [GPT2, ONE_DIGIT], ids=["gpt2", "one digit"])


# ---- cutting ------------------------------------------------------------------------------------


@PATTERNS
@given(text=st.text())
def test_pieces_joined_are_the_text(pattern, text):
    found = pieces(text, pattern)
    assert "".join(found) == text
    assert all(found)


@pytest.mark.parametrize(
    "text, gpt2, one_digit",
    [
        ("a big dog", ["a", " big", " dog"], None),
        ("two  spaces", ["two", " ", " spaces"], None),
        ("end  ", ["end", "  "], None),
        ("I'll, you'LL", ["I", "'ll", ",", " you", "'", "LL"], None),
        ("x=1234;", ["x", "=", "1234", ";"], ["x", "=", "1", "2", "3", "4", ";"]),
        ("in 2024", ["in", " 2024"], ["in", " ", "2", "0", "2", "4"]),
        ("in  2024", ["in", " ", " 2024"], ["in", "  ", "2", "0", "2", "4"]),
        ("\n\n  x", ["\n\n ", " x"], None),
        ("", [], None),
    ],
)
def test_exact_pieces(text, gpt2, one_digit):
    assert pieces(text, GPT2) == gpt2
    assert pieces(text, ONE_DIGIT) == (gpt2 if one_digit is None else one_digit)


@given(st.text(alphabet=st.sampled_from("ab .'s\n\t12٣½é")))
def test_one_digit_is_digits_cut_out_first_and_then_the_pattern_of_gpt2(text):
    in_two_steps = []
    for part in regex.split(r"(\p{N})", text):
        in_two_steps += [part] if regex.fullmatch(r"\p{N}", part) else regex.findall(GPT2, part)
    assert pieces(text, ONE_DIGIT) == in_two_steps


def test_a_pattern_that_leaves_something_out_is_refused():
    with pytest.raises(ValueError, match="leaves out a part of the text"):
        pieces("a b", r"\w")


@given(st.text(), SURROGATE, st.text())
def test_half_a_surrogate_pair_is_refused_and_named(before, half, after):
    for function in (check_text, pieces, lambda text: learn(text, 1)):
        with pytest.raises(ValueError, match="half of a surrogate pair and no character") as error:
            function(before + half + after)
        assert f"U+{ord(half):04X} at place {len(before)}" in str(error.value)


@pytest.mark.parametrize("wrong", [b"a", None, 3, ["a"]])
def test_what_is_no_text_is_refused(wrong):
    with pytest.raises(TypeError, match=f"text is {type(wrong).__name__}; give a str"):
        pieces(wrong)


# ---- bytes in visible characters ----------------------------------------------------------------


def test_every_byte_has_a_visible_character_of_its_own():
    characters = byte_characters()
    assert len(set(characters)) == 256
    assert all(c.isprintable() and not c.isspace() for c in characters)
    assert characters[ord("a")] == "a"
    assert show(b" \n\x00") == "\u0120\u010a\u0100"  # as vocabulary files have them
    assert show("é".encode()) == "\u00c3\u00a9"


@given(st.binary())
def test_showing_and_back(data):
    assert unshow(show(data)) == data


def test_a_character_that_stands_for_no_byte_is_named():
    with pytest.raises(ValueError, match="'a b' holds ' ', which stands for no byte"):
        unshow("a b")


# ---- learning -----------------------------------------------------------------------------------


def test_c53_the_trace_of_a_small_text():
    tokens, merges = learn("aaabdaaabac", 3)
    assert merges == [(97, 97), (256, 97), (257, 98)]
    assert tokens[256:] == [b"aa", b"aaa", b"aaab"]
    row = list(b"aaabdaaabac")
    counts = []
    for number, pair in enumerate(merges):
        counts.append(count_pairs([row], [1])[pair])
        row = merge(row, pair, 256 + number)
    assert counts == [4, 2, 2]
    assert row == [258, 100, 258, 97, 99]


def test_c53_of_equally_frequent_pairs_the_first_in_the_text_counts():
    assert learn("cdcd abab", 1)[1] == [(99, 100)]
    assert learn("abab cdcd", 1)[1] == [(97, 98)]


def learned_simply(text, merges):
    """What learning is: count all pairs, merge the most frequent one everywhere, go on."""
    words = Counter(pieces(text))
    rows = [list(word.encode()) for word in words]
    found, tokens = [], [bytes([byte]) for byte in range(256)]
    while len(found) < merges:
        counts = count_pairs(rows, words.values())
        best = max(counts, key=counts.__getitem__, default=None)  # the first of equal ones
        if best is None or counts[best] < 2:
            break
        rows = [merge(row, best, len(tokens)) for row in rows]
        tokens.append(tokens[best[0]] + tokens[best[1]])
        found.append(best)
    return tokens, found


@given(st.text(alphabet="abc ", max_size=120), st.integers(0, 25))
def test_learning_is_counting_and_merging_again_and_again(text, merges):
    assert learn(text, merges) == learned_simply(text, merges)
    tokens, _ = learn(text, merges)
    assert len(set(tokens)) == len(tokens)  # no two merges make the same bytes


def test_no_merge_reaches_over_a_cut_or_is_made_for_a_pair_that_comes_once():
    tokens, merges = learn("ab ab ab", 10)
    assert tokens[256:] == [b"ab", b" ab"]
    assert len(merges) == 2
    assert learn("abc", 5)[1] == []
    assert learn("", 5)[1] == []


def test_a_negative_number_of_merges_is_refused():
    with pytest.raises(ValueError, match="merges is -1; give 0 or more"):
        learn("a", -1)


@given(st.text(alphabet="ab ", max_size=60), st.integers(0, 8), st.integers(0, 8))
def test_more_merges_go_on_where_fewer_stopped(text, few, more):
    first, second = learn(text, few)[1], learn(text, few + more)[1]
    assert second[: len(first)] == first


# ---- merging ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "row, right",
    [
        ([1, 1], [9]),
        ([1, 1, 1], [9, 1]),
        ([1, 1, 1, 1], [9, 9]),
        ([2, 1, 1, 2], [2, 9, 2]),
        ([1, 2, 1], [1, 2, 1]),
        ([1], [1]),
        ([], []),
    ],
)
def test_merging_one_pair_goes_from_the_left(row, right):
    before = list(row)
    assert merge(row, (1, 1), 9) == right
    assert row == before


def rules_of(merges):
    return {pair: (rank, 256 + rank) for rank, pair in enumerate(merges)}


@given(
    st.text(alphabet="abc", min_size=10, max_size=200),
    st.integers(0, 30),
    st.text(alphabet="abcd", max_size=120),
)
def test_the_fast_merging_equals_the_readable_one(learned_from, count, text):
    tokens, merges = learn(learned_from, count)
    rules = {p: (r, tokens.index(tokens[p[0]] + tokens[p[1]])) for r, p in enumerate(merges)}
    row = list(text.encode())
    before = list(row)
    assert apply_merges_fast(row, rules) == apply_merges(row, rules)
    assert row == before


@given(
    st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), unique=True, max_size=12),
    st.lists(st.integers(0, 3), max_size=60),
)
def test_the_fast_merging_equals_the_readable_one_for_rules_in_any_order(pairs, row):
    # products 4, 5, 6, ... may come before their parts are made
    rules = {pair: (rank, 4 + rank % 4) for rank, pair in enumerate(pairs)}
    assert apply_merges_fast(row, rules) == apply_merges(row, rules)


def test_the_strongest_rule_goes_first_wherever_it_stands():
    rules = {(2, 3): (0, 9), (1, 2): (1, 8)}
    for merging in (apply_merges, apply_merges_fast):
        assert merging([1, 2, 3], rules) == [1, 9]
        assert merging([1, 2, 1, 2, 3], rules) == [8, 1, 9]


def test_two_ways_to_one_product_are_merged_from_the_left_all_the_same():
    # the pair of nines is met first at the right, by the stronger rule
    rules = {(1, 2): (0, 9), (3, 4): (1, 9), (9, 9): (2, 10)}
    for merging in (apply_merges, apply_merges_fast):
        assert merging([3, 4, 1, 2, 1, 2], rules) == [10, 9]


def test_learned_merges_give_the_row_that_learning_ended_with():
    text = "low lower lowest new newer newest wide wider widest " * 2
    _, merges = learn(text, 20)
    rules = rules_of(merges)
    for word in pieces(text):
        row = list(word.encode())
        for rank, pair in enumerate(merges):
            row = merge(row, pair, 256 + rank)
        assert apply_merges(list(word.encode()), rules) == row


def test_work_on_a_long_row_grows_with_its_length_not_with_its_square():
    # counted, not timed: how often the rules are looked at
    class Counting(dict):
        looks = 0

        def get(self, *arguments):
            Counting.looks += 1
            return super().get(*arguments)

    rules = Counting(rules_of(learn("ab" * 200, 6)[1]))
    counts = []
    for length in (2_000, 20_000):
        Counting.looks = 0
        apply_merges_fast(list(b"ab" * (length // 2)), rules)
        counts.append(Counting.looks)
    assert counts[1] < 11 * counts[0]
