"""It sends replies that are well formed, as large as may be, as fast as it can, without end.

Deserves 0. The grader's memory must not grow with them.
"""

import torch

worker = torch.sys.modules["__main__"]


def running_average(x):
    """Flood the grader."""
    reply = worker.plain.encode({"result": torch.zeros(2**21), "arguments": [x]})
    while True:
        worker.write_message(worker.OUT, reply)
