"""Checks of the exercises of lesson 01, a toy language."""

import math
from collections import defaultdict

import torch

from helpers import language as languages
from helpers.exercises import expect
from helpers.exercises.exercise import Broken, Exercise

PAD, BOS, EOS = languages.PAD, languages.BOS, languages.EOS


def plain(language: languages.Language) -> tuple[list[list[int]], list[float]]:
    """Return the sentences of a language as id lists, and their probabilities."""
    return [list(sentence) for sentence in language.sentences], list(language.probabilities)


def uneven(draw: torch.Generator) -> languages.Language:
    """Return a language of 7 sentences of 2 to 6 tokens that are not equally likely."""
    sentences = [(BOS, EOS), (BOS, 3, EOS), (BOS, 3, 4, EOS), (BOS, 4, 3, EOS)]
    # the last three repeat words, so that one word has several pasts
    sentences += [(BOS, 3, 4, 3, EOS), (BOS, 4, 4, 3, 5, EOS), (BOS, 3, 4, 5, 3, EOS)]
    names = ("<pad>", "<bos>", "<eos>", "red", "green", "blue")
    weights = torch.randint(1, 10, (len(sentences),), generator=draw).tolist()
    return languages.Language.of("seven uneven sentences", names, sentences, weights)


# ---- 01.1

floor_bits = Exercise(
    "01.1",
    "floor_bits",
    title="Bits",
    minutes=2,
    level="warm-up",
    points=1,
    imports=("math",),
    hints=(
        "How many fair coins decide between sixteen equally likely sentences? And for how many "
        "predicted tokens do these coins have to pay?",
        "A single sentence leaves no choice: its floor is 0. Two sentences of one predicted token "
        "have a floor of exactly 1 bit.",
        "The entropy of n equally likely things is log n, and base 2 gives bits: math.log2. "
        "Divide it by the number of predicted tokens.",
    ),
)


@floor_bits.property("it is a number, and 0 for a language of a single sentence")
def nothing_uncertain(call, draw):
    """One sentence, no choice."""
    for predicted in (2, 5):
        got = expect.number(call(1, predicted), f"for 1 sentence of {predicted} tokens")
        expect.equal(
            got,
            0.0,
            f"for 1 sentence of {predicted} tokens",
            "a language of a single sentence leaves nothing to guess, so its floor is 0",
        )


@floor_bits.property("it is the entropy of a sentence in bits, shared by its predicted tokens")
def entropy_for_each_token(call, draw):
    """Compare, and name the known slips."""
    drawn = torch.randint(3, 100, (3, 2), generator=draw).tolist()
    for n, predicted in ([8, 7], *drawn, [16, 4]):
        got = expect.number(call(n, predicted))
        bits = math.log2(n)
        expect.equal(
            got,
            bits / predicted,
            f"for {n} sentences of {predicted} predicted tokens",
            known=(
                (math.log(n) / predicted, "this is in nats: a bit is an entropy with base 2"),
                (math.log10(n) / predicted, "this is a logarithm with base 10, not with base 2"),
                (bits, "this is the entropy of a whole sentence, not of one predicted token"),
                (math.log2(n / predicted), "it divides before it takes the logarithm, not after"),
                (
                    bits / (predicted + 1),
                    "it divides by one token too many: <bos> is given, not predicted",
                ),
                (n / predicted, "entropy grows with the logarithm of the number of sentences"),
                (2 ** (bits / predicted), "this is the perplexity; the floor is its logarithm"),
                (math.floor(bits / predicted), "it rounds down to a whole number"),
            ),
        )


@floor_bits.property("twice as many sentences cost one more bit a sentence")
def doubling(call, draw):
    """floor_bits(2 n, T) - floor_bits(n, T) is 1 / T."""
    n, predicted = torch.randint(3, 40, (2,), generator=draw).tolist()
    once, twice = (expect.number(call(number, predicted)) for number in (n, 2 * n))
    expect.equal(
        twice - once,
        1 / predicted,
        f"from {n} to {2 * n} sentences of {predicted} predicted tokens, for the rise",
        "doubling the sentences must add 1 / predicted",
    )


# ---- 01.2

read = Exercise(
    "01.2",
    "read",
    title="Decode like a reader",
    minutes=5,
    level="medium",
    points=2,
    imports=(),
    hints=(
        "Three steps: cut, check, decode. In which order must they come, if whatever stands after "
        "the first <eos> is to have no influence?",
        "read([1, 3, 2, -5], words) is words[3]: the -5 stands behind <eos>. But "
        "read([1, -5, 2], words) must raise ValueError, although words[-5] exists in Python. And "
        "a list without <eos> is read to its end.",
        "ids = ids[: ids.index(2)] if 2 in ids. Then raise ValueError for any token for which "
        "0 <= token < len(words) is false. Then join the words of the tokens above 2.",
    ),
)


def vocabulary(draw: torch.Generator, size: int = 9) -> list[str]:
    """Return the three special words and others in an order of their own."""
    others = "a photo of in the large small plus circle".split()[:size]
    order = torch.randperm(len(others), generator=draw).tolist()
    return [*languages.SPECIAL_WORDS, *(others[i] for i in order)]


def read_right(ids: list[int], words: list[str]) -> str:
    """Return what a reader reads."""
    end = ids.index(EOS) if EOS in ids else len(ids)
    return " ".join(words[token] for token in ids[:end] if token not in (PAD, BOS, EOS))


@read.property("a sentence becomes its words, without the special ones")
def words_only(call, draw):
    """Captions with <bos> and <eos>, and padding in the middle."""
    words = vocabulary(draw)
    for ids in ([1, 3, 9, 11, 6, 2], [1, 4, 0, 0, 5, 1, 8, 2], [7, 7, 2]):
        got = expect.text(call(ids, words), f"for {ids}")
        cut = [token for token in ids if token != EOS]
        said = [token for token in ids if token != EOS and token != BOS]
        right = read_right(ids, words)
        if got != right and got.strip() == right:
            raise Broken("a space stands before or behind the text", f"for {ids}: {got!r}")
        marks = {
            " ".join(words[token] for token in ids): "special words stand in the text",
            " ".join(words[token] for token in cut): "<pad> or <bos> stands in the text",
            " ".join(words[token] for token in said): "only <bos> is left out: <pad> stands there",
            "".join(words[token] for token in ids if token > EOS): "the words run into each other",
        }
        expect.equal(
            got,
            right,
            f"for {ids}",
            "these are not the words of the sentence",
            known=list(marks.items()),
        )


@read.property("without an <eos> it reads to the end")
def no_end(call, draw):
    """No <eos>, an empty list, and nothing before <eos>."""
    words = vocabulary(draw)
    for ids in ([1, 3, 9, 5], [4], []):
        if call.error(ids, words) == "ValueError":
            raise Broken("it takes a list without <eos> for an error", f"for {ids}")
        got = expect.text(call(ids, words), f"for {ids}").strip()
        expect.equal(
            got,
            read_right(ids, words),
            f"for {ids}",
            "a list without <eos> is not read as it stands",
            known=((read_right(ids[:-1], words), "the last word is lost where no <eos> follows"),),
        )


@read.property("what stands after the first <eos> has no influence")
def nothing_behind(call, draw):
    """Words, a second <eos>, and ids outside the vocabulary."""
    words = vocabulary(draw)
    for behind in ([7], [5, 2, 6, 2], [0, 0], [99], [-1, 2]):
        ids = [1, 3, 9, 2, *behind]
        if error := call.error(ids, words):
            raise Broken(
                "it looks at ids behind the first <eos>: cut first, then check",
                f"for {ids} it raised {error}",
            )
        expect.equal(
            expect.text(call(ids, words)),
            expect.text(call(ids[:4], words)),
            f"for {ids}",
            "it reads on after the first <eos>",
        )


@read.property("an id outside the vocabulary raises ValueError")
def outside(call, draw):
    """The ids just outside, negative ids, and one in a list without <eos>."""
    words = vocabulary(draw, 6)
    for bad in (-1, -len(words), -3):
        if (error := call.error([1, 4, bad, 2], words)) != "ValueError":
            raise Broken(
                "a negative id is no token, though Python counts it from the end of a list",
                f"for [1, 4, {bad}, 2] it raised {error or 'nothing'}",
            )
    for bad in (len(words), len(words) + 1, 500):
        for ids in ([1, 4, bad, 2], [bad, 4]):
            error = call.error(ids, words)
            if error != "ValueError":
                raise Broken(
                    "an id beyond the last word must raise ValueError and nothing else",
                    f"with {len(words)} words, for {ids} it raised {error or 'nothing'}",
                )


# ---- 01.3

law_after = Exercise(
    "01.3",
    "law_after",
    title="Next law with uneven sentences",
    minutes=10,
    level="medium",
    points=2,
    imports=(),
    hints=(
        "Go through all sentences, as next_law of the lesson does. What do you add up for a "
        "sentence that is twice as likely as another one?",
        "Whatever the weights sum to, the numbers in your answer sum to 1, and ten times the "
        "weights give the same numbers. A sentence that ends with the prefix does not go on from "
        "it: after a whole sentence comes nothing, {}.",
        "n = len(prefix). For each sentence with sentence[:n] == prefix and len(sentence) > n: "
        "mass[sentence[n]] += weight. At the end divide each mass by sum(mass.values()).",
    ),
)


def masses(sentences: list, weights: list, prefix: list) -> dict[int, float]:
    """Return the weight of each token that can follow."""
    mass = defaultdict(float)
    for sentence, weight in zip(sentences, weights, strict=True):
        if sentence[: len(prefix)] == prefix and len(sentence) > len(prefix):
            mass[sentence[len(prefix)]] += weight
    return dict(mass)


def shares(mass: dict) -> dict:
    """Return a dict of numbers divided by their sum."""
    return {token: value / sum(mass.values()) for token, value in mass.items()}


def beginnings(sentences: list) -> list[list[int]]:
    """Return all prefixes, the shortest first."""
    found = {tuple(sentence[:t]) for sentence in sentences for t in range(1, len(sentence))}
    return [list(prefix) for prefix in sorted(found, key=lambda prefix: (len(prefix), prefix))]


def law_of(call, sentences: list, weights: list, prefix: list) -> dict[int, float]:
    """Return the answer's law, if it is a dict from the right tokens to numbers."""
    got = call(sentences, weights, prefix)
    seen = f"after {prefix}"
    right = set(masses(sentences, weights, prefix))
    if isinstance(got, dict) and set(got) - right:
        tokens = sorted(set(got) - right, key=str)
        raise Broken(
            "it names a token that never follows this beginning",
            f"{seen} it names {', '.join(map(str, tokens))}",
        )
    if got == {} and right:
        raise Broken(
            "it finds no sentence that goes on from there: is a list compared with a tuple?", seen
        )
    if isinstance(got, dict) and right - set(got):
        tokens = sorted(right - set(got))
        raise Broken(
            "it misses a token that can follow", f"{seen} it misses {', '.join(map(str, tokens))}"
        )
    return {token: expect.number(p, seen) for token, p in expect.table(got, right, seen).items()}


@law_after.property("it names the tokens that can follow the prefix, and no others")
def tokens_that_follow(call, draw):
    """At all beginnings of an uneven language."""
    sentences, weights = plain(uneven(draw))
    for prefix in beginnings(sentences):
        law_of(call, sentences, weights, prefix)


@law_after.property("where no sentence goes on there is no law: {}")
def no_law(call, draw):
    """After a whole sentence, and after a beginning that no sentence has."""
    sentences, weights = plain(uneven(draw))
    for prefix in ([1, 3, 4, 2], [1, 2], [1, 5], [1, 3, 4, 5, 3, 2]):
        if error := call.error(sentences, weights, prefix):
            raise Broken(
                "it has no answer where no sentence goes on: {} is asked for",
                f"after {prefix} it raised {error}",
            )
        law_of(call, sentences, weights, prefix)


@law_after.property("the probabilities sum to 1, whatever the weights sum to")
def sums_to_one(call, draw):
    """Also with ten times the weights."""
    sentences, weights = plain(uneven(draw))
    for factor in (1, 10):
        scaled = [factor * weight for weight in weights]
        for prefix in beginnings(sentences):
            total = sum(law_of(call, sentences, scaled, prefix).values())
            expect.equal(
                total,
                1.0,
                f"after {prefix}, with weights that sum to {factor},",
                "the numbers do not sum to 1: divide by what you added up for this prefix",
            )


@law_after.property("each probability is a share of weight")
def shares_of_weight(call, draw):
    """Compare, and name the known slips."""
    sentences, weights = plain(uneven(draw))
    for prefix in beginnings(sentences):
        mass = masses(sentences, weights, prefix)
        counts = masses(sentences, [1] * len(weights), prefix)
        last = {}
        for sentence, weight in zip(sentences, weights, strict=True):
            last.update(masses([sentence], [weight], prefix))
        expect.equal(
            law_of(call, sentences, weights, prefix),
            shares(mass),
            f"after {prefix}",
            "a share of weight is wrong",
            known=(
                (shares(counts), "it counts the sentences, as if all were equally likely"),
                (shares(last), "it keeps the weight of one sentence where several must be added"),
                (dict.fromkeys(mass, 1 / len(mass)), "all tokens that can follow get the same"),
            ),
        )


@law_after.property("along each sentence the product is its share of all weight")
def chain_rule(call, draw):
    """The product of the steps, for each sentence."""
    sentences, weights = plain(uneven(draw))
    weights = [10 * weight for weight in weights]
    for sentence, weight in zip(sentences, weights, strict=True):
        steps = [
            law_of(call, sentences, weights, sentence[:t])[sentence[t]]
            for t in range(1, len(sentence))
        ]
        expect.equal(
            math.prod(steps),
            weight / sum(weights),
            f"for the sentence {sentence}",
            "the product along a sentence is not its share of all weight",
        )


# ---- 01.4

smoothed = Exercise(
    "01.4",
    "smoothed",
    title="No more infinity",
    minutes=15,
    level="medium",
    points=3,
    imports=(),
    hints=(
        "A token that never came has count 0, and it gets extra too. So how much is added to the "
        "total, over all V tokens?",
        "With no counts at all, every token gets 1 / V. Whatever is counted, the V numbers sum to "
        "1. With extra = 0 they are the plain shares.",
        "For each token from 0 to V - 1: (counts.get(token, 0) + extra) / (total + V * extra). "
        "For the prediction, think of the steps that are certain: how much probability do eleven "
        "impossible words take away?",
    ),
)


def smooth_right(counts: dict, V: int, extra: float) -> list[float]:
    """Return the smoothed law."""
    total = sum(counts.values()) + V * extra
    return [(counts.get(token, 0) + extra) / total for token in range(V)]


def some_counts(draw: torch.Generator) -> list[tuple[dict, int]]:
    """Return (counts, V): fixed small ones and drawn ones."""
    drawn = {}
    for token in torch.randperm(8, generator=draw)[:3].tolist():
        drawn[token] = int(torch.randint(2, 20, (), generator=draw))
    return [({2: 3, 0: 1}, 4), ({11: 5}, 12), (drawn, 8)]


@smoothed.property("it gives a probability for each of the V tokens")
def one_for_each(call, draw):
    """A list of V numbers, none negative; for extra above 0 all positive."""
    for counts, V in some_counts(draw):
        seen = f"for counts {counts}, V = {V}, extra = 0.5"
        got = expect.numbers(call(counts, V, 0.5), V, seen)
        for token, p in enumerate(got):
            if p <= 0:
                raise Broken(
                    "a token that never came still has no probability: it gets extra too",
                    f"{seen}: token {token} has {p:g}",
                )


@smoothed.property("the probabilities sum to 1")
def smooth_sum(call, draw):
    """For small and large extra."""
    for counts, V in some_counts(draw):
        for extra in (0.01, 1, 3.5):
            seen = f"for counts {counts}, V = {V}, extra = {extra}"
            total = sum(expect.numbers(call(counts, V, extra), V, seen))
            expect.equal(
                total,
                1.0,
                f"{seen}, for the sum",
                "the sum is not 1: extra is added V times, so the total grows by as much",
            )


@smoothed.property("without any counts the law is even")
def no_counts(call, draw):
    """An empty dict."""
    for V, extra in ((4, 1), (12, 0.01)):
        seen = f"for no counts, V = {V}, extra = {extra}"
        if error := call.error({}, V, extra):
            raise Broken("it has no answer when nothing was counted", f"{seen} it raised {error}")
        got = expect.numbers(call({}, V, extra), V, seen)
        expect.equal(
            got,
            [1 / V] * V,
            seen,
            "where nothing was counted all tokens must be equally likely",
            known=(([0.0] * V, "where nothing was counted it gives no token any probability"),),
        )


@smoothed.property("each count grows by extra, and nothing else changes")
def smooth_values(call, draw):
    """Compare, from extra = 0 to a very large one, and name the known slips."""
    for counts, V in some_counts(draw):
        total = sum(counts.values())
        plain_shares = [counts.get(token, 0) / total for token in range(V)]
        for extra in (0.3, 2, 0, 1e9):
            seen = f"for counts {counts}, V = {V}, extra = {extra:g}"
            mixed = [(1 - min(extra, 1)) * share + min(extra, 1) / V for share in plain_shares]
            expect.equal(
                expect.numbers(call(counts, V, extra), V, seen),
                smooth_right(counts, V, extra),
                seen,
                "a count grows by something else than extra",
                known=(
                    (smooth_right(counts, V, 1), "it adds 1, whatever extra is"),
                    (smooth_right(counts, V, extra / V), "it shares extra out among the tokens"),
                    (
                        smooth_right(counts, V, extra * total),
                        "extra is added to the shares, not to the counts",
                    ),
                    (mixed, "it mixes in an even law of weight extra"),
                ),
            )


# ---- 01.5

best_loss = Exercise(
    "01.5",
    "best_loss",
    title="Floors of any language",
    minutes=30,
    level="challenge",
    points=5,
    imports=("math", "collections"),
    hints=(
        "Counting on all sentences gave the floors in the lesson, since all were equally likely. "
        "What must be counted where they are not?",
        "With k as long as the longest sentence you must get the entropy of the language divided "
        "by its average number of predicted tokens. With k = 0 the model sees nothing, so all "
        "steps share one law. Near the beginning it sees what there is.",
        "For each sentence and each t from 1: seen = sentence[max(0, t - k):t], as a tuple, with "
        "t beside it if position. Add the weight to pair[seen, sentence[t]] and to context[seen]. "
        "Then sum -w * log(w / context[seen]) over all pairs, and divide by the sum of all w.",
    ),
)


def steps(sentence: list, k: int, position: bool, cut: str = ""):
    """Yield (what is seen, next token) for each step. cut: "", or a known slip in the slice."""
    for t in range(1, len(sentence)):
        if cut == "no max":
            seen = sentence[t - k : t]
        elif cut == "last k":
            seen = sentence[:t][-k:]
        else:
            seen = sentence[max(0, t - k) : t]
        yield (tuple(seen), t if position else None), sentence[t]


def surprises(sentences: list, weights: list, **how) -> list[float]:
    """Return the summed surprise of each sentence under the best model of what steps shows."""
    pair, context = defaultdict(float), defaultdict(float)
    for sentence, weight in zip(sentences, weights, strict=True):
        for seen, token in steps(sentence, **how):
            pair[seen, token] += weight
            context[seen] += weight
    return [
        sum(-math.log(pair[seen, token] / context[seen]) for seen, token in steps(sentence, **how))
        for sentence in sentences
    ]


def loss_right(sentences: list, weights: list, k: int, position: bool, **how) -> float:
    """Return the lowest loss in nats a predicted token."""
    each = surprises(sentences, weights, k=k, position=position, **how)
    tokens = [len(sentence) - 1 for sentence in sentences]
    return average(each, weights) / average(tokens, weights)


def average(values: list, weights: list) -> float:
    """Return the weighted average."""
    total = sum(value * weight for value, weight in zip(values, weights, strict=True))
    return total / sum(weights)


def known_slips(sentences: list, weights: list, k: int, position: bool) -> list:
    """Return (value, sentence) for the known slips in a floor."""
    right = loss_right(sentences, weights, k, position)
    each = surprises(sentences, weights, k=k, position=position)
    tokens = [len(sentence) - 1 for sentence in sentences]
    even = [1] * len(weights)
    per_sentence = [a / b for a, b in zip(each, tokens, strict=True)]
    more = [count + 1 for count in tokens]
    slips = [
        (right / math.log(2), "this is in bits: the course's losses are in nats"),
        (loss_right(sentences, even, k, position), "it leaves out the weights of the sentences"),
        (
            average(per_sentence, weights),
            "it averages over sentences first: a token of a short sentence then counts for more",
        ),
        (average(each, even) / average(tokens, even), "the weights are missing in the average"),
        (average(each, weights) / average(more, weights), "<bos> is counted as a predicted token"),
        (average(each, weights), "this is the loss of a sentence: divide by its predicted tokens"),
        (average(each, weights) / average(tokens, even), "the number of tokens is not weighted"),
        (
            loss_right(sentences, weights, k, not position),
            "it knows the position when it must not, or does not when it may",
        ),
        (loss_right(sentences, weights, k + 1, position), "it sees one token more than k"),
        (
            loss_right(sentences, weights, k, position, cut="no max"),
            "near the beginning it must see what there is: a slice from a negative index is empty",
        ),
    ]
    if k:
        slips.append(
            (loss_right(sentences, weights, k - 1, position), "it sees one token fewer than k")
        )
    return slips


@best_loss.property("a model that sees everything reaches the floor of the language")
def whole_past(call, draw):
    """k as long as the longest sentence and longer."""
    for language in (languages.captions(), uneven(draw)):
        sentences, weights = plain(language)
        for k in (language.longest, language.longest + 5):
            got = expect.number(call(sentences, weights, k, False), f"for k = {k}")
            expect.equal(
                got,
                language.floor,
                f"for {language.name} and k = {k}",
                "with the whole past the loss must be the floor: entropy by predicted tokens",
                known=known_slips(sentences, weights, k, False),
            )


@best_loss.property("a model that sees nothing knows only how often each token comes")
def no_past(call, draw):
    """k = 0, without position."""
    sentences, weights = plain(uneven(draw))
    expect.equal(
        expect.number(call(sentences, weights, 0, False), "for k = 0"),
        loss_right(sentences, weights, 0, False),
        "for k = 0",
        "with k = 0 all steps must look the same to the model",
        known=(
            (
                loss_right(sentences, weights, 0, False, cut="last k"),
                "k = 0 shows it the whole past: in Python row[-0:] is all of row",
            ),
            *known_slips(sentences, weights, 0, False),
        ),
    )


@best_loss.property("more context never hurts, and neither does the position")
def never_rises(call, draw):
    """Falling in k, and position below no position."""
    language = uneven(draw)
    sentences, weights = plain(language)
    before = [math.inf, math.inf]
    for k in range(language.longest + 1):
        now = [expect.number(call(sentences, weights, k, where)) for where in (False, True)]
        for where in (0, 1):
            if now[where] > before[where] + 1e-6:
                raise Broken(
                    "the loss rises although the model sees more",
                    f"from k = {k - 1} to {k}, position={bool(where)}: "
                    f"{before[where]:.4f} to {now[where]:.4f}",
                )
        if now[1] > now[0] + 1e-6:
            raise Broken(
                "knowing the position makes the loss worse",
                f"for k = {k}: {now[0]:.4f} without, {now[1]:.4f} with it",
            )
        before = now


@best_loss.property("it is the lowest loss for each k, with and without position")
def floors(call, draw):
    """Compare on echo and on an uneven language, with weights of any sum."""
    for language, ks in ((languages.echo(), (1, 9)), (uneven(draw), (0, 1, 2, 3))):
        sentences, weights = plain(language)
        weights = [5 * weight for weight in weights]
        for k in ks:
            for position in (False, True):
                expect.equal(
                    expect.number(call(sentences, weights, k, position)),
                    loss_right(sentences, weights, k, position),
                    f"for {language.name}, k = {k}, position={position}",
                    "this is not the lowest loss for that context",
                    known=known_slips(sentences, weights, k, position),
                )


EXERCISES = (floor_bits, read, law_after, smoothed, best_loss)
