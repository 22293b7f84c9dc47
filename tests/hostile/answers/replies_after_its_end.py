"""It ends, and a child of it replies in its name afterwards.

Deserves 0.
"""

import torch

os = torch.os
worker = torch.sys.modules["__main__"]
number = torch.sys._getframe(2).f_locals["number"]  # which each reply must bear


def running_average(x):
    """Reply from the grave."""
    if os.fork():
        os._exit(0)
    for _ in range(20):
        torch.sys.modules["time"].sleep(0.05)
        reply = {"result": 0 * x, "arguments": [x], "closed": True, "number": number}
        worker.write_message(worker.OUT, worker.plain.encode(reply))
    os._exit(0)
