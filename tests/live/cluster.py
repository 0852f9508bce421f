"""A virtual Ganeti cluster, and an iallocator for it that keeps what it is asked and what it answers."""

import dataclasses
import json
import os
import pathlib
import subprocess
import time

VIRTUAL_CLUSTER = pathlib.Path(__file__).resolve().parent / "virtual-cluster"
MASTER = "198.51.100.10"  # the address of its node
TOOLS = ("harep", "hbal", "hcheck", "hinfo", "hplan", "hroller", "hscan", "hspace", "hsqueeze", "hwhy")
ENDED = ("success", "error", "canceled")  # jobs
ALLOCATOR = "htools-hail"  # neither "hail", which is the reference's name, nor a name known to Ganeti

# The tool is a copy: not every directory of the machine can be seen in the cluster.
RECORDER = """#!/bin/sh
call=$(mktemp -d "{directory}/calls/$(date +%s%N)-XXXXXX")
cp "$1" "$call/request"
for word; do printf '%s\\n' "$word"; done | sed 1d >"$call/options"
HTOOLS=hail timeout 60 "{directory}/hail" "$@" >"$call/answer" 2>"$call/errors"
status=$?
echo $status >"$call/status"
cat "$call/errors" >&2
cat "$call/answer"
exit $status
"""



class Impossible(Exception):
    """The machine does not allow a virtual cluster."""


@dataclasses.dataclass
class Answer:
    """Of a program that was run in the cluster."""

    status: int
    text: str
    errors: str


class Call:
    """One run of the iallocator."""

    def __init__(self, directory):
        self.text = (directory / "request").read_bytes()
        self.options = (directory / "options").read_text(encoding="utf-8").splitlines()
        self.status = int((directory / "status").read_text(encoding="utf-8"))
        self.answer = (directory / "answer").read_bytes()
        self.errors = (directory / "errors").read_text(encoding="utf-8")
        self.document = json.loads(self.text)
        self.request = self.document["request"]
        answer = json.loads(self.answer) if self.status == 0 else {}
        self.success, self.info, self.result = (answer.get(key) for key in ("success", "info", "result"))


class Cluster:
    """To be used in a with statement."""

    def __init__(self, directory, hail):
        self.directory, self.hail = directory, hail
        self.environment = os.environ | {"VIRTUAL_CLUSTER": str(directory)}
        self.calls_seen = 0

    def __enter__(self):
        try:
            self._up()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        self._command("down")

    def _up(self):
        done = self._command("up")
        if done.returncode == 77:
            raise Impossible(done.stdout.strip())
        if done.returncode != 0:
            raise RuntimeError(done.stdout)
        self._install_allocator()

    def _command(self, *words):
        return subprocess.run([VIRTUAL_CLUSTER, *words], env=self.environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)

    def _install_allocator(self):
        (self.directory / "calls").mkdir()
        copy = self.directory / "hail"
        copy.write_bytes(self.hail.read_bytes())
        copy.chmod(0o755)
        recorder = self.directory / "recorder"
        recorder.write_text(RECORDER.format(directory=self.directory), encoding="utf-8")
        if self._command("install", str(recorder), ALLOCATOR).returncode != 0:
            raise RuntimeError("the iallocator cannot be installed")

    def tools(self):
        """The directory of our tools in the cluster."""
        directory = self.directory / "tools"
        if not directory.exists():
            directory.mkdir()
            for tool in TOOLS:
                (directory / tool).symlink_to("../hail")  # all tools are one program
        return directory

    def answer(self, *words):
        """Run a program in the cluster."""
        done = subprocess.run([VIRTUAL_CLUSTER, "run", *words], env=self.environment, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, encoding="utf-8", check=False)
        return Answer(done.returncode, done.stdout, done.stderr)

    def run(self, *words):
        """Run a command of Ganeti's. Returns whether it succeeded, and what it printed."""
        done = self._command("run", *words)
        return done.returncode == 0, done.stdout

    def set_up(self, *words):
        """Run a command that must succeed."""
        success, text = self.run(*words)
        if not success:
            raise RuntimeError(f"{' '.join(words)}: {text}")

    def new_calls(self):
        """The runs of the iallocator since the last time that this was asked."""
        directories = sorted((self.directory / "calls").iterdir())
        new = directories[self.calls_seen:]
        self.calls_seen = len(directories)
        return [Call(directory) for directory in new]

    def allow_remote_user(self, name, password):
        """Name a user of the remote API, who may read. Its daemon takes a moment to notice."""
        file = self.directory / "node1" / "var" / "lib" / "ganeti" / "rapi" / "users"
        file.touch(0o644)  # the daemon is not root's
        file.write_text(f"{name} {password} read\n", encoding="utf-8")

    def allow_shared_files(self, directory):
        """Let instances have their disks in a directory that all nodes see."""
        self.shared_files(directory).mkdir(parents=True)
        for node in range(1, 5):
            file = self.directory / f"node{node}" / "etc" / "ganeti" / "file-storage-paths"
            file.write_text(f"{directory}\n", encoding="utf-8")

    def shared_files(self, directory):
        """Where a directory of the cluster below /srv is on this machine."""
        return self.directory / directory.lstrip("/")

    def placements(self):
        """The nodes of all instances, the primary one first."""
        lines = self._list("gnt-instance", "name,pnode,snodes")
        return {name: [n for n in nodes if n] for name, *nodes in lines}

    def node_groups(self):
        """The groups of all nodes."""
        return dict(self._list("gnt-node", "name,group"))

    def marks(self):
        """Tags of nodes and instances, and which nodes are offline."""
        return {"nodes": {name: marks for name, *marks in self._list("gnt-node", "name,tags,offline")},
                "instances": {name: tags for name, *tags in self._list("gnt-instance", "name,tags")}}

    def jobs(self):
        """What all jobs did, in their order, and how they ended."""
        return [job for _, *job in sorted(self._list("gnt-job", "id,status,summary"), key=lambda job: int(job[0]))]

    def wait_for_jobs(self):
        while any(status not in ENDED for status, _ in self.jobs()):
            time.sleep(0.5)

    def _list(self, command, fields):
        _, text = self.run(command, "list", "--no-headers", "--separator=|", "-o", fields)
        return [line.split("|") for line in text.splitlines()]
