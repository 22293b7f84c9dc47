"""The exact-law engine against brute force on random languages, and the figures of all three."""

import math
from collections import Counter
from fractions import Fraction
from itertools import pairwise, product

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from helpers.languages.language import (
    BOS,
    CAPTION_WORDS,
    EOS,
    PAD,
    RECALL_SHAPES,
    SIZES,
    Language,
    caption_draws,
    caption_sentences,
    caption_text,
    captions,
    echo,
    recall,
)

LN2 = math.log(2)
WORDS = ("<pad>", "<bos>", "<eos>", "red", "green", "blue")


@st.composite
def languages(draw):
    """A small language with uneven whole weights: (language, {sentence: weight})."""
    middles = draw(
        st.lists(
            st.lists(st.integers(3, 5), max_size=4).map(tuple), min_size=1, max_size=8, unique=True
        )
    )
    weights = draw(st.lists(st.integers(1, 50), min_size=len(middles), max_size=len(middles)))
    table = {(BOS, *middle, EOS): w for middle, w in zip(middles, weights, strict=True)}
    return Language.of("random", WORDS, table.keys(), table.values()), table


# ---- brute force: exact fractions, straight from the definitions --------------------------------


def brute_mass(table, prefix):
    """The weight of all sentences that begin with prefix."""
    return sum(w for sentence, w in table.items() if sentence[: len(prefix)] == tuple(prefix))


def brute_next(table, prefix):
    """{id: probability that it follows prefix}, as fractions; only ids that can follow."""
    law = {}
    for token in range(len(WORDS)):
        mass = brute_mass(table, (*prefix, token))
        if mass:
            law[token] = Fraction(mass, brute_mass(table, prefix))
    return law


def brute_best_loss(table, context, position):
    """Average surprise of each predicted token, given all that a model with this view knows."""
    total = sum(table.values())
    events = []  # (what is seen, next token, weight): one for each predicted token of a sentence
    for sentence, weight in table.items():
        for t in range(1, len(sentence)):
            seen = sentence[:t][-context:] if context else ()
            events.append(((seen, t if position else None), sentence[t], weight))
    surprise = 0.0
    for seen, token, weight in events:
        alike = sum(w for s, _, w in events if s == seen)
        hits = sum(w for s, x, w in events if s == seen and x == token)
        surprise -= weight / total * math.log(hits / alike)
    tokens = sum(w * (len(sentence) - 1) for sentence, w in table.items()) / total
    return surprise / tokens


def proper_prefixes(table):
    return {sentence[:t] for sentence in table for t in range(1, len(sentence))}


# ---- properties ---------------------------------------------------------------------------------


@given(languages())
def test_next_token_is_the_share_of_sentences_that_go_on_so(drawn):
    language, table = drawn
    for prefix in proper_prefixes(table):
        law = language.next_token(prefix)
        assert law.shape == (len(WORDS),) and law.dtype == torch.float64
        wanted = brute_next(table, prefix)
        for token in range(len(WORDS)):
            assert float(law[token]) == pytest.approx(float(wanted.get(token, 0)), abs=1e-12)


@given(languages())
def test_prefixes_are_every_beginning_once_and_nothing_else(drawn):
    language, table = drawn
    assert len(language.prefixes) == len(set(language.prefixes))
    assert set(language.prefixes) == proper_prefixes(table)


@given(languages())
def test_prefix_probability_is_the_weight_of_the_sentences_that_begin_so(drawn):
    language, table = drawn
    for prefix in [*proper_prefixes(table), *table]:
        wanted = Fraction(brute_mass(table, prefix), sum(table.values()))
        assert language.prefix_probability(prefix) == pytest.approx(float(wanted), abs=1e-12)
    assert language.prefix_probability((BOS, 3, 3, 3, 3, 3)) == 0


@given(languages())
def test_chain_rule_product_of_next_token_laws_is_the_sentence_probability(drawn):
    language, table = drawn
    total = sum(table.values())
    for sentence, weight in table.items():
        steps = [
            float(language.next_token(sentence[:t])[sentence[t]]) for t in range(1, len(sentence))
        ]
        assert math.prod(steps) == pytest.approx(weight / total, rel=1e-9)


@given(languages())
def test_posterior_is_bayes_rule_over_the_sentences(drawn):
    language, table = drawn
    for prefix in [(), *proper_prefixes(table), *table]:
        law = language.posterior(prefix)
        assert law.shape == (len(table),) and law.dtype == torch.float64
        for sentence, got in zip(language.sentences, law.tolist(), strict=True):
            fits = sentence[: len(prefix)] == prefix
            wanted = Fraction(table[sentence] if fits else 0, brute_mass(table, prefix))
            assert got == pytest.approx(float(wanted), abs=1e-12)


@given(languages())
def test_entropy_is_the_sum_over_the_steps_too(drawn):
    language, table = drawn
    total = sum(table.values())
    of_sentences = -sum(w / total * math.log(w / total) for w in table.values())
    assert language.entropy == pytest.approx(of_sentences, abs=1e-12)
    of_steps = 0.0
    for prefix in proper_prefixes(table):
        reach = brute_mass(table, prefix) / total
        of_steps -= reach * sum(
            p * math.log(p) for p in map(float, brute_next(table, prefix).values())
        )
    assert language.entropy == pytest.approx(of_steps, abs=1e-12)


@given(languages())
def test_floor_is_entropy_over_average_number_of_predicted_tokens(drawn):
    language, table = drawn
    tokens = Fraction(sum(w * (len(s) - 1) for s, w in table.items()), sum(table.values()))
    assert language.predicted_tokens == pytest.approx(float(tokens), abs=1e-12)
    assert language.floor == pytest.approx(language.entropy / float(tokens), abs=1e-12)


@given(languages(), st.integers(0, 6), st.booleans())
def test_best_loss_is_the_conditional_entropy_given_what_is_seen(drawn, context, position):
    language, table = drawn
    wanted = brute_best_loss(table, context, position)
    assert language.best_loss(context, position) == pytest.approx(wanted, abs=1e-12)


@given(languages())
def test_best_loss_never_rises_with_context_and_ends_at_the_floor(drawn):
    language, _ = drawn
    for position in (False, True):
        losses = [language.best_loss(k, position) for k in range(language.longest + 2)]
        assert all(after <= before + 1e-12 for before, after in pairwise(losses))
        assert losses[-1] == pytest.approx(language.floor, abs=1e-12)
    for k in range(language.longest):
        assert language.best_loss(k, True) <= language.best_loss(k, False) + 1e-12


TEMPERATURES = st.one_of(st.sampled_from([0.1, 0.3, 1.0, 2.0, 10.0]), st.floats(0.2, 20))


@given(languages(), TEMPERATURES)
def test_at_temperature_is_the_law_of_sampling_step_by_step(drawn, temperature):
    language, table = drawn
    got = language.at_temperature(temperature)
    probability_of = dict(zip(got.sentences, got.probabilities, strict=True))
    for sentence in table:
        wanted = 1.0
        for t in range(1, len(sentence)):
            # what a sampler does at one step: softmax of log-probabilities over the temperature
            law = torch.softmax(language.next_token(sentence[:t]).log() / temperature, dim=0)
            wanted *= float(law[sentence[t]])
        assert probability_of.get(sentence, 0.0) == pytest.approx(wanted, rel=1e-9, abs=1e-15)


@given(languages())
def test_temperature_one_changes_nothing_and_extremes_are_greedy_and_uniform_steps(drawn):
    language, table = drawn
    same = language.at_temperature(1.0)
    assert same.sentences == language.sentences
    assert same.probabilities == pytest.approx(language.probabilities, abs=1e-12)
    for prefix in proper_prefixes(table):
        law = language.next_token(prefix)
        flat = language.at_temperature(1e9).next_token(prefix)
        assert torch.allclose(flat, (law > 0).double() / (law > 0).sum(), atol=1e-6)
    # near temperature 0 only sentences whose every step is a most likely one are left
    for sentence in language.at_temperature(1e-300).sentences:
        for t in range(1, len(sentence)):
            law = language.next_token(sentence[:t])
            assert float(law[sentence[t]]) == pytest.approx(float(law.max()), rel=1e-12)


@given(languages(), st.data())
def test_sample_law_is_the_share_of_each_sentence_among_the_rows(drawn, data):
    language, _ = drawn
    rows = data.draw(st.lists(st.sampled_from(language.sentences), min_size=1, max_size=20))
    law = language.sample_law([list(row) for row in rows])
    assert dict(zip(law.sentences, law.probabilities, strict=True)) == pytest.approx(
        {sentence: count / len(rows) for sentence, count in Counter(rows).items()}
    )
    assert law.words == language.words


@given(languages())
def test_asking_about_a_language_leaves_it_as_it_was(drawn):
    language, _ = drawn
    before = [language.next_token(prefix) for prefix in language.prefixes]
    language.at_temperature(0.5)
    language.sample_law([language.sentences[0]])
    for prefix in language.prefixes:
        language.next_token(prefix).zero_()  # a caller may write into what it gets
    after = [language.next_token(prefix) for prefix in language.prefixes]
    assert all(torch.equal(a, b) for a, b in zip(before, after, strict=True))


def test_of_scales_weights_and_leaves_out_those_of_zero():
    language = Language.of("l", WORDS, [(1, 3, 2), (1, 4, 2), (1, 5, 2)], [1, 0, 3])
    assert language.sentences == ((1, 3, 2), (1, 5, 2))
    assert language.probabilities == (0.25, 0.75)


# ---- captions: the exact figures ----------------------------------------------------------------


def test_captions_have_the_twelve_words_at_their_ids():
    words = "<pad> <bos> <eos> a photo of in the large small plus circle"
    assert captions().words == tuple(words.split())
    assert (PAD, BOS, EOS) == (0, 1, 2)
    assert captions().vocab_size == 12


def test_captions_are_eight_even_sentences_in_the_order_style_size_shape():
    language = captions()
    assert [language.text(sentence) for sentence in language.sentences] == [
        "a photo of a large plus",
        "a photo of a large circle",
        "a photo of a small plus",
        "a photo of a small circle",
        "a large plus in the photo",
        "a large circle in the photo",
        "a small plus in the photo",
        "a small circle in the photo",
    ]
    assert language.sentences[0] == (1, 3, 4, 5, 3, 8, 10, 2)
    assert language.sentences[7] == (1, 3, 9, 11, 6, 7, 4, 2)
    assert language.probabilities == (1 / 8,) * 8
    assert language.longest == 8


def test_captions_floor_is_3_ln_2_over_7():
    language = captions()
    assert language.entropy == pytest.approx(3 * LN2, abs=1e-12)
    assert language.floor == pytest.approx(3 * LN2 / 7, abs=1e-12)
    assert round(language.floor, 6) == 0.297063
    assert round(math.exp(language.floor), 6) == 1.345900
    assert round(math.log(language.vocab_size), 6) == 2.484907


def test_captions_best_losses_for_a_few_tokens_of_context():
    language = captions()
    without = [round(language.best_loss(k), 6) for k in range(5)]
    assert without == [2.205598, 0.532480, 0.396084, 0.396084, 0.297063]
    knowing = [round(language.best_loss(k, position=True), 6) for k in range(9)]
    assert knowing == [0.693147] + [0.297063] * 8


def test_captions_law_after_a():
    law = captions().next_token([BOS, CAPTION_WORDS.index("a")])
    wanted = torch.zeros(12, dtype=torch.float64)
    wanted[CAPTION_WORDS.index("photo")] = 1 / 2
    wanted[CAPTION_WORDS.index("large")] = wanted[CAPTION_WORDS.index("small")] = 1 / 4
    assert torch.equal(law, wanted)


def test_captions_share_of_style_0_at_each_temperature():
    photo = CAPTION_WORDS.index("photo")
    shares = []
    for temperature in (0.3, 0.8, 1, 2):
        language = captions().at_temperature(temperature)
        pairs = zip(language.sentences, language.probabilities, strict=True)
        shares.append(round(math.fsum(p for s, p in pairs if s[2] == photo), 4))
    assert shares == [0.8344, 0.5432, 0.5, 0.4142]


def test_caption_data_set_is_the_800_draws_cut_at_85_percent():
    draws = caption_draws()
    assert np.array_equal(draws, np.random.default_rng(0).integers(0, 2, (800, 3)))
    train, test = caption_sentences()
    assert (len(train), len(test)) == (680, 120)
    texts = [captions().text(row) for row in train + test]
    sizes, shapes = ("large", "small"), ("plus", "circle")
    for text, (style, size, shape) in zip(texts, draws.tolist(), strict=True):
        thing = f"{sizes[size]} {shapes[shape]}"
        assert text == (f"a {thing} in the photo" if style else f"a photo of a {thing}")
        assert text == caption_text(style, size, shape)


def test_caption_sample_is_up_to_0_0625_off_the_language():
    language = captions()
    sample = language.sample_law(caption_sentences()[0])
    gaps = [
        float((sample.next_token(p) - language.next_token(p)).abs().sum()) / 2
        for p in language.prefixes
    ]
    assert max(gaps) == pytest.approx(0.0625, abs=1e-12)
    assert len(sample.sentences) == 8  # every test sentence was seen in training


# ---- echo and recall: the exact figures ---------------------------------------------------------


def test_echo_says_the_shape_of_its_caption_again():
    language = echo()
    assert language.words == (*CAPTION_WORDS, ",")
    assert len(language.sentences) == 8 and language.vocab_size == 13
    assert language.text(language.sentences[0]) == "a photo of a large plus , plus"
    for sentence, caption in zip(language.sentences, captions().sentences, strict=True):
        shape = next(word for word in ("plus", "circle") if word in captions().text(caption))
        assert language.text(sentence) == f"{captions().text(caption)} , {shape}"


def test_echo_floors_with_and_without_the_past():
    language = echo()
    assert language.floor == pytest.approx(3 * LN2 / 9, abs=1e-12)
    assert round(language.floor, 6) == 0.231049
    unseen = language.best_loss(1, position=True)  # position and current token only
    assert unseen == pytest.approx(4 * LN2 / 9, abs=1e-12)
    assert round(unseen, 6) == 0.308065


def recall_without_the_answer(objects):
    """The same language when the last word is a coin: its floor is the loss without a look-up."""
    language = recall(objects)
    sizes = [language.words.index(size) for size in SIZES]
    questions = Counter()
    for sentence, p in zip(language.sentences, language.probabilities, strict=True):
        for size in sizes:
            questions[(*sentence[:-2], size, EOS)] += p / 2
    return Language.of("coin", language.words, questions.keys(), questions.values())


@pytest.mark.parametrize(
    "objects, sentences, floor, unknown",
    [(2, 96, "0.380362", "0.438125"), (3, 576, "0.397257", "0.440578")],
)
def test_recall_figures(objects, sentences, floor, unknown):
    language = recall(objects)
    assert len(language.sentences) == sentences and language.vocab_size == 13
    assert f"{language.floor:.6f}" == floor
    assert f"{recall_without_the_answer(objects).floor:.6f}" == unknown


@pytest.mark.parametrize("objects", [1, 2, 3, 4])
def test_recall_is_every_scene_and_question_once_and_its_answer_is_right(objects):
    language = recall(objects)
    seen = set()
    for sentence in language.sentences:
        scene, question = language.text(sentence).split(" the ")
        things = dict(thing.split()[:0:-1] for thing in scene.split(" and "))  # shape -> size
        assert len(things) == objects  # no shape twice
        assert set(things) <= set(RECALL_SHAPES) and set(things.values()) <= set(SIZES)
        shape, _, size = question.split()
        assert things[shape] == size
        seen.add((tuple(things.items()), shape))
    assert len(seen) == len(language.sentences) == math.perm(4, objects) * 2**objects * objects
    assert len(set(language.probabilities)) == 1


def test_recall_example_of_the_course_is_a_sentence():
    language = recall(2)
    texts = {language.text(sentence) for sentence in language.sentences}
    assert "a large plus and a small circle the plus is large" in texts


def test_recall_of_several_numbers_of_objects_draws_the_number_first():
    both = recall((2, 3))
    assert both.sentences == recall(2).sentences + recall(3).sentences
    assert sum(both.probabilities[:96]) == pytest.approx(0.5)
    assert {round(1 / p) for p in both.probabilities} == {192, 1152}
    with pytest.raises(ValueError, match=r"objects is \(2, 5\); .* give 1, 2, 3 or 4"):
        recall((2, 5))


@pytest.mark.parametrize("build", [captions, echo, *(lambda n=n: recall(n) for n in (1, 2, 3, 4))])
def test_context_is_enough_at_the_whole_sentence_in_every_language(build):
    language = build()
    for position in (False, True):
        assert language.best_loss(language.longest, position) == pytest.approx(language.floor)


# ---- bad input: the message says what was given and what is allowed -----------------------------


@pytest.mark.parametrize(
    "sentences, probabilities, message",
    [
        ((), (), "has no sentence"),
        (((1, 3, 2),), (0.5, 0.5), "1 sentences but 2 probabilities"),
        (((1, 3, 2), (1, 3, 2)), (0.5, 0.5), "listed twice"),
        (((3, 2),), (1.0,), r"\(3, 2\) must begin with 1 and end with 2"),
        (((1, 3),), (1.0,), r"\(1, 3\) must begin with 1 and end with 2"),
        (((1,),), (1.0,), "must begin with 1 and end with 2"),
        (((1, 6, 2),), (1.0,), r"\(1, 6, 2\) has an id outside 0\.\.5"),
        (((1, -1, 2),), (1.0,), r"\(1, -1, 2\) has an id outside 0\.\.5"),
        (((1, 3, 2, 4, 2),), (1.0,), r"\(1, 3, 2, 4, 2\) has a special id in its middle"),
        (((1, 3, 1, 2),), (1.0,), "has a special id in its middle"),
        (((1, 0, 2),), (1.0,), "has a special id in its middle"),
        (((1, 3, 2), (1, 4, 2)), (1.0, 0.0), "must be positive"),
        (((1, 3, 2), (1, 4, 2)), (1.5, -0.5), "must be positive"),
        (((1, 3, 2),), (math.nan,), "must be positive"),
        (((1, 3, 2),), (0.9,), "sum to 0.9, not to 1"),
    ],
)
def test_impossible_languages_are_refused(sentences, probabilities, message):
    with pytest.raises(ValueError, match=message):
        Language("bad", WORDS, sentences, probabilities)


@pytest.mark.parametrize("weight", [-1.0, math.nan, math.inf])
def test_weights_that_are_no_weights_are_refused(weight):
    with pytest.raises(ValueError, match=f"weights hold {weight}; give finite numbers"):
        Language.of("bad", WORDS, [(1, 3, 2), (1, 4, 2)], [weight, 3.0])


@pytest.mark.parametrize("prefix", [[1, 10], [3], [], [1, 3, 8, 11, 6, 7, 4, 2], [1, 99], [1, -1]])
def test_no_law_after_a_prefix_the_language_does_not_have(prefix):
    with pytest.raises(ValueError, match="no sentence of the language 'captions' goes on from"):
        captions().next_token(prefix)


def test_unknown_prefix_is_shown_in_words():
    with pytest.raises(ValueError, match=r"'<bos> plus \(id 99\)'"):
        captions().posterior([1, 10, 99])


@pytest.mark.parametrize("temperature", [0, -1.0, math.nan, math.inf])
def test_impossible_temperature_is_refused(temperature):
    with pytest.raises(ValueError, match=f"temperature is {temperature}; give a positive finite"):
        captions().at_temperature(temperature)


def test_negative_context_is_refused():
    with pytest.raises(ValueError, match="context is -1; give 0 or more"):
        captions().best_loss(-1)


def test_foreign_or_missing_sample_is_refused():
    with pytest.raises(ValueError, match="'a plus' is no sentence of 'captions'"):
        captions().sample_law([captions().sentences[0], (1, 3, 10, 2)])
    with pytest.raises(ValueError, match="has no sentence"):
        captions().sample_law([])


@pytest.mark.parametrize("objects", [0, 5, -1, 2.5])
def test_recall_of_an_impossible_number_of_objects_is_refused(objects):
    with pytest.raises(ValueError, match=f"objects is {objects}; .* give 1, 2, 3 or 4"):
        recall(objects)


def test_language_cannot_be_changed_after_it_is_made():
    with pytest.raises(AttributeError):
        captions().probabilities = (1.0,)


def test_caption_texts_are_all_eight():
    texts = {caption_text(*draw) for draw in product(range(2), repeat=3)}
    assert texts == {captions().text(sentence) for sentence in captions().sentences}


def test_a_prefix_may_be_a_tensor_or_an_array():
    language = captions()
    for prefix in (torch.tensor([1, 3]), np.array([1, 3])):
        assert torch.equal(language.next_token(prefix), language.next_token((1, 3)))
        assert torch.equal(language.posterior(prefix), language.posterior((1, 3)))
        assert language.prefix_probability(prefix) == 1


def test_foreign_ids_and_draws_are_refused_by_name():
    for wrong in (-1, 12):
        with pytest.raises(ValueError, match=f"unknown id {wrong}; allowed are 0 to 11"):
            captions().text([wrong])
    with pytest.raises(ValueError, match="unknown id 99"):
        captions().sample_law([[1, 99]])
    with pytest.raises(ValueError, match="style=0, size=-1, shape=0; each is 0 or 1"):
        caption_text(0, -1, 0)
