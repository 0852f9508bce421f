"""Breaks one thing in a cluster file, to compare the error exits."""

BAD_VALUES = ("", "x", "1x", "12 ", "-", "1.5.5", "Y", "yes", "Plain")


def damage(rng, sections):
    """Change the sections (lists of lines) in place."""
    kind = rng.randrange(5)
    if kind == 0:
        del sections[rng.randrange(len(sections))]
        return
    candidates = [(s, i) for s in (0, 1, 1, 1, 2, 2, 2, 4)
                  if s < len(sections) for i in range(len(sections[s]))]
    if not candidates:
        return
    section, line = rng.choice(candidates)
    fields = sections[section][line].split("|")
    if kind == 1:
        fields = fields[:rng.randrange(1, len(fields) + 1)]
    elif kind == 2 and section == 4:
        specs = fields[2].split(";")
        fields[2] = ";".join(specs[:-1] or ["1,2,3"])
    elif kind == 3:
        at = rng.randrange(len(fields))
        inner = fields[at].split(",")
        inner[rng.randrange(len(inner))] = rng.choice(BAD_VALUES)
        fields[at] = ",".join(inner)
    else:
        fields[rng.randrange(len(fields))] = rng.choice(BAD_VALUES)
    sections[section][line] = "|".join(fields)
