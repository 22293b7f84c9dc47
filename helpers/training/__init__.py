"""Training: batches, schedules, AdamW, the loop, going on after a stop, small trained models."""

from helpers.front_door import front_door

NAMES = {
    "schedules": "Schedule cosine_rate",
    "adamw": "AdamW adamw_step",
    "clipping": "clip gradient_norm norm_of",
    "batches": "Batch InTurn digest shuffled_batches",
    "log": "Log Progress Step",
    "resuming": "Checkpoint read_checkpoint write_checkpoint",
    "loop": (
        "IGNORE accumulate cross_entropy learned_law next_token_loss next_token_targets "
        "total_variation train worst_prefix"
    ),
    "master_weights": "MasterWeights",
    "loss_scaling": "LossScaler",
    "recompute": "recomputing",
    "gradient_noise": "estimated_noise_scale noise_scale row_gradients",
    "width": "start_for_width width_factors",
    "scaling_law": "ScalingLaw Split fit_scaling_law isoflop_minimum least_squares",
}
__all__, __getattr__, __dir__ = front_door(__name__, NAMES)
