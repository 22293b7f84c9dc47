"""It stops its parent and says "closed" in its place; nobody will read the next question.

Deserves 0: it says it at the wrong moment. The exercise after it must not suffer.
"""

import torch

os = torch.os
worker = torch.sys.modules["__main__"]
number = torch.sys._getframe(2).f_locals["number"]  # which each reply must bear


def running_average(x):
    """Stop the parent and speak for it."""
    os.kill(os.getppid(), 19)
    worker.write_message(worker.OUT, worker.plain.encode({"closed": True, "number": number}))
    os._exit(0)
