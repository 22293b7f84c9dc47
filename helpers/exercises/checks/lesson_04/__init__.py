"""The exercises of lesson 04, masks: one file each."""

from helpers.exercises.checks.lesson_04.batch_mask import batch_mask
from helpers.exercises.checks.lesson_04.diagnose import diagnose
from helpers.exercises.checks.lesson_04.masked_softmax import masked_softmax
from helpers.exercises.checks.lesson_04.packed_positions import packed_positions
from helpers.exercises.checks.lesson_04.packed_prefix import packed_prefix
from helpers.exercises.checks.lesson_04.to_may_attend import to_may_attend
from helpers.exercises.checks.lesson_04.visible_pairs import visible_pairs

EXERCISES = (
    visible_pairs,
    to_may_attend,
    batch_mask,
    packed_positions,
    masked_softmax,
    diagnose,
    packed_prefix,
)
