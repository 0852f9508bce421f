"""Random command lines for hbal, the balancer."""

from balancer_line import BalancerLine
from options import CLUSTER_FILE

LONG_NAMES = ("print-nodes", "print-instances", "print-commands", "text-data",
              "evac-mode", "restricted-migration", "master", "luxi",
              "ialloc-src", "exec", "first-job-group", "reason", "group",
              "max-length", "verbose", "quiet", "offline",
              "static-kvm-node-memory", "min-score", "max-cpu", "min-disk",
              "min-gain", "min-gain-limit", "no-disk-moves",
              "select-instances", "no-instance-moves", "ignore-soft-errors",
              "dynu-file", "ignore-dynu", "mond", "mond-data",
              "exit-on-missing-mond-data", "mond-xen", "exclusion-tags",
              "exclude-instances", "save", "priority")

FEATURES = ("text", "group", "wrong_group", "limit", "min_score", "min_gain",
            "gain_limit", "evacuation", "restricted", "no_disk_moves",
            "no_instance_moves", "ignoring", "offline", "max_cpu", "min_disk",
            "select", "exclude", "extra_tags", "utilisation", "no_utilisation",
            "monitoring", "print", "print_instances", "commands",
            "first_group", "execute", "verbose", "save", "broken")

_BROKEN = (
    ["--nosuch"], ["-Z"], ["--no"], ["--m"], ["--mi"], ["--ex"], ["--mond-"],
    ["--verbose=1"], ["-l"], ["-vZ"], ["--max-cpu=0"], ["--max-cpu=-1"],
    ["--max-cpu=x"], ["--min-disk=x"], ["--min-disk="], ["-lx"], ["-l", "3y"],
    ["--max-length=1.5"], ["-ex"], ["--min-score="], ["-e.5"], ["-g", "x"],
    ["--min-gain=1e"], ["--min-gain-limit=1,5"], ["--min-gain-limit=+1"],
    ["--priority=urgent"], ["--priority="], ["--mond=maybe"], ["--mond="],
    ["--static-kvm-node-memory=x"], ["-U", "missing.util"], ["-U", "."],
    ["-U", CLUSTER_FILE], ["--mond", "--mond-data", "missing.json"],
    ["extra"], ["--", "-v"], ["--", "x"], ["-"], ["-p", "name"],
    ["-C", "file.sh"], ["--print-nodes", "name"], ["-Cmissing/file.sh"],
    ["-m", "localhost"], ["-L"], ["-L/missing"], ["-t", "missing.data"],
    ["-t", "."], ["-I", "missing.json"], ["--max-length"], ["--offline"],
    ["-G"], ["--group"], ["-O"], ["--select-instances"], ["--exec=yes"],
    ["--print-instances=name"], ["--ignore-dynu=yes"], ["-E1"],
)


def generate(rng, cluster):
    """Return 2-3 command lines for the cluster."""
    return [Line(rng, cluster, LONG_NAMES).build()
            for _ in range(rng.choice((2, 2, 3)))]


class Line(BalancerLine):
    """Builds one command line."""

    def build(self):
        self.source()
        self._group()
        self.search()
        self.moves()
        self.nodes()
        self.instances()
        self.utilisation()
        if self.often(0.12, "monitoring"):
            self.monitoring()
        self._output()
        self._execution()
        self.broken(_BROKEN)
        return self.finish()

    def source(self):
        if self.rng.random() < 0.995:
            self.features.add("text")
            self.add_valued("text-data", CLUSTER_FILE, "t")

    def _group(self):
        rng, groups = self.rng, self.cluster.groups
        filled = [n.group for n in self.cluster.nodes]
        several = len({id(g) for g in filled}) > 1
        if self.maybe(0.93 if several else 0.1, "group"):
            group = rng.choice(filled or groups)
            if several and self.cluster.instances and rng.random() < 0.7:
                group = rng.choice(self.cluster.instances).primary.group
            if rng.random() < (
                    0.3 if "empty_group" in self.cluster.features else 0.05):
                group = groups[-1]  # the empty one, if there is one
            self.add_valued("group", rng.choice((group.name, group.uuid)), "G")
        if self.maybe(0.02, "wrong_group"):
            self.add_valued("group", rng.choice(("nosuch", "", "g", "G0",
                                                 "uuid", "0")), "G")

    def _output(self):
        rng = self.rng
        if self.often(0.3, "print"):
            self.add(*self.writer.print_nodes())
        if self.often(0.12, "print_instances"):
            self.add_flag("print-instances")
        if self.often(0.3, "commands"):
            self.add(rng.choice(("-C", "--print-commands"))
                     if rng.random() < 0.4 else
                     rng.choice(("-Crun.sh", "--print-commands=run.sh", "-C-",
                                 "--print-commands=-", "-C./run.sh")))
        if self.often(0.3, "save"):
            prefix = rng.choice(["out"] * 25 + ["state.1", "", "missing/out"])
            self.add_valued("save", prefix, "S")
        self.verbosity()

    def _execution(self):
        if self.often(0.25 if "commands" in self.features else 0.03,
                       "first_group"):
            self.add_flag("first-job-group")
        if self.often(0.04, "execute"):
            self.add_flag("exec", "X")
        if self.rng.random() < 0.03:
            self.add_valued("reason", self.rng.choice(("", "test", "a b")))
        if self.rng.random() < 0.03:
            self.add_valued("priority",
                            self.rng.choice(("low", "normal", "high")))
