"""What ends a row, and its text up to there: stop tokens, and stop strings of any vocabulary.

A stop string may begin and end inside a token, and a character may be spread over several. So text
is not compared token by token but unit by unit: the vocabulary says what a unit is. A tokenizer's
units are characters, once they are whole; a vocabulary of words has words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable


class UnitStream(Protocol):
    """Ids in, units out."""

    def push(self, token: int) -> Sequence[str]:
        """The units that have become whole by this id; an empty one is not shown."""

    def finish(self) -> Sequence[str]:
        """The units of what is left when no id follows."""


@runtime_checkable
class TextVocabulary(Protocol):
    """What stop strings and streams of text ask of a vocabulary: `Vocabulary` and `Tokenizer` do.

    separator: what stands between two units of a text.
    """

    separator: str

    def __len__(self) -> int:
        """How many ids it has."""

    def encode(self, text: str) -> list[int]:
        """The ids of a prompt."""

    def text_units(self, text: str) -> Sequence[str]:
        """The units of a text; raises ValueError for one that no ids can give."""

    def text_stream(self) -> UnitStream:
        """A stream for one row of ids."""


@dataclass(frozen=True)
class Stops:
    """What ends a row: any of these ids, or any of these strings, as units of the vocabulary."""

    ids: tuple[int, ...] = ()
    strings: tuple[tuple[str, ...], ...] = ()
    vocabulary: TextVocabulary | None = None

    def row_text(self) -> RowText:
        """The text of a new row."""
        return RowText(self.vocabulary, self.strings)


class RowText:
    """The text of one row of new tokens as it becomes certain, up to its first stop string.

    Certain is a unit that cannot belong to a stop string any more. The string that is whole first
    ends the text, of two that end at one place the longer. Nothing of it is given, nor anything
    behind it. stopped: whether one has come.
    """

    def __init__(self, vocabulary: TextVocabulary, strings: Sequence[tuple[str, ...]] = ()) -> None:
        self.stopped = False
        self._stream = vocabulary.text_stream()
        self._separator = vocabulary.separator
        self._strings = strings
        self._held: tuple[str, ...] = ()  # the longest beginning of a string at the text's end
        self._begun = False

    def push(self, token: int) -> str:
        """The text that has become certain by this id."""
        return self._take(self._stream.push(token))

    def finish(self) -> str:
        """The text that was held back, now that no id follows."""
        text = self._take(self._stream.finish())
        held, self._held = self._held, ()
        return text + self._shown(held)

    def _take(self, units: Sequence[str]) -> str:
        certain: list[str] = []
        for unit in units:
            if self.stopped:
                break
            held = (*self._held, unit)
            ended = [string for string in self._strings if held[-len(string) :] == string]
            if ended:
                self.stopped = True
                certain += held[: -max(map(len, ended))]
                held = ()
            while held and not any(string[: len(held)] == held for string in self._strings):
                certain.append(held[0])
                held = held[1:]
            self._held = held
        return self._shown(certain)

    def _shown(self, units: Sequence[str]) -> str:
        shown = self._separator.join(unit for unit in units if unit)
        if shown and self._begun:
            shown = self._separator + shown
        self._begun = self._begun or bool(shown)
        return shown
