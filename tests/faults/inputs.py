"""Files that the tools read: missing, unreadable, endless, and changing meanwhile."""

import os
import resource
import socket
import threading

from clusters import Cluster
from machine import NOBODY

# Every option that reads files, with {} for which.
READERS = [
    ["hinfo", "-t", "{}"], ["hbal", "-t", "{}", "-l", "1"], ["hcheck", "-t", "{}"], ["hroller", "-t", "{}"],
    ["hspace", "-t", "{}", "-l", "1"], ["hsqueeze", "-t", "{}"], ["hail", "{}"], ["hail", "request.json", "-t", "{}"],
    ["hinfo", "-I", "{}"], ["hbal", "-t", "cluster.data", "-U", "{}", "-l", "1"],
    ["hbal", "-t", "cluster.data", "--mond", "--mond-data", "{}", "-l", "1"],
]
LITTLE_MEMORY = 256 << 20
TEXTS, REQUESTS = READERS[:6], [READERS[6], READERS[8]]


class InputFaults:
    def __init__(self, machine):
        self.machine, self.folder = machine, machine.folder()
        Cluster(12, 200).save(self.folder)
        self.user = NOBODY if machine.is_root else None

    def run(self, words, path, **how):
        return self.machine.run([word.replace("{}", str(path)) for word in words], self.folder, **how)

    def fails(self, title, words, path, says="", **how):
        outcome = self.run(words, path, **how)
        self.machine.check(f"{' '.join(words)}: {title}", outcome, (1,), says=says)
        self.machine.report(f"{' '.join(words)}: {title}: nothing is printed", str(outcome) if outcome.out else "")

    def check_all(self):
        folder = self.folder
        (folder / "loop").symlink_to("loop")
        (folder / "unreadable").write_bytes((folder / "cluster.data").read_bytes())
        (folder / "unreadable").chmod(0)
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(str(folder / "socket"))
        for words in READERS:
            for title, path, says in (("no such file", "missing", "No such file"), ("a directory", ".", "directory"),
                                      ("a link to itself", "loop", "symbolic links"), ("a socket", "socket", "socket cannot be opened: "),
                                      ("below a file", "cluster.data/x", "Not a directory")):
                self.fails(title, words, path, says)
            self.fails("an unreadable file", words, "unreadable", "ermission denied", user=self.user)
            if "-U" not in words:  # without a line there is no load
                self.fails("an empty file", words, "/dev/null")
            self.fails("a file that the system makes up", words, "/proc/self/status")
            self.fails("a file that cannot be read", words, "/proc/self/mem", "cannot be read")
            if self.machine.memory_limits:
                self.fails("endless input and little memory", words, "/dev/zero", "out of memory",
                           limits=[(resource.RLIMIT_AS, LITTLE_MEMORY)])
        for words in (["hail", "-"], ["hinfo", "-I", "-"]):
            if self.machine.memory_limits:
                with open("/dev/zero", "rb") as endless:
                    self.fails("endless input", words, "", "out of memory",
                               limits=[(resource.RLIMIT_AS, LITTLE_MEMORY)], stdin=endless)
            self.fails("closed input", words, "", "<stdin>", stdin=None, closed=[0])
            with open(os.devnull, "wb") as write_only:
                self.fails("input that is open for writing only", words, "", "<stdin>", stdin=write_only)
        self.check_pipes()
        self.check_changing()

    def check_pipes(self):
        """A pipe that ends midway is a file that ends midway."""
        path = self.folder / "pipe"
        os.mkfifo(path)
        cut = self.folder / "cut"
        for words, name in [(w, "cluster.data") for w in TEXTS] + [(w, "request.json") for w in REQUESTS]:
            content = (self.folder / name).read_bytes()
            for end in (len(content), len(content) // 3, len(content) * 2 // 3, 0):
                cut.write_bytes(content[:end])
                writer = threading.Thread(target=path.write_bytes, args=(content[:end],))
                writer.start()
                piped = self.run(words, path)
                writer.join(timeout=10)
                whole = self.run(words, cut)
                same = (piped.status, piped.out) == (whole.status, whole.out) and \
                    piped.message.replace(str(path), "X") == whole.message.replace(str(cut), "X")
                title = f"{' '.join(words)}: a pipe with {end} of {len(content)} bytes"
                self.machine.check(title, piped)
                self.machine.report(f"{title}: the same as a file", "" if same else f"{piped}\n    {whole}")

    def check_changing(self):
        """Somebody writes while a tool reads: whatever is read, there is an answer or an error."""
        for words, name in [(w, "cluster.data") for w in TEXTS] + [(w, "request.json") for w in REQUESTS]:
            for title, change in (("grows", grow), ("is cut and written anew", rewrite), ("comes and goes", replace)):
                path = self.folder / "changing"
                content = (self.folder / name).read_bytes()
                path.write_bytes(content)
                done = threading.Event()
                writer = threading.Thread(target=change, args=(path, content, done))
                writer.start()
                outcomes = [self.run(words, path) for _ in range(5)]
                done.set()
                writer.join()
                for outcome in outcomes:
                    self.machine.check(f"{' '.join(words)}: a file that {title}", outcome)


def grow(path, content, done):
    with open(path, "ab") as file:
        while not done.wait(0.0005) and file.tell() < 50 << 20:
            file.write(content[len(content) // 2:])
            file.flush()


def rewrite(path, content, done):
    while not done.wait(0.0002):
        with open(path, "wb") as file:
            file.write(content[:len(content) // 2])
            file.flush()
            file.write(content[len(content) // 2:])


def replace(path, content, done):
    while not done.wait(0.0002):
        path.unlink()
        path.write_bytes(content)


def check_inputs(machine):
    InputFaults(machine).check_all()
