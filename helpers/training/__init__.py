"""Training: batches, loss and the loop, 16 bits with a master copy, and small trained models."""

from helpers.front_door import front_door

NAMES = {
    "loop": (
        "Batch IGNORE cosine_rate cross_entropy learned_law next_token_loss "
        "next_token_targets shuffled_batches total_variation train worst_prefix"
    ),
    "master_weights": "MasterWeights",
    "scaling_law": "ScalingLaw Split fit_scaling_law isoflop_minimum least_squares",
}
__all__, __getattr__, __dir__ = front_door(__name__, NAMES)
