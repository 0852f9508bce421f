"""Statistics of what hscan did."""

import re

from distribution_others import describe_hcheck, describe_hinfo, \
    describe_hroller

_DESCRIBE_OTHERS = {"hcheck": describe_hcheck, "hinfo": describe_hinfo,
                    "hroller": describe_hroller}

_FAILURE = re.compile(r"^Error for .*\n(.*)$", re.MULTILINE)
_LINE = re.compile(r"^file://.* (\d+) +(\d+) +(\d+)(?: +-?\d+){4} +\S+$",
                   re.MULTILINE)


def describe(result, count):
    """Count what one run of hscan, or of another tool, tells."""
    if result.line.tool:
        _DESCRIBE_OTHERS.get(result.line.tool, lambda *_: None)(result, count)
        return
    text = result.reference.stdout.decode("utf-8", "replace")
    rows = _LINE.findall(text)
    count("clusters scanned", str(len(rows)))
    if any(instances != "0" and bad != "0" for instances, bad, _ in rows):
        count("clusters scanned", "one with bad nodes")
    for reason in _FAILURE.findall(text):
        count("failures (of one or more clusters a run)", re.sub(
            r"'[^']*'|\[.*|\d+|(?<=: )Malformed.*|\S*/", "*", reason)[:60])
    count("files written", str(sum(name.endswith(".data")
                                   for name in result.reference.files)))
