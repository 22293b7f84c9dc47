"""Drawings, their captions, and the patches they are cut into."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from helpers.languages.drawings import (
    SIDE,
    Drawing,
    all_drawings,
    patches,
    pictures_of,
    split_drawings,
)
from helpers.languages.language import captions
from helpers.languages.tokens import Vocabulary


def test_there_are_104_different_pictures_each_with_ink_inside():
    drawings = all_drawings()
    assert len(drawings) == 2 * 16 + 2 * 36 == 104
    pictures = {tuple(drawing.picture().flatten().tolist()) for drawing in drawings}
    assert len(pictures) == 104
    assert all(set(picture) == {0.0, 1.0} for picture in pictures)
    # the same thing elsewhere has the same ink: nothing is cut off at the edge
    ink = {(d.size, d.shape): set() for d in drawings}
    for d in drawings:
        ink[d.size, d.shape].add(int(d.picture().sum()))
    assert sorted(map(sorted, ink.values())) == [[4], [5], [9], [12]]


def test_a_picture_has_its_two_captions_and_no_other():
    vocabulary = Vocabulary.of(captions())
    drawing = Drawing("small", "circle", 2, 3)
    assert [vocabulary.decode(caption) for caption in drawing.captions()] == [
        "a photo of a small circle",
        "a small circle in the photo",
    ]
    for drawing in all_drawings():
        assert len(drawing.captions()) == 2
        assert set(drawing.captions()) <= set(captions().sentences)


def test_the_best_losses_are_exact():
    # the picture leaves the style free: ln 2 over 7 predicted tokens
    assert captions().floor == pytest.approx(3 * math.log(2) / 7)
    assert captions().predicted_tokens == 7


@given(st.integers(0, 9), st.integers(1, 103))
def test_the_two_parts_of_a_split_are_all_drawings_once(seed, held_out):
    train, test = split_drawings(seed, held_out)
    assert len(test) == held_out
    assert sorted(map(str, train + test)) == sorted(map(str, all_drawings()))
    assert split_drawings(seed, held_out) == (train, test)


@given(st.sampled_from([1, 2, 4, 8]), st.integers(1, 3))
def test_patches_hold_every_point_once_row_by_row(side, batch):
    pictures = torch.arange(batch * SIDE * SIDE).view(batch, SIDE, SIDE).float()
    cut = patches(pictures, side)
    per_row = SIDE // side
    assert cut.shape == (batch, per_row * per_row, side * side)
    for s in range(per_row * per_row):
        top, left = s // per_row * side, s % per_row * side
        wanted = pictures[:, top : top + side, left : left + side].flatten(1)
        assert torch.equal(cut[:, s], wanted)


@pytest.mark.parametrize("shape", [(8, 8), (1, 8, 7), (1, 1, 8, 8)])
def test_pictures_that_cannot_be_cut_are_refused(shape):
    with pytest.raises(ValueError, match="pictures have shape"):
        patches(torch.zeros(shape), 2)


def test_several_pictures_stand_in_one_tensor():
    drawings = all_drawings()[:3]
    assert torch.equal(pictures_of(drawings)[1], drawings[1].picture())


@pytest.mark.parametrize(
    ("drawing", "words"),
    [
        (("small", "plus", -4, 0), "top is -4; here 0 to 5 fit"),
        (("small", "plus", 0, 6), "left is 6; here 0 to 5 fit"),
        (("large", "circle", 4, 0), "top is 4; here 0 to 3 fit"),
        (("huge", "plus", 0, 0), "'huge' 'plus'; give one of"),
    ],
)
def test_what_cannot_be_drawn_is_refused(drawing, words):
    with pytest.raises(ValueError, match=words):
        Drawing(*drawing)


def test_impossible_numbers_are_refused():
    for held_out in (-1, 105):
        with pytest.raises(ValueError, match=f"held_out is {held_out}; give 0 to 104"):
            split_drawings(held_out=held_out)
    with pytest.raises(ValueError, match="side is 0; give 1 or more"):
        patches(torch.zeros(1, 8, 8), 0)
