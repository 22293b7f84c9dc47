"""The decoder-only transformer, a part a file: masks, attention, positions, norms, the model."""

from helpers.front_door import front_door

NAMES = {
    "attention": "MultiHeadAttention attention_weights fused_attention merge_heads split_heads",
    "block": "Block",
    "cache": "Cache CacheShape GrowingCache PreallocatedCache WindowCache",
    "config": "DecoderConfig",
    "experts": "Experts route",
    "feed_forward": "FeedForward",
    "model": "Decoder",
    "modes": "evaluating in_mode",
    "norms": "RMSNorm layer_norm rms_norm",
    "positions": "RelativeBias alibi_bias alibi_slopes position_ids sinusoidal_table",
    "rotary": "Rotary Rotation frequencies lane_order rotate rotation",
}
__all__, __getattr__, __dir__ = front_door(__name__, NAMES)
