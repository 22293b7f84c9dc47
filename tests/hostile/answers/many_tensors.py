"""It sends two hundred thousand empty tensors; to make and to compare them takes half a minute.

Deserves 0.
"""

import torch

worker = torch.sys.modules["__main__"]
number = torch.sys._getframe(2).f_locals["number"]  # which each reply must bear
EMPTY = '{"dtype":"U8","shape":[0],"data_offsets":[0,0]}'
MANY = "{" + ",".join(f'"{n}":{EMPTY}' for n in range(200_000)) + "}"


def running_average(x):
    """Send a reply of 11 MB that means nothing."""
    names = ",".join(f'{{"tensor":"{n}"}}' for n in range(90_000))
    text = f'{{"dict":[["result",1],["arguments",[{names}]],["number","{number}"]]}}'.encode()
    tensors = len(MANY).to_bytes(8, "little") + MANY.encode()
    worker.write_message(worker.OUT, len(text).to_bytes(8, "big") + text + tensors)
    return x
