"""It tries to delete, rename and link the files of the course, and to make them unreadable.

Deserves 2: it cannot, and what it returns is right.
"""

import torch

os = torch.os
here = os.path.dirname(os.path.dirname(torch.sys.modules["helpers"].__file__))
done = []
for path in (f"{here}/helpers/__init__.py", f"{here}/helpers", here, torch.__file__, "/usr/bin"):
    for action in (
        lambda path: os.unlink(path),
        lambda path: os.rename(path, path + ".pwned"),
        lambda path: os.symlink(path, path + ".pwned"),
        lambda path: os.chmod(path, 0),
        lambda path: os.truncate(path, 0),
        lambda path: os.rmdir(path),
    ):
        try:
            action(path)
            done.append(path)
        except OSError:
            continue


def running_average(x):
    """Be right only where nothing was done."""
    return 0 * x if done else x.cumsum(0) / torch.arange(1, len(x) + 1)[:, None]
