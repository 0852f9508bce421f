"""A defect of the reference's `-I` that our program does not copy.

The reference adds the instances of a document to their nodes twice, so that it
sees twice as many. On a text file with the same cluster it has to do what ours
does on the document.
"""

import pathlib

from cluster_line import DOCUMENT_FILE, NODE_MEMORY
from line_builder import CommandLine

_TEXT_FILE = "converted.data"


def text_form(line, programs):
    """The equivalent command line that reads text; None if there is none."""
    document = line.files.get(DOCUMENT_FILE)
    if document is None:
        return None
    prefix = pathlib.Path(_TEXT_FILE).stem
    memory = [word for word in line.words if word.startswith(NODE_MEMORY)]
    # The only tool that saves what it has read, and needs no other option.
    outcome = programs.run_reference(
        "hroller",
        CommandLine(["-f", "-I", DOCUMENT_FILE, "-S", prefix, *memory]),
        {DOCUMENT_FILE: document})
    text = outcome.files.get(f"{prefix}.original")
    if text is None:
        return None
    # Beside a text file the document has no influence.
    return CommandLine(["-t", _TEXT_FILE, *line.words], line.features,
                       line.files | {_TEXT_FILE: text.decode("utf-8")})
