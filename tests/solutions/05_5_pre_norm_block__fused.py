import torch
from torch import nn
from torch.nn.functional import scaled_dot_product_attention


def pre_norm_block(x, weights, H, mask):
    """Modules that load the weights, one projection for all three, torch's fused attention."""
    C = x.shape[-1]
    names = [f"attention.{name}" for name in ("query", "key", "value")]
    project = nn.Linear(C, 3 * C)
    project.load_state_dict(
        {kind: torch.cat([weights[f"{n}.{kind}"] for n in names]) for kind in ("weight", "bias")}
    )

    def loaded(module, name):
        kinds = {kind: weights[f"{name}.{kind}"] for kind in ("weight", "bias")}
        module.load_state_dict(kinds)
        return module

    parts = project(loaded(nn.LayerNorm(C), "attention_norm")(x))
    parts = parts.unflatten(-1, (3, H, C // H)).permute(2, 0, 3, 1, 4)  # [3, B, H, T, D]
    mixed = scaled_dot_product_attention(*parts, attn_mask=mask).permute(0, 2, 1, 3).flatten(2)
    x = loaded(nn.Linear(C, C), "attention.output")(mixed) + x
    think = nn.Sequential(
        loaded(nn.LayerNorm(C), "feed_forward_norm"),
        loaded(nn.Linear(C, 4 * C), "feed_forward.widen"),
        nn.GELU(),
        loaded(nn.Linear(4 * C, C), "feed_forward.narrow"),
    )
    return think(x) + x
