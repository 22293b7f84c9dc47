"""Reading piece by piece: the same logits as in one pass, with a cache and without, and nothing
changed by a piece that is refused."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from helpers.decoder.config import DecoderConfig
from helpers.decoder.model import Decoder
from helpers.decoder.modes import evaluating
from helpers.decoding.generation import stream
from helpers.decoding.reader import Reader
from helpers.languages.tokens import pad_rows
from tests.tiers import examples

V, CONTEXT = 7, 12
KINDS = [None, "growing", "preallocated"]


def decoder(**changes):
    shape = {"vocab_size": V, "context": CONTEXT, "width": 8, "heads": 2} | changes
    return Decoder(DecoderConfig(**shape), seed=3).eval()


def reader(model, batch, kind, memory=None):
    return Reader(model, None if kind is None else model.new_cache(batch, kind), memory)


def close(got, wanted):
    torch.testing.assert_close(got, wanted, rtol=0, atol=1e-5)


@st.composite
def texts_in_pieces(draw):
    """Rows of unequal length and where their columns are cut; the first piece has a token each."""
    row = st.lists(st.integers(0, V - 1), min_size=1, max_size=6)
    rows = draw(st.lists(row, min_size=1, max_size=3))
    length = max(map(len, rows)) + draw(st.integers(0, 2))
    earliest = length - min(map(len, rows)) + 1
    return rows, length, sorted(draw(st.sets(st.integers(earliest, length))) | {length})


@given(
    texts_in_pieces(),
    st.sampled_from([*KINDS, "window"]),
    st.sampled_from(["learned", "sinusoidal", "none"]),
    st.booleans(),
)
@examples(40)
def test_in_pieces_the_logits_are_those_of_each_row_alone(case, kind, positions, mode):
    rows, length, cuts = case
    window = 3 if kind == "window" else None
    model = decoder(positions=positions, window=window, blocks=2, dropout=0.5).train(mode)
    tokens, token_mask = pad_rows(rows, length, "left")
    read, start = reader(model, len(rows), kind), 0
    for end in cuts:
        mask = token_mask[:, start:end]
        got = read.read(tokens[:, start:end], None if mask.all() else mask)  # [B, V]
        assert not got.requires_grad
        assert all(module.training is mode for module in model.modules())
        start = end
        for b, row in enumerate(rows):
            alone = torch.tensor([row[: len(row) - (length - end)]])
            close(got[b], decoder_logits(model, alone))


def decoder_logits(model, tokens):
    with torch.no_grad(), evaluating(model):
        return model(tokens)[0, -1]


@pytest.mark.parametrize("kind", KINDS)
def test_a_cache_reads_only_what_is_new(kind):
    model = decoder()
    seen, states = [], model.states
    model.states = lambda tokens, *rest, **o: (
        seen.append(tokens.shape[1]) or states(tokens, *rest, **o)
    )
    read = reader(model, 1, kind)
    for size in (3, 1, 2):
        read.read(torch.full((1, size), 4))
    assert seen == ([3, 4, 6] if kind is None else [3, 1, 2])


@given(st.sampled_from(KINDS), st.lists(st.integers(0, 2), min_size=1, max_size=5))
@examples(30)
def test_reordered_rows_go_on_from_where_they_were(kind, order):
    model = decoder()
    rows = [[3], [4, 5], [6, 3, 4]]
    read = reader(model, 3, kind)
    read.read(*pad_rows(rows, side="left"))
    read.reorder(torch.tensor(order))
    last = torch.arange(len(order))[:, None]
    got = read.read(last)
    for i, b in enumerate(order):
        close(got[i], decoder_logits(model, torch.tensor([[*rows[b], i]])))


REFUSED = [
    (torch.tensor([[3], [V]]), None, ValueError, "unknown id 7"),
    (torch.tensor([[3.0], [4.0]]), None, TypeError, "int64"),
    (torch.full((2, CONTEXT - 1), 3), None, ValueError, "context"),
    (torch.full((1, 2), 3), None, ValueError, "2|1"),
    (torch.full((3, 2), 3), None, ValueError, "2|3"),
    (torch.full((2, 2), 3), torch.tensor([[False, True], [True, True]]), ValueError, "between"),
]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("tokens", "token_mask", "error", "words"), REFUSED)
def test_a_refused_piece_changes_nothing(kind, tokens, token_mask, error, words):
    model = decoder()
    start = torch.tensor([[3, 4], [5, 6]])
    read, untouched = (reader(model, 2, kind) for _ in range(2))
    for one in (read, untouched):
        one.read(start)
    with pytest.raises(error) as caught:
        read.read(tokens, token_mask)
    for word in words.split("|"):
        assert word in str(caught.value)
    piece = torch.tensor([[4], [4]])
    assert torch.equal(read.read(piece), untouched.read(piece))


@pytest.mark.parametrize("kind", KINDS)
def test_a_second_sequence_is_looked_at_in_every_piece(kind):
    model = decoder(cross_attention=True)
    source = torch.randn(1, 3, 8, generator=torch.Generator().manual_seed(0))
    with torch.no_grad():
        memory = model.memory_of(source)
        whole = model(torch.tensor([[3, 4, 5]]), memory=memory)[0]
    read = reader(model, 1, kind, memory)
    close(read.read(torch.tensor([[3, 4]]))[0], whole[1])
    close(read.read(torch.tensor([[5]]))[0], whole[2])


def test_the_caller_may_change_its_tokens_afterwards():
    model = decoder()
    piece = torch.tensor([[3, 4]])
    read = Reader(model)
    read.read(piece)
    piece[0, 0] = 6
    close(read.read(torch.tensor([[5]]))[0], decoder_logits(model, torch.tensor([[3, 4, 5]])))


@pytest.mark.parametrize("kind", ["growing", "preallocated"])
@pytest.mark.parametrize(
    "meddle",
    [
        lambda model, cache: cache.reset(),
        lambda model, cache: cache.crop(1),
        lambda model, cache: Reader(model, cache).read(torch.tensor([[5]])),
    ],
)
def test_a_cache_that_another_changed_in_between_is_refused(kind, meddle):
    model = decoder()
    cache = model.new_cache(1, kind)
    read = Reader(model, cache)
    read.read(torch.tensor([[3, 4]]))
    meddle(model, cache)
    with pytest.raises(ValueError, match="the cache held 2 tokens and now holds"):
        read.read(torch.tensor([[5]]))


def test_of_two_streams_with_one_cache_the_second_is_refused():
    model = decoder()
    cache, prompt = model.new_cache(1), torch.tensor([[3, 4]])
    first, second = (
        stream(model, prompt, max_new_tokens=2, stop_ids=None, cache=cache) for _ in range(2)
    )
    assert len(list(first)) == 2
    with pytest.raises(ValueError, match="the cache held 0 tokens and now holds 3"):
        next(second)
