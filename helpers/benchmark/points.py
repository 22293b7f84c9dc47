"""A record of many points, each of which takes a while: it can be stopped, and goes on.

Points are gathered in a file beside the record, and take its place only when all are there. Points
of two machines are not mixed.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from helpers.benchmark.measuring import another_machine, machine, others_load
from helpers.files import check_writable, write_whole

Point = dict[str, Any]


@dataclass(frozen=True)
class Record:
    """What is recorded, and how.

    command: the words after `python -m helpers` with which it is recorded anew. keys: the names by
    which a point is known among the wanted ones. check: raises KeyError or TypeError for a point
    that is none. measure: makes the rest of a point from its keys. cost: guesses how long a point
    takes beside others, in any unit. told: says of a point what is worth a line.
    """

    file: Path
    command: str
    keys: tuple[str, ...]
    measure: Callable[..., Mapping[str, Any]]
    check: Callable[[Point], object] = lambda point: None
    cost: Callable[..., float] = lambda *keys: 1.0
    told: Callable[[Point], str] = lambda point: ""

    @property
    def unfinished(self) -> Path:
        """Where points are gathered."""
        return self.file.with_suffix(".unfinished.json")

    def key(self, point: Point) -> tuple:
        """What a point is known by."""
        return tuple(point[name] for name in self.keys)

    def load(self, file: Path | None = None) -> dict[str, Any]:
        """Read {"machine": ..., "points": [...]}.

        Raises FileNotFoundError or ValueError with the command that records it.
        """
        file = file or self.file
        if not file.exists():
            raise FileNotFoundError(
                f"{file.name} is not in data/benchmarks; record it with: "
                f"python -m helpers {self.command}"
            )
        try:
            recorded = json.loads(file.read_text(encoding="utf-8"))
            dict(recorded["machine"])
            if not isinstance(recorded["points"], list):
                raise TypeError("points is no list")
            for point in recorded["points"]:
                self.key(point), self.check(point)
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise ValueError(
                f"{file.name} is damaged ({error!r}); delete it, and record it with: "
                f"python -m helpers {self.command}"
            ) from None
        return recorded

    def complete(self, wanted: Sequence[tuple], again: bool) -> int:
        """Measure the points that are missing, each kept as soon as it is there.

        wanted: the keys of all points. again: measure those that are there as well.
        Returns: the exit status: 0, 1 where nothing could be done, 130 if it was stopped.
        """
        here = machine()
        try:
            record: dict[str, Any] = {"machine": here, "points": []}
            if self.unfinished.exists():
                record = self.load(self.unfinished)
                print(f"going on with {self.unfinished.name}; delete it to begin anew")
            elif self.file.exists() and not again:
                record = self.load()
        except ValueError as error:
            print(error, file=sys.stderr)
            return 1
        done = {self.key(point) for point in record["points"]}
        missing = [keys for keys in wanted if keys not in done]
        if not missing:
            print(f"all {len(wanted)} points are there; --again measures them anew")
            return 0
        if record["points"] and record["machine"] != here:
            print(another_machine(self.unfinished), file=sys.stderr)
            return 1
        try:
            check_writable(self.unfinished)  # not after minutes of measuring
            self._measure_all(record, missing)
            os.replace(self.unfinished, self.file)
        except OSError as error:
            print(
                f"{self.file.name} could not be written ({error}); {len(record['points'])} of "
                f"{len(wanted)} points are recorded. Mend that, and the same command goes on",
                file=sys.stderr,
            )
            return 1
        except KeyboardInterrupt:
            print(
                f"\nstopped; {len(record['points'])} of {len(wanted)} points are recorded, "
                "the same command goes on",
                file=sys.stderr,
            )
            return 130
        return 0

    def _measure_all(self, record: dict[str, Any], missing: list[tuple]) -> None:
        # the guess of what a point takes is corrected by what the points before it took
        guess = {keys: self.cost(*keys) for keys in missing}
        start, guessed = time.perf_counter(), 0.0
        for number, keys in enumerate(missing, 1):
            named = ", ".join(f"{name} {key}" for name, key in zip(self.keys, keys, strict=True))
            print(f"{number} of {len(missing)}: {named} ...", flush=True)
            load = others_load()
            point = {**dict(zip(self.keys, keys, strict=True)), **self.measure(*keys)}
            point = {**point, "load": load}
            write(record | {"points": [*record["points"], point]}, self.unfinished)
            record["points"].append(point)  # only now, so that what is said to be recorded is
            guessed += guess.pop(keys)
            left = (time.perf_counter() - start) / guessed * sum(guess.values())
            more = f"; about {left:.0f} s left" if guess else ""
            print(f"    {self.told(point)}{more}", flush=True)


def write(record: dict[str, Any], file: Path) -> None:
    """Write a record whole."""
    file.parent.mkdir(parents=True, exist_ok=True)
    write_whole(file, json.dumps(record, indent=1) + "\n")
