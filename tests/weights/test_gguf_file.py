"""GGUF files read strictly: whatever is wrong with one is one sentence."""

import gguf
import numpy as np
import pytest
import torch

from helpers.weights.gguf_file import read_gguf
from tests import gguf_files


@pytest.fixture(scope="module")
def content(tmp_path_factory):
    """The bytes of a small whole file."""
    return gguf_files.write(tmp_path_factory.mktemp("gguf") / "small.gguf").read_bytes()


def test_fields_and_tensors_come_as_they_were_written(tmp_path):
    weights = gguf_files.tensors()
    file = read_gguf(gguf_files.write(tmp_path / "a.gguf", weights=weights))
    assert file.fields["general.architecture"] == "llama"
    for name, (_, value) in gguf_files.settings().items():
        assert file.fields[name] == pytest.approx(value) if type(value) is float else value
    assert set(file.tensors) == set(weights)
    for name, (numbers, kind) in weights.items():
        stored, packed = file.tensors[name], numbers
        if kind.startswith("Q"):
            kind_number = gguf.GGMLQuantizationType[kind]
            packed = gguf.quants.dequantize(gguf.quants.quantize(numbers, kind_number), kind_number)
        elif kind == "F16":
            packed = numbers.astype(np.float16).astype(np.float32)
        assert stored.kind == kind and stored.weight().dtype == torch.float32
        assert torch.equal(stored.weight(), torch.from_numpy(packed))


def test_a_file_cut_short_anywhere_is_one_sentence(tmp_path, content):
    path = tmp_path / "cut.gguf"
    dice = np.random.default_rng(0)
    places = {*range(0, 400), *dice.integers(0, len(content), 60).tolist(), len(content) - 33}
    for place in sorted(places):
        path.write_bytes(content[:place])
        with pytest.raises(ValueError, match=r"cut\.gguf is (no GGUF file|damaged: it ends too e)"):
            read_gguf(path)


def test_a_changed_byte_of_the_head_never_hangs_or_ends_in_another_error(tmp_path, content):
    path = tmp_path / "changed.gguf"
    dice = np.random.default_rng(1)
    head = content.index(b"blk.1.attn_v.weight") + 60
    refused = 0
    for place in dice.integers(0, head, 300).tolist():
        changed = bytearray(content)
        changed[place] ^= 1 << int(dice.integers(8))
        path.write_bytes(changed)
        try:
            read_gguf(path)
        except ValueError as error:
            assert str(error).startswith("changed.gguf is")
            refused += 1
    assert refused > 20


@pytest.mark.parametrize(
    "damage, words",
    [
        (lambda c: b"", "is no GGUF file: it begins with b''"),
        (lambda c: b"GGML" + c[4:], "is no GGUF file: it begins with b'GGML'"),
        (lambda c: b"PK\x03\x04" + c, "is no GGUF file"),
        (lambda c: c[:4] + b"\x09\0\0\0" + c[8:], "is damaged: .*version 9"),
        (lambda c: c[:16] + b"\xff" * 8 + c[24:], "is damaged"),  # the number of fields
        (lambda c: c[:8] + b"\xff" * 8 + c[16:], "is damaged"),  # the number of tensors
        (lambda c: c.replace(b"blk.0.attn_q", b"blk.0.attn_k"), "is damaged: .*duplicated tensor"),
        (lambda c: c.replace(b"blk.0.attn_q", b"\xff" * 12), "is damaged: .*utf-8"),
    ],
)
def test_damage_is_one_sentence(tmp_path, content, damage, words):
    path = tmp_path / "a.gguf"
    path.write_bytes(damage(content))
    with pytest.raises(ValueError, match=words) as caught:
        read_gguf(path)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "numbers, kind, words",
    [
        (np.ones((4, 32), np.float32), "Q5_0", "w: blocks of kind 'Q5_0' are not read here; known"),
        (np.ones((4, 32), np.float32), "Q4_0", "w: blocks of kind 'Q4_0' are not read here; known"),
        (np.ones(64, np.float32), "Q8_0", "w has 1 axes; blocks need two"),
    ],
)
def test_a_tensor_of_a_kind_that_is_not_read_is_named(tmp_path, numbers, kind, words):
    path = gguf_files.write(tmp_path / "a.gguf", weights={"w": (numbers, kind)})
    with pytest.raises(ValueError, match=words):
        read_gguf(path)


def test_a_missing_file_is_one_sentence(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"a\.gguf cannot be opened: No such file"):
        read_gguf(tmp_path / "a.gguf")
