"""Weights: by their names, in fewer bits, in blocks, packed for use, and in GGUF files."""

from helpers.front_door import front_door

NAMES = {
    "by_name": "Undrawn load_weights own_weights",
    "blockwise": "nearest quantize_4",
    "formats": "FORMATS Packed missing",
    "gguf_file": "read_gguf",
    "packed_model": "PackedBlock pack",
}
__all__, __getattr__, __dir__ = front_door(__name__, NAMES)
