"""The systems whose decoding is measured: the same texts, called as told, bytes counted."""

import pytest
import torch
import transformers
from torch import nn

from helpers.benchmark import decoding_systems
from helpers.benchmark.decoding_quality import named, prompts
from helpers.benchmark.decoding_systems import (
    FILE_BITS,
    LIBRARY,
    LLAMA,
    OURS,
    STATIC,
    all_systems,
    llama,
    matrix_bytes,
    ours,
    read_in_steps,
    weight_bytes,
)
from helpers.real_models import model_file
from helpers.weights.formats import FORMATS
from tests import gguf_files

EVERY = [(OURS, precision) for precision in FORMATS]
EVERY += [(name, p) for p in ("float32", "bfloat16") for name in (LIBRARY, STATIC)]


def test_every_system_goes_on_from_every_prompt_for_as_long_as_asked(systems, ids):
    assert [(s.name, s.precision) for s in systems] == EVERY
    tokens = prompts(ids, 3, 9)
    for system in systems:
        run = system.decode(tokens, 5)
        assert run.tokens.shape == (3, 5) and run.tokens.dtype == torch.int64, system.label
        assert 0 < run.first < run.seconds
        assert system.takes(1) and system.takes(32)


def test_in_float32_all_say_what_the_model_says_without_a_cache(systems, ids, loaded):
    whole = tokens = prompts(ids, 2, 9)
    with torch.no_grad():
        for _ in range(6):
            whole = torch.cat([whole, loaded.model(whole)[:, -1:].argmax(-1)], dim=1)
    for name in (OURS, LIBRARY, STATIC):
        found = named(systems, name, "float32").decode(tokens, 6).tokens
        assert torch.equal(found, whole[:, 9:]), name


def test_logits_of_a_text_read_in_steps_are_those_of_the_text_read_at_once(systems, ids, loaded):
    text = ids[None, :37]
    with torch.no_grad():
        wanted = loaded.model(text)[0]
    close = {"float32": 1e-4, "int4": 2}  # of the small file's tensors, some are not in 4 bits
    for system in systems:
        found = system.logits(text)
        assert found.shape == wanted.shape and found.dtype == torch.float32, system.label
        assert (found - wanted).abs().max() < close.get(system.precision, 0.3), system.label


def test_logits_are_of_the_same_weights_as_the_decoding(systems, ids):
    prompt = prompts(ids, 1, 9)
    for system in systems:
        new = system.decode(prompt, 6).tokens
        logits = system.logits(torch.cat([prompt, new], dim=1))
        assert torch.equal(logits[8:-1].argmax(-1), new[0]), system.label


@pytest.mark.parametrize("length", [1, 2, 32, 33, 40])
def test_a_text_is_read_with_its_end_in_steps(length):
    tokens = torch.arange(length)[None]
    pieces = list(read_in_steps(tokens))
    assert torch.equal(torch.cat(pieces, dim=1), tokens)
    assert [piece.shape[1] for piece in pieces[1:]] == [1] * min(32, length - 1)


def test_the_library_is_called_as_told(systems, ids, monkeypatch):
    for name, cache in ((LIBRARY, None), (STATIC, "static")):
        system, given = named(systems, name, "bfloat16"), {}
        honest = transformers.LlamaForCausalLM.generate

        def noted(model, *arguments, given=given, honest=honest, **options):
            given.update(options, precision=model.dtype, compiled=hasattr(model, "_compiled_call"))
            return honest(model, *arguments, **options)

        with monkeypatch.context() as patch:
            patch.setattr(transformers.LlamaForCausalLM, "generate", noted)
            system.decode(prompts(ids, 2, 9), 3)
        assert given["cache_implementation"] == cache and given["disable_compile"] is True
        assert given["do_sample"] is False and given["eos_token_id"] is None
        assert given["precision"] == torch.bfloat16


def test_a_16_bit_model_of_the_library_keeps_its_rotary_speeds_in_float32(folder):
    path = folder / model_file.NAME
    config = transformers.AutoConfig.from_pretrained(path.parent, gguf_file=path.name)
    model = decoding_systems.library_model(path, config, torch.bfloat16)
    assert {p.dtype for p in model.parameters()} == {torch.bfloat16}
    assert model.model.rotary_emb.inv_freq.dtype == torch.float32


# ---- bytes ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "precision, wanted",
    [
        ("float32", 32 * 64 * 4),
        ("bfloat16", 32 * 64 * 2),
        ("float16", 32 * 64 * 2),
        ("int8", 32 * 64 + 32 * 2),  # a scale of two bytes a row
        ("int4", 32 * 64 // 2 + 32 * 2 * 4),  # two blocks a row, with scale and zero
    ],
)
def test_a_matrix_has_the_bytes_of_its_numbers_and_scales(precision, wanted):
    assert matrix_bytes(precision, 32, 64) == wanted


def test_a_format_that_torch_lacks_counts_as_the_float32_that_is_held(monkeypatch):
    monkeypatch.setattr(decoding_systems, "missing", lambda name: "lacks it")
    assert matrix_bytes("int4", 32, 64) == matrix_bytes("float32", 32, 64)


def test_a_step_reads_every_matrix_and_norm_but_no_table(loaded, systems):
    model = loaded.model  # its head is tied, so its matrix is here once
    everything = sum(p.nbytes for p in model.parameters())
    assert weight_bytes(model, "float32") == everything
    short = named(systems, OURS, "bfloat16")
    norms = sum(p.nbytes for p in model.parameters() if p.ndim == 1)
    assert short.read == (everything - norms) // 2 + norms
    assert short.held - short.read == model.token_embedding.weight.nbytes
    head = sum(m.weight.numel() for m in model.modules() if isinstance(m, nn.Linear))
    head = head - model.head.weight.numel()
    assert weight_bytes(model, "int4") == head * 5 // 8 + model.head.weight.numel() * 2 + norms


def test_the_librarys_bytes_are_of_its_parameters_and_its_cache_of_its_precision(systems, loaded):
    everything = sum(p.nbytes for p in loaded.model.parameters())
    entry = loaded.model.cache_shape(1).bytes(1)
    for precision, share in (("float32", 1), ("bfloat16", 2)):
        system = named(systems, LIBRARY, precision)
        assert (system.read, system.held) == (everything // share, everything // share)
        assert system.entry == entry // share
    assert named(systems, OURS, "int4").entry == entry


# ---- llama.cpp -----------------------------------------------------------------------------------


@pytest.fixture
def config(folder):
    return transformers.AutoConfig.from_pretrained(folder, gguf_file=model_file.NAME)


def test_llama_cpp_takes_part_where_it_is_there(fake_llama, folder, loaded):
    systems = all_systems(loaded.model, folder / model_file.NAME, 20)
    assert [(s.name, s.precision) for s in systems] == [*EVERY, (LLAMA, FILE_BITS)]


def test_llama_cpp_reads_the_whole_prompt_in_every_run(fake_llama, folder, config, systems, ids):
    system = llama(folder / model_file.NAME, config, 20)
    wanted = named(systems, OURS, "float32").decode(prompts(ids, 1, 9), 5).tokens
    for runs in (1, 2, 3):
        run = system.decode(prompts(ids, 1, 9), 5)
        assert torch.equal(run.tokens, wanted) and 0 < run.first < run.seconds
        assert fake_llama.made[0].read == runs * (9 + 4)  # the last token is not read any more


def test_llama_cpp_has_the_same_threads_and_keeps_one_row_of_logits(fake_llama, folder, config):
    system = llama(folder / model_file.NAME, config, 20)
    (engine,) = fake_llama.made
    assert engine.options["n_threads"] == engine.options["n_threads_batch"]
    assert engine.options["n_threads"] == torch.get_num_threads()
    assert engine.options["logits_all"] is False and engine.options["n_ctx"] == 20
    assert system.takes(1) and not system.takes(2)
    size = (folder / model_file.NAME).stat().st_size
    numbers = 2 * gguf_files.BLOCKS * gguf_files.G * gguf_files.D
    assert (system.read, system.entry) == (size, 2 * numbers)
    assert system.held >= size + 20 * system.entry


def test_llama_cpps_logits_of_a_text_are_all_kept_apart(fake_llama, folder, config, loaded, ids):
    system = llama(folder / model_file.NAME, config, 40)
    with torch.no_grad():
        wanted = loaded.model(ids[None, :38])[0]
    torch.testing.assert_close(system.logits(ids[None, :38]), wanted, rtol=0, atol=1e-4)
    reader = fake_llama.made[-1]
    assert reader is not fake_llama.made[0] and reader.options is None  # closed


def test_our_time_holds_the_making_of_the_cache(loaded, monkeypatch, ids):
    system, clock = ours(loaded.model, "float32"), iter([10.0, 12.0, 17.0])
    order = []
    monkeypatch.setattr(
        decoding_systems.time, "perf_counter", lambda: order.append("clock") or next(clock)
    )
    honest = type(loaded.model).new_cache

    def noted(model, *arguments, **options):
        order.append("cache")
        return honest(model, *arguments, **options)

    monkeypatch.setattr(type(loaded.model), "new_cache", noted)
    run = system.decode(prompts(ids, 1, 9), 3)
    assert order == ["clock", "cache", "clock", "clock"]
    assert (run.first, run.seconds) == (2.0, 7.0)
