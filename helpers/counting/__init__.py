"""What a model costs: its work in multiply-adds, what training it takes, a process's memory."""

from helpers.front_door import front_door

NAMES = {
    "operations": "Work count_work forward_work generation_work memory_work",
    "planning": (
        "allocated checkpoint_bytes measured_saved_bytes parameters rule_of_six sample_tokens "
        "saved_bytes step_bytes training_bytes training_flops"
    ),
    "process_memory": "peak_memory",
}
__all__, __getattr__, __dir__ = front_door(__name__, NAMES)
