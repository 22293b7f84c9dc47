"""Exercise 05.5: the pre-norm block."""

import torch
import torch.nn.functional as F

from helpers.decoder import attention, masks
from helpers.decoder.block import Block
from helpers.decoder.config import DecoderConfig
from helpers.exercises import expect
from helpers.exercises.checks.lesson_05.shared import normal
from helpers.exercises.exercise import Broken, Exercise, WrongForm

pre_norm_block = Exercise(
    "05.5",
    "pre_norm_block",
    title="The pre-norm block",
    minutes=30,
    level="challenge",
    points=5,
    hints=(
        "Begin with forward of SmallBlock. Which two lines change when the norm moves in front of "
        "the part, and what is never normalised any more?",
        "Set attention.output and feed_forward.narrow to zero: x itself must come back. If it does "
        "not, a norm stands in the stream. Then compare with a block of helpers that was made with "
        'norm_placement="pre".',
        "F.linear(x, weight, bias) and F.layer_norm(x, (C,), weight, bias) do the parts: "
        "x = x + output(heads of norm(x)), then x + narrow(gelu(widen(norm(x)))).",
    ),
)


def block_input(
    draw: torch.Generator, B: int, T: int, C: int
) -> tuple[torch.Tensor, dict[str, torch.Tensor]]:
    """Return x [B, T, C] and the weights of a block, all drawn: biases and norms too."""
    shapes = Block(DecoderConfig(vocab_size=2, context=2, width=C, norm_placement="pre"))
    weights = {}
    for name, given in shapes.state_dict().items():
        if name.endswith("norm.weight"):
            weights[name] = 1 + normal(draw, *given.shape) / 2
        else:
            weights[name] = normal(draw, *given.shape) / given.shape[-1] ** 0.5
        if "query" in name or "key" in name:
            weights[name] /= 2  # so that no weight of attention is nearly 0
    return normal(draw, B, T, C), weights


FAULTS = {
    "post": "this is a post-norm block: the stream itself is normalised",
    "first norm": "attention reads the stream without its norm",
    "second norm": "the feed-forward part reads the stream without its norm",
    "swapped norms": "the two norms are swapped",
    "plain norm": "the norms have no scale and shift of their own",
    "first residual": "what attention says replaces the stream, instead of being added to it",
    "second residual": "what the feed-forward part says replaces the stream",
    "normalised stream": "what is added to is the norm's copy: the stream itself is lost",
    "no bias": "the biases are left out",
    "no scale": "the scores are not divided by anything",
    "width": "the scores are divided by the root of C: each head is only D = C / H wide",
    "transposed": "the mask is transposed: row t says what position t may see",
    "hurried": "the heads are cut by view alone, so each holds a piece of the text",
    "hurried both ways": "the heads are cut and put together by view alone: each head sees a piece "
    "of the text only",
    "hurried merge": "the heads are put together without moving H back behind T",
    "one head": "all the width is one head",
    "no output": "the output projection of attention is missing",
    "parallel": "the feed-forward part reads the stream from before attention",
    "no bend": "there is no GELU between the two linear layers",
    "relu": "the bend is ReLU, not GELU",
    "tanh": "the bend is the tanh form of GELU: the course uses the exact one",
}


def run_block(x, weights: dict, H: int, mask, fault: str = "") -> torch.Tensor:
    """Return the pre-norm block's result in float64, with a known fault if one is named."""
    x, weights = x.double(), {name: value.double() for name, value in weights.items()}
    B, T, C = x.shape

    def linear(name, x):
        bias = None if fault == "no bias" else weights[f"{name}.bias"]
        return F.linear(x, weights[f"{name}.weight"], bias)

    def norm(name, x):
        if fault == "swapped norms":
            name = {"attention_norm": "feed_forward_norm"}.get(name, "attention_norm")
        own = {} if fault == "plain norm" else {"weight": weights[f"{name}.weight"]}
        own |= {"bias": weights[f"{name}.bias"]} if own else {}
        return F.layer_norm(x, (C,), **own)

    def attend(x):
        heads = 1 if fault == "one head" else H
        parts = [linear(f"attention.{name}", x) for name in ("query", "key", "value")]
        if fault.startswith("hurried") and fault != "hurried merge":
            parts = [part.reshape(B, heads, T, C // heads) for part in parts]
        else:
            parts = [attention.split_heads(part, heads) for part in parts]
        seen = mask.T if fault == "transposed" else mask
        scale = {"no scale": 1.0, "width": C**-0.5}.get(fault)
        mixed = attention.attention(*parts, seen, scale=scale)  # [B, H, T, D]
        together = attention.merge_heads(mixed)
        if fault in ("hurried merge", "hurried both ways"):
            together = mixed.reshape(B, T, C)
        return together if fault == "no output" else linear("attention.output", together)

    def think(x):
        bends = {
            "no bend": lambda x: x,
            "relu": F.relu,
            "tanh": lambda x: F.gelu(x, approximate="tanh"),
        }
        bend = bends.get(fault, F.gelu)
        return linear("feed_forward.narrow", bend(linear("feed_forward.widen", x)))

    if fault == "parallel":
        read = [norm(name, x) for name in ("attention_norm", "feed_forward_norm")]
        return x + attend(read[0]) + think(read[1])
    for name, part, first in (
        ("attention_norm", attend, True),
        ("feed_forward_norm", think, False),
    ):
        which = "first" if first else "second"
        if fault == "post":
            x = norm(name, x + part(x))
            continue
        read = x if fault == f"{which} norm" else norm(name, x)
        stream = {f"{which} residual": 0, "normalised stream": read}.get(fault, x)
        x = stream + part(read)
    return x


def irregular(draw: torch.Generator, T: int) -> torch.Tensor:
    """Return a mask [T, T] with a True and a False in every row, and in every column."""
    mask = torch.rand(T, T, generator=draw) < 0.5
    shown = torch.arange(T)
    mask[shown, (shown + 1) % T] = True
    mask[shown, (shown - 1) % T] = False
    return mask


@pre_norm_block.property("it keeps the shape [B, T, C], and True in the mask means: may attend")
def block_form(call, draw):
    """A mask of no regular form, and one token alone."""
    x, weights = block_input(draw, 2, 4, 8)
    mask = irregular(draw, 4)
    seen = "for B = 2, T = 4, C = 8, H = 2"
    found = expect.tensor(call(x, weights, 2, mask), (2, 4, 8), seen=seen)
    if any(expect.close(found, run_block(x, weights, 2, ~mask, order)) for order in ("", "post")):
        raise WrongForm("the mask is read the wrong way round: it hides what is True", seen)
    x, weights = block_input(draw, 1, 1, 8)
    found = call(x, weights, 2, masks.causal(1))
    expect.tensor(found, (1, 1, 8), seen="for B = 1, T = 1, C = 8, H = 2")


@pre_norm_block.property("with the causal mask, no row depends on a later token")
def block_no_leak(call, draw):
    """Change token s; earlier rows stay."""
    x, weights = block_input(draw, 1, 5, 8)
    moved = influence(call, x, weights, masks.causal(5)) > 1e-5
    if (moved & ~masks.causal(5)).any():
        t, s = (moved & ~masks.causal(5)).nonzero()[0].tolist()
        raise Broken(
            "a row changes with a token that the mask hides from it",
            f"with T = 5 and the causal mask, row {t} moved when token {s} was changed",
        )


@pre_norm_block.property("every row depends on every token that the mask shows it")
def block_mirror(call, draw):
    """Change token s; all rows that may see it move."""
    x, weights = block_input(draw, 1, 5, 8)
    still = influence(call, x, weights, torch.ones(5, 5, dtype=torch.bool)) < 1e-6
    if still.any():
        t, s = still.nonzero()[0].tolist()
        raise Broken(
            "a row does not notice a token that the mask shows it",
            f"with T = 5 and a mask of True only, row {t} stayed when token {s} was changed",
        )


def influence(call, x, weights: dict, mask, H: int = 2) -> torch.Tensor:
    """Return [T, T]: how far row t moves when token s is changed."""
    T = x.shape[1]
    before = expect.tensor(call(x, weights, H, mask), x.shape)
    moved = torch.zeros(T, T)
    for s in range(T):
        other = x.clone()
        other[0, s, :3] += 2
        after = expect.tensor(call(other, weights, H, mask), x.shape)
        moved[:, s] = (after - before)[0].abs().amax(-1)
    return moved


@pre_norm_block.property("parts that say nothing leave x as it is, bit for bit")
def block_straight_through(call, draw):
    """The last layer of both parts is zero."""
    x, weights = block_input(draw, 2, 4, 8)
    for name in weights:
        if name.startswith(("attention.output", "feed_forward.narrow")):
            weights[name] = torch.zeros_like(weights[name])
    found = expect.tensor(call(x, weights, 2, masks.causal(4)), (2, 4, 8))
    if not torch.equal(found, x.double()):
        raise Broken(
            "the stream does not run straight through: both parts say 0, and x comes out changed",
            "with attention.output and feed_forward.narrow all zero",
        )


@pre_norm_block.property("it gives the numbers of the block made with norm_placement='pre'")
def block_values(call, draw):
    """Against the exact block, and the known slips by name; also a mask that is not causal."""
    for B, T, C, H in ((2, 5, 12, 3), (1, 4, 8, 4)):
        x, weights = block_input(draw, B, T, C)
        mask = irregular(draw, T)
        found = expect.tensor(call(x, weights, H, mask), (B, T, C))
        right = run_block(x, weights, H, mask)
        if expect.close(found, right):
            continue
        expect.equal(
            found,
            right,
            f"for B = {B}, T = {T}, C = {C}, H = {H} and a mask of no regular form:",
            known=[(run_block(x, weights, H, mask, name), text) for name, text in FAULTS.items()],
        )


NOUGHT = "a visible score of exactly 0 is taken for a hidden one"
OVERFLOW = "large scores overflow: subtract the row's largest one before you take powers"
LOUD = "beside a loud hidden score the visible weights vanish: hide before the softmax, not after"
FILL = "what hides a score is not low enough: only -inf lies below every score"


def scored(draw: torch.Generator, query: float, key: float) -> tuple[torch.Tensor, dict]:
    """Return x [1, 5, 4] and weights of one head: all queries are the same, and all its numbers
    are `query`; to all numbers of the keys, `key` is added. The scores rise from token to token.
    """
    x, weights = block_input(draw, 1, 5, 4)
    weights["attention.query.weight"] *= 0
    weights["attention.query.bias"] = torch.full((4,), query)
    normed = F.layer_norm(x, (4,), weights["attention_norm.weight"], weights["attention_norm.bias"])
    scores = (normed @ weights["attention.key.weight"].T).sum(-1)  # [1, 5]
    weights["attention.key.bias"] = torch.full((4,), key)
    return x[:, scores[0].argsort()], weights


@pre_norm_block.property("it holds for every score: for 0, and far above and far below 0")
def block_scores(call, draw):
    """Scores of 0; all near 200; all near -200; far apart, the loudest hidden; -1e12."""
    mask = masks.causal(5)
    for query, key, undefined, fault in (
        (0.5, 0.0, "", "it is wrong for small scores already: mend that first"),
        (0.0, 0.0, NOUGHT, NOUGHT),
        (1.0, 100.0, OVERFLOW, "large scores go wrong"),
        (1.0, 500.0, OVERFLOW, "large scores go wrong"),
        (1.0, -100.0, OVERFLOW, FILL),
        (3000.0, 0.0, LOUD, FILL),
    ):
        x, weights = scored(draw, query, key)
        seen = f"with scores of {4 * query * key / 2:g} and, by token, {query:g} times some more"
        found = call(x, weights, 1, mask)
        if undefined and isinstance(found, torch.Tensor) and not found.isfinite().all():
            raise Broken(undefined, seen)
        right = run_block(x, weights, 1, mask)
        # next to 1000 float32 knows steps of 6e-5 only
        close = 1e-4 if abs(key) + query < 1 else 1e-2
        expect.equal(expect.tensor(found, x.shape), right, seen, fault, tolerance=close)
    x, weights = scored(draw, 1e3, -1e9)
    moved = influence(call, x, weights, mask, H=1) > 1e-3
    if (moved & ~mask).any():
        raise Broken(FILL, "with all scores near -2e12")
