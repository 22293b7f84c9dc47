"""Small trained models that lessons look at without training them first.

Each one has a recipe here, which is all it takes to make it again:

    python -m helpers pretrained              train those that are missing in data/models/
    python -m helpers pretrained --again      train all of them anew
    python -m helpers pretrained echo         only the named ones

A file holds the weights as safetensors, and beside them, as text, the recipe they came from.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save

from helpers.decoder.config import DecoderConfig
from helpers.decoder.model import Decoder
from helpers.files import ROOT, write_whole
from helpers.languages.language import Language, caption_sentences, captions, echo, recall
from helpers.training.batches import Batch, InTurn, shuffled_batches
from helpers.training.loop import cross_entropy, train
from helpers.weights.by_name import load_weights, own_weights, plain_names, unwrapped

FOLDER = ROOT / "data" / "models"
_LANGUAGES = {
    "captions": captions,
    "echo": echo,
    "recall": recall,
    "recall_2_3": partial(recall, (2, 3)),
}


@dataclass(frozen=True)
class Recipe:
    """How a model was made: its language, its shape, and its training.

    language: "captions" (trained on the data set's 680 training sentences), "echo", "recall" or
    "recall_2_3" (trained on all sentences, each as often as it is likely). shape: fields of
    DecoderConfig that differ from the default. first_steps: how many of the steps see the shortest
    sentences only; what is easy first makes what is hard come sooner.
    """

    language: str
    shape: dict = field(default_factory=dict)
    steps: int = 800
    batch_size: int = 128
    rate: float = 0.003
    seed: int = 0
    first_steps: int = 0

    def build_language(self) -> Language:
        """The language the model was trained on."""
        return _LANGUAGES[self.language]()

    def config(self) -> DecoderConfig:
        """The model's configuration: by default with room for its longest sentence."""
        language = self.build_language()
        room = {"context": language.longest}
        return DecoderConfig(vocab_size=language.vocab_size, **(room | self.shape))

    def rows(self) -> list[tuple[int, ...]]:
        """The sentences to train on, at least one batch of them."""
        if self.language == "captions":
            return caption_sentences()[0]
        language = self.build_language()
        least = min(language.probabilities)
        pairs = zip(language.sentences, language.probabilities, strict=True)
        rows = [sentence for sentence, p in pairs for _ in range(round(p / least))]
        return _filled(rows, self.batch_size)

    def batches(self) -> Iterator[Batch]:
        """Batches without end: of the shortest sentences first, if so said, then of all."""
        rows = self.rows()
        shortest = min(map(len, rows))
        easy = _filled([row for row in rows if len(row) == shortest], self.batch_size)
        first, rest = (shuffled_batches(r, self.batch_size, seed=self.seed) for r in (easy, rows))
        return InTurn(first, self.first_steps, rest)

    def train(self) -> Decoder:
        """Train a new model by this recipe."""
        model = Decoder(self.config(), seed=self.seed)
        train(model, self.batches(), steps=self.steps, rate=self.rate)
        return model


def _filled(rows: list[tuple[int, ...]], size: int) -> list[tuple[int, ...]]:
    """The rows, as many times over as it takes to have `size` of them."""
    return rows * -(-size // len(rows))  # rounded up


CAPTION_ROWS = {"context": 9}  # the data set's rows are padded to 9
NO_ATTENTION = {"attention": False}
NO_POSITIONS = {"positions": "none"}
# from lesson 05's decoder to Llama's: each change comes on top of those before it
LADDER = (
    {"width": 16, "blocks": 2},
    {"norm_placement": "pre", "final_norm": True},
    {"norm": "rms"},
    {"positions": "rotary"},
    {"feed_forward": "swiglu", "hidden": 42},  # as many parameters as 64 without a gate
    {"key_value_heads": 2},
    dict.fromkeys(("qkv_bias", "output_bias", "feed_forward_bias", "head_bias"), False),
    {"tied_head": True, "pad_id": None},
)
LADDER_SEEDS = (0, 1, 2)


def _ladder() -> dict[str, Recipe]:
    """A recipe for every rung and seed, and for the last one with one block less."""
    shapes, shape = {}, {}
    for rung, change in enumerate(LADDER):
        shape = shape | change
        shapes[f"ladder_{rung}"] = shape
    shapes["ladder_one_block"] = shape | {"blocks": 1}
    return {
        f"{name}_seed_{seed}": Recipe(
            "recall", shape, steps=800, batch_size=96, rate=0.01, seed=seed
        )
        for name, shape in shapes.items()
        for seed in LADDER_SEEDS
    }


# the same but for positions; lessons 14 and 15 try them on texts of up to 16 objects
LENGTHS = partial(Recipe, "recall_2_3", steps=2400, batch_size=96, rate=0.005, first_steps=700)
LENGTHS_SHAPE = {
    "context": 68,
    "blocks": 2,
    "head_width": 16,
    "norm_placement": "pre",
    "final_norm": True,
}
LENGTHS_POSITIONS = {
    "learned": {"positions": "learned"},
    "sinusoidal": {"positions": "sinusoidal"},
    "relative": {"positions": "relative", "relative_reach": 16},
    "alibi": {"positions": "alibi"},
    "none": {"positions": "none"},
    "rotary": {"positions": "rotary"},
    "rotary_100": {"positions": "rotary", "rotary": {"base": 100.0}},
}
# the first three seeds that learned the task in these steps; about every second one does not
LENGTHS_SEEDS = {
    "learned": (2, 3, 4),
    "sinusoidal": (2, 7, 10),
    "relative": (0, 1, 2),
    "alibi": (0, 2, 5),
    "none": (0, 2, 5),
    "rotary": (0, 2, 4),
    "rotary_100": (0, 4, 5),
}
RECIPES = {
    "captions": Recipe("captions", CAPTION_ROWS),
    "captions_no_attention": Recipe("captions", CAPTION_ROWS | NO_ATTENTION),
    "captions_no_positions": Recipe("captions", CAPTION_ROWS | NO_POSITIONS),
    "captions_neither": Recipe("captions", CAPTION_ROWS | NO_ATTENTION | NO_POSITIONS),
    "echo": Recipe("echo"),
    "echo_no_attention": Recipe("echo", NO_ATTENTION),
    "echo_no_positions": Recipe("echo", NO_POSITIONS),
    "recall_one_block": Recipe("recall", steps=1500, batch_size=96),
    "recall_two_blocks": Recipe("recall", {"blocks": 2}, steps=1500, batch_size=96),
    "recall_two_kv_heads": Recipe(
        "recall", {"blocks": 2, "key_value_heads": 2}, steps=1500, batch_size=96
    ),
    "recall_one_kv_head": Recipe(
        "recall", {"blocks": 2, "key_value_heads": 1}, steps=1500, batch_size=96
    ),
    "recall_two_blocks_no_attention": Recipe(
        "recall", {"blocks": 2} | NO_ATTENTION, steps=1500, batch_size=96
    ),
    **_ladder(),
    **{
        f"lengths_{name}_{run}": LENGTHS(LENGTHS_SHAPE | positions, seed=seed)
        for name, positions in LENGTHS_POSITIONS.items()
        for run, seed in enumerate(LENGTHS_SEEDS[name])
    },
}


def recipe_of(name: str) -> Recipe:
    """The recipe of a shipped model; raises ValueError listing the names there are."""
    if name not in RECIPES:
        raise ValueError(f"no model is called {name!r}; there are: {', '.join(RECIPES)}")
    return RECIPES[name]


def save_model(name: str, model: Decoder, folder: Path = FOLDER) -> Path:
    """Write a model and its recipe; to a temporary name first, so no half file is ever seen.

    A wrapped or compiled model is written as the one inside.
    Raises ValueError for an unknown name, and for a model of another shape than the recipe's.
    """
    recipe, model = recipe_of(name), unwrapped(model)
    if model.config != recipe.config():
        raise ValueError(
            f"the recipe of {name!r} makes a model of {recipe.config()}, but this one is of "
            f"{model.config}"
        )
    weights = {key: value.contiguous() for key, value in own_weights(model).items()}
    for key, value in weights.items():
        if value.dtype != torch.float32 or not value.isfinite().all():
            raise ValueError(f"{key} is {value.dtype} or not finite; save finite float32 weights")
    path = folder / f"{name}.safetensors"
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(path, save(weights, metadata={"recipe": json.dumps(asdict(recipe))}))
    return path


def load(name: str, folder: Path = FOLDER) -> Decoder:
    """A shipped model, in eval mode.

    Raises ValueError for an unknown name, FileNotFoundError with the command that makes the file,
    ValueError for a damaged file or one made by another recipe.
    """
    recipe = recipe_of(name)
    path = folder / f"{name}.safetensors"
    remedy = f"make it with: python -m helpers pretrained --again {name}"
    if not path.exists():
        raise FileNotFoundError(f"{path.name} is not in data/models; {remedy}")
    try:
        with safe_open(path, framework="pt") as file:
            names = plain_names(file.keys())
            weights = {plain: file.get_tensor(key) for plain, key in names.items()}
            made_by = json.loads((file.metadata() or {}).get("recipe", "null"))
    except (SafetensorError, ValueError) as error:  # ValueError: no JSON, or one name twice
        raise ValueError(f"{path.name} is damaged ({error}); {remedy}") from None
    # a recipe may gain a field; a file from before has its default
    if not isinstance(made_by, dict) or asdict(Recipe("")) | made_by != asdict(recipe):
        raise ValueError(f"{path.name} was made by another recipe than today's; {remedy}")
    model = Decoder(recipe.config())
    fits = {key: (value.shape, value.dtype) for key, value in own_weights(model).items()}
    holds = {key: (value.shape, value.dtype) for key, value in weights.items()}
    wrong = sorted(key for key in fits | holds if fits.get(key) != holds.get(key))
    wrong += [key for key, value in weights.items() if not value.isfinite().all()]
    if wrong:
        raise ValueError(
            f"{path.name} is damaged (weights missing, foreign, not finite, "
            f"or of another shape or dtype: {', '.join(wrong)}); {remedy}"
        )
    load_weights(model, weights)
    return model.eval()


def main(arguments: list[str]) -> int:
    """The command line: train and save the named models, or the missing ones."""
    parser = argparse.ArgumentParser(
        prog="python -m helpers pretrained", description="Train the small models in data/models/."
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"one of: {', '.join(RECIPES)}")
    parser.add_argument("--again", action="store_true", help="also those whose file is there")
    options = parser.parse_args(arguments)
    for name in options.names:
        if name not in RECIPES:
            parser.error(f"no model is called {name!r}; there are: {', '.join(RECIPES)}")
    torch.set_num_threads(1)  # tiny matrices: a second thread costs more than it brings
    for name in options.names or RECIPES:
        path = FOLDER / f"{name}.safetensors"
        if path.exists() and not options.again:
            print(f"{name}: there already")
            continue
        start = time.perf_counter()
        model = RECIPES[name].train()
        try:
            save_model(name, model, FOLDER)
        except OSError as error:
            print(f"{path} cannot be written: {error}", file=sys.stderr)
            return 1
        language = RECIPES[name].build_language()
        print(
            f"{name}: {cross_entropy(model, language):.4f} nats a token, "
            f"floor {language.floor:.4f}, {time.perf_counter() - start:.0f} s",
            flush=True,
        )
    return 0
