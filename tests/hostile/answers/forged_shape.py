"""It forges a tensor whose shape no tensor can have, and nested lists that no reader can follow.

Deserves 0.
"""

import torch

worker = torch.sys.modules["__main__"]


def running_average(x):
    """Send damaged data in place of a reply."""
    text = b'{"dict": [["result", ' + b"[" * 90_000 + b"]" * 90_000 + b"]]}"
    header = b'{"0":{"dtype":"F32","shape":[18446744073709551615,0],"data_offsets":[0,0]}}'
    message = len(text).to_bytes(8, "big") + text + len(header).to_bytes(8, "little") + header
    worker.write_message(worker.OUT, message)
    return x
