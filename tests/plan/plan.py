#!/usr/bin/env python3
"""Checks that a script of commands leads from one saved state of a cluster to another.

Usage: plan.py PREFIX.original SCRIPT PREFIX.balanced

hbal writes the three files with -S and -C. A shell runs the script with a stand-in for gnt-instance, which only prints
its arguments. The commands are then applied to the first state, one after the other. The result must be the second
state: the nodes of the instances, and the free memory and disk of the nodes. Jobs of one set must not share nodes.
The scripts of hplan ask where instances are; the stand-in applies commands as they come.

Exit status: 0 if all of this holds, 1 otherwise.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from stand_ins import StandIns  # noqa: E402

EXTERNAL = {"diskless", "sharedfile", "blockdev", "rbd", "ext", "gluster"}
RUNNING = {"running", "ERROR_up"}
USES_MEMORY = RUNNING | {"ERROR_nodedown", "ERROR_nodeoffline", "ERROR_wrongnode"}
TOLD = "gnt-instance was asked"
STUB = f"#!/bin/sh\nprintf '{TOLD}'\nprintf '\\t%s' \"$@\"\necho\n"


class PlanError(Exception):
    """A command that cannot be carried out, or a state that is not reached."""


class Instance:
    def __init__(self, fields):
        self.name, self.disk, self.status, self.template = fields[0], int(fields[2]), fields[4], fields[8]
        self.primary, self.secondary = fields[6], fields[7]
        self.forthcoming = fields[12] == "Y"
        self.used_memory = int(fields[1]) if fields[4] in USES_MEMORY and not self.forthcoming else 0
        self.constant = fields[:6] + fields[8:]  # what no move changes
        self.has_new_disks = False  # and has not been started since

    def nodes(self):
        return {n for n in (self.primary, self.secondary) if n}


class Node:
    def __init__(self, fields):
        self.name, self.free_memory, self.free_disk = fields[0], int(fields[3]), int(fields[5])
        self.offline = fields[7] == "Y"
        self.constant = fields[:3] + fields[4:5] + fields[6:7] + fields[8:12] + fields[13:]  # also without role and free spindles


class State:
    """The nodes and instances of a saved state, by their names."""

    def __init__(self, text, fails_over=False):
        self.fails_over = fails_over  # off nodes that are offline, as hplan does; hbal migrates, as the reference does
        _, nodes, instances = text.split("\n\n")[:3]
        self.nodes = {n.name: n for n in (Node(line.split("|")) for line in nodes.splitlines())}
        self.instances = {i.name: i for i in (Instance(line.split("|")) for line in instances.splitlines())}

    def listing(self):
        """What gnt-instance lists of names, primary and secondary nodes."""
        return "".join(f"{i.name}|{i.primary}|{i.secondary}\n" for i in self.instances.values())

    def status(self, name):
        """What gnt-instance says of an instance that is to run."""
        return "ERROR_down\n" if self.instances[full_name(self.instances, name)].has_new_disks else "running\n"

    def run(self, words):
        """Do what gnt-instance does for these words; returns the instance."""
        action, *words = words
        target = None
        if action == "recreate-disks":
            return self.recreate_disks(*words)
        if action == "start":
            return self.start(*words)
        if action in ("migrate", "failover"):
            if words.pop(0) != "-f":
                raise PlanError(f"{action} would ask whether it may")
        elif action != "replace-disks":
            raise PlanError(f"unknown command {action}")
        if words[0] == "-n":
            target = full_name(self.nodes, words[1])
            words = words[2:]
        if len(words) != 1:
            raise PlanError(f"{action}: not one instance, but {words}")
        instance = self.instances[full_name(self.instances, words[0])]
        if target in instance.nodes():
            raise PlanError(f"{action} of {instance.name}: {target} is one of its nodes already")
        if action == "replace-disks":
            self.replace_secondary(instance, target)
        else:
            self.nodes[instance.primary].free_memory += instance.used_memory
            runs = instance.status in RUNNING and not (self.fails_over and self.nodes[instance.primary].offline)
            change_primary(instance, action, target, runs)
            self.nodes[instance.primary].free_memory -= instance.used_memory
        return instance

    def recreate_disks(self, option, nodes, name):
        instance, places = self.instances[full_name(self.instances, name)], [full_name(self.nodes, n) for n in nodes.split(":")]
        if option != "-n" or len(places) != len(instance.nodes()) or not self.nodes[instance.primary].offline:
            raise PlanError(f"recreate-disks {option} {nodes} {name}")
        if any(self.nodes[n].offline for n in places):
            raise PlanError(f"recreate-disks of {name} on {nodes}, where a node is offline")
        for sign, here in ((1, instance.nodes()), (-1, places)):
            for node in here:
                self.nodes[node].free_disk += sign * instance.disk
        self.nodes[instance.primary].free_memory += instance.used_memory
        instance.primary, instance.secondary = places[0], places[1] if len(places) > 1 else instance.secondary
        self.nodes[instance.primary].free_memory -= instance.used_memory
        instance.has_new_disks = instance.status in USES_MEMORY
        return instance

    def start(self, name):
        instance = self.instances[full_name(self.instances, name)]
        if not instance.has_new_disks:
            raise PlanError(f"start of {name}, which has no new disks or does not run")
        instance.has_new_disks = False
        return instance

    def replace_secondary(self, instance, target):
        if instance.template != "drbd" or target is None:
            raise PlanError(f"replace-disks of {instance.name}, {instance.template}, to {target}")
        if not instance.forthcoming:
            self.nodes[instance.secondary].free_disk += instance.disk
            self.nodes[target].free_disk -= instance.disk
        instance.secondary = target


def change_primary(instance, action, target, runs):
    if (action == "migrate") != runs:
        raise PlanError(f"{action} of {instance.name}, which {'runs' if runs else 'does not run'}")
    if target is None and instance.template == "drbd":
        instance.primary, instance.secondary = instance.secondary, instance.primary
    elif target is not None and instance.template in EXTERNAL:
        instance.primary = target
    else:
        raise PlanError(f"{action} of {instance.name}, {instance.template}, to {target}")


def full_name(names, key):
    """The name that is meant: the key itself, or the one that goes on with a dot."""
    found = [key] if key in names else [n for n in names if n.startswith(key + ".")]
    if len(found) != 1:
        raise PlanError(f"{key} may be any of {found}")
    return found[0]


def executed(script):
    """What a shell prints when it runs the script: jobs are announced, commands are told."""
    with tempfile.TemporaryDirectory(prefix="plan-") as directory:
        stub = pathlib.Path(directory) / "gnt-instance"
        stub.write_text(STUB)
        stub.chmod(0o755)
        done = subprocess.run(["/bin/sh", str(script)], env={"PATH": directory}, stdin=subprocess.DEVNULL,
                              capture_output=True, check=False)
    if done.returncode or done.stderr:
        raise PlanError(f"the script ends with status {done.returncode}: {done.stderr.decode()}")
    return done.stdout.decode().splitlines()


class Jobs:
    """Jobs as they are announced: consecutive numbers, as many as promised, no shared nodes within a set."""

    def __init__(self):
        self.set = self.job = self.promised = 0
        self.others, self.own = set(), set()

    def announce(self, line):
        if match := re.fullmatch(r"jobset (\d+), (\d+) jobs", line):
            self.end_set()
            self.expect(int(match[1]) == self.set + 1, line)
            self.set, self.job, self.promised = self.set + 1, 0, int(match[2])
            self.others, self.own = set(), set()
        elif match := re.fullmatch(r"job (\d+)/(\d+)", line):
            self.expect((int(match[1]), int(match[2])) == (self.set, self.job + 1), line)
            self.job += 1
            self.others |= self.own
            self.own = set()
        else:
            self.expect(False, line)

    def use(self, nodes):
        self.expect(self.job > 0, "a command outside of jobs")
        self.own |= nodes
        self.expect(not self.own & self.others, f"jobs share nodes: {sorted(self.own & self.others)}")

    def end_set(self):
        self.expect(self.job == self.promised, f"{self.promised} jobs were promised")

    def expect(self, holds, what):
        if not holds:
            raise PlanError(f"set {self.set}, job {self.job}: {what}")


def carry_out(state, lines):
    """Do to the state what the lines tell. Returns the number of commands."""
    jobs, commands = Jobs(), 0
    for line in lines:
        if not line.startswith(TOLD):
            jobs.announce(line)
            continue
        words = line.split("\t")[1:]
        instance = state.instances[full_name(state.instances, words[-1])]
        before = instance.nodes()
        state.run(words)
        jobs.use(before | instance.nodes())
        commands += 1
    jobs.end_set()
    return commands


def compare(reached, wanted):
    """The wanted state may be a part of the cluster: a node group."""
    differences = []
    for name, node in wanted.nodes.items():
        other = reached.nodes[name]
        if (other.free_memory, other.free_disk, other.constant) != (node.free_memory, node.free_disk, node.constant):
            differences.append(f"node {name}: free memory {other.free_memory}, not {node.free_memory}, free disk "
                               f"{other.free_disk}, not {node.free_disk}, or another field")
    here = {name for name, i in reached.instances.items() if i.primary in wanted.nodes}
    if here != set(wanted.instances):
        differences.append(f"instances that are not in both: {sorted(here ^ set(wanted.instances))}")
    for name in sorted(here & set(wanted.instances)):
        one, other = reached.instances[name], wanted.instances[name]
        if (one.primary, one.secondary, one.constant) != (other.primary, other.secondary, other.constant):
            differences.append(f"{name} is on {one.primary}:{one.secondary}, not {other.primary}:{other.secondary}, or "
                               "another field")
    differences += [f"{i.name} has new disks and was not started" for i in reached.instances.values() if i.has_new_disks]
    if differences:
        raise PlanError("\n".join(differences))


class AtOnce:
    """Ganeti, which makes each move as soon as it is asked for it."""

    def __init__(self, state):
        self.state, self.commands, self.errors = state, 0, []

    def call(self, call):
        if call.words[1] == "list":
            call.answer(0, self.state.status(call.words[-1]) if "status" in call.words else self.state.listing())
            return
        try:
            self.state.run(call.words[1:])
            self.commands += 1
            call.answer()
        except PlanError as error:
            self.errors.append(str(error))
            call.answer(1)

    def say(self, line):
        pass

    def pause(self):
        pass


def run_waves(state, script):
    """Run a script of hplan; returns the number of commands."""
    ganeti = AtOnce(state)
    with tempfile.TemporaryDirectory(prefix="plan-") as directory:
        done = StandIns(pathlib.Path(directory), ["gnt-instance"]).run(script, ganeti)
    if ganeti.errors or done.status or done.errors:
        raise PlanError(f"{ganeti.errors}: the script ends with status {done.status}: {done.errors}{done.output}")
    return ganeti.commands


def check(original, script, balanced, is_of_hplan=False):
    """Raises PlanError, or returns the number of commands."""
    state = State(original.read_text(encoding="utf-8"), fails_over=is_of_hplan)
    commands = run_waves(state, script.resolve()) if is_of_hplan else carry_out(state, executed(script))
    compare(state, State(balanced.read_text(encoding="utf-8")))
    return commands


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__.strip())
    try:
        print(f"{check(*map(pathlib.Path, sys.argv[1:]))} commands lead from the first state to the second")
    except PlanError as error:
        sys.exit(f"plan.py: {error}")


if __name__ == "__main__":
    main()
