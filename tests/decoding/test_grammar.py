"""A grammar: whatever the model says, what comes out has the form, and every text can come out."""

import math
from collections import Counter
from itertools import product

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from helpers.decoder.config import DecoderConfig
from helpers.decoder.model import Decoder
from helpers.decoding import grammar as grammar_file
from helpers.decoding.generation import generate, stream
from helpers.decoding.grammar import Grammar
from helpers.languages.language import BOS, EOS, PAD, captions
from helpers.languages.tokens import Vocabulary
from tests.decoding.test_generation import variation, variation_limit
from tests.stub_models import OneLaw, Scripted
from tests.tiers import examples

V = 12
# "a [large|small] [photo of] plus|circle", the ids as in captions
PARTS = [[[3]], [[8], [9]], [[4, 5], []], [[10], [11]]]
TEXTS = {
    (3, size, *photo, shape, EOS) for size, photo, shape in product((8, 9), ((4, 5), ()), (10, 11))
}
SCHEMA = Grammar.schema(PARTS)

alternatives = st.lists(st.lists(st.integers(3, 7), max_size=2), min_size=1, max_size=3)
schemas = st.lists(alternatives, min_size=1, max_size=3)


def decoder(**changes):
    shape = {"vocab_size": V, "context": 24, "width": 8, "heads": 2} | changes
    return Decoder(DecoderConfig(**shape), seed=5).eval()


def texts_of(parts, end=EOS):
    """Every text of a schema, by hand."""
    texts = {()}
    for choices in parts:
        texts = {(*text, *choice) for text in texts for choice in choices}
    return {(*text, end) for text in texts}


def accepted(grammar, vocab_size, longest):
    """Every text that a walk through the grammar can make."""
    found, open_texts = set(), [((), 0)]
    while open_texts:
        text, state = open_texts.pop()
        following = grammar.allowed(state, vocab_size).nonzero().flatten().tolist()
        if not following:
            found.add(text)
        assert len(text) <= longest
        open_texts += [((*text, token), grammar.advance(state, token)) for token in following]
    return found


# ---- the graph ----------------------------------------------------------------------------------


@given(schemas, st.sampled_from([EOS, 9]))
def test_a_schema_allows_every_choice_of_its_parts_and_nothing_else(parts, end):
    grammar, texts = Grammar.schema(parts, end), texts_of(parts, end)
    assert grammar.longest == max(map(len, texts))
    assert accepted(grammar, V, grammar.longest) == texts
    assert grammar.last_tokens() == {end}
    assert grammar.inner_tokens() == {token for text in texts for token in text[:-1]}


bodies = st.lists(st.integers(3, 6), max_size=4).map(tuple)


@given(st.sets(bodies, min_size=1, max_size=8), st.data())
def test_texts_allow_themselves_in_any_order_any_number_of_times(bodies, data):
    ends = data.draw(st.lists(st.sampled_from([7, 8]), min_size=8, max_size=8))
    texts = [(*body, end) for body, end in zip(sorted(bodies), ends, strict=False)]
    again = data.draw(st.permutations(texts + texts[:2]))
    for given_texts in (texts, again, map(list, again), map(torch.tensor, texts)):
        grammar = Grammar.of_texts(given_texts)
        assert accepted(grammar, V, 5) == set(texts)
        assert grammar.longest == max(map(len, texts))
        assert grammar.last_tokens() == {text[-1] for text in texts}


def test_a_small_schema_by_hand():
    assert TEXTS == texts_of(PARTS)
    assert len(TEXTS) == 8
    assert accepted(SCHEMA, V, 6) == TEXTS
    assert SCHEMA.allowed(0, V).tolist() == [i == 3 for i in range(V)]
    after_a = SCHEMA.advance(0, 3)
    assert SCHEMA.allowed(after_a, V).tolist() == [i in (8, 9) for i in range(V)]
    with pytest.raises(ValueError, match=r"token 4 is not allowed here; \[8, 9\] are"):
        SCHEMA.advance(after_a, 4)


def test_at_the_end_of_a_text_nothing_may_come():
    grammar = Grammar.of_texts([[EOS]])
    end = grammar.advance(0, EOS)
    assert not grammar.allowed(end, V).any()
    with pytest.raises(ValueError, match="token 3 is not allowed here"):
        grammar.advance(end, 3)


# ---- every sample has the form, and every text can come -----------------------------------------


def models():
    hot = [(-1) ** i * 40.0 * (i % 5) for i in range(V)]  # sure of what is mostly forbidden
    closed = [0.0 if i in (3, 9, EOS, 11) else -math.inf for i in range(V)]
    return [decoder(), decoder(blocks=2, positions="none"), OneLaw(hot), OneLaw(closed)]


@pytest.mark.parametrize("temperature", [0, 1, 5, 1e300])
@pytest.mark.parametrize("which", range(4))
def test_every_sample_is_one_of_the_texts(which, temperature):
    rows = torch.full((60, 1), BOS)
    got = generate(models()[which], rows, max_new_tokens=6, grammar=SCHEMA, temperature=temperature)
    assert set(map(tuple, got.rows())) <= TEXTS
    assert set(got.reasons) == {"stop"}


@given(
    schemas,
    st.sampled_from([0, 0.5, 1, 5]),
    st.integers(0, 9),
    st.fixed_dictionaries(
        {},
        optional={
            "top_k": st.integers(0, 4),
            "top_p": st.floats(0, 1),
            "min_p": st.floats(0, 1),
            "typical": st.floats(0, 1),
            "repetition_penalty": st.floats(0.01, 100),
        },
    ),
)
@examples(40)
def test_no_control_can_break_the_form(parts, temperature, seed, controls):
    grammar, texts = Grammar.schema(parts), texts_of(parts)
    prompts = torch.tensor([[BOS, 3], [BOS, EOS], [7, 7]])
    options = {"grammar": grammar, "temperature": temperature, "seed": seed, **controls}
    got = generate(decoder(), prompts, max_new_tokens=grammar.longest, **options)
    assert set(map(tuple, got.rows())) <= texts
    assert set(got.reasons) == {"stop"}
    # and a row's text is the same without its neighbours
    alone = generate(
        decoder(), prompts[1:2], max_new_tokens=grammar.longest, **options | {"seed": seed + 1}
    )
    assert alone.rows()[0] == got.rows()[1]


@given(schemas)
@examples(40)
def test_every_text_comes_if_the_model_wants_it(parts):
    grammar, texts = Grammar.schema(parts), sorted(texts_of(parts))
    longest = grammar.longest
    scripts = [[*text, *[PAD] * (longest - len(text))] for text in texts]
    got = generate(
        Scripted(scripts, vocab_size=V),
        torch.full((len(texts), 1), BOS),
        max_new_tokens=longest,
        temperature=0,
        grammar=grammar,
    )
    assert list(map(tuple, got.rows())) == texts


@pytest.mark.parametrize("temperature", [1, 5])
def test_samples_follow_the_law_that_the_grammar_leaves_of_the_models(temperature):
    logits = [0.0, 2.0, 1.0, 0.5, 1.5, -1.0, 0.0, 3.0, 1.0, 0.0, -0.5, 0.5]
    draws = 2000

    def law(temperature):
        weight = [math.exp(x / temperature) for x in logits]
        found = {}
        for text in TEXTS:
            found[text] = 1.0
            for t, token in enumerate(text):
                following = {other[t] for other in TEXTS if other[:t] == text[:t]}
                found[text] *= weight[token] / sum(weight[i] for i in following)
        return found

    got = generate(
        OneLaw(logits),
        torch.full((draws, 1), BOS),
        max_new_tokens=6,
        grammar=SCHEMA,
        temperature=temperature,
    )
    counts = Counter(map(tuple, got.rows()))
    assert set(counts) == TEXTS  # each text was reached
    # passed by chance once in ten million, and tight enough to see another temperature
    limit = variation_limit(len(TEXTS), draws)
    assert variation(counts, law(temperature), draws) < limit
    assert variation(counts, law(temperature / 3), draws) > limit


def test_log_probabilities_are_the_models_own_not_the_grammars():
    logits = torch.arange(float(V))
    got = generate(
        OneLaw(logits), torch.tensor([[BOS]]), max_new_tokens=6, grammar=SCHEMA, temperature=0
    )
    wanted = logits.double().log_softmax(dim=0)[got.tokens[0]].sum()
    assert got.log_probabilities.item() == pytest.approx(wanted.item())


def test_rows_that_end_at_different_times_do_not_disturb_each_other():
    grammar = Grammar.of_texts([[3, EOS], [4, 5, 6, EOS]])
    scripts = [[3, EOS, 9, 9], [4, 5, 6, EOS], [3, EOS, 9, 9]]
    model = Scripted(scripts)
    tokens = torch.full((3, 1), BOS)
    got = generate(model, tokens, max_new_tokens=4, temperature=0, grammar=grammar)
    assert got.rows() == [[3, EOS], [4, 5, 6, EOS], [3, EOS]]
    assert got.tokens[0].tolist() == [3, EOS, PAD, PAD]


def test_the_steps_of_a_stream_stay_in_the_form_too():
    steps = list(stream(decoder(), torch.tensor([[BOS]]), grammar=SCHEMA, temperature=3))
    assert tuple(int(step.tokens) for step in steps) in TEXTS
    assert steps[-1].reasons == ("stop",)


def test_a_cache_changes_nothing_under_a_grammar():
    model, prompt = decoder(), torch.full((8, 2), 3)
    options = {"max_new_tokens": 6, "grammar": SCHEMA, "temperature": 2}
    plain = generate(model, prompt, **options)
    cached = generate(model, prompt, cache=model.new_cache(8), **options)
    assert plain.rows() == cached.rows()


# ---- bad input ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("texts", "error", "words"),
    [
        ([], ValueError, "texts is empty"),
        ([[]], ValueError, "empty text"),
        ([[3, EOS], []], ValueError, "empty text"),
        ([[3], [3, 4]], ValueError, "goes on where another ends"),
        ([[3, 4], [3]], ValueError, "goes on where another ends"),
        ([[3, EOS], [3, EOS, EOS]], ValueError, "goes on where another ends"),
        ([["a", EOS]], TypeError, "texts holds 'a'"),
        (["a plus"], TypeError, "texts holds 'a'"),
        ([[3.0, EOS]], TypeError, "texts holds 3.0"),
    ],
)
def test_texts_that_make_no_grammar_are_refused(texts, error, words):
    with pytest.raises(error, match=words):
        Grammar.of_texts(texts)


@pytest.mark.parametrize(
    ("parts", "end", "words"),
    [
        ([[[3]], []], EOS, r"parts\[1\] has no alternative"),
        ([[[3], [3, EOS]]], EOS, "goes on where another ends"),
        ([[[3], [4]]], "end", "holds 'end'"),
    ],
)
def test_schemas_that_make_no_grammar_are_refused(parts, end, words):
    with pytest.raises((TypeError, ValueError), match=words):
        Grammar.schema(parts, end)


def test_a_schema_with_too_many_texts_is_refused_quickly(monkeypatch):
    with pytest.raises(ValueError, match="more than 100000 texts; give fewer parts"):
        Grammar.schema([[[i] for i in range(3, 13)]] * 7)  # 10 ** 7
    monkeypatch.setattr(grammar_file, "MOST_TEXTS", 8)
    assert accepted(Grammar.schema(PARTS), V, 6) == TEXTS  # eight are allowed, nine are not
    with pytest.raises(ValueError, match="more than 8 texts"):
        Grammar.schema([[[i] for i in range(3, 12)]])


@pytest.mark.parametrize("token", [-1, V, 99])
def test_ids_outside_the_vocabulary_are_refused_and_do_not_wrap_round(token):
    grammar = Grammar.of_texts([[3, token, EOS]])
    words = rf"grammar holds the unknown id {token}; allowed are 0 to {V - 1}"
    with pytest.raises(ValueError, match=words):
        grammar.allowed(1, V)
    model = Scripted([[3]])
    with pytest.raises(ValueError, match=words):
        stream(model, torch.tensor([[BOS]]), grammar=grammar)
    assert model.forwards == 0


MISMATCHED = [
    ({"max_new_tokens": 5}, "longest text has 6 tokens, only 5 may be made"),
    ({"max_new_tokens": 6, "stop_ids": None}, r"end with \[2\].*stop_ids, which are \[\]"),
    ({"max_new_tokens": 6, "stop_ids": (7,)}, r"end with \[2\].*stop_ids, which are \[7\]"),
    ({"max_new_tokens": 6, "stop_ids": (EOS, 8)}, r"no other.*stop_ids, which are \[2, 8\]"),
]


@pytest.mark.parametrize(("options", "words"), MISMATCHED)
def test_a_grammar_whose_texts_would_be_cut_off_or_never_end_is_refused(options, words):
    model, prompt = Scripted([[3] * 9]), torch.tensor([[BOS]])
    for call in (stream, generate):
        with pytest.raises(ValueError, match=words):
            call(model, prompt, grammar=SCHEMA, **options)
    assert model.forwards == 0


def test_a_grammar_longer_than_what_the_context_leaves_is_refused():
    model = Scripted([[3] * 9], prompt=27, context=32)
    with pytest.raises(ValueError, match="longest text has 6 tokens, only 5 may be made"):
        stream(model, torch.full((1, 27), 3), grammar=SCHEMA)
    assert model.forwards == 0
    exactly = Scripted([[3, 8, 4, 5, 10, EOS]], prompt=26, context=32)
    got = generate(exactly, torch.full((1, 26), 3), max_new_tokens=6, grammar=SCHEMA, temperature=0)
    assert tuple(got.rows()[0]) in TEXTS


def test_stop_strings_that_could_cut_a_text_in_its_middle_are_refused():
    model, vocabulary = Scripted([[3, 8, 4, 5, 10, EOS]]), Vocabulary.of(captions())
    options = {"max_new_tokens": 6, "grammar": SCHEMA, "vocabulary": vocabulary}
    for string, words in [
        ("large photo", "several words could cut off"),
        ("the plus", "several words could cut off"),
        ("large", "these and no other of its tokens"),
    ]:
        with pytest.raises(ValueError, match=words):
            generate(model, torch.tensor([[BOS]]), stop_strings=[string], **options)
    assert model.forwards == 0


def test_a_model_that_can_say_nothing_of_what_is_allowed_is_told_so():
    model = OneLaw([-math.inf if i == 3 else 0.0 for i in range(V)])
    with pytest.raises(ValueError, match="no allowed token is left in row 0"):
        generate(model, torch.tensor([[BOS]]), max_new_tokens=6, grammar=SCHEMA)


@pytest.mark.parametrize("steps", [({3: 0},), ({3: 0, EOS: 1}, {}), ({3: 7},), ({3: 1}, {4: 1})])
def test_a_graph_with_a_way_back_or_out_is_refused(steps):
    with pytest.raises(ValueError, match=r"leads to state .*so that every text ends"):
        Grammar(steps)


@pytest.mark.parametrize("steps", [(), ({},)])
def test_a_graph_without_a_text_is_refused(steps):
    with pytest.raises(ValueError, match="allow no token in state 0"):
        Grammar(steps)


@given(schemas)
@examples(30)
def test_the_longest_text_is_counted_not_believed(parts):
    assert Grammar.schema(parts).longest == max(map(len, texts_of(parts)))


def test_ids_that_are_no_texts_and_lists_that_are_no_grammar_are_refused():
    with pytest.raises(TypeError, match="texts holds single ids; give rows of ids"):
        Grammar.of_texts([3, 4, EOS])
    with pytest.raises(TypeError, match=r"grammar is \[\[3, 2\]\]; give Grammar\.of_texts"):
        stream(decoder(), torch.tensor([[BOS]]), grammar=[[3, EOS]])
