"""Stopping and going on: bit for bit, or with a sentence that says why not."""

import errno
import os
import signal
import subprocess
import sys
import time
from itertools import islice

import pytest
import torch

from helpers.decoder.config import DecoderConfig
from helpers.decoder.model import Decoder
from helpers.files import ROOT
from helpers.languages.language import recall
from helpers.training import resuming
from helpers.training.adamw import AdamW
from helpers.training.batches import Batch, InTurn, ShuffledBatches, shuffled_batches
from helpers.training.log import Log
from helpers.training.loop import train
from helpers.training.resuming import Checkpoint, read_checkpoint, write_checkpoint
from helpers.training.schedules import Schedule

LANGUAGE = recall(2)
CONFIG = DecoderConfig(
    vocab_size=13,
    context=LANGUAGE.longest,
    width=16,
    blocks=2,
    norm_placement="pre",
    final_norm=True,
    dropout=0.1,
)
STEPS = 40


def a_run(path=None, *, steps=STEPS, seed=0, model=None, **changes):
    """A run with all that has a state: dropout, shuffled rows, warm-up, clipping, decay, a log."""
    model = Decoder(CONFIG, seed=seed) if model is None else model
    options = {
        "steps": steps,
        "schedule": Schedule(0.01, STEPS, warm=5),
        "optimizer": AdamW(model.parameters(), betas=(0.9, 0.95), decay=0.1),
        "clip_at": 1.0,
        "seed": seed,
        "log": Log(),
        "checkpoint": path,
        "save_every": 10,
    }
    batches = changes.pop("batches", None) or shuffled_batches(LANGUAGE.sentences, 30, seed=seed)
    options |= changes
    losses = train(model, batches, **options)
    return model, losses, options["log"]


def flat(model):
    return torch.cat([p.detach().flatten() for p in model.parameters()])


def steps_of(path):
    return len(read_checkpoint(path)["losses"])


@pytest.mark.parametrize("seed", [0, 1, 2])
@pytest.mark.parametrize("stop", [1, 20, 33])
def test_a_run_that_goes_on_equals_one_that_was_not_stopped_bit_for_bit(stop, seed, tmp_path):
    whole, losses, log = a_run(seed=seed)
    a_run(tmp_path / "run", steps=stop, seed=seed)
    torch.manual_seed(12345)  # another process has another generator
    model, again, told = a_run(tmp_path / "run", seed=seed, model=Decoder(CONFIG, seed=99))
    assert torch.equal(flat(model), flat(whole))
    assert again == losses and told.steps == log.steps


def test_a_checkpoint_changes_no_bit_of_the_run_and_leaves_the_global_generator(tmp_path):
    torch.manual_seed(5)
    before = torch.get_rng_state()
    with_file, without = a_run(tmp_path / "run")[0], a_run()[0]
    assert torch.equal(flat(with_file), flat(without))
    assert torch.equal(torch.get_rng_state(), before)
    assert os.listdir(tmp_path) == ["run"]


def test_a_finished_run_is_read_and_makes_no_step(tmp_path):
    whole, losses, _ = a_run(tmp_path / "run")
    taken = shuffled_batches(LANGUAGE.sentences, 30, seed=0)
    model, again, _ = a_run(tmp_path / "run", model=Decoder(CONFIG, seed=3), batches=taken)
    assert torch.equal(flat(model), flat(whole)) and again == losses


def test_batches_in_turn_and_parts_go_on_too(tmp_path):
    short = [row for row in LANGUAGE.sentences if row[0] == 1][:32]

    def run(path=None, steps=STEPS):
        easy, rest = (shuffled_batches(r, 8, seed=1) for r in (short, LANGUAGE.sentences))
        return a_run(path, steps=steps, batches=InTurn(easy, 25, rest), parts=2)[0]

    run(tmp_path / "run", steps=10)
    assert torch.equal(flat(run(tmp_path / "run")), flat(run()))


@pytest.mark.parametrize("part", ["optimizer", "batches", "torch"])
def test_each_part_of_the_state_is_needed(part, tmp_path, monkeypatch):
    whole = a_run()[0]
    a_run(tmp_path / "run", steps=20)
    fresh = {
        "optimizer": (AdamW, "load_state"),
        "batches": (ShuffledBatches, "load_state"),
        "torch": (torch, "set_rng_state"),
    }[part]
    monkeypatch.setattr(*fresh, lambda *_: None)
    model = a_run(tmp_path / "run")[0]
    assert (flat(model) - flat(whole)).abs().max() > 1e-3


# ---- killed -------------------------------------------------------------------------------------

CHILD = """
import sys
from pathlib import Path
import torch
torch.set_num_threads(1)
from tests.training.test_resuming import a_run
print("begun", flush=True)
a_run(Path(sys.argv[1]), save_every=3, after_step=lambda step, loss: print(step, flush=True))
"""


def child(path):
    command = [sys.executable, "-c", CHILD, str(path)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)


def killed_after(path, lines, pause=0.0):
    """Kill such a run when it has said so many lines and a moment more; return its last step."""
    with child(path) as process:
        for _ in islice(process.stdout, lines):
            pass
        time.sleep(pause)
        process.send_signal(signal.SIGKILL)
        process.communicate()
    assert process.returncode == -signal.SIGKILL


@pytest.mark.skipif(os.name != "posix", reason="SIGKILL")
def test_a_killed_run_loses_at_most_the_steps_since_the_last_save(tmp_path):
    killed_after(tmp_path / "run", 1 + 26)
    assert steps_of(tmp_path / "run") >= 24
    model = a_run(tmp_path / "run")[0]
    assert torch.equal(flat(model), flat(a_run()[0]))


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="SIGKILL")
@pytest.mark.parametrize("number", range(20))
def test_killed_at_any_moment_in_20_of_20(number, tmp_path):
    draw = torch.Generator().manual_seed(number)
    lines = 1 + int(torch.randint(3, STEPS - 5, (), generator=draw))
    killed_after(tmp_path / "run", lines, 0.02 * float(torch.rand((), generator=draw)))
    assert (
        steps_of(tmp_path / "run") >= (lines - 1) // 3 * 3 - 3
    )  # it may be in the midst of a save
    assert torch.equal(flat(a_run(tmp_path / "run")[0]), flat(a_run()[0]))


# ---- files --------------------------------------------------------------------------------------

STATE = {"weights": {"w": torch.arange(40.0)}, "losses": [0.5, 0.25], "log": None}


@pytest.fixture
def file(tmp_path):
    write_checkpoint(tmp_path / "run", STATE)
    return tmp_path / "run"


def test_what_is_read_is_what_was_written(file):
    found = read_checkpoint(file)
    assert torch.equal(found["weights"].pop("w"), STATE["weights"]["w"])
    assert found == {**STATE, "weights": {}}


@pytest.mark.parametrize("share", [x / 40 for x in range(40)])
def test_one_flipped_bit_anywhere_is_seen(file, share):
    content = bytearray(file.read_bytes())
    content[int(share * len(content))] ^= 1
    file.write_bytes(content)
    with pytest.raises(ValueError, match=r"run (is no|has version|is damaged)") as caught:
        read_checkpoint(file)
    assert "remove it to begin anew" in str(caught.value)


def test_torch_alone_would_load_a_flipped_bit_without_a_word(tmp_path):
    path = tmp_path / "torch"
    torch.save(STATE["weights"], path)
    content = bytearray(path.read_bytes())
    content[content.index(STATE["weights"]["w"].numpy().tobytes()) + 81] ^= 64
    path.write_bytes(content)
    assert not torch.equal(torch.load(path)["w"], STATE["weights"]["w"])


@pytest.mark.parametrize("share", [0, 0.01, 0.3, 0.999])
def test_a_part_of_a_file_is_seen(file, share):
    content = file.read_bytes()
    file.write_bytes(content[: int(share * len(content))])
    with pytest.raises(ValueError, match=r"run (is no|has version|is damaged)"):
        read_checkpoint(file)


def test_another_version_and_another_kind_of_file_are_named(file):
    content = file.read_bytes()
    file.write_bytes(content.replace(b"version 1,", b"version 7,", 1))
    with pytest.raises(ValueError, match="run has version 7; this code reads 1"):
        read_checkpoint(file)
    file.write_bytes(b"PK\x03\x04 a zip")
    with pytest.raises(ValueError, match="run is no checkpoint of a training run"):
        read_checkpoint(file)


def test_a_full_disk_leaves_the_checkpoint_before_and_says_what_to_do(tmp_path, monkeypatch):
    a_run(tmp_path / "run", steps=20)
    real, calls = resuming.write_whole, []

    def full(path, content):
        calls.append(path)
        if len(calls) > 1:
            raise OSError(errno.ENOSPC, "No space left on device")
        real(path, content)

    monkeypatch.setattr(resuming, "write_whole", full)
    with pytest.raises(OSError, match=r"run cannot be written .No space left.*before is whole"):
        a_run(tmp_path / "run")
    monkeypatch.undo()
    assert steps_of(tmp_path / "run") == 30
    assert torch.equal(flat(a_run(tmp_path / "run")[0]), flat(a_run()[0]))


def test_a_folder_that_cannot_be_is_refused_before_a_step(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError):
        a_run(tmp_path / "file" / "run", after_step=lambda *_: pytest.fail("a step was made"))


# ---- another run --------------------------------------------------------------------------------


def other_model(**changes):
    return Decoder(DecoderConfig(**{**vars(CONFIG), **changes}))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"schedule": Schedule(0.02, STEPS, warm=5)}, "schedule was {'peak': 0.01"),
        ({"clip_at": 2.0}, "clip_at was 1.0, is 2.0"),
        ({"seed": 4}, "seed was 0, is 4"),
        ({"parts": 2}, "parts was 1, is 2"),
        ({"model": other_model(width=32)}, "weights was {'token_embedding.weight': [13, 16]"),
        ({"model": other_model(dropout=0.2)}, "model was DecoderConfig("),
        ({"steps": 10}, "run has made 20 steps, and steps is 10; give as many or more"),
        (
            {"batches": shuffled_batches(LANGUAGE.sentences, 20, seed=0)},
            "batches of another size: batch_size was 30, here it is 20",
        ),
        ({"batches": shuffled_batches(LANGUAGE.sentences[:40], 30, seed=0)}, "other rows"),
    ],
)
def test_a_checkpoint_of_another_run_is_refused_and_nothing_is_changed(changes, words, tmp_path):
    a_run(tmp_path / "run", steps=20)
    before = (tmp_path / "run").read_bytes()
    model = changes.pop("model", None) or Decoder(CONFIG, seed=7)
    weights = flat(model).clone()
    if "seed" in changes:
        changes["batches"] = shuffled_batches(LANGUAGE.sentences, 30, seed=0)
    with pytest.raises(ValueError) as caught:
        a_run(tmp_path / "run", model=model, **changes)
    assert words in str(caught.value)
    assert torch.equal(flat(model), weights)
    assert (tmp_path / "run").read_bytes() == before


def test_another_decay_is_another_run(tmp_path):
    a_run(tmp_path / "run", steps=20)
    model = Decoder(CONFIG)
    with pytest.raises(ValueError, match=r"optimizer was .*'decay': 0.1.*'decay': 0.0"):
        other = AdamW(model.parameters(), betas=(0.9, 0.95))
        a_run(tmp_path / "run", model=model, optimizer=other)


def test_batches_without_a_place_are_refused(tmp_path):
    batches = iter([Batch.of(LANGUAGE.sentences)] * STEPS)
    with pytest.raises(ValueError, match="these batches do not know their place"):
        a_run(tmp_path / "run", batches=batches)


# ---- a loss that is no number -------------------------------------------------------------------


def test_a_loss_that_turns_nan_names_step_batch_and_the_last_good_checkpoint(tmp_path):
    model = Decoder(CONFIG)

    def poison(step, loss):
        if step == 25:
            model.head.bias.data[0] = float("nan")

    with pytest.raises(RuntimeError) as caught:
        a_run(tmp_path / "run", model=model, after_step=poison)
    said = str(caught.value)
    assert "the loss is nan at step 26; lower the rate, or look at the batch (digest " in said
    assert "the last good checkpoint is run, after step 20" in said
    whole, _, log = a_run()
    assert log.steps[25].batch in said
    assert torch.equal(flat(a_run(tmp_path / "run")[0]), flat(whole))  # it goes on from there


def test_weights_that_are_not_finite_are_not_saved_as_good(tmp_path):
    model = Decoder(CONFIG)

    def poison(step, loss):
        if step == 20:  # between the step and its save
            model.head.bias.data[0] = float("inf")

    with pytest.raises(
        RuntimeError, match=r"head.bias is not finite after step 20; .*after step 10"
    ):
        a_run(tmp_path / "run", model=model, after_step=poison)
    assert steps_of(tmp_path / "run") == 10


def test_without_a_checkpoint_the_error_says_so(tmp_path):
    model = Decoder(CONFIG)
    model.head.bias.data[0] = float("nan")
    with pytest.raises(RuntimeError, match=r"at step 1; .*; no checkpoint was asked for"):
        a_run(model=model)
    with pytest.raises(RuntimeError, match=r"at step 1; .*; there is no checkpoint before it"):
        a_run(tmp_path / "run", model=model)


def test_a_checkpoint_alone_saves_and_loads(tmp_path):
    model = Decoder(CONFIG)
    batches = shuffled_batches(LANGUAGE.sentences, 30, seed=0)
    file = Checkpoint(tmp_path / "run", model, AdamW(model.parameters()), batches, None, {})
    assert file.load(5) == [] and file.kept() == "there is no checkpoint before it"
    file.save([0.5])
    assert file.load(5) == [0.5]
