"""Breaks one thing in a JSON document, to compare the error exits."""

from json_text import Pairs

_VALUES = (None, True, 5, -1, 0.5, "", "x", "nosuch", [], ["nosuch"], [5],
           [[]], Pairs(), Pairs([("size", 1)]))
_TYPES = ("multi-evacuate", "nosuch", "", 5, None)


def damage(rng, document):
    """Change an iallocator document in place."""
    kind = rng.random()
    if kind < 0.08:
        request = document.get("request")
        _replace(request, _index(request, "type"), rng.choice(_TYPES))
        return
    damage_one(rng, [document] if kind < 0.16 else objects_in(
        document.get("request") if kind < 0.65 else document))


def damage_one(rng, objects):
    """Take a key from one of the objects, or change its value."""
    owner = rng.choice(objects)
    at = rng.randrange(len(owner))
    if rng.random() < 0.4:
        del owner[at]
    else:
        _replace(owner, at, rng.choice(_VALUES))


def damage_text(rng, text):
    """A text that is no document any more."""
    return rng.choice((
        lambda: "",
        lambda: text[:-1],
        lambda: text[:rng.randrange(len(text))],
        lambda: text + "x",
        lambda: "[" + text + "]",
        lambda: text.replace(":", "=", 1),
        lambda: text.replace(",", ",,", 1),
        lambda: text.replace('"', "", 1),
    ))()


def _index(owner, key):
    return next(i for i, (k, _) in enumerate(owner) if k == key)


def _replace(owner, at, value):
    owner[at] = (owner[at][0], value)


def objects_in(value):
    """All objects inside the value that have keys."""
    result = [value] if isinstance(value, Pairs) and value else []
    parts = [v for _, v in value] if isinstance(value, Pairs) else value
    for part in parts:
        if isinstance(part, list):
            result += objects_in(part)
    return result
