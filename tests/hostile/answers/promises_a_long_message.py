"""It announces a message of as many bytes as a message may have, and sends none of them.

Deserves 0.
"""

import torch

worker = torch.sys.modules["__main__"]


def running_average(x):
    """Keep the grader waiting."""
    torch.os.write(worker.OUT, (worker.LARGEST).to_bytes(8, "big"))
    torch.sys.modules["time"].sleep(3600)
