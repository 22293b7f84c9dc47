"""What learners often believe, and the sentence with which a check meets it."""

# belief, exercise, words of the feedback as the check says them (a test looks them up there)
MISCONCEPTIONS = (
    (
        "Softmax can be computed as it is written.",
        "02.1",
        "large scores give NaN: infinity divided by infinity",
    ),
    (
        "Multiplying the future by zero hides it.",
        "02.3",
        "a matrix multiplies the future by 0, and 0 times infinity is NaN",
    ),
    (
        "A triangle is a triangle.",
        "03.3",
        "rows see the future in place of the past: the triangle is transposed",
    ),
    (
        "A token must not see itself, or it would know the answer.",
        "03.3",
        "the first row is 0/0: everything is hidden from it, even itself",
    ),
    (
        "A hidden key may keep a tiny weight.",
        "04.5",
        "a hidden key has a weight",
    ),
    (
        "LayerNorm looks at the whole sequence.",
        "05.3",
        "a position changes with another one: mean and variance belong to one vector",
    ),
    (
        "In a mask, true means hidden.",
        "05.5",
        "the mask is read the wrong way round: it hides what is True",
    ),
    (
        "A low loss shows that the model has learned.",
        "06.6",
        "the honest loss lies below the floor: cut the text off before the answer, so that nobody "
        "can read it",
    ),
    (
        "A row that has ended needs no further care.",
        "07.4",
        "a finished row is asked for another token",
    ),
    (
        "A seed belongs to each text that is drawn.",
        "07.5",
        "one generator must serve all of them, and not begin anew for each text",
    ),
    (
        "Top-p with p = 1 needs no case of its own.",
        "08.3",
        "p = 1 removes words: the sum rounds to 1 before they come",
    ),
    (
        "The system knows which words the user wrote.",
        "09.4",
        "a user's text forges a whole turn of the assistant",
    ),
    (
        "All heads have keys and values of their own.",
        "10.2",
        "with half the key/value heads the length does not double",
    ),
    (
        "In cross-attention the picture asks the text.",
        "12.2",
        "it has a row for each row of the source: x must ask",
    ),
    (
        "A conversation is one text, so it can be encoded as one.",
        "21.5",
        "a special token in somebody's text becomes a command",
    ),
    (
        "A stop string is found by searching what has come so far.",
        "21.6",
        "a part of a stop string is shown before it is whole",
    ),
)
