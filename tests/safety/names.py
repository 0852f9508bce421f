"""Names that nobody would give, but a document may hold."""

LIVELY = (
    "", "-n", "--", "-f", "--all", "$(touch pwned)", "`touch pwned`", "';touch pwned;'", "\";touch pwned;\"", "a;touch pwned",
    "a&touch pwned&", "a\\", "a'", "''", "'\\''", "a b", " ", "~", "~root", "*", "?", "[!a]", "{a,b}", "#a", "!!",
    "$HOME", "${x}", "$'x'", "a=b", "%s%n%d", "{}{0}{nope}", "../../up", "/etc/passwd", ".", "..", "\t", "\r", "a\rb", "\x01\x7f\x02",
    "\x1b[2J\x1b]0;x\x07", "\x81\x9b31m", "\u202eevil\u202c", "\u2066a\u2069", "\u200f\u061c", "\u2028\u2029", "\u00a0", "\u3000", "\u0101\u0148",
    "\ufeff", "\ud7ff\ue000", "\U0010ffff", "\U0001f4a9", "e\u0301", "NaN", "null", "x" * 100000,
)
# What lines of a text file cannot hold.
LINES = (
    "a\nb", "\n", "a\n\n", "a\n  check\nb", "a\n\ntouch pwned\n", "'\ntouch pwned\n'", "a|b", "|", "a\nb|8192|0|8192|1|1|1|N|u",
)
PIECES = ("'", '"', "\\", "$", "`", "\n", "|", "-", "\x1b", "\x9b", "\u202e", "\u2067", "\x7f", "\r", "\t", " ", "a",
          "\u00e9", "\u4e2d", "\U0001f600", ",", ";", "#", "{", "}", "%", "/", "\u0000")


def named(rng, plain, carried):
    """A new name for each of the plain ones, all different; `carried` tells which ones the source can hold."""
    lively = [name for name in LIVELY + LINES if carried(name)]
    pieces = [piece for piece in PIECES if carried(piece)]
    names, taken = {}, set()
    for old in plain:
        name = rng.choice(lively) if rng.random() < 0.7 else "".join(rng.choices(pieces, k=rng.randint(1, 12)))
        while name in taken or (not name and not old.startswith("i")):
            name += rng.choice(pieces)
        taken.add(name)
        names[old] = name
    return names


def in_text(name):
    return not set(name) & set("|\n")


def in_shell(name):
    return "\0" not in name


CONTROLS = {*range(0x20), *range(0x7f, 0xa0), 0x61c, 0x200e, 0x200f, *range(0x2028, 0x202f), *range(0x2066, 0x206a)} - {0x0a}


def on_terminal(output):
    """How a terminal is to be shown these bytes."""
    shown = []
    for character in output.decode("utf-8", "surrogateescape"):
        code = ord(character)
        hidden = code in CONTROLS or 0xdc80 <= code < 0xdd00
        data = character.encode("utf-8", "surrogateescape")
        shown.append("".join(f"\\x{byte:02x}" for byte in data) if hidden else character)
    return "".join(shown).encode()
