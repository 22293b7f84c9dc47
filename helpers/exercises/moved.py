"""Where the modules of the course stand now: an answer of earlier may import them by old names."""

# old module: new module
MOVED: dict[str, str] = {}


def moved_from(name: str) -> str:
    """Return the old module that a name, such as an import asks for, stands in; "" if it is none.

    What is a module now, or stands in one, has not moved: a package may bear an old module's name.
    """
    if any(name == new or name.startswith(new + ".") for new in MOVED.values()):
        return ""
    parts = name.split(".")
    while parts and ".".join(parts) not in MOVED:
        parts.pop()
    return ".".join(parts)


def sentence(name: str) -> str:
    """Return where the module that a name stands in is now, in a few words; "" if it has not moved.

    The words are the course's own: nothing else of the name is in them.
    """
    old = moved_from(name)
    return f"{old} is {MOVED[old]} now" if old else ""
