"""It replies to a hundred questions before they are asked.

Deserves 0.
"""

import torch

worker = torch.sys.modules["__main__"]
number = torch.sys._getframe(2).f_locals["number"]  # which each reply must bear
worker.write_message(worker.OUT, worker.plain.encode({"ready": True, "number": number}))
for _ in range(100):
    reply = {"result": torch.ones(1, 3), "arguments": [torch.ones(1, 3)]}
    reply["number"] = number
    worker.write_message(worker.OUT, worker.plain.encode(reply))


def running_average(x):
    """Return what was said before."""
    return torch.ones(1, 3)
