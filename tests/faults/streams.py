"""Standard streams that are closed, full, or that nobody reads."""

import os

from clusters import Cluster

COMMANDS = [
    ["hinfo", "-t", "cluster.data"], ["hbal", "-t", "cluster.data", "-C"], ["hcheck", "-t", "cluster.data"],
    ["hroller", "-t", "cluster.data"], ["hspace", "-t", "cluster.data", "-l", "2", "-q"], ["hail", "request.json"],
    ["hsqueeze", "-t", "cluster.data", "-v"], ["hscan", "file://."],
    *([tool, option] for tool in ("hbal", "harep") for option in ("--help", "--version", "--help-completion")),
]
# What is written to standard error, too.
TALKATIVE = [["hbal", "-t", "cluster.data", "-p", "-v", "-v"], ["hspace", "-t", "cluster.data", "-l", "2", "-v", "-v"],
             ["hail", "request.json", "-v", "-v", "-p"], ["hbal", "-t", "missing"], ["hbal", "--unknown"]]


def check_output(machine, folder):
    for words in COMMANDS:
        title = " ".join(words)
        machine.check(f"{title}: standard output is closed",
                      machine.run(words, folder, stdout=None, closed=[1]), (1,), says="<stdout>: Bad file descriptor")
        if os.path.exists("/dev/full"):
            with open("/dev/full", "wb") as full:
                machine.check(f"{title}: standard output is full", machine.run(words, folder, stdout=full), (1,),
                              says="<stdout>: No space left on device")
        reads, writes = os.pipe()
        os.close(reads)
        machine.check(f"{title}: nobody reads", machine.run(words, folder, stdout=writes), (1,), silent=True)
        os.close(writes)


def check_others(machine, folder):
    for words in COMMANDS + TALKATIVE:
        title = " ".join(words)
        usual = machine.run(words, folder)
        machine.check(title, usual, (0, 1, 2))
        answer = usual.status, usual.out
        with open("/dev/full" if os.path.exists("/dev/full") else os.devnull, "wb") as full:
            for state, how in (("standard error is closed", {"stderr": None, "closed": [2]}),
                               ("standard error is full", {"stderr": full}),
                               ("standard input is closed", {"stdin": None, "closed": [0]})):
                outcome = machine.run(words, folder, **how)
                machine.report(f"{title}: {state}", "" if (outcome.status, outcome.out) == answer else f"{outcome}")


def check_saving(machine, folder):
    """Files that are written do not take the place of closed streams."""
    for words, name in ((["hbal", "-t", "cluster.data", "-p", "-S", "state"], "state.original"),
                        (["hail", "request.json", "-p", "-S", "state"], "state.pre-ialloc")):
        machine.run(words, folder)
        right = (folder / name).read_bytes()
        (folder / name).unlink()
        machine.check(f"{' '.join(words)}: all streams are closed", machine.run(
            words, folder, stdin=None, stdout=None, stderr=None, closed=[0, 1, 2]), (1,), folder, silent=True)
        machine.report(f"{' '.join(words)}: the file", "" if (folder / name).read_bytes() == right else "is another one")


def check_head(machine, folder):
    """A pipe into `head -1` that breaks in the middle of much output."""
    words = ["hspace", "-t", "cluster.data", "-v", "-v", "-v"]
    for tool_words in (["hbal", "-t", "cluster.data", "-C"], words):
        running = machine.start(tool_words, folder, stdout=(pipe := os.pipe())[1])
        os.close(pipe[1])
        os.read(pipe[0], 1)
        os.close(pipe[0])
        outcome = running.end()
        machine.check(f"{' '.join(tool_words)} | head -1", outcome, (0, 1), silent=outcome.words[0] == "hbal")


def check_streams(machine):
    folder = machine.folder()
    Cluster(12, 200).save(folder)
    check_output(machine, folder)
    check_others(machine, folder)
    check_saving(machine, folder)
    check_head(machine, folder)
