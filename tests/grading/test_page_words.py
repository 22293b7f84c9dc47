"""What a page may say: sentences of the checks, none that an answer or its input had part in."""

import pytest
import torch

from helpers.exercises import expect
from helpers.exercises.exercise import ALONE, FORM, RAISED, WrongForm
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
def test_a_value_of_another_form_is_told_without_anything_of_it(asked):
    """Its author sees kind, shape and number; a page says the same of all of them."""
    said, seen = set(), set()
    for value in VALUES:
        try:
            asked(value)
        except WrongForm as error:
            said.add(error.public)
            seen.add(error.fault)
    assert said <= {FORM, "the keys of the dict it returned are not the right ones"}
    assert len(seen) > 4


def test_what_a_page_says_of_forms_and_exceptions_stands_in_the_checks():
    for sentence in (FORM, RAISED, ALONE + RAISED):
        assert allowed(sentence, 20) == sentence


def test_a_page_says_where_a_module_is_now_and_of_no_other_module_anything():
    assert allowed("helpers.masks is helpers.decoder.masks now", 20).endswith("masks now")
    assert allowed("helpers.masks is helpers.pwned now", 20) == OTHER
