"""Tools that act: they submit jobs, which Ganeti carries out. Done once with the reference's tools, once with ours, from
the same state; they must say and do the same.
"""

import contextlib
import re

from plans import Plans
from scenario import RESERVED, new_instance
from sources import LUXI, difference

SHARED_DIRECTORY = "/srv/ganeti/shared-file-storage"
TEMPLATES = "drbd,diskless,plain"  # of the cluster
SHARED = ("-t", "sharedfile", "--disk", "0:size=128m")
HOME = "node1"  # of all instances in the beginning
MOVABLE = ("s1", "s2", "s3", "s4")
STANDBY = "htools:standby:auto"
REPAIR = "ganeti:watcher:autorepair:"
BALANCE = ("hbal", "-X", "-C", "-pname,pcnt", "--reason=a test", "--priority=high")


def masked(text):
    """Without numbers of jobs, points in time, and random names."""
    text = re.sub(r"(Got job IDs) [0-9,]+", r"\1 N", text)
    text = re.sub(r"fromJobId = \d+", "fromJobId = N", text)
    return re.sub(r"(:[-a-z]+):[-0-9a-f]{36}:\d+((?::[a-z]+)?):[0-9+]*", r"\1:ID:TIME\2:JOBS", text)


class Jobs:
    def __init__(self, cluster, theirs, report):
        self.cluster, self.report = cluster, report
        self.ours, self.theirs = cluster.tools(), theirs

    def run(self):
        """The cluster is empty, before and afterwards."""
        with self._shared_instances():
            self._both("hbal moves instances", self._move_home, BALANCE, moves=True)
            self._move_home()
            with self._lost_disks("s1"):
                self._both("a move fails", self._nothing, BALANCE, status=1)
            with self._drained_queue():
                self._both("no jobs are accepted", self._nothing, BALANCE, status=1)
            self._both("hsqueeze switches nodes off", self._switch_on, ("hsqueeze", "-X", "-v"))
            self._switch_on()
            Plans(self.cluster, self.report, self._move_home).run()
        self._both("harep says what it would repair", self._break, ("harep", "--dry-run"))
        self._both("harep repairs", self._break, ("harep", "--job-delay=0"), ("harep",), moves=True)
        self._remove_all()

    def _both(self, title, prepare, *commands, status=0, moves=False):
        """`status`: of the last command. `moves`: instances are elsewhere in the end."""
        theirs, ours = (self._outcome(directory, prepare, commands) for directory in (self.theirs, self.ours))
        problem = difference(theirs, ours) or difference(status, ours["answers"][-1][1])
        if not problem and moves and ours["before"] == ours["after"]:
            problem = "the instances stay where they are"
        self.report(f"{title}: as with the reference's", problem)

    def _outcome(self, directory, prepare, commands):
        """What is said and done."""
        cluster = self.cluster
        prepare()
        before, earlier = cluster.placements(), len(cluster.jobs())
        answers = []
        for tool, *words in commands:
            answer = cluster.answer(directory / tool, *LUXI, *words)
            answers.append((masked(answer.text), answer.status, masked(answer.errors)))
            cluster.wait_for_jobs()
        return {"answers": answers, "before": before, "after": cluster.placements(), "marks": masked(str(cluster.marks())),
                "jobs": cluster.jobs()[earlier:]}

    @contextlib.contextmanager
    def _shared_instances(self):
        """Instances that run, and whose disks all nodes reach."""
        cluster = self.cluster
        cluster.allow_shared_files(SHARED_DIRECTORY)
        self._allow_templates(f"{TEMPLATES},sharedfile")
        for name in MOVABLE:
            cluster.set_up(*new_instance(name, "-B", "memory=1024", template=SHARED, choose=("-n", HOME)))
        yield
        for name in MOVABLE:
            cluster.set_up("gnt-instance", "remove", "-f", name)
        self._allow_templates(TEMPLATES)

    def _allow_templates(self, templates):
        self.cluster.set_up("gnt-cluster", "modify", f"--enabled-disk-templates={templates}",
                            f"--ipolicy-disk-templates={templates}", f"--shared-file-storage-dir={SHARED_DIRECTORY}")

    def _move_home(self):
        for name, (node, *_) in self.cluster.placements().items():
            if node != HOME:
                self.cluster.set_up("gnt-instance", "migrate", "-f", "-n", HOME, name)

    def _switch_on(self):
        for node, (tags, offline) in self.cluster.marks()["nodes"].items():
            if offline == "Y":
                self.cluster.set_up("gnt-node", "modify", "-f", "--offline=no", node)
            if tags:
                self.cluster.set_up("gnt-node", "remove-tags", node, STANDBY)
        self._move_home()

    @contextlib.contextmanager
    def _lost_disks(self, name):
        disks = self.cluster.shared_files(SHARED_DIRECTORY) / name
        hidden = disks.with_name(f"{name}-hidden")
        disks.rename(hidden)
        yield
        hidden.rename(disks)

    @contextlib.contextmanager
    def _drained_queue(self):
        self.cluster.set_up("gnt-cluster", "queue", "drain")
        yield
        self.cluster.set_up("gnt-cluster", "queue", "undrain")

    def _nothing(self):
        pass

    def _remove_all(self):
        self.cluster.set_up("gnt-node", "modify", "-f", "--offline=no", "node2")
        for name in self.cluster.placements():
            self.cluster.set_up("gnt-instance", "remove", "-f", name)

    def _break(self):
        """Reserved instances are repaired like others: Ganeti replaces their secondary node."""
        cluster = self.cluster
        self._remove_all()
        for name, allowed in (("db1", "reinstall"), ("db2", "suspend"), ("db3", None)):
            cluster.set_up(*new_instance(name, "-B", "memory=1024", template=RESERVED, choose=("-n", "node1:node2")))
            if allowed:
                cluster.set_up("gnt-instance", "add-tags", name, REPAIR + allowed)
        cluster.set_up("gnt-node", "modify", "--offline=yes", "node2")
