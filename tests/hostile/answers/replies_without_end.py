"""It sends replies that are well formed, as large as may be, as fast as it can, without end.

Deserves 0. The grader's memory must not grow with them.
"""

import torch

worker = torch.sys.modules["__main__"]
number = torch.sys._getframe(2).f_locals["number"]  # which each reply must bear


def running_average(x):
    """Flood the grader."""
    reply = {"result": torch.zeros(2**21), "arguments": [x], "number": number}
    data = worker.plain.encode(reply)
    while True:
        worker.write_message(worker.OUT, data)
