import torch
import torch.nn.functional as F


def wrong_tanh_form(x, weights, kind):
    """The plain part uses the tanh form of GELU.

    Feedback: that is the tanh form of GELU
    """
    # wrong for: f(torch.tensor([[[2.7]]]), {"widen": torch.ones(1, 1), "narrow": torch.ones(1,
    # 1)}, "gelu") gives
    # [[[2.69111228]]], right [[[2.69063926]]]
    wide = x @ weights["widen"].T
    if kind == "gelu":
        return F.gelu(wide, approximate="tanh") @ weights["narrow"].T
    bend = F.gelu if kind == "geglu" else F.silu
    return (bend(x @ weights["gate"].T) * wide) @ weights["narrow"].T


def wrong_widen_is_bent(x, weights, kind):
    """In the gated kinds the wide vector is bent, and the gate stays straight.

    Feedback: the wrong one is bent
    """
    # wrong for: f(torch.ones(1, 1, 1), {"widen": torch.ones(1, 1), "gate": -torch.ones(1, 1),
    # "narrow": torch.ones(1,
    # 1)}, "swiglu") gives [[[-0.731058598]]], right [[[-0.268941432]]]
    bend = F.silu if kind == "swiglu" else F.gelu
    wide = bend(F.linear(x, weights["widen"]))
    if kind != "gelu":
        wide = wide * F.linear(x, weights["gate"])
    return F.linear(wide, weights["narrow"])


def wrong_layout_guessed_from_the_shape(x, weights, kind):
    """A matrix is used as it stands if its shape fits, so a square one is used the wrong way
    round.

    Feedback: a square matrix is used the wrong way round
    """
    # wrong for: f(torch.tensor([[[1.0, 0.0]]]), {"widen": torch.tensor([[1.0, 2.0], [3.0, 4.0]]),
    # "narrow":
    # torch.eye(2)}, "gelu") gives [[[0.841344714, 1.95449972]]], right [[[0.841344774,
    # 2.99595022]]]

    def times(v, matrix):
        return v @ matrix if v.shape[-1] == matrix.shape[0] else v @ matrix.T

    wide = times(x, weights["widen"])
    if kind == "gelu":
        return times(F.gelu(wide), weights["narrow"])
    bend = F.gelu if kind == "geglu" else F.silu
    return times(bend(times(x, weights["gate"])) * wide, weights["narrow"])


def wrong_single_axes_lost(x, weights, kind):
    """The result loses the axes of length 1.

    Feedback: an axis of length 1 is lost
    """
    # wrong for: f(torch.ones(1, 2, 2), {"widen": torch.eye(2), "narrow": torch.eye(2)}, "gelu")
    # gives [[0.841344714,
    # 0.841344714], [0.841344714, 0.841344714]], right [[[0.841344774, 0.841344774], [0.841344774,
    # 0.841344774]]]
    wide = F.linear(x, weights["widen"])
    bend = F.silu if kind == "swiglu" else F.gelu
    wide = bend(wide) if kind == "gelu" else bend(F.linear(x, weights["gate"])) * wide
    return F.linear(wide, weights["narrow"]).squeeze()


def wrong_logistic_overflows(x, weights, kind):
    """SiLU is written with exp(x) / (1 + exp(x)), which is inf / inf for large numbers.

    Feedback: exp must not grow beyond all bounds
    """
    # wrong for: f(torch.full((1, 1, 1), 100.0), {"widen": torch.ones(1, 1), "gate": torch.ones(1,
    # 1), "narrow":
    # torch.ones(1, 1)}, "swiglu") gives [[[nan]]], right [[[10000.0]]]
    wide = F.linear(x, weights["widen"])
    if kind == "gelu":
        wide = F.gelu(wide)
    else:
        gate = F.linear(x, weights["gate"])
        wide = wide * (F.gelu(gate) if kind == "geglu" else gate * gate.exp() / (1 + gate.exp()))
    return F.linear(wide, weights["narrow"])


def wrong_gate_taken_out_of_the_dict(x, weights, kind):
    """The gate is taken out of the dict that was given, so a second call runs without one.

    Feedback: it changed what it was given
    """
    # wrong for: w = {"widen": torch.ones(1, 1), "gate": -torch.ones(1, 1), "narrow": torch.ones(1,
    # 1)};
    # f(torch.ones(1, 1, 1), w, "swiglu"); f(torch.ones(1, 1, 1), w, "swiglu") gives
    # [[[0.731058598]]], right
    # [[[-0.268941432]]]
    bend = F.silu if kind == "swiglu" else F.gelu
    wide, gate = F.linear(x, weights["widen"]), weights.pop("gate", None)
    wide = bend(wide) if gate is None or kind == "gelu" else bend(F.linear(x, gate)) * wide
    return F.linear(wide, weights["narrow"])


def right_by_the_formulas(x, weights, kind):
    """In float64 with einsum, the error function and the logistic function written out."""
    w = {name: matrix.double() for name, matrix in weights.items()}
    wide = torch.einsum("btc,hc->bth", x.double(), w["widen"])
    bent = wide if kind == "gelu" else torch.einsum("btc,hc->bth", x.double(), w["gate"])
    if kind == "swiglu":
        bent = bent * torch.special.expit(bent)
    else:
        bent = bent * (1 + torch.special.erf(bent * 0.5**0.5)) / 2
    hidden = bent if kind == "gelu" else bent * wide
    return torch.einsum("bth,ch->btc", hidden, w["narrow"]).to(x.dtype)


def right_a_module_inside(x, weights, kind):
    """A small class inside, with linear layers that are given the matrices."""

    class Part(torch.nn.Module):
        def __init__(self):
            super().__init__()
            for name, matrix in weights.items():
                layer = torch.nn.Linear(*matrix.T.shape, bias=False, device="meta")
                layer.weight = torch.nn.Parameter(matrix.detach(), requires_grad=False)
                setattr(self, name, layer)
            self.bend = {
                "gelu": torch.nn.GELU(),
                "geglu": torch.nn.GELU(),
                "swiglu": torch.nn.SiLU(),
            }[kind]

        def forward(self, v):
            hidden = (
                self.bend(self.widen(v))
                if kind == "gelu"
                else self.bend(self.gate(v)).mul(self.widen(v))
            )
            return self.narrow(hidden)

    return Part()(x)


# STATEMENT: which matrix is bent ("only one of them is"), and that GeGLU's GELU is the exact one
# too, stand in the
# lesson only. Whether a dict for "gelu" may hold a "gate" all the same is open; so are other types
# than float32.
