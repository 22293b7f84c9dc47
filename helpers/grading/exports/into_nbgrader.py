"""Give the grades of `--for nbgrader` to nbgrader's own gradebook, through its API.

    python helpers/grading/exports/into_nbgrader.py grades/nbgrader.json sqlite:///gradebook.db

It runs with the Python of nbgrader, and needs nothing else of this course. Lessons become
assignments with a notebook each, exercises become cells of it. What is there already is renewed, so
it can be run again.
"""

import json
import os
import sys
from pathlib import Path

try:
    import nbgrader.api
except ImportError:  # this is the course's own Python
    nbgrader = None


def give(content: dict, url: str) -> int:
    """Write grades into the gradebook at a database URL; return how many there were."""
    number = 0
    with nbgrader.api.Gradebook(url) as book:
        for lesson, cells in content["assignments"].items():
            name = f"lesson_{lesson}"
            book.update_or_create_assignment(name)
            book.update_or_create_notebook(name, name)
            for cell, points in cells.items():
                facts = {"max_score": points, "cell_type": "code"}
                book.update_or_create_grade_cell(cell, name, name, **facts)
        for student, lessons in content["scores"].items():
            book.update_or_create_student(student)
            for lesson, scores in lessons.items():
                name = f"lesson_{lesson}"
                (notebook,) = book.update_or_create_submission(name, student).notebooks
                for cell, points in scores.items():
                    try:
                        grade = book.find_grade(cell, name, name, student)
                    except nbgrader.api.MissingEntry:  # the course had no such exercise before
                        grade = nbgrader.api.Grade(cell=book.find_grade_cell(cell, name, name))
                        notebook.grades.append(grade)
                    grade.auto_score, grade.needs_manual_grade = points, False
                    number += 1
        book.db.commit()
    return number


def main(arguments: list[str]) -> int:
    """Read the file and give it; return the exit status."""
    if len(arguments) != 2:
        print("usage: python into_nbgrader.py nbgrader.json sqlite:///gradebook.db")
        return 2
    if nbgrader is None:
        print("this Python has no nbgrader: run the file with the one that has it")
        return 2
    # nbgrader calls a program that stands beside its Python
    os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    content = json.loads(Path(arguments[0]).read_text(encoding="utf-8"))
    if content.get("format") != 1:
        print("another version of the course wrote this file: take its own into_nbgrader.py")
        return 2
    print(f"{give(content, arguments[1])} grades are in {arguments[1]}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
