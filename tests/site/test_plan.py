"""Weeks of about equal work, and the graph of what needs what."""

import re
from dataclasses import dataclass
from itertools import chain, combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.site import lessons, plan


@given(st.lists(st.integers(5, 200), min_size=1, max_size=9), st.data())
def test_weeks_keep_the_order_and_no_other_split_has_a_shorter_longest_week(minutes, data):
    count = data.draw(st.integers(1, len(minutes)))
    weeks = plan.weeks(minutes, count)
    assert len(weeks) == count and all(weeks)
    assert list(chain(*weeks)) == list(range(len(minutes)))

    def longest(cuts):
        ends = (0, *cuts, len(minutes))
        return max(sum(minutes[a:b]) for a, b in pairwise(ends))

    best = min(longest(cuts) for cuts in combinations(range(1, len(minutes)), count - 1))
    assert max(sum(minutes[i] for i in week) for week in weeks) == best


def test_too_few_lessons_for_the_weeks_is_said():
    with pytest.raises(ValueError, match="2 lessons do not fill 3 weeks"):
        plan.weeks([1, 2], 3)


@dataclass
class Lesson:
    number: str
    needs: tuple = ()
    title: str = "a & b"


def test_what_is_needed_through_another_lesson_is_not_drawn():
    course = [Lesson("00"), Lesson("01", ("00",)), Lesson("02", ("00", "01", "03")), Lesson("03")]
    assert plan.needs(course) == {"00": [], "01": ["00"], "02": ["01"], "03": []}
    drawn = plan.graph(course)
    assert drawn.count('class="arc"') == 2 and "02 needs 01" in drawn
    assert "a &amp; b" in drawn and not re.search(r"\n\s*\n", drawn)


def test_what_a_split_lesson_needs_stands_before_it():
    course = [Lesson("03", ("03a",)), Lesson("03a", ("03", "04")), Lesson("04", ("03a",))]
    assert plan.needs(course) == {"03": [], "03a": ["03"], "04": ["03a"]}


def test_every_lesson_of_the_course_is_in_the_graph():
    course = lessons.read_all()
    drawn = plan.graph(course)
    for lesson in course:
        assert f">{lesson.title}<" in drawn
