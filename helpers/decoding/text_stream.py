"""Text that comes as it is made: pieces without half characters, stop strings or stop tokens.

for piece in stream_text(model, tokenizer, "Once upon", cache=model.new_cache(1)):
    print(piece, end="", flush=True)
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from numbers import Integral

from torch import Tensor

from helpers.decoder.model import Decoder
from helpers.decoding.arguments import check_stops, check_vocabulary
from helpers.decoding.generation import Step, stream
from helpers.decoding.stops import Stops, TextVocabulary
from helpers.decoding.stream_report import StreamReport, TimedSteps
from helpers.languages.language import EOS, PAD
from helpers.languages.tokens import pad_rows


class TextPieces(Iterator[str | tuple[str, ...]]):
    """Pieces of text, one for each step in which some text has become certain.

    A piece is a str for one prompt; for a list of prompts it is a tuple with a str for each, ""
    where a row has nothing new. reasons: why each row ended, as in `Step`, None while it goes on.
    """

    def __init__(self, steps: Iterable[Step], stops: Stops, rows: int, alone: bool) -> None:
        self.reasons: tuple[str | None, ...] = (None,) * rows
        self._steps = TimedSteps(steps)
        self._stops = stops
        self._texts = [stops.row_text() for _ in range(rows)]
        self._alone = alone

    def __next__(self) -> str | tuple[str, ...]:
        while True:
            before, step = self.reasons, next(self._steps)
            self.reasons = step.reasons
            pieces = [""] * len(before)
            for row, token in enumerate(step.tokens.tolist()):
                if before[row] is None:
                    pieces[row] = self._piece(row, token)
            if any(pieces):
                return pieces[0] if self._alone else tuple(pieces)

    def _piece(self, row: int, token: int) -> str:
        text = self._texts[row]
        piece = "" if token in self._stops.ids else text.push(token)
        return piece if self.reasons[row] is None else piece + text.finish()

    @property
    def report(self) -> StreamReport:
        """Times, tokens and memory so far; the tokens that are not shown count too."""
        return self._steps.report


def stream_text(
    model: Decoder,
    tokenizer: TextVocabulary,
    prompts: str | Sequence[int] | Sequence[str | Sequence[int]],
    *,
    stop_ids: Collection[int] | None = (EOS,),
    stop_strings: Collection[str] | None = None,
    pad_id: int = PAD,
    **options: object,
) -> TextPieces:
    """Go on from each prompt and give the new text as it becomes certain.

    tokenizer: the model's own, a `Tokenizer` or a `Vocabulary`.
    prompts: one, or a list of any lengths. Each is a text, in which no special token is taken for
    a command, or a row of ids that was encoded before.
    stop_ids, stop_strings: what ends a row, as in `stream`. Neither is shown, nor any text behind.
    What may still become part of a stop string, or of a character, waits. At a row's end, what
    waits is shown: bytes that are no character as U+FFFD.
    The pieces of a row, joined, are `tokenizer.decode` of its new ids, cut before what ended it.
    options: every other argument of `stream`, also a cache with a row for each prompt.
    Raises at the call, before the first step, as `stream` does.
    """
    check_vocabulary(tokenizer, model.config.vocab_size)
    rows, alone = _rows(tokenizer, prompts)
    tokens, token_mask = pad_rows(rows, side="left", pad_id=pad_id)
    stops = check_stops(stop_ids, stop_strings, tokenizer, model.config.vocab_size)
    steps = stream(
        model,
        tokens,
        token_mask=token_mask,
        stop_ids=stops.ids or None,
        stop_strings=[tokenizer.separator.join(units) for units in stops.strings] or None,
        vocabulary=tokenizer,
        pad_id=pad_id,
        log_probabilities=False,
        **options,
    )
    return TextPieces(steps, stops, len(rows), alone)


def _rows(tokenizer: TextVocabulary, prompts: object) -> tuple[list[Sequence[int]], bool]:
    """The ids of each prompt, and whether it is one alone."""
    if isinstance(prompts, Tensor):
        prompts = prompts.tolist()
    if not isinstance(prompts, Iterable):
        raise TypeError(f"prompts is {prompts!r}; give a text, a row of ids, or a list of these")
    alone = isinstance(prompts, str)
    rows = [prompts] if alone else list(prompts)
    if rows and isinstance(rows[0], Integral):
        rows, alone = [rows], True
    rows = [tokenizer.encode(row) if isinstance(row, str) else row for row in rows]
    for number, row in enumerate(rows):
        if not isinstance(row, Iterable):
            raise TypeError(f"prompts[{number}] is {row!r}; give a text or a row of ids")
        if len(row) == 0:
            raise ValueError(f"prompts[{number}] has no token; give at least one to go on from")
    return rows, alone
