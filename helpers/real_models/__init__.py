"""Real models: nine families by their folders, llama models in GGUF files, and SmolLM2."""

from helpers.front_door import front_door

NAMES = {
    "checkpoint": "decoder_of load_folder load_tokenizer read_folder",
    "chat": "chat_text load_template",
    "families": "FAMILIES in_pairs",
    "llama_gguf": "LLAMA_GGUF decoder_of_gguf",
    "saving": "save_folder",
    "smollm2": "load_smollm2",
}
__all__, __getattr__, __dir__ = front_door(__name__, NAMES)
