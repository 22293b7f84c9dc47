"""It sends a reply in which "closed" is a tensor, which is neither true nor false.

Deserves 0.
"""

import torch

worker = torch.sys.modules["__main__"]
number = torch.sys._getframe(2).f_locals["number"]  # which each reply must bear


def running_average(x):
    """Confuse the one who waits for the end."""
    reply = {"closed": torch.ones(2), "raised": torch.ones(2), "result": x}
    reply |= {"arguments": 7, "number": number}
    worker.write_message(worker.OUT, worker.plain.encode(reply))
    torch.os._exit(0)
