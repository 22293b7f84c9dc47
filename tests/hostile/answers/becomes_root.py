"""It tries to become another user, and to raise its own limits.

Deserves 2: it cannot, and what it returns is right.
"""

import torch

os = torch.os
resource = torch.sys.modules["builtins"].__import__("resource")
done = []
for action in (
    lambda: os.setuid(0),
    lambda: os.setgroups([0]),
    lambda: os.chroot("/"),
    lambda: os.nice(-5),
    lambda: resource.setrlimit(resource.RLIMIT_AS, (-1, -1)),
    lambda: resource.setrlimit(resource.RLIMIT_NPROC, (1000, 1000)),
    lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (2**30, 2**30)),
):
    try:
        action()
        done.append(action)
    except (OSError, ValueError):
        continue


def running_average(x):
    """Be right only where nothing was done."""
    return 0 * x if done else x.cumsum(0) / torch.arange(1, len(x) + 1)[:, None]
