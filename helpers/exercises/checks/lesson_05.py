"""Checks of the exercises of lesson 05, the causal block."""

from itertools import pairwise

import torch
import torch.nn.functional as F

from helpers import attention, masks
from helpers.block import Block
from helpers.config import DecoderConfig
from helpers.exercises import expect
from helpers.exercises.exercise import Broken, Exercise, WrongForm


def normal(draw: torch.Generator, *shape: int) -> torch.Tensor:
    """Return float32 numbers around 0."""
    return torch.randn(shape, generator=draw)


def pick(draw: torch.Generator, low: int, high: int) -> int:
    """Return a whole number from low to high."""
    return int(torch.randint(low, high + 1, (), generator=draw))


# -- 05.1

parameter_count = Exercise(
    "05.1",
    "parameter_count",
    title="Count by formula",
    minutes=2,
    level="warm-up",
    points=1,
    imports=(),
    hints=(
        "Go through the map from left to right: two tables, the blocks, one projection. Which of "
        "them has a bias?",
        "With no block at all only V·C + T·C + (C·V + V) is left. One block more adds 12,704 where "
        "C is 32.",
        "One block is 12 C² + 13 C. Around it stand two tables and a projection with a bias.",
    ),
)


AROUND = "the tables and the projection stand around the blocks: they are counted once"


def count(V: int, T: int, C: int, blocks: int) -> int:
    """Return the number of parameters of the lesson's decoder."""
    return V * C + T * C + blocks * (12 * C * C + 13 * C) + C * V + V


def miscounts(V: int, T: int, C: int, blocks: int) -> list[tuple[int, str]]:
    """Return what known slips give, each with its name."""
    right = count(V, T, C, blocks)
    return [
        (right - blocks * 9 * C - V, "it counts no bias at all"),
        (right - blocks * 9 * C, "it counts the matrices inside the block without their biases"),
        (right - V, "the vocabulary projection has a bias too, one number a word"),
        (right - T * C, "the table of positions is missing"),
        (right - C * V, "this decoder is untied: the projection has a matrix of its own"),
        (right - C * V - V, "the projection to the vocabulary is missing"),
        (right - blocks * 4 * C, "the two LayerNorms of a block are missing"),
        (right - blocks * 2 * C, "a LayerNorm has two numbers a column: scale and shift"),
        (right + 2 * C, "this decoder has no final norm"),
        (right - blocks * (C * C + C), "attention has four matrices: the output projection too"),
        (right - blocks * 4 * C * C, "the feed-forward part has two matrices, out to 4C and back"),
        (count(V, T, C, 1), "it counts one block, however many there are"),
        (blocks * count(V, T, C, 1), AROUND),
    ]


@parameter_count.property("it gives 13,772 for the lesson's model")
def lessons_model(call, draw):
    """The number of the lesson."""
    found = expect.whole(call(12, 9, 32, 1), "for V = 12, T = 9, C = 32 and 1 block")
    expect.equal(found, 13_772, "for V = 12, T = 9, C = 32 and 1 block")


@parameter_count.property("every further block adds 12 C² + 13 C")
def every_block(call, draw):
    """Differences between numbers of blocks."""
    V, T, C = pick(draw, 5, 9), pick(draw, 12, 16), 4 * pick(draw, 5, 9)
    found = [expect.whole(call(V, T, C, blocks)) for blocks in range(4)]
    steps = [b - a for a, b in pairwise(found)]
    expect.equal(
        steps,
        [12 * C * C + 13 * C] * 3,
        f"for V = {V}, T = {T}, C = {C} and 0, 1, 2, 3 blocks the steps between counts:",
        "a block more or less does not change the count by one block",
        known=[([count(V, T, C, 1)] * 3, AROUND)],
    )


@parameter_count.property("it gives every decoder of this kind its number")
def any_size(call, draw):
    """Other sizes, and the known slips by name."""
    for blocks in (3, 0):
        V, T, C = pick(draw, 5, 9), pick(draw, 12, 16), 4 * pick(draw, 5, 9)
        expect.equal(
            expect.whole(call(V, T, C, blocks)),
            count(V, T, C, blocks),
            f"for V = {V}, T = {T}, C = {C} and {blocks} blocks",
            known=miscounts(V, T, C, blocks),
        )


# -- 05.2

into_heads = Exercise(
    "05.2",
    "into_heads",
    title="Cut the width into heads",
    minutes=5,
    level="medium",
    points=2,
    hints=(
        "view cuts an axis without moving a number. Which axis has to be cut, and what stands "
        "between it and the place where H shall go?",
        "Take B = 1, T = 2, C = 4, H = 2 and x = torch.arange(8.).view(1, 2, 4). Head 0 must be "
        "[[0, 1], [4, 5]], head 1 [[2, 3], [6, 7]].",
        "Two steps: x.view(B, T, H, C // H) names the parts of the width, then transpose(1, 2) "
        "moves H in front of T.",
    ),
)


@into_heads.property("it is a tensor [B, H, T, D] with D = C / H")
def heads_form(call, draw):
    """All four axes of different lengths."""
    for B, T, H, D in ((2, 5, 4, 3), (1, 1, 1, 2)):
        x = normal(draw, B, T, H * D)
        seen = f"for x of shape {list(x.shape)} and H = {H}"
        found = call(x, H)
        if T != H and isinstance(found, torch.Tensor) and list(found.shape) == [B, T, H, D]:
            raise WrongForm("H is cut from the width, and still stands behind T", seen)
        expect.tensor(found, (B, H, T, D), seen=seen)


@into_heads.property("position t of head h is x[:, t, h*D:(h+1)*D]")
def heads_values(call, draw):
    """Against the slices; T = H hides a forgotten transpose from the shape."""
    for B, T, H, D in ((2, 4, 4, 3), (2, 5, 2, 3), (1, 3, 3, 3)):
        x = normal(draw, B, T, H * D)
        right = torch.stack([x[:, :, h * D : (h + 1) * D] for h in range(H)], dim=1).double()
        cut = x.double()
        found = expect.tensor(call(x, H), (B, H, T, D))
        expect.equal(
            found,
            right,
            f"for B = {B}, T = {T}, C = {H * D}, H = {H}:",
            known=(
                (
                    cut.reshape(B, H, T, D),
                    "each head holds a piece of the text instead of a piece of the width: "
                    "cut the width first, then move H",
                ),
                (cut.reshape(B, T, D, H).permute(0, 3, 1, 2), "a head holds every H-th column"),
                (right.flip(1), "the heads stand in reverse order"),
                (
                    cut.transpose(1, 2).reshape(B, H, T, D),
                    "T and C are swapped first, so the numbers no longer lie a vector at a time",
                ),
            ),
        )


@into_heads.property("whatever stands at one position stays at that position")
def heads_positions(call, draw):
    """Change one position; in every head only that row moves."""
    x = normal(draw, 1, 6, 4)
    before = expect.tensor(call(x, 2), (1, 2, 6, 2))
    for t in range(6):
        other = x.clone()
        other[:, t] += 1
        moved = (expect.tensor(call(other, 2), (1, 2, 6, 2)) != before).any(-1)[0]  # [H, T]
        if not moved[:, t].all() or moved.sum() != 2:
            raise Broken(
                "a number of one position turns up at another one",
                f"for T = 6, C = 4, H = 2, where position {t} was changed",
            )


# -- 05.3

layer_norm = Exercise(
    "05.3",
    "layer_norm",
    title="LayerNorm by hand",
    minutes=8,
    level="medium",
    points=2,
    hints=(
        "One position, one vector, one mean, one variance. Over which axis are they taken, and "
        "how do they keep a place to be subtracted from [B, T, C]?",
        "With scale 1 and shift 0 every vector comes out with mean 0, and with standard deviation "
        "very nearly 1: divide by C, not by C - 1. A constant vector gives zeros.",
        "Mean and variance over the last axis, with keepdim=True. The variance is the mean of the "
        "squared differences. Add 1e-5 to it before the root, then times scale, plus shift.",
    ),
)


def norm_input(draw: torch.Generator, B: int, T: int, C: int) -> list[torch.Tensor]:
    """Return x [B, T, C] with a mean far from 0, scale [C] and shift [C]."""
    return [normal(draw, B, T, C) + 2, normal(draw, C) + 1.5, normal(draw, C)]


@layer_norm.property("it keeps the shape [B, T, C]")
def norm_form(call, draw):
    """Also for one position alone."""
    for shape in ((2, 3, 4), (1, 1, 5)):
        expect.tensor(call(*norm_input(draw, *shape)), shape, seen=f"for x of shape {list(shape)}")


@layer_norm.property("one constant added to a position changes nothing")
def norm_constant(call, draw):
    """Invariance to the mean."""
    x, scale, shift = norm_input(draw, 2, 3, 4)
    before = expect.tensor(call(x, scale, shift), (2, 3, 4))
    other = x.clone()
    other[1, 2] += 3
    after = expect.tensor(call(other, scale, shift), (2, 3, 4))
    if not expect.close(after[1, 2], before[1, 2]):
        raise Broken(
            "a constant added to all numbers of a position is still there afterwards",
            "for C = 4, with 3 added",
        )


@layer_norm.property("a position multiplied by 3 comes out almost the same")
def norm_factor(call, draw):
    """Invariance to the size, but for the 1e-5."""
    x, scale, shift = norm_input(draw, 2, 3, 4)
    before = expect.tensor(call(x, scale, shift), (2, 3, 4))
    other = x.clone()
    other[0, 1] *= 3
    after = expect.tensor(call(other, scale, shift), (2, 3, 4))
    if not expect.close(after[0, 1], before[0, 1], tolerance=1e-3):
        raise Broken(
            "the size of a position's vector is still seen afterwards",
            "for C = 4, one position multiplied by 3",
        )


@layer_norm.property("no position hears of another one")
def norm_alone(call, draw):
    """Change one position; the others stay."""
    x, scale, shift = norm_input(draw, 2, 3, 4)
    before = expect.tensor(call(x, scale, shift), (2, 3, 4))
    other = x.clone()
    other[1, 1] = normal(draw, 4) * 5
    moved = (expect.tensor(call(other, scale, shift), (2, 3, 4)) - before).abs() > 1e-5
    moved = moved.any(-1)  # [B, T]
    moved[1, 1] = False
    if moved.any():
        row, t = moved.nonzero()[0].tolist()
        raise Broken(
            "a position changes with another one: mean and variance belong to one vector",
            f"for B = 2, T = 3: position {t} of row {row} moved, position 1 of row 1 was changed",
        )


@layer_norm.property("a vector of equal numbers gives the shift, and never NaN")
def norm_equal(call, draw):
    """Variance 0."""
    x, scale, shift = norm_input(draw, 1, 2, 4)
    expect.tensor(call(x, scale, shift), (1, 2, 4))
    x[0, 1] = 7
    found = call(x, scale, shift)
    if bool(found[0, 1].isnan().any()):
        raise Broken(
            "0 is divided by 0: what keeps the root from being 0 is missing",
            "for a position that holds 7, 7, 7, 7",
        )
    found = expect.tensor(found, (1, 2, 4))[0, 1]
    expect.equal(found, shift.double(), "for a position that holds 7, 7, 7, 7:")


@layer_norm.property("it is (x - mean) / sqrt(variance + 1e-5), times scale, plus shift")
def norm_values(call, draw):
    """Large and tiny vectors; a tiny one shows where the 1e-5 stands."""
    for size in (1.0, 1e-2):
        x, scale, shift = norm_input(draw, 2, 3, 5)
        x = x * size
        exact, s, b = x.double(), scale.double(), shift.double()
        centred = exact - exact.mean(-1, keepdim=True)
        variance = centred.pow(2).mean(-1, keepdim=True)

        def scaled(divisor, centred=centred, s=s, b=b):
            return centred / divisor * s + b

        right = F.layer_norm(exact, (5,), s, b, 1e-5)
        expect.equal(
            expect.tensor(call(x, scale, shift), (2, 3, 5)),
            right,
            f"for C = 5 and numbers of about {2 * size:g}:",
            known=(
                (
                    scaled((variance * 5 / 4 + 1e-5).sqrt()),
                    "the variance is divided by C - 1, not by C",
                ),
                (scaled(variance.sqrt() + 1e-5), "the 1e-5 stands outside the root"),
                (scaled(variance.sqrt()), "the 1e-5 is missing"),
                (
                    exact / (exact.pow(2).mean(-1, keepdim=True) + 1e-5).sqrt() * s + b,
                    "the mean is not subtracted",
                ),
                (scaled(variance + 1e-5), "it divides by the variance, not by its root"),
                ((right - b) / s, "scale and shift are not applied"),
                (right - b, "the shift is not added"),
                ((right - b) / s + b, "the scale is not multiplied in"),
                ((right - b) / s * (1 + s) + b, "it multiplies by 1 + scale"),
                ((right / s - b / s + b) * s, "the shift is added before the scale is applied"),
            ),
        )


# -- 05.4

silenced = Exercise(
    "05.4",
    "silenced",
    title="Silence a head",
    minutes=10,
    level="medium",
    points=2,
    hints=(
        "The heads, side by side, go into this matrix. Is a head's slice of it made of rows or of "
        "columns, when torch stores a linear layer as [out, in]?",
        "Try it: F.linear(x, silenced(weight, H, h)) must equal F.linear(x0, weight), where x0 is "
        "x with the numbers of head h set to 0.",
        "Clone first, so that the given matrix stays. Then, with D = C // H, the columns h*D to "
        "(h+1)*D become 0.",
    ),
)


@silenced.property("it is a matrix [C, C]")
def silenced_form(call, draw):
    """Also for one head."""
    for C, H in ((6, 2), (4, 1)):
        expect.tensor(call(normal(draw, C, C), H, 0), (C, C), seen=f"for C = {C}, H = {H}")


@silenced.property("with it, head h writes nothing, and the others write what they wrote")
def silenced_output(call, draw):
    """What the projection gives, against a head that is 0."""
    for C, H in ((12, 2), (8, 4), (6, 1)):
        weight, heads, D = normal(draw, C, C), normal(draw, 5, C).double(), C // H
        exact = weight.double()
        for h in range(H):
            quiet, kept = heads.clone(), torch.zeros(5, C, dtype=torch.float64)
            quiet[:, h * D : (h + 1) * D] = 0
            kept[:, h * D : (h + 1) * D] = heads[:, h * D : (h + 1) * D]
            rows, strided, mixed = heads @ exact.T, heads.clone(), heads.clone()
            rows[:, h * D : (h + 1) * D] = 0
            strided[:, h::H] = 0
            mixed[:, h * H : (h + 1) * H] = 0
            after, before = heads.clone(), heads.clone()
            after[:, (h + 1) * D : (h + 2) * D] = 0
            before[:, max(h - 1, 0) * D : h * D] = 0
            found = expect.tensor(call(weight, H, h), (C, C))
            expect.equal(
                heads @ found.T,
                quiet @ exact.T,
                f"for C = {C}, H = {H}, h = {h}: the output of the projection:",
                "head h still writes, or another head is missing",
                known=(
                    (
                        rows,
                        "rows are set to 0: the heads arrive as input, and [out, in] has "
                        "inputs as columns",
                    ),
                    (kept @ exact.T, "it keeps head h alone and silences the others"),
                    (mixed @ exact.T, "a head is D = C / H columns wide, not H"),
                    (
                        strided @ exact.T,
                        "every H-th column is set to 0: a head's columns are neighbours",
                    ),
                    (after @ exact.T, "it silences the head after h: heads are counted from 0"),
                    (before @ exact.T, "it silences the head before h"),
                    (heads @ exact.T, "nothing is silenced"),
                ),
            )


@silenced.property("what the heads lose, one by one, adds up to the whole matrix")
def silenced_sum(call, draw):
    """The slices of all heads are the matrix."""
    C, H = 8, 2
    weight = normal(draw, C, C)
    lost = [weight.double() - expect.tensor(call(weight, H, h), (C, C)) for h in range(H)]
    expect.equal(
        sum(lost),
        weight.double(),
        f"for C = {C}, H = {H}:",
        "the slices of the heads do not make up the matrix",
    )


# -- 05.5

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


def influence(call, x, weights: dict, mask) -> torch.Tensor:
    """Return [T, T]: how far row t moves when token s is changed."""
    T = x.shape[1]
    before = expect.tensor(call(x, weights, 2, mask), x.shape)
    moved = torch.zeros(T, T)
    for s in range(T):
        other = x.clone()
        other[0, s, :3] += 2
        after = expect.tensor(call(other, weights, 2, mask), x.shape)
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


EXERCISES = (parameter_count, into_heads, layer_norm, silenced, pre_norm_block)
