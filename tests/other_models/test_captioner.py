"""Two captioners: what may depend on what, the same numbers step by step, and learning."""

import math

import pytest
import torch

from helpers.decoder.modes import evaluating
from helpers.languages.drawings import all_drawings, pictures_of, split_drawings
from helpers.languages.language import BOS, EOS, captions
from helpers.languages.tokens import pad_rows
from helpers.other_models.captioner import (
    NEW_TOKENS,
    PATCHES,
    EncoderDecoder,
    PictureBatch,
    PrefixDecoder,
    caption_loss,
    picture_batches,
    told_rightly,
)
from helpers.training.loop import train

KINDS = [EncoderDecoder, PrefixDecoder]
both_kinds = pytest.mark.parametrize("kind", KINDS)


def some(count=3):
    batch = PictureBatch.of_drawings(all_drawings()[::20][:count])
    return batch.pictures, batch.tokens, batch.token_mask


@both_kinds
def test_logits_stand_at_text_positions_only(kind):
    pictures, tokens, token_mask = some()
    logits = kind().eval()(pictures, tokens, token_mask)
    assert logits.shape == (*tokens.shape, captions().vocab_size)


@both_kinds
@torch.no_grad()
def test_text_depends_on_the_text_before_it_and_never_on_what_follows(kind):
    model = kind(blocks=2).eval()
    pictures, tokens, _ = some()
    before = model(pictures, tokens)
    for s in range(tokens.shape[1]):
        changed = tokens.clone()
        changed[:, s] = (changed[:, s] + 1) % 12
        moved = (model(pictures, changed) != before).flatten(2).any(dim=-1)  # [B, T]
        assert not moved[:, :s].any()
        assert moved[:, s:].all()


@both_kinds
@torch.no_grad()
def test_every_word_depends_on_every_patch(kind):
    model = kind(blocks=2).eval()
    pictures, tokens, _ = some()
    before = model(pictures, tokens)
    for row in range(0, 8, 2):
        for column in range(0, 8, 2):
            changed = pictures.clone()
            changed[:, row : row + 2, column : column + 2] += 1
            assert (model(changed, tokens) != before).flatten(2).any(dim=-1).all()


@torch.no_grad()
def test_patch_states_look_both_ways_in_the_encoder_and_back_only_in_the_prefix():
    pictures = some()[0]
    last = pictures.clone()
    last[:, 6:, 6:] += 1  # the last patch
    encoder, prefix = EncoderDecoder().eval(), PrefixDecoder().eval()
    assert (encoder.encode(pictures)[:, 0] != encoder.encode(last)[:, 0]).any()
    states = [prefix.decoder.states_of(prefix.prefix(x))[:, 0] for x in (pictures, last)]
    assert torch.equal(*states)


@both_kinds
@torch.no_grad()
def test_a_row_does_not_depend_on_its_neighbours_nor_on_padding(kind):
    model = kind().eval()
    pictures, tokens, _ = some()
    rows = [row[: 3 + i].tolist() for i, row in enumerate(tokens)]
    padded, token_mask = pad_rows(rows, 8)
    together = model(pictures, padded, token_mask)
    for i, row in enumerate(rows):
        alone = model(pictures[i : i + 1], torch.tensor([row]))
        torch.testing.assert_close(together[i, : len(row)], alone[0], atol=1e-5, rtol=0)


@both_kinds
def test_a_caption_is_what_the_whole_model_would_say_step_by_step(kind):
    model = kind(blocks=2, seed=4).train()
    pictures = pictures_of(all_drawings()[::30])
    found = model.caption(pictures)
    assert model.training  # left as it was
    for picture, text in zip(pictures, found, strict=True):
        so_far = [BOS]
        with torch.no_grad(), evaluating(model):
            for token in text:
                assert model(picture[None], torch.tensor([so_far]))[0, -1].argmax() == token
                so_far.append(token)
        assert text[-1] == EOS or len(text) == NEW_TOKENS


def test_the_prefix_takes_room_in_context_and_cache():
    model = PrefixDecoder()
    assert model.decoder.config.context == PATCHES + 1 + NEW_TOKENS
    cache = model.decoder.new_cache(2)
    with torch.no_grad():
        model.decoder.states_of(model.prefix(pictures_of(all_drawings()[:2])), cache=cache)
    assert cache.length == PATCHES


def test_batches_hold_pictures_with_captions_that_are_true_of_them():
    drawings = all_drawings()
    known = {tuple(d.picture().flatten().tolist()): d for d in drawings}
    batch = next(picture_batches(drawings, 32, seed=1))
    for picture, tokens, real in zip(batch.pictures, batch.tokens, batch.token_mask, strict=True):
        drawing = known[tuple(picture.flatten().tolist())]
        assert tuple(tokens[real].tolist()) in drawing.captions()
    again = next(picture_batches(drawings, 32, seed=1))
    assert torch.equal(batch.tokens, again.tokens)
    other = next(picture_batches(drawings, 32, seed=2))
    assert not torch.equal(batch.pictures, other.pictures)


def test_told_rightly_counts_true_captions_only():
    drawings = all_drawings()[:2]
    right = [list(d.captions()[0][1:]) for d in drawings]
    assert told_rightly(drawings, right) == 2
    assert told_rightly(drawings, [right[0], right[0][:-1]]) == 1


@both_kinds
def test_first_weights_come_from_the_seed_alone(kind):
    torch.manual_seed(1)
    state = torch.get_rng_state()
    a, b, other = kind(seed=3), kind(seed=3), kind(seed=4)
    assert torch.equal(state, torch.get_rng_state())
    pairs = zip(a.parameters(), b.parameters(), strict=True)
    assert all(torch.equal(x, y) for x, y in pairs)
    assert not torch.equal(a.patch_embedding.weight, other.patch_embedding.weight)


def test_it_learns_to_use_the_picture():
    drawings, _ = split_drawings()
    model = EncoderDecoder()
    train(model, picture_batches(drawings, 32, seed=0), steps=250)
    # sizes are drawn 16 : 36, so this is the best loss without the picture
    sizes = [16 / 52, 36 / 52]
    blind = (2 * math.log(2) - sum(p * math.log(p) for p in sizes)) / 7
    assert caption_loss(model, drawings) < blind - 0.05
    # pictures of other drawings make it worse than one that sees nothing
    batch = PictureBatch.of_drawings(drawings)
    wrong = PictureBatch(batch.tokens, batch.token_mask, batch.pictures.roll(60, dims=0))
    with torch.no_grad(), evaluating(model):
        logits = model(*wrong.inputs)
    law = logits.log_softmax(dim=-1)[:, :-1].gather(-1, batch.tokens[:, 1:, None])[..., 0]
    assert -law[batch.token_mask[:, 1:]].mean() > blind


@both_kinds
@pytest.mark.parametrize("shape", [(1, 4, 16), (1, 6, 6), (1, 16, 16), (8, 8)])
def test_pictures_of_another_form_are_refused(kind, shape):
    with pytest.raises(ValueError, match=r"pictures have shape .*; give \[B, 8, 8\]"):
        kind().caption(torch.zeros(shape))
