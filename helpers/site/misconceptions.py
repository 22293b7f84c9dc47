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
        "The newest query is number 0.",
        "14.3",
        "the queries are taken for the first of the keys: they are the last",
    ),
    (
        "Two layouts of rotary positions give the same model.",
        "15.2",
        "the layouts have changed places, or are one",
    ),
    (
        "For longer texts, slow everything down.",
        "15.6",
        "every pair is slowed, the fast ones too",
    ),
    (
        "A gate comes for free.",
        "16.1",
        "that is the width of the plain part: a gated one has three matrices",
    ),
    (
        "RMSNorm is LayerNorm by another name.",
        "16.2",
        "5 added to every column changes nothing: a mean is subtracted",
    ),
    (
        "16 bits are enough for everything in a 16-bit model.",
        "16.2",
        "16-bit squares overflow or vanish: count in float32 inside",
    ),
    (
        "Every cache grows with the text.",
        "17.1",
        "it takes no notice of the windows",
    ),
    (
        "Query heads are dealt out to the key/value heads like cards.",
        "17.2",
        "the heads are dealt out in turn: h mod G",
    ),
    (
        "A lower loss a token means a better model, whatever the tokenizer.",
        "18.3",
        "it divides by tokens, not by bytes",
    ),
    (
        "A tokenizer takes the longest token that fits.",
        "18.4",
        "the longest token is taken, not the strongest merge",
    ),
    (
        "Every token is text that can be shown.",
        "18.5",
        "each token is decoded by itself, so characters are broken",
    ),
    (
        "One change is better if its mean loss is lower.",
        "19.2",
        "it compares the means: how often single seeds win is asked for",
    ),
    (
        "Positions turn queries, keys and values.",
        "19.5",
        "the value is turned: only queries and keys are",
    ),
    (
        "A token pays for all the experts of a model.",
        "20.1",
        "a token meets only those experts that it uses",
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
    (
        "Every row of a batch reads the weights again.",
        "22.1",
        "the weights are read for each row: one reading serves all rows",
    ),
    (
        "A model has one speed.",
        "22.2",
        "the wait for the first token is in the rate",
    ),
    (
        "One scale is enough for a matrix.",
        "22.3",
        "one scale serves the whole matrix",
    ),
    (
        "With enough users every service is limited by arithmetic.",
        "22.5",
        "each row's cache takes as long as its arithmetic or longer: None is right",
    ),
    (
        "Weight decay is the same as L2 in the loss.",
        "24a.1",
        "the decay is in the gradient, where Adam divides it away (L2)",
    ),
    (
        "Clipping each tensor for itself is clipping.",
        "24a.3",
        "each tensor is clipped for itself, so the direction turns",
    ),
    (
        "A mean of the parts' means is the mean of the batch.",
        "24a.4",
        "it is a mean of means: parts of few targets count too much",
    ),
    (
        "A loss that falls is a model that learns.",
        "24a.7",
        "it asks the losses only: they look healthy, and the law is far off",
    ),
    (
        "A step of 0.001 is a step in every format of numbers.",
        "24b.2",
        "the sum is not rounded to bfloat16: added in float32 it moves",
    ),
    (
        "Infinity is the only thing that can go wrong with a gradient.",
        "24b.3",
        "it looks for infinity, and nan is none",
    ),
    (
        "The inputs of all groups and the insides of all groups are there at once.",
        "24b.4",
        "the insides of all groups are never there at once",
    ),
    (
        "A shuffled order is shuffled once.",
        "24b.5",
        "each round has an order of its own: seed + round",
    ),
    (
        "Gradients and what was saved add up.",
        "25.3",
        "gradients and what was saved are added up",
    ),
    (
        "Every model wants twenty tokens a parameter.",
        "25.5",
        "it takes twenty tokens a parameter, whatever the law",
    ),
    (
        "The best of the sizes that were tried is the best size.",
        "25.6",
        "it is the best of the sizes that were tried",
    ),
    (
        "The cheapest model is the one that is cheapest to train.",
        "25.7",
        "use costs nothing here: two operations a parameter and token",
    ),
)
