"""Models that are made of the decoder's parts and are no plain decoder."""

from helpers.front_door import front_door

NAMES = {
    "captioner": "EncoderDecoder PictureBatch PrefixDecoder",
}
__all__, __getattr__, __dir__ = front_door(__name__, NAMES)
