"""Equal first: what differs stops everything, and what is shorter is compared as told."""

from dataclasses import replace

import pytest
import torch
import torch.nn.functional as F

from helpers.benchmark.decoding_quality import (
    CLOSE,
    MOST_ROWS,
    TEXT,
    check_equal,
    named,
    prompts,
    quality,
)
from helpers.benchmark.decoding_systems import LIBRARY, OURS, STATIC, Run
from helpers.benchmark.measuring import NotEqual


def test_prompts_are_pieces_of_the_text_and_the_same_in_every_batch(ids, loaded):
    assert loaded.tokenizer.decode(ids[:20].tolist()) == TEXT.read_text(encoding="utf-8")[:20]
    many = prompts(ids, MOST_ROWS, 12)
    assert len({tuple(row) for row in many.tolist()}) == MOST_ROWS
    pieces = ids.unfold(0, 12, 1)
    assert all((pieces == row).all(dim=1).any() for row in many)
    for batch in (1, 8):
        assert torch.equal(prompts(ids, batch, 12), many[:batch])


def test_ours_and_the_librarys_are_equal_in_float32(systems, ids):
    texts = [prompts(ids, 1, 9), prompts(ids, 1, 20)]
    found = check_equal(systems, texts, 5)
    assert found["largest_gap_of_logits"] < 1e-4
    assert (found["prompts"], found["new_tokens"]) == (2, 5)


def changed(systems, name, precision, **parts):
    old = named(systems, name, precision)
    return [replace(system, **parts) if system is old else system for system in systems]


def test_another_token_stops_everything(systems, ids):
    honest = named(systems, OURS, "float32")

    def off(tokens, new):
        run = honest.decode(tokens, new)
        run.tokens[0, 3] += 1
        return run

    broken = changed(systems, OURS, "float32", decode=off)
    with pytest.raises(NotEqual, match=r"prompt 1: new token 4 of ours is .*nothing was timed"):
        check_equal(broken, [prompts(ids, 1, 9)], 5)


@pytest.mark.parametrize("wrong", [1.1 * CLOSE, float("nan")])
def test_logits_that_are_off_anywhere_stop_everything(systems, ids, wrong):
    honest = named(systems, OURS, "float32")

    def off(tokens):
        logits = honest.logits(tokens)
        logits[-1, 7] += wrong
        return logits

    broken = changed(systems, OURS, "float32", logits=off)
    with pytest.raises(NotEqual, match=r"prompt 1: logits .* differ by .* more than 0\.001"):
        check_equal(broken, [prompts(ids, 1, 9)], 5)


def test_quality_is_against_the_librarys_float32(systems, ids):
    rows = {(row["system"], row["precision"]): row for row in quality(systems, ids[None, :40])}
    assert len(rows) == 7 and STATIC not in {name for name, _ in rows}
    same = rows[LIBRARY, "float32"]
    assert (same["agreement"], same["kl"], same["tokens"]) == (1.0, 0.0, 40)
    mine = rows[OURS, "float32"]
    assert mine["agreement"] == 1 and abs(mine["kl"]) < 1e-6
    assert mine["perplexity"] == pytest.approx(same["perplexity"], rel=1e-4)
    assert 0 < rows[OURS, "bfloat16"]["kl"] < 1e-2


def test_quality_says_what_torch_says_of_the_same_logits(systems, ids):
    text = ids[None, :30]
    law = torch.randn(30, 271, generator=torch.Generator().manual_seed(0))
    reference = named(systems, LIBRARY, "float32")
    other = replace(reference, name="other", logits=lambda tokens: law)
    found = quality([reference, other], text)[1]
    wanted = reference.logits(text)
    divergence = F.kl_div(
        law.log_softmax(-1), wanted.log_softmax(-1), reduction="batchmean", log_target=True
    )
    assert found["kl"] == pytest.approx(float(divergence), rel=1e-5)
    loss = F.cross_entropy(law[:-1], text[0, 1:])
    assert found["perplexity"] == pytest.approx(float(loss.exp()), rel=1e-5)
    assert found["agreement"] == float((law.argmax(-1) == wanted.argmax(-1)).double().mean())


def test_a_run_is_told_by_its_tokens_alone(systems, ids):
    """Times may be anything: they are looked at only after all is known to be equal."""
    honest = named(systems, OURS, "float32")

    def slow(tokens, new):
        return Run(honest.decode(tokens, new).tokens, 1e9, 2e9)

    check_equal(changed(systems, OURS, "float32", decode=slow), [prompts(ids, 1, 9)], 4)
