"""What an installation fetches, what it takes on the disk, and whether there is room for it."""

import os
import shutil

from helpers.course.python_version import SetupError

# megabytes (fetched, on the disk), measured on Linux x86-64; on other systems it is less
TORCH = {"cpu": (200, 800), "default": (2620, 4900)}
OTHERS = (230, 900)  # with the real model's file
FOR_TESTS = (90, 400)


def cost(torch, others, tests):
    """Return megabytes (fetched, on the disk) of what is to be installed.

    torch: "cpu" or "default" where PyTorch is among it, else None. others: whether anything of
    requirements.txt besides is. tests: whether anything of the tests' is.
    """
    parts = [(0, 0)]
    parts += [TORCH[torch]] if torch else []
    parts += [OTHERS] if others else []
    parts += [FOR_TESTS] if tests else []
    return sum(fetched for fetched, _ in parts), sum(on_disk for _, on_disk in parts)


def gigabytes(megabytes):
    """Return "0.4 GB" for 371: rounded up, so that it is enough."""
    return f"{-(-megabytes // 100) / 10:.1f} GB"


def announcement(fetched, on_disk, free):
    """Return the line that says what comes: megabytes to fetch, to keep, and now free."""
    return (
        f"At most {gigabytes(fetched)} will be fetched, and {gigabytes(on_disk)} of disk taken; "
        f"{free / 1000:.0f} GB are free."
    )


def existing(path):
    """Return a path, or the nearest folder above it that is there."""
    while not os.path.exists(path) and os.path.dirname(path) != path:
        path = os.path.dirname(path)
    return path


def check_room(needs, advice=""):
    """Return the megabytes free for the first of several needs; SetupError if a disk is too small.

    needs: (folder, megabytes) pairs; those on one disk are added. advice: what else would help.
    """
    sums = {}
    for folder, megabytes in needs:
        folder = existing(folder)
        device = os.stat(folder).st_dev
        first, sum_ = sums.get(device, (folder, 0))
        sums[device] = (first, sum_ + megabytes)
    for folder, megabytes in sums.values():
        free = shutil.disk_usage(folder).free / 1e6
        if free < megabytes:
            raise SetupError(
                f"The disk is too small: {gigabytes(megabytes)} in {folder} are needed while this "
                f"works, and {free / 1000:.1f} GB are free. Free some, or put the course on "
                f"another disk{advice}."
            )
    return shutil.disk_usage(existing(needs[0][0])).free / 1e6
