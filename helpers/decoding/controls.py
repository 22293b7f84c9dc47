"""What stands between a model's logits and the choice of a token: the sampling controls.

Each control is a function from logits [..., V] to logits of the same shape and dtype. A token it
removes gets -inf, every other logit stays as it was, bit for bit (temperature and the repetition
penalty change values and remove nothing they need not). At least one token of every row is always
kept, and a row never depends on its neighbours. `Controls` is the chain, in one stated order.
"""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass, fields
from numbers import Integral, Real

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor


def temperature(logits: Float[Tensor, "... V"], value: float) -> Float[Tensor, "... V"]:
    """Logits divided by `value`: below 1 the law becomes sharper, above 1 flatter.

    1 changes nothing. 0 is greedy: only the largest logit is kept, of equal ones the lowest id.
    The row's largest logit is taken off first, which no softmax notices, so that a division by a
    very small number cannot overflow.
    Raises ValueError for a negative, infinite or NaN value.
    """
    check_logits(logits)
    value = _check("temperature", value, 0, "0 (greedy) or a positive number")
    if value == 1:
        return logits
    if value == 0:
        best = logits.argmax(dim=-1, keepdim=True)  # the first of equal ones
        return _keep(logits, torch.zeros_like(logits, dtype=torch.bool).scatter(-1, best, True))
    exact = _exact(logits)
    below = exact - exact.amax(dim=-1, keepdim=True)  # 0 for the largest, which stays 0
    return (below / value).to(logits.dtype)


def top_k(logits: Float[Tensor, "... V"], k: int) -> Float[Tensor, "... V"]:
    """Keep the k largest logits; of equal ones, lower ids first, so exactly k are kept.

    0 is off, and k of V or more changes nothing. Raises ValueError for a negative or fractional k.
    """
    check_logits(logits)
    whole = isinstance(k, Integral) and not isinstance(k, bool) and k >= 0
    if not whole:
        raise ValueError(f"top_k is {k!r}; give a whole number of 0 (off) or more")
    if k == 0 or k >= logits.shape[-1]:
        return logits
    order = logits.sort(dim=-1, descending=True, stable=True).indices  # equal ones by id
    kept = torch.zeros_like(logits, dtype=torch.bool)
    return _keep(logits, kept.scatter(-1, order[..., :k], True))


def top_p(logits: Float[Tensor, "... V"], p: float) -> Float[Tensor, "... V"]:
    """Keep the fewest most likely tokens that together have probability p or more.

    Of equal logits, lower ids first. The most likely token is always kept, so 0 is greedy;
    1 is off. Raises ValueError for p outside [0, 1]. Source: Holtzman et al. 2020 (nucleus).
    """
    check_logits(logits)
    p = _check_share("top_p", p)
    if p == 1:
        return logits
    exact = _exact(logits)
    # by logit, since two that differ by almost nothing may round to one probability
    return _keep(logits, _first_to_reach(p, exact.softmax(dim=-1), order_by=-exact))


def min_p(logits: Float[Tensor, "... V"], p: float) -> Float[Tensor, "... V"]:
    """Keep every token at least p times as likely as the row's most likely one.

    Equal tokens are kept or removed together. 0 is off, 1 keeps only the most likely (all of equal
    ones). Raises ValueError for p outside [0, 1]. Source: Nguyen et al. 2025.
    """
    check_logits(logits)
    p = _check_share("min_p", p)
    if p == 0:
        return logits
    exact = _exact(logits)
    return _keep(logits, exact - exact.amax(dim=-1, keepdim=True) >= math.log(p))


def typical(logits: Float[Tensor, "... V"], mass: float) -> Float[Tensor, "... V"]:
    """Keep the fewest tokens of most usual surprise that together have probability `mass` or more.

    A token's surprise is -ln of its probability; the usual one is the law's entropy. Of equally
    usual tokens (to six decimals), lower ids first. At least one is kept; 1 is off. Note that the
    most likely token may be removed. Raises ValueError for a mass outside [0, 1].
    Source: Meister et al. 2023.
    """
    check_logits(logits)
    mass = _check_share("typical", mass)
    if mass == 1:
        return logits
    surprise = -_exact(logits).log_softmax(dim=-1)
    law = (-surprise).exp()
    entropy = (law * surprise.masked_fill(law == 0, 0.0)).sum(dim=-1, keepdim=True)
    # a tie, as of 1/2 and 1/4 about their mean, must not be decided by the last bit of a logarithm
    unusual = (surprise - entropy).abs().round(decimals=6)
    return _keep(logits, _first_to_reach(mass, law, order_by=unusual))


def repetition_penalty(
    logits: Float[Tensor, "... V"], seen: Bool[Tensor, "... V"], penalty: float
) -> Float[Tensor, "... V"]:
    """Make tokens that were seen less likely: their positive logits / penalty, negative * penalty.

    seen: True for each id that stood in the row before (`seen_ids`). 1 is off; below 1 repeats are
    made more likely. A logit of 0 stays 0. Removed tokens stay removed.
    Raises ValueError for a penalty that is not positive and finite. Source: Keskar et al. 2019.
    """
    check_logits(logits)
    penalty = _check("repetition_penalty", penalty, math.ulp(0.0), "a positive number, 1 = off")
    _check_choice("seen", seen, logits)
    if penalty == 1:
        return logits
    exact = _exact(logits)
    changed = torch.where(exact > 0, exact / penalty, exact * penalty)
    limits = torch.finfo(logits.dtype)  # a finite logit stays finite in 16 bits too
    changed = torch.where(exact.isfinite(), changed.clamp(limits.min, limits.max), exact)
    return torch.where(seen, changed.to(logits.dtype), logits)


def only(logits: Float[Tensor, "... V"], allowed: Bool[Tensor, "... V"]) -> Float[Tensor, "... V"]:
    """Keep only allowed tokens, as a grammar asks.

    Raises ValueError for a row in which nothing is allowed, or nothing that the model can say.
    """
    check_logits(logits)
    _check_choice("allowed", allowed, logits)
    kept = _keep(logits, allowed)
    lost = (kept == -math.inf).all(dim=-1)
    if lost.any():
        raise ValueError(f"no allowed token is left in row {first_row(lost)}")
    return kept


def seen_ids(
    tokens: Int[Tensor, "B T"], vocab_size: int, token_mask: Bool[Tensor, "B T"] | None = None
) -> Bool[Tensor, "B V"]:
    """Which ids stand in each row, padding left out, shape [B, V]."""
    real = torch.ones_like(tokens) if token_mask is None else token_mask.long()
    counts = torch.zeros(len(tokens), vocab_size, dtype=torch.int64, device=tokens.device)
    return counts.scatter_add(1, tokens, real) > 0


@dataclass(frozen=True, kw_only=True)
class Controls:
    """The chain of controls. Each is off by default; off changes no bit.

    The order, which matters: what a grammar allows, repetition penalty, temperature, top-k, top-p,
    min-p, typical. So temperature 0 is greedy whatever follows it, and top-p reads the law that
    temperature and top-k have left.
    Raises ValueError for an impossible value, when it is made.
    """

    temperature: float = 1.0
    top_k: int = 0
    top_p: float = 1.0
    min_p: float = 0.0
    typical: float = 1.0
    repetition_penalty: float = 1.0

    def __post_init__(self) -> None:
        logits = torch.zeros(1)
        for control in _CHAIN:  # each refuses an impossible value by name
            control(logits, getattr(self, control.__name__))
        repetition_penalty(logits, logits > 0, self.repetition_penalty)

    @staticmethod
    def of(**controls: float) -> Controls:
        """Controls by name; raises TypeError for a name that is none, listing those there are."""
        names = [field.name for field in fields(Controls)]
        for name in controls:
            if name not in names:
                raise TypeError(f"{name!r} is no control; there are: {', '.join(names)}")
        return Controls(**controls)

    def apply(
        self,
        logits: Float[Tensor, "... V"],
        *,
        seen: Bool[Tensor, "... V"] | None = None,
        allowed: Bool[Tensor, "... V"] | None = None,
    ) -> Float[Tensor, "... V"]:
        """The logits after the whole chain, same shape and dtype.

        seen: ids that stood in the row, needed if the repetition penalty is on. allowed: what a
        grammar allows; everything if None.
        """
        logits = self._before_temperature(logits, seen, allowed)
        for control in _CHAIN:
            value, off = getattr(self, control.__name__), getattr(Controls, control.__name__)
            if value != off:
                logits = control(logits, value)
        return logits

    def _before_temperature(
        self, logits: Tensor, seen: Tensor | None, allowed: Tensor | None
    ) -> Tensor:
        check_logits(logits)
        if allowed is not None:
            logits = only(logits, allowed)
        if self.repetition_penalty != 1:
            if seen is None:
                raise ValueError("repetition_penalty needs seen, the ids that stood in each row")
            logits = repetition_penalty(logits, seen, self.repetition_penalty)
        return logits

    def greedy(
        self,
        logits: Float[Tensor, "... V"],
        *,
        seen: Bool[Tensor, "... V"] | None = None,
        allowed: Bool[Tensor, "... V"] | None = None,
    ) -> Int[Tensor, "..."]:
        """What temperature 0 chooses, without making a law of it; arguments as in `apply`."""
        if self.repetition_penalty != 1:
            logits = logits.double()
        return self._before_temperature(logits, seen, allowed).argmax(dim=-1)

    def law(
        self,
        logits: Float[Tensor, "... V"],
        *,
        seen: Bool[Tensor, "... V"] | None = None,
        allowed: Bool[Tensor, "... V"] | None = None,
    ) -> Float[Tensor, "... V"]:
        """The probabilities one samples from, float64, same shape; arguments as in `apply`."""
        check_logits(logits)
        return self.apply(logits.double(), seen=seen, allowed=allowed).softmax(dim=-1)


_CHAIN = (temperature, top_k, top_p, min_p, typical)  # in the order of `Controls`


# ---- shared by all controls ---------------------------------------------------------------------


def check_logits(logits: Float[Tensor, "... V"]) -> None:
    """Refuse logits from which no law can be made, naming the row.

    Raises TypeError unless floating, ValueError for NaN, +inf, or a row that is all -inf.
    """
    if not isinstance(logits, Tensor) or not logits.is_floating_point():
        given = logits.dtype if isinstance(logits, Tensor) else type(logits).__name__
        raise TypeError(f"logits is {given}; give a floating tensor [..., V]")
    if logits.ndim == 0 or logits.shape[-1] == 0:
        raise ValueError(
            f"logits has shape {list(logits.shape)}; give [..., V] with V of 1 or more"
        )
    broken = ~logits.amax(dim=-1).isfinite()  # NaN where one of the row is
    if not broken.any():
        return
    row = first_row(broken)
    broken = logits.isnan().any(dim=-1)
    if broken.any():
        raise ValueError(
            f"logits hold NaN in row {first_row(broken)}; the model's numbers are broken before "
            "decoding begins"
        )
    raise ValueError(
        f"logits row {row} has no finite largest value (all -inf, or +inf); no token could be "
        "chosen"
    )


def first_row(broken: Bool[Tensor, "..."]) -> str:
    """The place of the first row that is marked, in words for a refusal."""
    place = broken.nonzero()[0].tolist() if broken.ndim else [0]
    return ", ".join(map(str, place))


def _exact(logits: Tensor) -> Tensor:
    return logits.double()  # sums of 16-bit probabilities would be off by more than a token's worth


def _keep(logits: Tensor, kept: Tensor) -> Tensor:
    return logits.masked_fill(~kept, -math.inf)


def _first_to_reach(share: float, law: Tensor, order_by: Tensor) -> Tensor:
    """Which tokens, taken in this order, are needed to reach the share; at least the first."""
    order = order_by.sort(dim=-1, stable=True).indices  # equal ones by id
    sorted_law = law.gather(-1, order)
    before = sorted_law.cumsum(dim=-1) - sorted_law  # what the ones before it have together
    needed = before < share - 1e-12  # 0.5 + 0.3 reach 0.8, however their sum is rounded
    needed[..., 0] = True
    return torch.zeros_like(needed).scatter(-1, order, needed)


def _check(
    name: str, value: float, least: float, what: str, most: float = sys.float_info.max
) -> float:
    number = isinstance(value, Real) and not isinstance(value, bool)
    try:
        plain = float(value) if number else math.nan  # numpy's short floats cannot hold `most`
    except OverflowError:
        plain = math.inf
    if not least <= plain <= most:  # NaN is in no range
        raise ValueError(f"{name} is {value!r}; give {what}")
    return plain


def _check_share(name: str, value: float) -> float:
    return _check(name, value, 0, "a share from 0 to 1", most=1)


def _check_choice(name: str, choice: Tensor, logits: Tensor) -> None:
    """Refuse what would be no choice among these logits, or would change their shape."""
    fits = isinstance(choice, Tensor) and choice.dtype == torch.bool
    if fits:
        sizes = zip(choice.shape[::-1], logits.shape[::-1], strict=False)
        fits = choice.shape[-1:] == logits.shape[-1:] and choice.ndim <= logits.ndim
        fits = fits and all(have in (1, need) for have, need in sizes)
    if not fits:
        given = f"{choice.dtype} {list(choice.shape)}" if isinstance(choice, Tensor) else choice
        raise ValueError(
            f"{name} is {given}; give booleans of a shape that fits the logits' "
            f"{list(logits.shape)}"
        )
