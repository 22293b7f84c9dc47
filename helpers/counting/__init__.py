"""What a model costs: its work in multiply-adds, exactly, and the memory of a process."""

from helpers.front_door import front_door

NAMES = {
    "operations": "Work count_work forward_work generation_work memory_work",
    "process_memory": "peak_memory",
}
__all__, __getattr__, __dir__ = front_door(__name__, NAMES)
