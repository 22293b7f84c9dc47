"""What is spoken: small languages whose truth is known, their words as ids, and little pictures."""

from helpers.front_door import front_door

NAMES = {
    "markov_chain": "Chain chain stationary_law",
    "language": (
        "PAD BOS EOS SPECIAL_WORDS Language caption_draws caption_sentences caption_text "
        "captions echo recall"
    ),
    "tokens": "Vocabulary check_ids check_token_mask check_tokens pad_rows",
    "drawings": "Drawing all_drawings patches pictures_of split_drawings",
}
__all__, __getattr__, __dir__ = front_door(__name__, NAMES)
