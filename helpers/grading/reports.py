"""What comes out of grading: a table, a CSV file, a page for each learner, one for the instructor.

Pages are made of the course's own sentences, names and numbers. Nothing that a submission contains
is shown but its file's name, and everything is escaped.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import regex
from jinja2 import DictLoader, Environment

from helpers.exercises import catalog
from helpers.exercises.exercise import FAILED, FAILS, NOT_ATTEMPTED, PASSED
from helpers.files import write_whole
from helpers.grading import cells, pictures
from helpers.grading.grade import MISSING, TIME_IS_UP
from helpers.grading.gradebook import Grade
from helpers.grading.submission import Submission

# by the tables of a pinned package: each Python has its own
WIDE = regex.compile(r"[\p{East_Asian_Width=W}\p{East_Asian_Width=F}]")
STATES = (PASSED, FAILED, NOT_ATTEMPTED, MISSING)
HARDEST = 10

Results = Sequence[tuple[Submission, list[Grade]]]

PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{ title }}</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse; width: 100% } td, th { text-align: left; padding: .2rem .6rem }
td, th { vertical-align: top } body { overflow-wrap: anywhere }
tr { border-bottom: 1px solid #ddd } tr.open { border-bottom: 0 }
.number, .state, th { white-space: nowrap } .number, .state { text-align: right }
.picture { overflow-x: auto } .picture img { width: 100%; min-width: 34rem }
.passed { color: #1f6b51 } .failed { color: #a8412b } .quiet { color: #5c5c5c }
ul { margin: 0 0 .4rem; padding-left: 1.2rem } summary { cursor: pointer }
</style>
<h1>{{ title }}</h1>
{% block body %}{% endblock %}
</html>
"""

LEARNER = """{% extends "page" %}{% block body %}
<p>{{ points }} of {{ of }} points. Submission: {{ name }}</p>
{% for problem in problems %}<p class="failed">Not read: {{ problem }}</p>
{% endfor %}
{% if not_run %}<p class="failed">The time for the whole submission was used up, and {{ not_run }}
of its exercises were not run. <code>make check</code> shows what takes long.</p>
{% endif %}
<table>
<tr><th>exercise<th class="state">state<th class="number">points</tr>
{% for exercise, grade in rows %}
{% set said = grade.feedback|rejectattr(0, "equalto", "holds")|list %}
<tr{% if said %} class="open"{% endif %}><td>{{ exercise.id }} {{ exercise.title }}
<td class="state {{ grade.state }}">{{ grade.state }}
<td class="number">{{ grade.points }} of {{ grade.of }}</tr>
{% if said %}
<tr><td colspan="3"><ul class="quiet">
{% for state, text, fault in said %}
<li>{% if text %}<b>{{ state }}:</b> {{ text }}{% if fault %}<br>{% endif %}{% endif %}{{ fault }}
{% endfor %}
</ul></tr>
{% endif %}
{% endfor %}
</table>
<p class="quiet">A page says in fixed words what is wrong. <code>make check</code> shows more: the
input, what came out, the line of an exception.
Grades show that the code works, not who wrote it.</p>
{% endblock %}"""

OVERVIEW = """{% extends "page" %}{% block body %}
<p>{{ learners|length }} submissions. All grades: <a href="grades.csv">grades.csv</a></p>
{% if unread %}<h2>Not read</h2>
<ul>{% for learner, problems in unread %}{% for problem in problems %}
<li>{{ learner }}: {{ problem }}
{% endfor %}{% endfor %}</ul>
{% endif %}<h2>How the exercises went</h2>
<div class="picture"><img src="exercises.png" alt="{{ alts.exercises }}"></div>
<details><summary>The same in numbers</summary>
<table><tr><th>exercise{% for state in states %}<th class="number">{{ state }}{% endfor %}</tr>
{% for exercise, counts in numbers %}
<tr><td>{{ exercise }}{% for count in counts %}<td class="number">{{ count }}{% endfor %}</tr>
{% endfor %}</table></details>
<h2>How the points are spread</h2>
<div class="picture"><img src="points.png" alt="{{ alts.points }}"></div>
<h2>Hardest exercises</h2>
<table><tr><th>exercise<th class="number">tried<th class="number">solved</tr>
{% for exercise, tried, solved in hardest %}
<tr><td>{{ exercise.id }} {{ exercise.title }}<td class="number">{{ tried }}
<td class="number">{{ solved }}</tr>
{% endfor %}</table>
<h2>Commonest feedback</h2>
<table><tr><th>exercise<th>what was wrong<th class="number">how often</tr>
{% for (exercise, fault), number in commonest %}
<tr><td>{{ exercise }}<td>{{ fault }}<td class="number">{{ number }}</tr>
{% endfor %}</table>
<h2>Learners</h2>
<table><tr><th>learner<th class="number">solved<th class="number">points</tr>
{% for learner, page, solved, points in learners %}
<tr><td><a href="{{ page }}">{{ learner }}</a><td class="number">{{ solved }}
<td class="number">{{ points }}</tr>
{% endfor %}</table>
{% endblock %}"""


def table(results: Results) -> str:
    """Return the summary: one line a learner, and one for each whose time was used up."""
    width = max([len("learner"), *(_columns(one.learner) for one, _ in results)])
    lines = [f"{'learner':<{width}}  solved  failed  not attempted  missing       points"]
    for one, grades in results:
        counts = Counter(grade.state for grade in grades)
        points = f"{sum(g.points for g in grades)} of {sum(g.of for g in grades)}"
        lines.append(
            f"{one.learner}{' ' * (width - _columns(one.learner))}  "
            f"{counts[PASSED]:>6}  {counts[FAILED]:>6}  "
            f"{counts[NOT_ATTEMPTED]:>13}  {counts[MISSING]:>7}  {points:>11}"
        )
    lines += [
        f"{one.learner}: the time of a submission was used up, {not_run} exercises were not run"
        for one, grades in results
        if (not_run := _not_run(grades))
    ]
    return "\n".join(lines)


def _not_run(grades: list[Grade]) -> int:
    """Return how many exercises were left out when the submission's time was used up."""
    return sum(fault.startswith(TIME_IS_UP) for one in grades for _, _, fault in one.feedback)


def _columns(text: str) -> int:
    """Return how many columns a text takes in a terminal: a sign of Chinese or Japanese takes 2."""
    return len(text) + len(WIDE.findall(text))


def write(results: Results, folder: Path, asked: Iterable[str] = ()) -> None:
    """Write grades.csv, index.html with its pictures, and learners/*.html into a folder.

    asked: lessons and exercises, all of them for none. Pages of learners who are no longer among
    the results are taken away.
    """
    (folder / "learners").mkdir(parents=True, exist_ok=True)
    exercises = catalog.select(asked)
    environment = Environment(autoescape=True, trim_blocks=True, auto_reload=False)
    environment.loader = DictLoader({"page": PAGE, "learner": LEARNER, "overview": OVERVIEW})
    rows = []
    for one, grades in results:
        page = f"learners/{page_name(one.learner)}"
        points = sum(grade.points for grade in grades)
        text = environment.get_template("learner").render(
            title=one.learner,
            name=one.name,
            problems=one.problems,
            not_run=_not_run(grades),
            points=points,
            of=sum(grade.of for grade in grades),
            rows=[(exercises[g.exercise], g) for g in grades if g.exercise in exercises],
        )
        write_whole(folder / page, text)
        rows.append((one.learner, page, sum(g.state == PASSED for g in grades), points))
    _clear(folder / "learners", {Path(page).name for _, page, _, _ in rows})
    _write_csv(results, list(exercises), folder / "grades.csv")
    counts = _counts(results, exercises)
    alts = _pictures(counts, results, folder)
    text = environment.get_template("overview").render(
        title="Grades",
        learners=rows,
        unread=[(one.learner, one.problems) for one, _ in results if one.problems],
        alts=alts,
        states=STATES,
        numbers=counts.items(),
        hardest=_hardest(results, exercises),
        commonest=_commonest(results),
    )
    write_whole(folder / "index.html", text)


def page_name(learner: str) -> str:
    """Return a file name for a learner: letters and digits of the name, and a hash of all of it."""
    plain = re.sub(r"[^A-Za-z0-9]+", "-", learner).strip("-")[:40]
    return f"{plain}-{hashlib.sha256(learner.encode()).hexdigest()[:16]}.html".lstrip("-")


def _hardest(results: Results, exercises: dict) -> list[tuple]:
    """Return (exercise, tried, solved) of those that most who tried them did not solve."""
    tried, solved = Counter(), Counter()
    for _, grades in results:
        for grade in grades:
            tried[grade.exercise] += grade.state in (PASSED, FAILED)
            solved[grade.exercise] += grade.state == PASSED
    names = [name for name in exercises if tried[name] > solved[name]]
    names.sort(key=lambda name: solved[name] / tried[name])
    return [(exercises[name], tried[name], solved[name]) for name in names[:HARDEST]]


def _commonest(results: Results) -> list[tuple]:
    """Return ((exercise, fault), how many submissions) of the commonest feedback."""
    counts = Counter()
    for _, grades in results:
        for grade in grades:
            if grade.state == FAILED:
                said = {fault for state, _, fault in grade.feedback if state in ("", FAILS)}
                counts.update((grade.exercise, fault) for fault in said if fault)
    return sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))[:HARDEST]


def _clear(folder: Path, pages: set[str]) -> None:
    """Take away the pages of an earlier grading that are none of these."""
    for path in folder.glob("*.html"):
        if path.name not in pages and re.search(r"[0-9a-f]{16}\.html$", path.name):
            path.unlink()


def _write_csv(results: Results, names: list[str], path: Path) -> None:
    """Write a row for each learner; an exercise that was not handed in is an empty cell."""
    rows: list[list[str | int]] = [["learner", *names, "points", "of", "submission", "page"]]
    for one, grades in results:
        points = {grade.exercise: grade.points for grade in grades if grade.state != MISSING}
        total = sum(points.values()), sum(grade.of for grade in grades)
        known = one.name, f"learners/{page_name(one.learner)}"
        rows.append([one.learner, *(points.get(name, "") for name in names), *total, *known])
    # the mark of UTF-8 lets a spreadsheet know it
    write_whole(path, cells.table(rows, quoted=True).encode("utf-8-sig"))


def _counts(results: Results, exercises: dict) -> dict[str, list[int]]:
    """Return, for each exercise, how many submissions ended in each of STATES."""
    counts = {name: [0] * len(STATES) for name in exercises}
    for _, grades in results:
        for grade in grades:
            if grade.exercise in counts and grade.state in STATES:
                counts[grade.exercise][STATES.index(grade.state)] += 1
    return counts


def _pictures(counts: dict[str, list[int]], results: Results, folder: Path) -> dict[str, str]:
    """Draw how the exercises went and how the points are spread; return the texts for both."""
    totals = [sum(grade.points for grade in grades) for _, grades in results]
    most = max((sum(grade.of for grade in grades) for _, grades in results), default=1)
    pictures.draw(folder, STATES, counts, totals, most)
    sums = [sum(column) for column in zip(*counts.values(), strict=True)]
    said = ", ".join(f"{number} {state}" for number, state in zip(sums, STATES, strict=True))
    middle = sorted(totals)[len(totals) // 2] if totals else 0
    spread = f"from {min(totals)} to {max(totals)}, the middle one {middle}" if totals else "none"
    return {
        "exercises": f"A bar for each exercise: how many submissions passed it, failed it, left "
        f"it empty or lack it. In all {said}. The table below has the numbers.",
        "points": f"Distribution of the points of {len(totals)} submissions: {spread}.",
    }
