"""Signals in the middle of work: what has been printed is the beginning of the whole, files are complete or absent."""

import os
import signal
import time

from clusters import Cluster
from machine import left_behind

BALANCE = ["hbal", "-t", "cluster.data", "-e", "0", "-g", "0", "-l", "40", "-Cscript", "-S", "state"]
ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)
MOMENTS = ((0.05, 1), (0.4, 2), (0.8, 1))  # parts of the time of a whole run, and how often the signal comes


def interrupted(machine, words, folder, number, wait, times=1, **how):
    running = machine.start(words, folder, **how)
    wait(running)
    for _ in range(times):
        os.kill(running.process.pid, number)  # it is a child until end() has waited for it
    return running.end()


def check_balancing(machine):
    folder = machine.folder()
    (folder / "cluster.data").write_text(Cluster(600, 6000, per_group=600).text(), encoding="utf-8")
    whole = machine.run(BALANCE, folder)
    machine.check("hbal: the whole run", whole, (0,))
    for number in ENDING:
        for moment, times in MOMENTS:
            title = f"hbal: {number.name} after {moment} of the time, {times} times"
            outcome = interrupted(machine, BALANCE, folder, number,
                                  lambda _, part=moment: time.sleep(part * whole.seconds), times)
            machine.check(title, outcome, (0, -number), folder)
            lines = outcome.out if outcome.status else whole.out
            right = whole.out.startswith(lines) and (not lines or lines.endswith(b"\n"))
            machine.report(f"{title}: what is printed", "" if right else f"{outcome}")
            check_saved(machine, title, folder, ("script", "state.original", "state.balanced"))

    def ignored_meanwhile(running, number):
        while not running.ignores(number) and not running.has_ended():
            pass
        time.sleep(0.3 * whole.seconds)

    for number in (signal.SIGPIPE, signal.SIGXFSZ):
        outcome = interrupted(machine, BALANCE, folder, number, lambda running, n=number: ignored_meanwhile(running, n))
        machine.report(f"hbal: {number.name} has no influence",
                       "" if (outcome.status, outcome.out) == (0, whole.out) else f"{outcome}")
    words = ["nohup", str(machine.tool_dir / "hbal"), *BALANCE[1:]]
    outcome = interrupted(machine, words, folder, signal.SIGHUP, lambda running: ignored_meanwhile(running, signal.SIGHUP),
                          program="/usr/bin/nohup")
    machine.report("hbal: SIGHUP under nohup", "" if (outcome.status, outcome.out) == (0, whole.out) else f"{outcome}")


def check_saved(machine, title, folder, names):
    """Files are complete, or not there; they are removed for the next time."""
    for path in (folder / name for name in names):
        if path.exists():
            content = path.read_bytes()
            complete = content.endswith(b"\n") and (path.name == "script" or content.count(b"\n\n") >= 2)
            machine.report(f"{title}: {path.name}", "" if complete else f"ends with {content[-100:]!r}")
            path.unlink()


def check_saving(machine):
    """A signal comes exactly while a file is being written."""
    folder = machine.folder()
    Cluster(100, 20000).save(folder)
    for words, name in ((["hbal", "-t", "cluster.data", "-l", "0", "-S", "state"], "state.original"),
                        (["hroller", "-t", "cluster.data", "-S", "state"], "state.original"),
                        (["hail", "request.json", "-S", "state"], "state.pre-ialloc"),
                        (["hscan", "file://."], "file:__..data")):
        complete = machine.run(words, folder)
        machine.check(f"{' '.join(words)}: undisturbed", complete, (0,))
        content = (folder / name).read_bytes()
        for number in ENDING if words[0] == "hbal" else ENDING[:2]:
            caught = check_caught(machine, words, folder, folder / name, content, number)
            if not caught:
                machine.skip(f"{' '.join(words)}: {number.name} while a file is written", "never caught in the act")


def check_caught(machine, words, folder, path, content, number, attempts=5):
    """Waits for the temporary file, sends the signal, and looks at what is left."""
    for _ in range(attempts):
        path.write_bytes(b"old")
        caught = []
        outcome = interrupted(machine, words, folder, number, lambda running: caught.extend(watch(folder, running)))
        title = f"{' '.join(words)}: {number.name} while a file is written"
        if not machine.check(title, outcome, (0, -number), folder):
            return True
        now = path.read_bytes()
        machine.report(f"{title}: the file", "" if now in (b"old", content) else f"{len(now)} of {len(content)} bytes")
        if caught and outcome.status == -number:
            return True
    return False


def watch(folder, running):
    """Until there is a temporary file, or the tool ends."""
    while not (found := left_behind(folder)) and not running.has_ended():
        pass
    return found


def check_signals(machine):
    check_balancing(machine)
    check_saving(machine)
