"""It sends one tensor and names it a thousand times; who copied each would need a gigabyte.

Deserves 0.
"""

import torch

worker = torch.sys.modules["__main__"]
number = torch.sys._getframe(2).f_locals["number"]  # which each reply must bear


def running_average(x):
    """Send a reply of 1 MB that has no end."""
    honest = worker.plain.encode(torch.zeros(2**18))
    tensor = honest[8 + int.from_bytes(honest[:8], "big") :]
    many = ",".join(['{"tensor":"0"}'] * 1000)
    pairs = f'["result",1],["arguments",[{many}]],["number","{number}"]'
    text = f'{{"dict":[{pairs}]}}'.encode()
    worker.write_message(worker.OUT, len(text).to_bytes(8, "big") + text + tensor)
    return x
