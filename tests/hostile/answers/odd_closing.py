"""It sends a reply in which "closed" is a tensor, which is neither true nor false.

Deserves 0.
"""

import torch

worker = torch.sys.modules["__main__"]


def running_average(x):
    """Confuse the one who waits for the end."""
    reply = {"closed": torch.ones(2), "raised": torch.ones(2), "result": x, "arguments": 7}
    worker.write_message(worker.OUT, worker.plain.encode(reply))
    torch.os._exit(0)
