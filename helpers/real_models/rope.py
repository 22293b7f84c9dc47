"""The rotary part of a config.json, in today's spelling (rope_parameters) and the older ones."""

from __future__ import annotations

from typing import Any

from helpers.decoder.rotary import Rotary
from helpers.real_models.settings import Settings

KINDS = ("default", "linear", "llama3", "yarn")


def read_rotary(
    settings: Settings,
    head_width: int,
    *,
    base: float = 10_000.0,
    base_key: str = "rope_theta",
    share: float | None = None,
    share_key: str = "partial_rotary_factor",
) -> Rotary:
    """Rotary options as the transformers library understands them, or a refusal by name.

    base: where nothing is said. base_key, share_key: what the keys beside the dictionary are
    called. share: of the lanes that are turned, where nothing is said; None for a family that
    always turns all of them.
    """
    name, content = _dictionary(settings)
    rope = Settings(content, name)
    kind = rope.get("type", "default")
    kind = rope.get("rope_type", kind)
    if kind not in KINDS:
        known = ", ".join(map(repr, KINDS))
        raise ValueError(f"rope_type is {kind!r}; known are {known}")
    beside = settings.number(base_key, base)
    options: dict[str, Any] = {"base": rope.number("rope_theta", beside)}
    turned = _turned(settings, rope, head_width, share, share_key)
    if turned != head_width:
        options["width"] = turned
    if kind != "default":
        options |= {"scaling": kind, "factor": rope.number("factor")}
    # beside the dictionary it counts more than in it; without a scaling it means nothing
    original = settings.count("original_max_position_embeddings", None, null=None)
    if kind in ("llama3", "yarn"):
        context = settings.count("max_position_embeddings")
        inside = rope.count("original_max_position_embeddings", context, null=context)
        options["original_context"] = original or inside
    if kind == "llama3":
        options["low_turns"] = rope.number("low_freq_factor")
        options["high_turns"] = rope.number("high_freq_factor")
    if kind == "yarn":
        rope.only(truncate=(True,), mscale=(None,), mscale_all_dim=(None,))
        options["low_turns"] = rope.number("beta_slow", 1.0, null=1.0)
        options["high_turns"] = rope.number("beta_fast", 32.0, null=32.0)
        options["magnitude"] = rope.number("attention_factor", None, null=None)
    rope.finish(())
    try:
        return Rotary(**options)
    except ValueError as error:
        raise ValueError(f"{name} is {content}: {error}") from None


def _dictionary(settings: Settings) -> tuple[str, dict[str, Any]]:
    """The name and the content of the dictionary with rotary options, {} where there is none.

    With both of them the library would take rope_scaling alone, and lose the base of the other.
    """
    found = {name: settings.get(name) for name in ("rope_parameters", "rope_scaling")}
    found = {name: content for name, content in found.items() if content}
    for name, content in found.items():
        if not isinstance(content, dict):
            raise ValueError(f"{name} is {content!r}; it should hold rotary options by name")
    if len(found) == 2 and found["rope_parameters"] != found["rope_scaling"]:
        raise ValueError(
            f"{settings.where} has rope_scaling {found['rope_scaling']} beside rope_parameters "
            f"{found['rope_parameters']}; write all of it into one of them"
        )
    return next(iter(found.items()), ("rope_parameters", {}))


def _turned(
    settings: Settings, rope: Settings, head_width: int, share: float | None, share_key: str
) -> int:
    """How many lanes of a head are turned."""
    if share is None:
        for place in (settings, rope):
            place.only(partial_rotary_factor=(1, None))
        return head_width
    share = rope.number("partial_rotary_factor", settings.number(share_key, share))
    turned = int(head_width * share)
    if turned % 2 or not 0 < turned <= head_width:
        raise ValueError(
            f"partial_rotary_factor is {share}: {turned} of {head_width} lanes; they are turned "
            "in pairs, at least one and at most all"
        )
    return turned
