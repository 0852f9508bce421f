"""JSON texts in which keys may repeat and numbers keep their spelling."""

import json


class Literal(str):
    """A number as it is spelled."""


class Pairs(list):
    """An object: a list of (key, value); keys may repeat."""

    def __add__(self, other):
        return Pairs([*self, *other])

    def get(self, key):
        """The first value of the key, or None."""
        return next((v for k, v in self if k == key), None)


def write(value, comma=",", colon=":", only_ascii=True):
    """The text of a value made of Pairs, lists, Literals and scalars."""
    def text(part):
        if isinstance(part, Literal):
            return str(part)
        if isinstance(part, Pairs):
            return "{" + comma.join(
                scalar(k) + colon + text(v) for k, v in part) + "}"
        if isinstance(part, list):
            return "[" + comma.join(text(v) for v in part) + "]"
        return scalar(part)

    def scalar(part):
        return json.dumps(part, ensure_ascii=only_ascii)

    return text(value)


def read(text):
    """The value of a text, made of the same parts."""
    return json.loads(text, object_pairs_hook=Pairs, parse_float=Literal,
                      parse_int=Literal, parse_constant=Literal)
