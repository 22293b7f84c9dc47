"""Beam search: against every text enumerated, a plain search written differently, and greedy."""

import math
import random
from itertools import pairwise, product

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from helpers.decoder.config import DecoderConfig
from helpers.decoder.model import Decoder
from helpers.decoding.beam import Hypothesis, beam_search
from helpers.decoding.generation import generate
from helpers.languages.language import BOS, EOS
from tests.stub_models import OneLaw, Tree
from tests.tiers import examples

INF = math.inf
END, START = 0, (1,)  # in the trees below: the end token, and the prompt
PENALTIES = [0, 0.5, 1, 2]
START_ROW = torch.tensor([START])


def tree(V, length, seed, kind="fine"):
    """A model with random logits after each text of V tokens, up to `length` of them.

    kind: "fine" never ties; "tied" has many ties; "holes" makes some tokens impossible.
    """
    drawn = random.Random(seed)
    number = {
        "fine": lambda: drawn.gauss(0, 1.5),
        "tied": lambda: float(drawn.randint(0, 1)),
        "holes": lambda: drawn.choice([drawn.gauss(0, 1.5), -INF]),
    }[kind]
    after = {}
    for n in range(length):
        for text in product(range(V), repeat=n):
            row = [number() for _ in range(V)]
            row[drawn.randrange(V)] = drawn.choice([0.0, 1.0])  # something is always possible
            after[START + text] = torch.tensor(row, dtype=torch.float64)
    return Tree(after)


def law_after(model, text):
    return model.logits_after[START + text].log_softmax(dim=-1).tolist()


def every_text(model, length, penalty, stops=(END,)):
    """All texts as (score, ln of probability, text), the best first: plain enumeration."""
    found = []

    def go_on(text, total):
        if text and (text[-1] in stops or len(text) == length):
            found.append((total / len(text) ** penalty, total, text))
        else:
            for token, gain in enumerate(law_after(model, text)):
                if gain > -INF:
                    go_on((*text, token), total + gain)

    go_on((), 0.0)
    return sorted(found, key=lambda entry: -entry[0])


def plain_search(model, length, penalty, beams, stops=(END,)):
    """Beam search as it is told in words, run to the very end: (score, ln p, text), best first."""
    running, finished = [((), 0.0)], []
    for n in range(1, length + 1):
        tried = []
        for parent, (text, total) in enumerate(running):
            for token, gain in enumerate(law_after(model, text)):
                if gain > -INF:
                    tried.append((-(total + gain), parent, token, (*text, token)))
        tried.sort()  # likelier first, then the higher parent, then the lower token
        at_end = [one for one in tried[:beams] if one[2] in stops or n == length]
        finished += [(-minus / n**penalty, -minus, text) for minus, _, _, text in at_end]
        on = [one for one in tried if one[2] not in stops][:beams]
        running = [(text, -minus) for minus, _, _, text in on]
    finished.sort(key=lambda entry: -entry[0])  # of equal ones the earlier stays first
    return finished[:beams]


def search(model, length, penalty=0.0, beams=1, **options):
    options = {"stop_ids": (END,)} | options
    return beam_search(
        model, START_ROW, beams=beams, max_new_tokens=length, length_penalty=penalty, **options
    )


def check_same(found, wanted):
    """The same texts in the same order, with the same figures."""
    assert [one.tokens for one in found] == [text for _, _, text in wanted]
    for one, (score, total, _) in zip(found, wanted, strict=True):
        assert one.score == pytest.approx(score, abs=1e-12)
        assert one.log_probability == pytest.approx(total, abs=1e-12)


sizes = st.tuples(st.integers(2, 4), st.integers(1, 4))
seeds = st.integers(0, 10**6)
penalties = st.sampled_from(PENALTIES)
kinds = st.sampled_from(["fine", "tied", "holes"])


# ---- against enumeration ------------------------------------------------------------------------


@given(sizes, seeds, penalties, st.sampled_from(["fine", "holes"]))
@examples(60)
def test_with_enough_beams_it_is_the_exhaustive_ranking(size, seed, penalty, kind):
    V, length = size
    model = tree(V, length, seed, kind)
    everything = every_text(model, length, penalty)
    got = search(model, length, penalty, beams=V**length)
    check_same(got, everything)
    assert all(one.reason == ("stop" if one.tokens[-1] == END else "length") for one in got)
    together = math.fsum(math.exp(one.log_probability) for one in got)
    assert together == pytest.approx(1, abs=1e-9)


@given(sizes, seeds, penalties)
@examples(30)
def test_with_enough_beams_and_many_ties_the_scores_are_those_of_all_texts(size, seed, penalty):
    V, length = size
    model = tree(V, length, seed, "tied")
    everything = every_text(model, length, penalty)
    got = search(model, length, penalty, beams=V**length)
    assert {one.tokens for one in got} == {text for _, _, text in everything}
    assert [one.score for one in got] == pytest.approx([score for score, _, _ in everything])


@given(sizes, seeds, penalties, kinds, st.integers(1, 5))
@examples(100)
def test_with_few_beams_it_is_the_plain_search_run_to_the_end(size, seed, penalty, kind, beams):
    V, length = size
    model = tree(V, length, seed, kind)
    got = search(model, length, penalty, beams)
    # the same texts in the same order, ties and all, though it may stop early
    check_same(got, plain_search(model, length, penalty, beams))
    everything = {text: score for score, _, text in every_text(model, length, penalty)}
    assert len({one.tokens for one in got}) == len(got) <= beams
    for one in got:
        assert one.score == pytest.approx(everything[one.tokens], abs=1e-12)
    assert got[0].score <= max(everything.values()) + 1e-12  # never better than the best there is
    assert [one.score for one in got] == sorted((one.score for one in got), reverse=True)


@given(sizes, seeds, penalties, st.integers(1, 4), st.data())
@examples(30)
def test_any_set_of_stop_tokens_or_none(size, seed, penalty, beams, data):
    V, length = size
    model = tree(V, length, seed)
    stops = data.draw(st.sets(st.integers(0, V - 1), max_size=V))
    got = search(model, length, penalty, beams, stop_ids=stops or None)
    check_same(got, plain_search(model, length, penalty, beams, stops))
    for one in got:
        assert not set(one.tokens[:-1]) & stops
        assert one.reason == ("stop" if one.tokens[-1] in stops else "length")


@given(sizes, seeds, st.sampled_from([*PENALTIES, 10]), st.integers(1, 5))
@examples(60)
def test_the_early_stop_saves_steps_and_is_never_too_early(size, seed, penalty, beams):
    V, length = size
    model = tree(V, length, seed)
    got = search(model, length, penalty, beams)
    forwards = model.forwards
    assert 1 <= forwards <= length
    if forwards < length:  # it stopped: whatever still ran could reach no more than this
        check_same(got, plain_search(model, length, penalty, beams))
        assert max(len(one.tokens) for one in got) <= forwards


# ---- exact numbers ------------------------------------------------------------------------------


def by_probabilities(table):
    """A model from {text after the prompt: probabilities}; behind other texts all is alike."""
    V = len(next(iter(table.values())))
    after = {
        START + text: torch.zeros(V, dtype=torch.float64)
        for n in range(4)
        for text in product(range(V), repeat=n)
    }
    for text, law in table.items():
        after[START + text] = torch.tensor(law, dtype=torch.float64).log()
    return Tree(after)


# greedy begins with 2, which is likelier, but what follows 1 is surer: 0.4 * 0.9 > 0.5 * 0.4
GREEDY_LOSES = {(): [0.1, 0.4, 0.5], (1,): [0.9, 0.05, 0.05], (2,): [0.4, 0.3, 0.3]}


def test_two_beams_find_what_greedy_misses():
    model = by_probabilities(GREEDY_LOSES)
    greedy = search(model, 2, beams=1)[0]
    assert greedy.tokens == (2, 0)
    assert math.exp(greedy.log_probability) == pytest.approx(0.2)
    best = search(model, 2, beams=2)
    assert [one.tokens for one in best] == [(1, 0), (2, 0)]
    assert [math.exp(one.log_probability) for one in best] == pytest.approx([0.36, 0.2])
    assert best[0] == Hypothesis((1, 0), best[0].log_probability, best[0].score, "stop")


def test_length_penalty_turns_the_ranking_from_short_to_long_texts():
    # "end" at once: 0.3, one token. "1 1 end": 0.6 * 0.7 * 0.5 = 0.21, three tokens.
    model = by_probabilities({(): [0.3, 0.6, 0.1], (1,): [0.2, 0.7, 0.1], (1, 1): [0.5, 0.3, 0.2]})
    for penalty, tokens, score in [
        (0, (0,), math.log(0.3)),
        (0.5, (1, 1, 0), math.log(0.21) / 3**0.5),
        (1, (1, 1, 0), math.log(0.21) / 3),
        (2, (1, 1, 0), math.log(0.21) / 9),
    ]:
        best = search(model, 3, penalty, beams=3)[0]
        assert best.tokens == tokens
        assert best.score == pytest.approx(score)
        assert best.log_probability == pytest.approx(score * len(tokens) ** penalty)


def test_a_sure_end_stops_the_search_at_once_and_a_penalty_keeps_it_going():
    model = by_probabilities({(): [0.9, 0.06, 0.04]})
    check_same(search(model, 3), [(math.log(0.9), math.log(0.9), (0,))])
    assert model.forwards == 1
    # at best "1" goes on surely: ln 0.06 / 3 ** 2 = -0.31 is behind ln 0.9, ln 0.06 / 3 ** 4 not
    model.forwards = 0
    search(model, 3, penalty=2)
    assert model.forwards == 1
    search(model, 3, penalty=4)
    assert model.forwards == 1 + 3


def test_a_full_list_does_not_end_the_search_while_a_longer_text_may_win():
    # after one step the list is full with "end" (0.5), but "1 1 1" has the better mean
    model = by_probabilities({(): [0.5, 0.45, 0.05], (1,): [0.01, 0.98, 0.01]})
    assert search(model, 2, penalty=1)[0].tokens == (1, 1)
    assert search(model, 2, penalty=0)[0].tokens == (0,)


def test_ties_follow_the_stated_rules():
    even = by_probabilities({(): [0.25, 0.25, 0.25, 0.25]})
    # the lower token first, and of finished texts the one that finished earlier
    assert [one.tokens for one in search(even, 1, beams=3)] == [(0,), (1,), (2,)]
    assert [one.tokens for one in search(even, 2, beams=3)] == [(0,), (1, 0), (1, 1)]
    # equal texts: the one whose parent ranks higher comes first, though its token is higher
    parents = by_probabilities({(): [0.0, 0.25, 0.5], (1,): [1, 0, 0], (2,): [0, 0.5, 0.5]})
    found = [one.tokens for one in search(parents, 2, beams=3)]
    assert found == [(2, 1), (2, 2), (1, 0)]
    # "2 end" ties with "end", which finished earlier
    later = by_probabilities({(): [0.25, 0.25, 0.5], (2,): [0.5, 0.25, 0.25]})
    assert [one.tokens for one in search(later, 2, beams=2)] == [(0,), (2, 0)]


def test_a_text_that_cannot_come_is_never_found():
    model = by_probabilities({(): [0, 1, 0], (1,): [0.5, 0, 0.5]})
    assert [one.tokens for one in search(model, 2, beams=9)] == [(1, 0), (1, 2)]


def test_an_end_counts_only_if_it_is_among_the_likeliest_of_its_step():
    # greedy goes on with 1; "end" at once (0.4) is likelier than its text (0.6 * 0.5) all the same
    model = by_probabilities({(): [0.4, 0.6, 0.0], (1,): [0.5, 0.25, 0.25]})
    assert search(model, 2, beams=1)[0].tokens == (1, 0)
    assert search(model, 2, beams=2)[0].tokens == (0,)


# ---- against greedy -----------------------------------------------------------------------------


@given(sizes, seeds, kinds)
@examples(60)
def test_one_beam_without_penalty_is_greedy(size, seed, kind):
    V, length = size
    model = tree(V, length, seed, kind)
    options = {"max_new_tokens": length, "stop_ids": (END,)}
    [found] = beam_search(model, START_ROW, beams=1, **options)
    greedy = generate(model, START_ROW, temperature=0, pad_id=0, **options)
    assert list(found.tokens) == greedy.rows()[0]
    assert found.log_probability == pytest.approx(greedy.log_probabilities.item(), abs=1e-12)
    assert found.reason == greedy.reasons[0]


def decoder(**changes):
    shape = {"vocab_size": 11, "context": 16, "width": 8, "heads": 2, "blocks": 2} | changes
    return Decoder(DecoderConfig(**shape), seed=6).eval()


prompts = st.lists(st.integers(3, 10), min_size=1, max_size=5).map(lambda row: torch.tensor([row]))


@given(prompts, st.integers(1, 8))
@examples(15)
def test_one_beam_is_greedy_on_a_real_decoder_too(prompt, count):
    model = decoder()
    [found] = beam_search(model, prompt, beams=1, max_new_tokens=count)
    greedy = generate(model, prompt, temperature=0, max_new_tokens=count)
    assert list(found.tokens) == greedy.rows()[0]


@given(prompts, st.integers(1, 5), st.integers(1, 4), penalties)
@examples(15)
def test_log_probabilities_are_the_models_own(prompt, count, beams, penalty):
    model = decoder()
    found = beam_search(
        model, prompt, beams=beams, max_new_tokens=count, length_penalty=penalty, stop_ids=(EOS, 5)
    )
    assert len(found) == beams
    for one in found:
        text = torch.cat([prompt, torch.tensor([one.tokens])], dim=1)
        law = model(text).double().log_softmax(dim=-1)[0, prompt.shape[1] - 1 : -1]
        total = law[range(len(one.tokens)), list(one.tokens)].sum().item()
        assert one.log_probability == pytest.approx(total, abs=1e-5)
        assert one.score == pytest.approx(total / len(one.tokens) ** penalty, abs=1e-5)


# ---- caches -------------------------------------------------------------------------------------


def alike(found, wanted):
    """The same hypotheses: scores within 1e-5, and texts wherever scores tell them apart."""
    assert [one.score for one in found] == pytest.approx([one.score for one in wanted], abs=1e-5)
    scores = [INF, *(one.score for one in wanted), -INF]
    gaps = [high - low for high, low in pairwise(scores)]
    for i, (one, other) in enumerate(zip(found, wanted, strict=True)):
        if min(gaps[i], gaps[i + 1]) > 1e-5:
            assert (one.tokens, one.reason) == (other.tokens, other.reason)


def caches(model, capacity):
    kinds = ["growing", "preallocated"] + ["window"] * (model.config.window is not None)
    return [
        model.new_cache(1, kind, **({"capacity": capacity} if kind == "preallocated" else {}))
        for kind in kinds
    ]


variants = st.sampled_from([{}, {"window": 3}, {"positions": "sinusoidal"}, {"positions": "none"}])


@given(variants, prompts, st.integers(1, 6), st.integers(1, 5), penalties)
@examples(25)
def test_every_cache_gives_the_same_hypotheses(variant, prompt, count, beams, penalty):
    model = decoder(**variant)
    options = {"beams": beams, "max_new_tokens": count, "length_penalty": penalty}
    options["stop_ids"] = (EOS, 4, 7)
    wanted = beam_search(model, prompt, **options)
    needed = prompt.shape[1] + count - 1  # the last token is never read
    for cache in caches(model, needed):
        alike(beam_search(model, prompt, cache=cache, **options), wanted)
        # afterwards the cache serves one row again
        assert cache.shape.batch == len(cache.token_mask) == 1
        assert cache.length <= needed
        cache.reset()
        alike(beam_search(model, prompt, cache=cache, **options), wanted)


@given(st.integers(1, 4), st.integers(1, 4))
@examples(10)
def test_a_cache_may_hold_an_earlier_part_of_the_text(cut, beams):
    model = decoder()
    prompt = torch.tensor([[3, 9, 4, 8, 5]])
    options = {"beams": beams, "max_new_tokens": 5, "length_penalty": 1}
    wanted = beam_search(model, prompt, **options)
    for cache in caches(model, 9):
        with torch.no_grad():
            model(prompt[:, :cut], cache=cache)
        alike(beam_search(model, prompt[:, cut:], cache=cache, **options), wanted)


def test_padding_in_the_cache_stays_unseen_as_texts_branch():
    model, prompt = decoder(), torch.tensor([[3, 9, 4]])
    options = {"beams": 3, "max_new_tokens": 4}
    wanted = beam_search(model, prompt, **options)
    cache = model.new_cache(1)
    with torch.no_grad():
        model(torch.tensor([[0, 0, 3]]), torch.tensor([[False, False, True]]), cache=cache)
    alike(beam_search(model, prompt[:, 1:], cache=cache, **options), wanted)


def test_after_the_search_the_cache_holds_what_was_read_of_the_likeliest_running_text():
    model, prompt = decoder(), torch.tensor([[3, 9]])
    cache = model.new_cache(1)
    [found] = beam_search(model, prompt, beams=1, max_new_tokens=4, stop_ids=None, cache=cache)
    assert cache.length == 2 + 3  # all but the last token
    with torch.no_grad():
        got = model(torch.tensor([found.tokens[-1:]]), cache=cache)[0, -1]
        wanted = model(torch.cat([prompt, torch.tensor([found.tokens])], dim=1))[0, -1]
    torch.testing.assert_close(got, wanted, rtol=0, atol=1e-5)


# ---- nothing else changes -----------------------------------------------------------------------


@pytest.mark.parametrize("mode", [True, False])
def test_the_search_is_without_dropout_and_leaves_all_as_found_C15(mode):
    model, prompt = decoder(dropout=0.5).train(mode), torch.tensor([[3, 9]])
    before = [prompt.clone(), torch.get_rng_state(), *[p.clone() for p in model.parameters()]]
    wanted = beam_search(decoder(), prompt, beams=3, max_new_tokens=5)
    for cache in (None, model.new_cache(1)):
        alike(beam_search(model, prompt, beams=3, max_new_tokens=5, cache=cache), wanted)
    after = [prompt, torch.get_rng_state(), *model.parameters()]
    assert all(torch.equal(x, y) for x, y in zip(before, after, strict=True))
    assert all(module.training is mode for module in model.modules())
    assert all(parameter.grad is None for parameter in model.parameters())


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float64])
def test_the_search_adds_up_in_float64_whatever_the_logits_are(dtype):
    logits = torch.tensor([0.0, 1.0, 2.5], dtype=dtype)
    law = logits.double().log_softmax(dim=-1)
    [found] = search(OneLaw(logits), 30, stop_ids=None)
    assert found.tokens == (2,) * 30
    assert found.log_probability == pytest.approx(30 * law[2].item(), abs=1e-12)


# ---- bad input ----------------------------------------------------------------------------------

BAD_ARGUMENTS = [
    ({"prompt": [[1], [1]]}, ValueError, "prompt has shape [2, 1]|one row [1, T]"),
    ({"prompt": [[3]]}, ValueError, "prompt holds the unknown id 3|0 to 2"),
    ({"prompt": [1, 1]}, ValueError, "prompt has shape [2]"),
    ({"prompt": [[]]}, TypeError, "prompt is torch.float32|int64"),
    ({"prompt": torch.zeros(1, 0).long()}, ValueError, "prompt has empty rows"),
    ({"prompt": torch.zeros(0, 1).long()}, ValueError, "prompt has an empty batch"),
    ({"beams": 0}, ValueError, "beams is 0|1 or more"),
    ({"beams": -1}, ValueError, "beams is -1|1 or more"),
    ({"beams": 1.5}, ValueError, "beams is 1.5|whole number"),
    ({"beams": True}, ValueError, "beams is True|whole number"),
    ({"max_new_tokens": 0}, ValueError, "max_new_tokens is 0|1 or more"),
    ({"max_new_tokens": 2.0}, ValueError, "max_new_tokens is 2.0|whole number"),
    ({"max_new_tokens": None}, ValueError, "max_new_tokens is None|whole number"),
    ({"max_new_tokens": 32}, ValueError, "prompt of 1|max_new_tokens=32|context of 32|most 31"),
    ({"length_penalty": -0.1}, ValueError, "length_penalty is -0.1|0 (off) to 10"),
    ({"length_penalty": math.nan}, ValueError, "length_penalty is nan|0 (off) to 10"),
    ({"length_penalty": INF}, ValueError, "length_penalty is inf|0 (off) to 10"),
    ({"length_penalty": 1100}, ValueError, "length_penalty is 1100|0 (off) to 10"),
    ({"length_penalty": "1"}, ValueError, "length_penalty is '1'|0 (off) to 10"),
    ({"stop_ids": (2, 3)}, ValueError, "stop_ids holds the unknown id 3|0 to 2"),
    ({"stop_ids": ()}, ValueError, "stop_ids is empty|None"),
    ({"stop_ids": (1.5,)}, TypeError, "stop_ids holds 1.5"),
    ({"beam": 2}, TypeError, "beam"),
]


@pytest.mark.parametrize(("changes", "error", "words"), BAD_ARGUMENTS)
def test_bad_arguments_are_named_before_the_first_forward(changes, error, words):
    model = by_probabilities(GREEDY_LOSES)
    options = {"prompt": [[1]], "beams": 2, "max_new_tokens": 2} | changes
    prompt = options.pop("prompt")
    prompt = prompt if isinstance(prompt, torch.Tensor) else torch.tensor(prompt)
    with pytest.raises(error) as caught:
        beam_search(model, prompt, **options)
    for word in words.split("|"):
        assert word in str(caught.value)
    assert model.forwards == 0


@pytest.mark.parametrize(
    ("build", "words"),
    [
        (lambda model: model.new_cache(3), "batch=3.*batch=1"),
        (lambda model: decoder(blocks=1).new_cache(1), "blocks=1.*blocks=2"),
        (lambda model: decoder().double().new_cache(1), "dtype=torch.float64.*torch.float32"),
        (lambda model: read(decoder(), 2), "keys of another model"),
        (lambda model: read(model, 12), "12 tokens|plus max_new_tokens=4 exceeds the context"),
        (lambda model: model.new_cache(1, "preallocated", capacity=4), "needs room for 5.*has 4"),
    ],
)
def test_a_cache_that_does_not_fit_is_refused_and_left_as_it_was(build, words, monkeypatch):
    model = decoder()
    cache = build(model)
    length, batch = cache.length, cache.shape.batch

    def no_forward(*_, **__):
        raise AssertionError("the model was run")

    monkeypatch.setattr(model, "next_logits", no_forward)
    with pytest.raises(ValueError, match=words):
        beam_search(model, torch.tensor([[3, 4]]), beams=2, max_new_tokens=4, cache=cache)
    assert (cache.length, cache.shape.batch) == (length, batch)


@pytest.mark.parametrize("where", ["prompt", "model"])
def test_prompt_and_model_on_two_devices_are_refused(where):
    model, prompt = decoder(), torch.tensor([[3]])
    if where == "model":
        model = model.to("meta")
    else:
        prompt = prompt.to("meta")
    with pytest.raises(ValueError, match=r"tokens are on \w+, the model on \w+"):
        beam_search(model, prompt, beams=1, max_new_tokens=1)


def read(model, count):
    cache = model.new_cache(1)
    with torch.no_grad():
        model(torch.full((1, count), 3), cache=cache)
    return cache


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ([0.0, math.nan, 0.0], "logits hold NaN in row 1"),
        ([-INF, -INF, -INF], "row 1 has no finite largest value"),
        ([0.0, INF, 0.0], "row 1 has no finite largest value"),
    ],
)
def test_broken_logits_are_named_and_never_ranked(row, words):
    model = by_probabilities(GREEDY_LOSES)
    model.logits_after[(*START, 1)] = torch.tensor(row, dtype=torch.float64)
    with pytest.raises(ValueError, match=words):
        search(model, 2, beams=2)


def test_a_prompt_of_another_language_is_not_changed_by_the_default_end():
    found = beam_search(OneLaw([0.0, 0.0, 3.0]), torch.tensor([[BOS]]), beams=1, max_new_tokens=9)
    assert found[0].tokens == (EOS,)
    assert found[0].reason == "stop"


def test_a_model_with_a_second_sequence_is_refused_before_the_first_step():
    config = DecoderConfig(vocab_size=5, context=9, width=8, heads=2, cross_attention=True)
    with pytest.raises(ValueError, match="cross_attention is True: beam search takes models"):
        beam_search(Decoder(config), torch.tensor([[BOS]]), beams=2, max_new_tokens=2)
