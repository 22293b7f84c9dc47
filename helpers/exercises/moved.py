"""Where the modules of the course stand now: an answer of earlier may import them by old names."""

from helpers.front_door import file_of

# old module: new module
MOVED = {
    "helpers.attention": "helpers.decoder.attention",
    "helpers.beam": "helpers.decoding.beam",
    "helpers.benchmark.measure": "helpers.benchmark.measuring",
    "helpers.block": "helpers.decoder.block",
    "helpers.blockwise": "helpers.weights.blockwise",
    "helpers.cache": "helpers.decoder.cache",
    "helpers.captioner": "helpers.other_models.captioner",
    "helpers.config": "helpers.decoder.config",
    "helpers.controls": "helpers.decoding.controls",
    "helpers.decoding": "helpers.decoding.generation",
    "helpers.decoding_checks": "helpers.decoding.arguments",
    "helpers.drawings": "helpers.languages.drawings",
    "helpers.environment": "helpers.course.environment",
    "helpers.experts": "helpers.decoder.experts",
    "helpers.families.checkpoint": "helpers.real_models.checkpoint",
    "helpers.families.configs": "helpers.real_models.configs",
    "helpers.families.tables": "helpers.real_models.families",
    "helpers.feed_forward": "helpers.decoder.feed_forward",
    "helpers.formats": "helpers.weights.formats",
    "helpers.gguf_file": "helpers.weights.gguf_file",
    "helpers.grammar": "helpers.decoding.grammar",
    "helpers.influence": "helpers.judging.influence",
    "helpers.invariants": "helpers.judging.invariants",
    "helpers.language": "helpers.languages.language",
    "helpers.lengths": "helpers.judging.long_recall",
    "helpers.lesson_runner": "helpers.course.lesson_runner",
    "helpers.masks": "helpers.decoder.masks",
    "helpers.master_weights": "helpers.training.master_weights",
    "helpers.model": "helpers.decoder.model",
    "helpers.modes": "helpers.decoder.modes",
    "helpers.norms": "helpers.decoder.norms",
    "helpers.operations": "helpers.counting.operations",
    "helpers.packed_model": "helpers.weights.packed_model",
    "helpers.plots": "helpers.figures.plots",
    "helpers.positions": "helpers.decoder.positions",
    "helpers.pretrained": "helpers.training.pretrained",
    "helpers.process_memory": "helpers.counting.process_memory",
    "helpers.reader": "helpers.decoding.reader",
    "helpers.real_model.llama_gguf": "helpers.real_models.llama_gguf",
    "helpers.real_model.model_file": "helpers.real_models.model_file",
    "helpers.real_model.smollm2": "helpers.real_models.smollm2",
    "helpers.refusals": "helpers.decoder.refusals",
    "helpers.rotary": "helpers.decoder.rotary",
    "helpers.stops": "helpers.decoding.stops",
    "helpers.stream_report": "helpers.decoding.stream_report",
    "helpers.text_stream": "helpers.decoding.text_stream",
    "helpers.tokens": "helpers.languages.tokens",
    "helpers.training": "helpers.training.loop",
    "helpers.weights": "helpers.weights.by_name",
}


def moved_from(name: str) -> str:
    """Return the old module that a name, such as an import asks for, stands in; "" if it is none.

    What is a module now, or is given by the front door of a room, has not moved: a room may bear an
    old module's name.
    """
    room, _, last = name.rpartition(".")
    there = any(name == new or name.startswith(new + ".") for new in MOVED.values())
    if there or file_of(room, last):
        return ""
    parts = name.split(".")
    while parts and ".".join(parts) not in MOVED:
        parts.pop()
    return ".".join(parts)


def sentences() -> frozenset[str]:
    """Return all that `sentence` can say: an answer chooses among them by its text alone."""
    return frozenset(map(sentence, MOVED))


def sentence(name: str) -> str:
    """Return where the module that a name stands in is now, in a few words; "" if it has not moved.

    The words are the course's own: nothing else of the name is in them.
    """
    old = moved_from(name)
    return f"{old} is {MOVED[old]} now" if old else ""
