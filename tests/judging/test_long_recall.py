"""Recall of any length: every question has one answer, and shares are counted rightly."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from helpers.decoder.config import DecoderConfig
from helpers.decoder.model import Decoder
from helpers.judging.long_recall import Questions, questions, share_right, sizes_only
from helpers.languages.language import RECALL_WORDS, recall


def words(row):
    return [RECALL_WORDS[token] for token in row.tolist()]


@given(st.integers(1, 13), st.integers(1, 8), st.integers(0, 5))
def test_each_question_has_one_answer_and_its_shape_was_named(objects, count, seed):
    prompts, answers = questions(objects, count, seed=seed)
    assert prompts.shape == (count, 4 * objects + 3)
    for prompt, answer in zip(prompts, answers, strict=True):
        first, *text = words(prompt)
        assert first == "<bos>" and text[-3] == "the" and text[-1] == "is"
        things = [thing.split() for thing in " ".join(text[:-3]).split(" and ")]
        assert len(things) == objects and all(thing[0] == "a" for thing in things)
        size_of = {}
        for i, (_, size, shape) in enumerate(things):
            assert size_of.setdefault(shape, size) == size  # never another size
            if i % 4:
                assert shape not in [thing[2] for thing in things[i - i % 4 : i]]
        assert size_of[text[-2]] == RECALL_WORDS[answer]


@pytest.mark.parametrize("objects", [1, 2, 3, 4])
def test_up_to_four_objects_they_are_beginnings_of_recalls_own_sentences(objects):
    prompts, answers = questions(objects)
    texts = {(*p, a) for *p, a in torch.cat([prompts, answers[:, None]], dim=1).tolist()}
    assert texts <= {sentence[:-1] for sentence in recall(objects).sentences}
    if objects == 2:
        assert len(texts) > 80  # of 96: they are drawn from all of them


def test_the_same_seed_draws_the_same_questions_and_another_one_others():
    assert torch.equal(questions(5).prompts, questions(5).prompts)
    assert not torch.equal(questions(5).prompts, questions(5, seed=1).prompts)


def test_shares_are_counted():
    model = Decoder(DecoderConfig(vocab_size=13, context=30, dropout=0.5))
    asked = questions(3, 50)
    said = model.eval().next_logits(asked.prompts).argmax(-1)
    model.train()
    assert share_right(model, Questions(asked.prompts, said)) == 1
    wrong = torch.cat([said[:20] + 1, said[20:]])
    assert share_right(model, Questions(asked.prompts, wrong)) == 0.6
    assert model.training


def test_sizes_only_is_the_share_of_the_commoner_size():
    large, small, a = (RECALL_WORDS.index(word) for word in ("large", "small", "a"))
    prompts = torch.tensor([[large, large, small, a], [small, small, small, a]])
    assert sizes_only(Questions(prompts, torch.tensor([large, small]))) == pytest.approx(5 / 6)
    assert sizes_only(questions(1)) == 1
    assert sizes_only(questions(2, 4000)) == pytest.approx(0.75, abs=0.02)


@pytest.mark.parametrize("name, given", [("objects", (0,)), ("count", (2, 0))])
def test_impossible_numbers_are_refused(name, given):
    with pytest.raises(ValueError, match=f"{name} is 0; give a whole number of 1 or more"):
        questions(*given)
