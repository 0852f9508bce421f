"""Reads equal.txt: mutants that no test can kill, or should, each with the reason.

    libhtools/ROOM/FILE
      the line of the source
        CHANGE: the reason

A mutant is known by these three texts, so it stays known when other lines change.
"""

import pathlib

PATH = pathlib.Path(__file__).resolve().parent / "equal.txt"


def reasons(path=PATH):
    """(source, line, change) -> reason"""
    result, source, text = {}, "", ""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        content = line.strip()
        if not content or line.startswith("#"):
            continue
        indent = len(line) - len(line.lstrip())
        if indent == 0:
            source = content
        elif indent == 2:
            text = content
        else:
            change, colon, reason = content.partition(": ")
            if not colon or not reason or not text or not source:
                raise ValueError(f"{path}:{number}: expected 'CHANGE: REASON' below a source and a line of it")
            result[source, text, change] = reason
    return result
