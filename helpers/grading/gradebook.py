"""The gradebook: one table that only grows, in a file or in a database.

Each row is the grade of one exercise in one submission, under one version of the checks. What was
graded is never changed; the same grade is never written twice, so grading can be interrupted and
repeated. The secret from which the graders' inputs are drawn is a row of its own.
"""

import functools
import hashlib
import json
import secrets
import sys
from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import (
    Column,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    create_engine,
    insert,
    inspect,
    select,
)
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from helpers.lesson_names import order

TABLE = Table(
    "gradebook",
    MetaData(),
    Column("id", Integer, primary_key=True),
    Column("kind", String(10), nullable=False),  # "grade" or "secret"
    Column("learner", String(100), nullable=False),
    Column("digest", String(64), nullable=False),  # of what was handed in
    Column("checks", String(64), nullable=False),  # the version of the checks
    Column("exercise", String(10), nullable=False),
    Column("state", String(20), nullable=False),
    Column("points", Integer, nullable=False),
    Column("of", Integer, nullable=False),
    Column("feedback", Text, nullable=False),  # JSON; for the secret, the secret
    UniqueConstraint("kind", "learner", "digest", "checks", "exercise"),
)
COLUMNS = ("kind", "learner", "digest", "checks", "exercise")


@dataclass(frozen=True, slots=True)
class Grade:
    """The grade of one exercise: its state, points, and feedback as [state, property, fault]."""

    exercise: str
    state: str
    points: int
    of: int
    feedback: list[list[str]]


class Gradebook:
    """A gradebook at a database URL, such as sqlite:///grades.db or postgresql+psycopg://..."""

    def __init__(self, url: str | URL):
        try:
            url = make_url(url)
            patience = {"timeout": 60} if url.get_backend_name() == "sqlite" else {}
            self._engine = create_engine(url, connect_args=patience)
            try:
                TABLE.metadata.create_all(self._engine)
            except SQLAlchemyError:  # another grader may have made the table at this moment
                if not inspect(self._engine).has_table(TABLE.name):
                    raise
        except ModuleNotFoundError as error:
            raise ValueError(
                f"this database needs the package {error.name}: for PostgreSQL, "
                '`.venv/bin/python -m pip install "psycopg[binary]"`'
            ) from None
        except SQLAlchemyError as error:
            reason = str(error).splitlines()[0]
            raise ValueError(f"the gradebook cannot be opened: {reason}") from None

    def secret(self) -> str:
        """Return the gradebook's secret; the first call makes it."""
        query = select(TABLE.c.feedback).where(TABLE.c.kind == "secret")
        with self._engine.connect() as connection:
            found = connection.execute(query).scalar()
        if found is not None:
            return found
        row = dict.fromkeys(COLUMNS, "")
        row |= {"kind": "secret", "state": "", "points": 0, "of": 0}
        self._add([row | {"feedback": secrets.token_hex(16)}])
        return self.secret()

    def add(self, learner: str, digest: str, checks: str, grades: Iterable[Grade]) -> None:
        """Write the grades of a submission; those that are there already stay as they are."""
        key = {"kind": "grade", "learner": learner, "digest": digest, "checks": checks}
        rows = [
            key
            | {name: getattr(grade, name) for name in ("exercise", "state", "points", "of")}
            | {"feedback": json.dumps(grade.feedback)}
            for grade in grades
        ]
        self._add(rows)

    def grades(self, learner: str, digest: str, checks: str) -> list[Grade]:
        """Return the grades of a submission in order of exercises; empty if it is not graded."""
        query = (
            select(TABLE)
            .where(TABLE.c.kind == "grade", TABLE.c.learner == learner)
            .where(TABLE.c.digest == digest, TABLE.c.checks == checks)
        )
        with self._engine.connect() as connection:
            found = [
                Grade(
                    sys.intern(row.exercise),
                    sys.intern(row.state),
                    row.points,
                    row.of,
                    _feedback(row.feedback),
                )
                for row in connection.execute(query)
            ]
        # by the course's order: a database sorts texts as its own language does
        return sorted(found, key=lambda grade: order(grade.exercise))

    def close(self) -> None:
        """Let the database go."""
        self._engine.dispose()

    def _add(self, rows: list[dict]) -> None:
        try:
            with self._engine.begin() as connection:
                connection.execute(insert(TABLE), rows)
        except IntegrityError:  # another grader was faster with the very same
            for row in rows if len(rows) > 1 else ():  # or with some of it
                self._add([row])


@functools.lru_cache(maxsize=10_000)
def _feedback(text: str) -> list[list[str]]:
    """Return feedback as it was written; that of a large class is mostly the same few texts."""
    return json.loads(text)


def seed(secret: str, exercise: str, handed: str) -> int:
    """Return the seed of an exercise's inputs.

    handed: the digest of all that was handed in. So what a submission finds out of its inputs helps
    no other one: neither a new answer nor an old one beside a new neighbour meets them again.
    """
    text = f"{secret} {exercise} {handed}"
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:7], "big")
