"""Hostile environments and argument lists."""

import ctypes
import os

from clusters import Cluster

VARIABLES = [
    {"LC_ALL": "garbage", "LANG": "\udcff", "LANGUAGE": "x" * 100000}, {"LC_ALL": "tr_TR.UTF-8"},
    {"LC_NUMERIC": "de_DE.UTF-8", "LC_ALL": "de_DE.UTF-8"}, {"TZ": "garbage" * 1000}, {"TZ": ":/dev/zero"},
    {"TZ": "../../../etc/passwd"}, {"TERM": "x" * 10000, "COLUMNS": "-1", "LINES": "999999999999999999999"},
    {"COLUMNS": "0"}, {"TMPDIR": "/nonexistent"}, {"GANETI_ROOTDIR": "x" * 100000}, {"http_proxy": "://:@:"},
    {"MALLOC_ARENA_MAX": "x", "POSIXLY_CORRECT": "1"}, {"SSLKEYLOGFILE": "keys"},
]
COMMANDS = [["hinfo", "-t", "cluster.data", "-p"], ["hbal", "-t", "cluster.data", "-C"], ["hspace", "-t", "cluster.data"],
            ["hail", "request.json"], ["hscan", "file://."], ["hbal", "--help"]]


def check_variables(machine, folder):
    for words in COMMANDS:
        usual = machine.run(words, folder)
        for variables in [*VARIABLES, None]:
            environment = {} if variables is None else {**machine.environment, **variables}
            outcome = machine.run(words, folder, env=environment)
            same = (outcome.status, outcome.out, outcome.err) == (usual.status, usual.out, usual.err)
            machine.report(f"{' '.join(words)}: with {str(variables or 'no variable at all')[:60]}", "" if same else f"{outcome}")
    for words in (["hbal", "-L"], ["harep"], ["hscan"]):
        for root in ("", "x" * 100000, "/dev/null", "\udcff"):
            outcome = machine.run(words, folder, env={**machine.environment, "GANETI_ROOTDIR": root})
            machine.check(f"{words[0]}: GANETI_ROOTDIR={root[:20]!r}", outcome, (1,))


def check_roles(machine, folder):
    """The name of the program and $HTOOLS."""
    for role in ("", " ", "x" * 100000, "hbal ", "hbal\n", "../hbal", "\udcff", "hbla"):
        outcome = machine.run(["hbal", "--version"], folder, env={**machine.environment, "HTOOLS": role})
        machine.check(f"HTOOLS={role[:20]!r}", outcome, (1,), says="Unrecognised personality")
    for name in ("", "/", "x" * 100000, "/usr/bin/", "\udcff"):
        outcome = machine.run([name, "--version"], folder, program=machine.tool_dir / "hbal")
        machine.check(f"the program is called {name[:20]!r}", outcome, (1,), says="Unrecognised personality")
    path = str(machine.tool_dir / "hbal").encode()
    child = os.fork()
    if child == 0:  # no words at all, not even a name; Python does not offer that
        os.dup2(os.open(folder / "said", os.O_WRONLY | os.O_CREAT), 2)
        ctypes.CDLL(None).execve(path, (ctypes.c_char_p * 1)(None), (ctypes.c_char_p * 1)(None))
        os._exit(99)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    said = (folder / "said").read_bytes()
    machine.report("no words at all", "" if status == 1 and b"Unrecognised personality" in said else f"{status}: {said}")


def check_arguments(machine, folder):
    for title, words, status in (
            ("many options", ["hbal", "-t", "cluster.data", *["-v", "-q"] * 40000], 0),
            ("many nodes", ["hbal", "-t", "cluster.data", *["-O", "node1"] * 30000], 0),
            ("many unknown nodes", ["hbal", "-t", "cluster.data", *["-O", "nothing"] * 30000], 1),
            ("many unknown options", ["hbal", *["--nothing"] * 60000], 2),
            ("many words", ["hbal", *["word"] * 60000], 1), ("many -", ["hail", *["-"] * 60000], 1),
            ("many clusters", ["hscan", *["file:///nonexistent"] * 20000], 2),
            ("many groups", ["hspace", *["--simulate", "p,1,1g,1g,1"] * 2000, "-l", "1"], 0)):
        outcome = machine.run(words, folder, stdin=None)
        machine.check(title, outcome, (status,), most_mib=400)


def check_environment(machine):
    folder = machine.folder()
    Cluster(12, 200).save(folder)
    check_variables(machine, folder)
    check_roles(machine, folder)
    check_arguments(machine, folder)
