"""Byte-level BPE: cutting, learning and merging, the tokenizer, its files, and texts for it."""

from helpers.front_door import front_door

NAMES = {
    "bpe": "GPT2 merge pieces",
    "tokenizer": "TextStream Tokenizer",
    "gguf": "chat_template from_gguf from_gguf_fields",
    "drawn_text": "TEXTS drawn_strings",
}
__all__, __getattr__, __dir__ = front_door(__name__, NAMES)
