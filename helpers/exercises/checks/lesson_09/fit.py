"""Exercise 09.5: cut what is not asked."""

import torch

from helpers.exercises import expect
from helpers.exercises.checks.lesson_09.shared import AND, BOS, IS, THE, A, cases, objects_of
from helpers.exercises.exercise import Broken, Exercise
from helpers.languages.language import recall
from helpers.training import pretrained

fit = Exercise(
    "09.5",
    "fit",
    title="Cut what is not asked",
    minutes=30,
    level="challenge",
    points=5,
    imports=(),
    hints=(
        "Take the prompt apart first: a list of objects, each three tokens, and the question of "
        "three. How many tokens do n objects make when you put it together again?",
        "n objects take 4n + 3 tokens: <bos>, three for each object, an 'and' between any two, and "
        "three for the question. So a room of 13 holds two objects, and 6 tokens hold none. Take "
        "the prompt apart and put it together without dropping anything: it must come out equal.",
        "objects = [prompt[i : i + 3] for i in range(1, len(prompt) - 3, 4)]. While "
        "4 * len(objects) + 3 > room: delete the first one whose shape is not prompt[-2], or raise "
        "ValueError if there is none. Then join: prompt[:1], the objects with prompt[4] between "
        "them, prompt[-3:].",
    ),
)


def question(objects: list[list[int]], asked: int) -> list[int]:
    """Return the prompt about these objects [size, shape] that asks for one of them."""
    ids = [BOS]
    for number, (size, shape) in enumerate(objects):
        ids += [AND] * (number > 0) + [A, size, shape]
    return [*ids, THE, objects[asked][1], IS]


def fitted(call, objects: list[list[int]], asked: int, room: int) -> tuple[list, str]:
    """Return (objects that are left, what was seen); Broken if it is no prompt of the kind."""
    given = question(objects, asked)
    ids = expect.wholes(call(given, room), seen=f"for {given}, room {room}")
    seen = f"{given} with a room of {room} became {ids}"
    if ids[:1] != [BOS]:
        raise Broken("<bos> is no longer at the beginning", seen)
    if ids[-3:] != given[-3:]:
        raise Broken("the question at the end has changed", seen)
    left = [ids[i : i + 4] for i in range(1, len(ids) - 3, 4)]
    joined = all(part[3] == AND for part in left[:-1])
    if len(ids) % 4 != 3 or not left or not joined or any(part[0] != A for part in left):
        raise Broken("what is left is not made of whole objects with one 'and' between two", seen)
    return [part[1:3] for part in left], seen


@fit.property("a prompt that fits comes back unchanged")
def fit_unchanged(call, draw):
    """Exactly as much room as it needs, and more."""
    for count in (1, 2, 3):
        for more in (0, 1, 4):
            given = question(objects_of(draw, count), count - 1)
            room = len(given) + more
            found = expect.wholes(call(given, room), seen=f"for {given}, room {room}")
            if found != given:
                fault = "a prompt that fits is changed"
                if more == 0 and len(found) < len(given):
                    fault = "a prompt that fills the room exactly is cut"
                raise Broken(fault, f"{given} with a room of {room} became {found}")


@fit.property("the result is a prompt of the same kind, no longer than the room")
def fit_kind(call, draw):
    """Whole objects, 'and' between them, the same question."""
    for objects, asked, room, _ in cases(draw):
        left, seen = fitted(call, objects, asked, room)
        if 4 * len(left) + 3 > room:
            raise Broken("the result is longer than the room", seen)


@fit.property("the asked object stays, and the objects keep their order")
def fit_asked(call, draw):
    """What is left is a part of what was there."""
    for objects, asked, room, _ in cases(draw):
        left, seen = fitted(call, objects, asked, room)
        if objects[asked] not in left:
            raise Broken("the object that is asked for was dropped", seen)
        if any(item not in objects for item in left):
            raise Broken("an object is left that was not there", seen)
        places = [objects.index(item) for item in left]
        if places != sorted(set(places)):
            raise Broken("the objects that are left do not stand in their old order", seen)


@fit.property("no object is dropped that would have fitted")
def fit_most(call, draw):
    """As many objects as the room allows."""
    found = []  # (how many are left, how many would fit, what was seen)
    for objects, asked, room, most in cases(draw):
        left, seen = fitted(call, objects, asked, room)
        found.append((len(left), most, f"{seen}: objects left {len(left)}, that fit {most}"))
    wrong = [seen for number, most, seen in found if number < most]
    if wrong:
        fault = "more objects are dropped than the room asks for"
        if all(number == 1 for number, _, _ in found):
            fault = "the asked object is kept alone, though others would fit"
        raise Broken(fault, wrong[0])


@fit.property("if not even one object fits, it raises ValueError")
def fit_nothing(call, draw):
    """Less than seven tokens."""
    for count, room in ((1, 6), (3, 6), (2, 3), (2, 0)):
        given = question(objects_of(draw, count), 0)
        raised = call.error(given, room)
        if raised != "ValueError":
            raise Broken(
                "a room for no object at all must raise a ValueError",
                f"{given} with a room of {room}: {raised or 'no error'}",
            )


@fit.property("cut to 13, the two-block model is sure and right about three objects")
def fit_model(call, draw):
    """A part of the 576 questions."""
    three = recall(objects=3)
    chosen = torch.randperm(len(three.sentences), generator=draw)[:40].tolist()
    rows, answers = [], []
    for sentence in (list(three.sentences[i]) for i in chosen):
        ids = expect.wholes(call(sentence[:15], 13))
        if len(ids) != 11 or not all(0 <= token < len(three.words) for token in ids):
            raise Broken(
                "13 tokens hold two objects, and the two-block model knows no other prompts",
                f"{sentence[:15]} became {ids}",
            )
        rows.append(ids)
        answers.append(sentence[15])
    with torch.no_grad():
        logits = pretrained.load("recall_two_blocks").next_logits(torch.tensor(rows))
    law = logits.double().softmax(dim=-1)  # [40, V]
    sure = law[torch.arange(40), torch.tensor(answers)] > 0.9
    if not sure.all():
        row = int((~sure).nonzero()[0])
        raise Broken(
            "the two-block model is no longer sure and right",
            f"in {int((~sure).sum())} of 40 questions, such as {rows[row]}",
        )
