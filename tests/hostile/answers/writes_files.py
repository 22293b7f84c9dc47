"""It tries to write into every folder, and over the files of the course.

Deserves 2: it cannot, and what it returns is right.
"""

import torch

os = torch.os
here = os.path.dirname(os.path.dirname(torch.sys.modules["helpers"].__file__))
folders = ["/", "/tmp", "/dev", "/dev/shm", "/run", "/var/tmp", "/usr", "/home", "/root", here]
paths = [f"{folder}/pwned" for folder in folders]
paths += [f"{here}/helpers/__init__.py", f"{here}/helpers/exercises/worker.py", torch.__file__]
paths += [f"{here}/work/progress.json", f"{here}/../gradebook.db", "/proc/sys/kernel/shmmax"]
written = []
for path in paths:
    try:
        with open(path, "a") as file:
            file.write("1")
        written.append(path)
    except OSError:
        continue


def running_average(x):
    """Be right only where nothing was written."""
    return 0 * x if written else x.cumsum(0) / torch.arange(1, len(x) + 1)[:, None]
