"""The real model's answers as a stream of text: in a batch as alone, and ended in every way."""

import pytest

from helpers.decoding.text_stream import stream_text
from helpers.real_models.smollm2 import load_smollm2

CHAT = "<|im_start|>user\n{}<|im_end|>\n<|im_start|>assistant\n"
LONG = (
    "Write a sentence about the sea, with the words blue, wind and ship in it, and then another "
    "one about the sky."
)
PARIS = "The capital of France is Paris."


@pytest.fixture(scope="module")
def real(model_path):
    return load_smollm2()


def asked(real, *questions):
    return [real.tokenizer.encode(CHAT.format(question), allow="all") for question in questions]


def streamed(real, prompts, *, rows, count=12, **options):
    cache = real.model.new_cache(rows, "preallocated", capacity=64)
    options = {"stop_ids": real.stop_ids, **options}
    return stream_text(
        real.model, real.tokenizer, prompts, max_new_tokens=count, temperature=0, cache=cache,
        **options,
    )  # fmt: skip


def test_prompts_of_unequal_length_stream_together_as_each_alone(real):
    prompts = asked(real, "What is the capital of France?", LONG)
    gap = len(prompts[1]) - len(prompts[0])
    (padding,) = real.tokenizer.encode(" London")  # it would tell if the model saw it
    together = streamed(real, prompts, rows=2, pad_id=padding)
    columns = list(zip(*together, strict=True))
    assert together.reasons == ("stop", "length")
    for prompt, column, reason in zip(prompts, columns, together.reasons, strict=True):
        alone = streamed(real, prompt, rows=1)
        assert list(alone) == [piece for piece in column if piece]
        assert alone.reasons == (reason,)
    assert "".join(columns[0]) == PARIS  # its stop token, <|im_end|>, is not shown
    misled = streamed(real, [padding] * gap + prompts[0], rows=1)
    assert gap > 0 and "".join(misled) != PARIS
    report = together.report
    assert report.new_tokens == 8 + 12 and report.peak_bytes > 500_000_000
    assert report.seconds_to_first_token > 0 and report.tokens_per_second > 0


def test_several_stop_tokens_and_a_stop_string_inside_tokens(real):
    (prompt,) = asked(real, "What is the capital of France?")
    (full_stop,) = real.tokenizer.encode(".")
    ended = streamed(real, prompt, rows=1, stop_ids=[*real.stop_ids, full_stop])
    assert "".join(ended) == PARIS.removesuffix(".")
    assert ended.reasons == ("stop",) and ended.report.new_tokens == 7
    assert list(streamed(real, prompt, rows=1, stop_strings=["tal of Fran", "?"])) == [
        "The",
        " capi",
    ]


def test_characters_of_several_tokens_come_whole(real):
    (prompt,) = asked(real, "Show me three emoji.")
    pieces = streamed(real, prompt, rows=1)
    text = "".join(pieces)
    assert len(text.encode()) > len(text) and "\ufffd" not in text[:-1]
    assert pieces.report.new_tokens == 12 > len(text)
