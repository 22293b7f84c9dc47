"""Text to ids and back by byte-level BPE: vocabulary, special tokens, and a stream of text.

Every byte is a token, so there are no unknown words, and decoding gives the text back to the last
byte. Special tokens, the commands to a model, come out of a text only where that is allowed.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar

from helpers.languages.tokens import check_ids
from helpers.tokenizers.added_tokens import AddedToken, split
from helpers.tokenizers.bpe import (
    GPT2,
    Pair,
    Rules,
    apply_merges,
    apply_merges_fast,
    check_text,
    learn,
    pieces,
    show,
)

_REMEMBERED = 2**16  # pieces whose ids are kept, each of at most this many characters:
_SHORT = 32


@dataclass(frozen=True)
class Tokenizer:
    """A vocabulary of byte strings, the merges that make them, and how a text is cut.

    tokens: the bytes of each id; of a special token, its text in UTF-8. merges: pairs of ids, the
    strongest first; the product is the token with the joined bytes. special: text -> id of the
    tokens that are commands to a model. drop_unknown: some real vocabularies lack a few bytes; True
    leaves such bytes of a text out without a word, as the tokenizers library does, False refuses
    the text. added: how tokens are looked for that are not special, or special in another way than
    plain. ignore_merges: a piece that is a token is taken whole, whatever the merges say. unknown:
    the id that stands for a byte without a token, in place of dropping or refusing it.
    Raises ValueError for tables that do not fit together.
    """

    tokens: tuple[bytes, ...]
    merges: tuple[Pair, ...] = ()
    special: Mapping[str, int] = field(default_factory=dict)
    pattern: str = GPT2
    drop_unknown: bool = False
    added: Mapping[str, AddedToken] = field(default_factory=dict)
    ignore_merges: bool = False
    unknown: int | None = None
    separator: ClassVar[str] = ""  # between two characters of a text

    def __post_init__(self) -> None:
        for text, token in self.special.items():
            if (
                not check_text(text, "special")
                or not 0 <= token < len(self)
                or self.tokens[token] != text.encode()
            ):
                raise ValueError(f"special token {text!r} has id {token}, which holds no such text")
        for text, token in self.added.items():
            if token.special and self.special.get(text) != token.id:
                raise ValueError(f"added token {text!r} is special, but not in the list of those")
            if not text or self.tokens[token.id : token.id + 1] != (text.encode(),):
                raise ValueError(
                    f"added token {text!r} has id {token.id}, which holds no such text"
                )
        if self.unknown is not None and not 0 <= self.unknown < len(self):
            raise ValueError(f"unknown is {self.unknown}; give an id under {len(self)}, or None")
        if len(self._id_of) + len(self._apart) != len(self):
            raise ValueError("two ids have the same bytes; each token needs bytes of its own")
        made = {token for token in self._byte_ids if token is not None}
        for left, right in self.merges:
            if left not in made or right not in made:
                raise ValueError(
                    f"merge ({left}, {right}) uses a part that no merge before it made"
                )
            product = self._id_of.get(self.tokens[left] + self.tokens[right])
            if product is None:
                raise ValueError(f"merge ({left}, {right}) makes bytes that no token has")
            made.add(product)

    def __len__(self) -> int:
        return len(self.tokens)

    def encode(self, text: str, *, allow: Collection[str] = ()) -> list[int]:
        """The ids of a text.

        allow: the special tokens that the text may give, as their texts, or "all". Any other one in
        the text is ordinary text: whoever writes it cannot give a command by it. Added tokens that
        are not special always count. Where several fit at one place, the longest counts.
        Raises as check_text does; ValueError for a byte without a token (see drop_unknown), and for
        an allowed token that is not special.
        """
        return self._encode(text, allow, self._remembered)

    def encode_readable(self, text: str, *, allow: Collection[str] = ()) -> list[int]:
        """The same ids as encode, by the readable version of the merging, piece by piece."""
        return self._encode(text, allow, lambda piece: self._merged(piece, apply_merges))

    def decode(self, ids: Iterable[int], *, special: bool = True) -> str:
        """The text of ids; bytes that are no UTF-8 become U+FFFD, the replacement character.

        special: whether special tokens are shown. Raises TypeError and ValueError for ids that are
        no whole numbers or not in the vocabulary.
        """
        return self.to_bytes(ids, special=special).decode(errors="replace")

    def to_bytes(self, ids: Iterable[int], *, special: bool = True) -> bytes:
        """The bytes of ids, joined."""
        row = check_ids(ids, len(self))
        return b"".join(self.tokens[i] for i in row if special or i not in self._special_ids)

    def text_units(self, text: str) -> str:
        """The characters of a text; raises as check_text does."""
        return check_text(text)

    def text_stream(self) -> TextStream:
        """A stream for one row of ids, which shows special tokens as decode does."""
        return TextStream(self)

    def show(self, ids: Iterable[int]) -> list[str]:
        """Each token in visible characters; a special or added token as its text."""
        row = check_ids(ids, len(self))
        apart = self._apart
        return [self.tokens[i].decode() if i in apart else show(self.tokens[i]) for i in row]

    @cached_property
    def rules(self) -> dict[Pair, tuple[int, int]]:
        """Each pair's (rank, product)."""
        rules = {}
        for rank, (left, right) in enumerate(self.merges):
            product = self._id_of[self.tokens[left] + self.tokens[right]]
            rules.setdefault((left, right), (rank, product))
        return rules

    @cached_property
    def _special_ids(self) -> frozenset[int]:
        return frozenset(self.special.values())

    @cached_property
    def _apart(self) -> frozenset[int]:
        """The ids that no merge makes: special tokens, and added ones outside the vocabulary."""
        added = {token.id for token in self.added.values() if not token.ordinary}
        return self._special_ids | added

    @cached_property
    def _id_of(self) -> dict[bytes, int]:
        return {b: i for i, b in enumerate(self.tokens) if i not in self._apart}

    @cached_property
    def looked_for(self) -> dict[str, AddedToken]:
        """Every special and added token by its text, with how it is looked for."""
        plain = {text: AddedToken(id=i, special=True) for text, i in self.special.items()}
        return plain | dict(self.added)

    @cached_property
    def _byte_ids(self) -> tuple[int | None, ...]:
        return tuple(self._id_of.get(bytes([byte])) for byte in range(256))

    @cached_property
    def _memory(self) -> dict[str, list[int]]:
        return {}

    def _row(self, piece: str) -> list[int]:
        """The ids of a piece's bytes, before any merge."""
        row = [self._byte_ids[byte] for byte in piece.encode()]
        if self.unknown is not None:
            row = [self.unknown if token is None else token for token in row]
        if None not in row:
            return row
        if not self.drop_unknown:
            byte = piece.encode()[row.index(None)]
            raise ValueError(
                f"this vocabulary has no token for the byte 0x{byte:02x}, which is in {piece!r}; "
                "take it out of the text, or make the tokenizer with drop_unknown=True"
            )
        return [token for token in row if token is not None]

    def _merged(self, piece: str, apply: Callable[[list[int], Rules], list[int]]) -> list[int]:
        """The ids of a piece, by one of the two versions of the merging."""
        whole = self._id_of.get(piece.encode()) if self.ignore_merges else None
        return apply(self._row(piece), self.rules) if whole is None else [whole]

    def _remembered(self, piece: str) -> list[int]:
        """The ids of a piece; most pieces of a text were met before."""
        ids = self._memory.get(piece)
        if ids is None:
            ids = self._merged(piece, apply_merges_fast)
            if len(self._memory) >= _REMEMBERED:
                self._memory.clear()
            if len(piece) <= _SHORT:
                self._memory[piece] = ids
        return ids

    def _encode(
        self, text: str, allow: Collection[str], encode_piece: Callable[[str], list[int]]
    ) -> list[int]:
        ids = []
        for part, token in self._parts(check_text(text), allow):
            if token is not None:
                ids.append(token)
                continue
            for piece in pieces(part, self.pattern):
                ids += encode_piece(piece)
        return ids

    def _parts(self, text: str, allow: Collection[str]) -> Iterator[tuple[str, int | None]]:
        """The text's parts: (ordinary text, None) or (text of a special token, its id)."""
        allowed = set(self.special if allow == "all" else allow)
        for name in sorted(allowed - self.special.keys()):
            known = ", ".join(self.special) or "none"
            raise ValueError(f"{name!r} is no special token; there are: {known}")
        if not allowed:  # each command is ordinary text, and so is what stands inside it
            plain = all(token.special for token in self.added.values())
            return iter([(text, None)]) if plain else split(text, self.looked_for, self.special)
        others = self.special.keys() - allowed
        return split(text, {n: token for n, token in self.looked_for.items() if n not in others})


def train(text: str, merges: int, *, pattern: str = GPT2, special: Sequence[str] = ()) -> Tokenizer:
    """A tokenizer whose merges are learned from a text, as helpers.tokenizers.bpe.learn says.

    Ids 0 to 255 are the bytes, then come the products in their order, then the special tokens.
    """
    tokens, found = learn(text, merges, pattern)
    ids = {name: len(tokens) + i for i, name in enumerate(special)}
    tokens += [check_text(name, "special").encode() for name in special]
    return Tokenizer(tuple(tokens), tuple(found), ids, pattern)


class TextStream:
    """Ids in, text out, without ever showing half a character.

    A character can be spread over several tokens. push gives what is whole by now, perhaps
    nothing; finish gives U+FFFD if the ids ended inside a character. All that it gives, joined, is
    what Tokenizer.decode gives for all ids at once.
    """

    def __init__(self, tokenizer: Tokenizer, *, special: bool = True) -> None:
        self._tokenizer = tokenizer
        self._special = special
        self._decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")

    def push(self, token: int) -> str:
        """The text that has become whole by this id."""
        return self._decoder.decode(self._tokenizer.to_bytes([token], special=self._special))

    def finish(self) -> str:
        """What is left: nothing, or one U+FFFD."""
        return self._decoder.decode(b"", final=True)
