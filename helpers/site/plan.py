"""For instructors: weeks of about equal work, and the graph of what needs what."""

import html
from itertools import pairwise

from helpers.site.lessons import Lesson


def weeks(minutes: list[int], count: int) -> list[list[int]]:
    """Return which lessons each week has: places in `minutes`, in order, the longest week shortest.

    Raises: ValueError where there are fewer lessons than weeks.
    """
    if len(minutes) < count:
        raise ValueError(f"{len(minutes)} lessons do not fill {count} weeks: give fewer weeks")
    # best[n]: (minutes of the longest week, ends of the weeks) for the first n lessons
    best = {0: (0, ())}
    for _ in range(count):
        best = {
            end: min(
                (max(longest, sum(minutes[start:end])), (*ends, end))
                for start, (longest, ends) in best.items()
                if start < end
            )
            for end in range(1, len(minutes) + 1)
            if any(start < end for start in best)
        }
    ends = (0, *best[len(minutes)][1])
    return [list(range(start, end)) for start, end in pairwise(ends)]


def needs(lessons: list[Lesson]) -> dict[str, list[str]]:
    """Return number -> the earlier lessons it needs, without those that these need themselves."""
    direct = {lesson.number: [n for n in lesson.needs if n < lesson.number] for lesson in lessons}
    behind: dict[str, set[str]] = {}
    for number, named in direct.items():  # in reading order, so what is needed came before
        behind[number] = set(named).union(*(behind[other] for other in named))
    return {
        number: sorted(n for n in named if not any(n in behind[other] for other in named))
        for number, named in direct.items()
    }


def graph(lessons: list[Lesson]) -> str:
    """Return the graph as SVG: lessons from top to bottom, an arc from each to what needs it."""
    numbers = [lesson.number for lesson in lessons]
    needed = needs(lessons)
    step, left = 34, 118
    parts = []
    for number, named in needed.items():
        below = 24 + step * numbers.index(number)
        for other in named:
            above = 24 + step * numbers.index(other)
            far = left - round(min(100, 14 + 0.42 * (below - above)))
            parts.append(
                f'<path class="arc" marker-end="url(#arrow)" d="M{left} {above + 4} '
                f'C{far} {above + 8} {far} {below - 8} {left - 5} {below - 3}"/>'
            )
    for place, lesson in enumerate(lessons):
        y = 24 + step * place
        parts.append(f'<circle class="fill" r="5" cx="{left}" cy="{y}"/>')
        parts.append(f'<text x="{left + 14}" y="{y + 5}">{html.escape(lesson.title)}</text>')
    arrow = (
        '<defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" '
        'markerHeight="7" orient="auto"><path class="tip" d="M0 0L8 4L0 8z"/></marker></defs>'
    )
    words = "; ".join(f"{n} needs {' and '.join(m) or 'nothing'}" for n, m in needed.items())
    return (
        f'<svg class="drawn" viewBox="0 0 360 {step * len(lessons) + 16}" role="img" '
        f'aria-label="What needs what: {words}.">{arrow}{"".join(parts)}</svg>'
    )
