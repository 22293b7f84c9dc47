"""From next-token laws to text: the loop, its controls, stops, a grammar, beams, a stream."""

from helpers.front_door import front_door

NAMES = {
    "generation": "generate next_token_law stream",
    "controls": "Controls",
    "stops": "Stops",
    "grammar": "Grammar",
    "beam": "beam_search",
    "text_stream": "stream_text",
}
__all__, __getattr__, __dir__ = front_door(__name__, NAMES)
