"""It gives replies before the questions and never reads one, until the pipe to it is full.

Deserves 0. The grader must not wait for it without end.
"""

import torch

os = torch.os
worker = torch.sys.modules["__main__"]
number = torch.sys._getframe(2).f_locals["number"]  # which each reply must bear
worker.write_message(worker.OUT, worker.plain.encode({"ready": True, "number": number}))
while True:
    torch.sys.modules["time"].sleep(0.001)
    reply = {"result": torch.ones(1, 3), "arguments": [torch.ones(1, 3)]}
    reply["number"] = number
    worker.write_message(worker.OUT, worker.plain.encode(reply))


def running_average(x):
    """Never defined."""
    return x
