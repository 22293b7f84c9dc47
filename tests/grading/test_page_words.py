"""What a page may say: sentences of the checks, none that an answer or its input had part in."""

import pytest
import torch

from helpers.exercises import expect
from helpers.exercises.exercise import ALONE, WrongForm, _without_names
from helpers.grading.page_words import OTHER, allowed


def test_sentences_of_the_checks_are_said_and_others_are_not():
    for sentence in ("it ended its process", "this is in bits: the course's losses are in nats"):
        assert allowed(sentence, 20) == sentence
        assert allowed(ALONE + sentence, 20) == ALONE + sentence
    for sentence in ("0.25", "it raised Pwned", "it ended its process 7", ALONE + "pwned"):
        assert allowed(sentence, 20) == OTHER


def test_of_time_only_the_limit_is_said_and_no_other_number():
    assert allowed("it took longer than 20 s", 20) == "it took longer than 20 s"
    assert allowed(ALONE + "it took longer than 0.5 s", 0.5).endswith("than 0.5 s")
    assert allowed("it took longer than 19.9 s", 20) == OTHER


VALUES = [None, 7, 0.5, "text", [1, 2], {"a": 1}, True, torch.ones(2, 7), torch.ones(3).long()]
ASKED = [
    lambda value: expect.tensor(value, (4,)),
    lambda value: expect.tensor(value, (3,)),
    lambda value: expect.items(value, 5),
    expect.number,
    expect.whole,
    expect.truth,
    expect.text,
    lambda value: expect.table(value, ["b"]),
]


@pytest.mark.parametrize("asked", ASKED, ids=range(len(ASKED)))
def test_a_value_of_another_form_is_told_apart_from_what_it_holds(asked):
    """Its author sees kind, shape and number; a page says the same of all of them."""
    said = {}
    for value in VALUES:
        try:
            asked(value)
        except WrongForm as error:
            said.setdefault(error.public, []).append(error.fault)
    assert all(allowed(public, 20) == public for public in said)
    # a tensor of another shape is no tensor of another kind, and neither is something else
    assert len(said) <= 3


def test_an_exception_is_told_without_any_name():
    replies = [
        {"raised": "ValueError"},
        {"raised": "Pwned123"},
        {"raised": "NameError", "name": "pwned_123"},
        {"raised": "ImportError", "refused": "wave"},
    ]
    said = [_without_names(reply) for reply in replies]
    assert all(allowed(sentence, 20) == sentence for sentence in said)
    assert said[0] == said[1] and len(set(said)) == 3
