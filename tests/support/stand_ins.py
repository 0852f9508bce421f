"""Runs a script with stand-ins for the programs of a platform, whose calls an object answers.

A stand-in sends its words to this process, and waits for its answer, so that calls that run side by side are seen side
by side. The object decides when a call ends: at once, or when its own clock says so.
"""

import os
import select
import shutil
import signal
import subprocess

# The record of a call goes through the pipe in one piece: the fields end with NUL, and an empty one ends the record.
STAND_IN = r"""#!/bin/sh
reply=DIRECTORY/reply.$$
mkfifo "$reply"
printf '%s\0' "$reply" "${HERE:-here}" "${0##*/}" "$@" '' >DIRECTORY/calls
{
  IFS= read -r status
  while IFS= read -r line; do printf '%s\n' "$line"; done
} <"$reply"
rm "$reply"
exit "$status"
"""
TOOLS = ("mktemp", "mkdir", "rm", "cat", "mkfifo", "sh")
SECONDS = 60  # a script that says and asks nothing for so long hangs


class ScriptError(Exception):
    """A script that does not do what it has to."""


class Call:
    """Words that a stand-in was called with. It waits until it is answered."""

    def __init__(self, fields):
        self.reply, self.where, *self.words = fields

    def answer(self, status=0, text=""):
        with open(self.reply, "w", encoding="utf-8") as pipe:
            pipe.write(f"{status}\n{text}")


class Script:
    """What a script has printed, and its exit status."""

    def __init__(self):
        self.status, self.output, self.errors = None, "", ""


class StandIns:
    """A directory of programs; `others` are further ones, by name, that are no stand-ins."""

    def __init__(self, directory, names, others=None):
        self.directory = directory / "programs"
        self.directory.mkdir()
        os.mkfifo(self.directory / "calls")
        for name, text in {**{name: STAND_IN for name in names}, **(others or {})}.items():
            (self.directory / name).write_text(text.replace("DIRECTORY", str(self.directory)), encoding="utf-8")
            (self.directory / name).chmod(0o755)
        for name in TOOLS:
            (self.directory / name).symlink_to(shutil.which(name))

    def run(self, script, platform):
        """Tells the platform what the script does: call(Call), say(line); after them pause(). Returns a Script."""
        calls = os.open(self.directory / "calls", os.O_RDWR | os.O_NONBLOCK)
        try:
            with subprocess.Popen(["/bin/sh", str(script)], env={"PATH": str(self.directory)}, cwd=self.directory.parent,
                                  stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                  start_new_session=True) as process:
                try:
                    done = self.watch(process, calls, platform)
                except BaseException:
                    os.killpg(process.pid, signal.SIGKILL)
                    raise
                done.status = process.wait()
            return done
        finally:
            os.close(calls)

    def watch(self, process, calls, platform):
        done, open_streams = Script(), {process.stdout.fileno(): b"", process.stderr.fileno(): b""}
        record = b""
        while open_streams:
            ready = select.select([*open_streams, calls], [], [], SECONDS)[0]
            if not ready:
                raise ScriptError(f"the script hangs: {done.output}{done.errors}")
            for stream in [s for s in ready if s != calls]:
                data = os.read(stream, 65536)
                if not data:
                    del open_streams[stream]
                    continue
                *lines, open_streams[stream] = (open_streams[stream] + data).split(b"\n")
                for line in lines:
                    self.hear(done, line.decode() + "\n", stream == process.stdout.fileno(), process.stdin, platform)
            if ready == [calls]:  # what was said before a call is heard before it
                record += os.read(calls, 65536)
                *records, record = record.split(b"\0\0")
                for fields in records:
                    platform.call(Call(fields.decode().split("\0")))
            platform.pause()
        return done

    @staticmethod
    def hear(done, line, is_output, answers, platform):
        if not is_output:
            done.errors += line
            return
        done.output += line
        platform.say(line.rstrip("\n"))
        if line.endswith("Then press Enter.\n"):
            answers.write(b"\n")
            answers.flush()
