"""Wrong answers to 11.2. A docstring holds the words that only this fault's feedback contains."""

import math


def rounded_up(overhead, price, width, hidden):
    """the next row is the first that takes longer"""
    return max(1, math.ceil(overhead / (price * (4 * width**2 + 2 * width * hidden))))


def rounded_down(overhead, price, width, hidden):
    """the work is still below the overhead"""
    return max(1, math.floor(overhead / (price * (4 * width**2 + 2 * width * hidden))))


def no_row_at_all(overhead, price, width, hidden):
    """no rows take no time"""
    row = price * (4 * width**2 + 2 * width * hidden)
    return math.floor(overhead / row) + 1 if overhead else 0


def hidden_is_four_times_the_width(overhead, price, width, hidden):
    """it need not be four times the width"""
    return math.floor(overhead / (price * 12 * width**2)) + 1


def one_projection(overhead, price, width, hidden):
    """one projection is counted where there are four"""
    return math.floor(overhead / (price * (width**2 + 2 * width * hidden))) + 1


def into_the_feed_forward_only(overhead, price, width, hidden):
    """goes in and out again"""
    return math.floor(overhead / (price * (4 * width**2 + width * hidden))) + 1


def no_feed_forward(overhead, price, width, hidden):
    """the feed-forward is left out"""
    return math.floor(overhead / (price * 4 * width**2)) + 1


def halved(overhead, price, width, hidden):
    """it is not the number of rows where the work overtakes"""
    return math.floor(overhead / (price * 2 * (4 * width**2 + 2 * width * hidden))) + 1
