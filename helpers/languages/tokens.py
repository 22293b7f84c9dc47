"""Words to ids and back, and rows of unequal length in one rectangle.

A token mask is boolean [B, T], True where a real token stands and False where padding stands. It
travels beside the tokens, because an id alone cannot tell: some models pad with their end token.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import torch
from jaxtyping import Bool, Int
from torch import Tensor

from helpers.languages.language import BOS, EOS, PAD, SPECIAL_WORDS, Language


@dataclass(frozen=True)
class Vocabulary:
    """The words a model knows, in the order of their ids; ids 0, 1, 2 are pad, bos and eos."""

    words: tuple[str, ...]
    separator: ClassVar[str] = " "  # between two words of a text

    def __post_init__(self) -> None:
        if self.words[:3] != SPECIAL_WORDS:
            raise ValueError(f"words begin with {self.words[:3]}, not with {SPECIAL_WORDS}")
        if len(set(self.words)) != len(self.words):
            raise ValueError("a word stands twice in the vocabulary; each needs an id of its own")

    @staticmethod
    def of(language: Language) -> Vocabulary:
        """The vocabulary of a language."""
        return Vocabulary(language.words)

    def __len__(self) -> int:
        return len(self.words)

    def encode(self, text: str, *, bos: bool = True, eos: bool = False) -> list[int]:
        """The ids of a text's words, with `<bos>` in front and `<eos>` behind if asked for.

        Raises ValueError for a word outside the vocabulary, and for a special word written in the
        text: ids 0, 1 and 2 are commands to the model, and a text must not be able to give them.
        """
        id_of = {word: index for index, word in enumerate(self.words)}
        ids = []
        for word in text.split():
            if word in SPECIAL_WORDS:
                raise ValueError(
                    f"the text holds the special word {word!r}; "
                    "ask for it with bos= or eos= instead"
                )
            if word not in id_of:
                known = ", ".join(self.words[len(SPECIAL_WORDS) :])
                raise ValueError(f"unknown word {word!r}; the vocabulary holds: {known}")
            ids.append(id_of[word])
        return [BOS] * bos + ids + [EOS] * eos

    def decode(self, ids: Sequence[int] | Int[Tensor, "T"], *, special: bool = False) -> str:
        """The words of a row of ids; special=True shows `<pad>`, `<bos>` and `<eos>` too.

        Raises ValueError for an id outside 0..V-1, TypeError for one that is no whole number.
        """
        row = check_ids(ids, len(self.words))
        return " ".join(
            self.words[token] for token in row if special or token >= len(SPECIAL_WORDS)
        )

    def text_units(self, text: str) -> list[str]:
        """The words of a text; raises ValueError as encode does."""
        self.encode(text)
        return text.split()

    def text_stream(self) -> WordStream:
        """A stream for one row of ids."""
        return WordStream(self)


class WordStream:
    """Ids in, words out: one a token, "" for a special word, which is not shown."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary

    def push(self, token: int) -> list[str]:
        """The word of this id."""
        return [self._vocabulary.decode([token])]

    def finish(self) -> list[str]:
        """What is left: nothing, since every word is whole."""
        return []


def check_ids(
    ids: Iterable[int] | Int[Tensor, "N"], vocab_size: int | None = None, name: str = "ids"
) -> list[int]:
    """The same ids as plain whole numbers.

    Raises TypeError for anything but whole numbers, and ValueError for an id outside
    0..vocab_size-1, if a vocab_size is given.
    """
    whole = []
    for token in ids:
        try:
            whole.append(operator.index(token))
        except TypeError:
            raise TypeError(f"{name} holds {token!r}; give ids, which are whole numbers") from None
        if vocab_size is not None and not 0 <= whole[-1] < vocab_size:
            raise ValueError(
                f"{name} holds the unknown id {token}; allowed are 0 to {vocab_size - 1}"
            )
    return whole


def pad_rows(
    rows: Sequence[Sequence[int]],
    length: int | None = None,
    side: Literal["left", "right"] = "right",
    pad_id: int = PAD,
) -> tuple[Int[Tensor, "B T"], Bool[Tensor, "B T"]]:
    """Put rows of unequal length into one rectangle: (tokens [B, T], token mask [B, T]).

    length: T; the longest row's length if None. side: where the padding goes.
    Raises ValueError for no rows, an empty row, a row longer than `length`, or another side, and
    TypeError for an id that is no whole number.
    """
    if side not in ("left", "right"):
        raise ValueError(f"side is {side!r}; give 'left' or 'right'")
    if len(rows) == 0:
        raise ValueError("rows is empty; give at least one row of ids")
    sizes = [len(row) for row in rows]
    if min(sizes) == 0:
        raise ValueError(f"rows[{sizes.index(0)}] is empty; every row needs at least one token")
    longest = max(sizes)
    length = longest if length is None else length
    if longest > length:
        raise ValueError(
            f"rows[{sizes.index(longest)}] has {longest} tokens, more than length={length}"
        )
    tokens = torch.full((len(rows), length), *check_ids([pad_id], name="pad_id"))
    token_mask = torch.zeros(len(rows), length, dtype=torch.bool)
    for i, row in enumerate(rows):
        place = slice(0, len(row)) if side == "right" else slice(length - len(row), length)
        tokens[i, place] = torch.tensor(check_ids(row, name=f"rows[{i}]"))
        token_mask[i, place] = True
    return tokens, token_mask


def check_tokens(
    tokens: Int[Tensor, "B T"], vocab_size: int, name: str = "tokens"
) -> Int[Tensor, "B T"]:
    """The same tokens, once they are known to be a usable batch of ids.

    Raises TypeError for anything but an int64 tensor, ValueError for another shape than [B, T],
    an empty batch, an empty row, or an id outside 0..vocab_size-1.
    """
    if not isinstance(tokens, Tensor) or tokens.dtype != torch.int64:
        given = tokens.dtype if isinstance(tokens, Tensor) else type(tokens).__name__
        raise TypeError(f"{name} is {given}; give a torch tensor of dtype int64")
    if tokens.ndim != 2:
        raise ValueError(f"{name} has shape {list(tokens.shape)}; give [B, T], a batch of rows")
    if tokens.shape[0] == 0:
        raise ValueError(
            f"{name} has an empty batch, shape {list(tokens.shape)}; give B of 1 or more"
        )
    if tokens.shape[1] == 0:
        raise ValueError(f"{name} has empty rows, shape {list(tokens.shape)}; give T of 1 or more")
    low, high = int(tokens.min()), int(tokens.max())
    if low < 0 or high >= vocab_size:
        wrong = low if low < 0 else high
        raise ValueError(f"{name} holds the unknown id {wrong}; allowed are 0 to {vocab_size - 1}")
    return tokens


def check_token_mask(
    token_mask: Bool[Tensor, "B T"],
    tokens: Int[Tensor, "B T"],
    name: str = "token_mask",
    *,
    past: Bool[Tensor, "B T0"] | None = None,
) -> Bool[Tensor, "B T"]:
    """The same mask, once it is known to fit the tokens and to leave no row empty.

    past: the mask of what came before, for tokens that go on; these may then be padding only.
    Raises TypeError unless boolean, ValueError for another shape or device than the tokens, for a
    row without a real token, and for padding between real tokens.
    """
    if not isinstance(token_mask, Tensor) or token_mask.dtype != torch.bool:
        given = token_mask.dtype if isinstance(token_mask, Tensor) else type(token_mask).__name__
        raise TypeError(f"{name} is {given}; give a torch tensor of dtype bool, True = real token")
    if token_mask.shape != tokens.shape:
        raise ValueError(
            f"{name} has shape {list(token_mask.shape)}, the tokens {list(tokens.shape)}; "
            "both must be [B, T]"
        )
    if token_mask.device != tokens.device:
        raise ValueError(f"{name} is on {token_mask.device}, the tokens on {tokens.device}")
    empty = (~token_mask.any(dim=1)).nonzero()
    if len(empty) and past is None:
        raise ValueError(f"{name} row {int(empty[0])} has no real token; every row needs one")
    row_mask = token_mask if past is None else torch.cat([past, token_mask], dim=1)
    steps = row_mask[:, 1:] != row_mask[:, :-1]
    broken = (steps.sum(dim=1) > 2 - row_mask[:, 0].long() - row_mask[:, -1].long()).nonzero()
    if len(broken):
        row = int(broken[0])
        raise ValueError(
            f"{name} row {row} has padding between real tokens; pad on the left or on the right"
        )
    return token_mask
