"""Random command lines for hbal, the balancer."""

import loads
from line_builder import LineBuilder
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

FEATURES = ("group", "wrong_group", "limit", "min_score", "min_gain",
            "gain_limit", "evacuation", "restricted", "no_disk_moves",
            "no_instance_moves", "ignoring", "offline", "max_cpu", "min_disk",
            "select", "exclude", "extra_tags", "utilisation", "no_utilisation",
            "monitoring", "print", "print_instances", "commands",
            "first_group", "execute", "verbose", "save", "broken")

UTILISATION_FILE = "load.util"
MONITORING_FILE = "mond.json"

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
    return [_Line(rng, cluster).build() for _ in range(rng.choice((2, 2, 3)))]


class _Line(LineBuilder):
    """Builds one command line."""

    def __init__(self, rng, cluster):
        super().__init__(rng, cluster, LONG_NAMES)
        # Many options at once tend to leave nothing to do.
        self.plenty = rng.choice((0.3, 0.7, 1, 1, 1.6))

    def build(self):
        has_file = self.rng.random() < 0.995
        if has_file:
            self.add_valued("text-data", CLUSTER_FILE, "t")
        self._group()
        self._search()
        self._moves()
        self._nodes()
        self._instances()
        self._utilisation()
        self._monitoring()
        self._output()
        self._execution()
        if has_file and self.maybe(0.04, "broken"):
            self.add(*self.rng.choice(_BROKEN))
        return self.finish()

    def _often(self, probability, feature):
        return self.maybe(probability * self.plenty, feature)

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

    def _search(self):
        rng = self.rng
        if self._often(0.2, "limit"):
            value = rng.choice((0, 1, 1, 2, 3, 4, 5, 7, 10, 20, -1, -5))
            self.add_valued("max-length", str(value), "l")
        if self._often(0.08, "min_score"):
            value = rng.choice(("0", "1e-9", "0.01", "0.5", "1", "2.5", "5",
                                "12345678", "-1", "-10", "NaN", "Infinity",
                                " 1", "1e-300", "123456.7890125"))
            self.add_valued("min-score", value, "e")
        if self._often(0.15, "min_gain"):
            value = rng.choice(("0", "0.001", "0.01", "0.05", "0.2", "1", "3",
                                "-1", "1e-12", "NaN", "Infinity"))
            self.add_valued("min-gain", value, "g")
        if self._often(0.15, "gain_limit"):
            value = rng.choice(("0", "0.1", "0.5", "1", "2", "5", "10", "100",
                                "-1", "NaN", "Infinity", "1e9"))
            self.add_valued("min-gain-limit", value)

    def _moves(self):
        if self._often(0.12, "evacuation"):
            self.add_flag("evac-mode", "E")
        if self._often(0.12, "restricted"):
            self.add_flag("restricted-migration")
        if self._often(0.10, "no_disk_moves"):
            self.add_flag("no-disk-moves")
        if self._often(0.10, "no_instance_moves"):
            self.add_flag("no-instance-moves")
        if self._often(0.18, "ignoring"):
            self.add_flag("ignore-soft-errors")

    def _nodes(self):
        rng, names = self.rng, [n.name for n in self.cluster.nodes]
        evacuating = "evacuation" in self.features
        if self._often(0.5 if evacuating else 0.15, "offline"):
            if rng.random() < 0.07:
                for name in names:
                    self.add_valued("offline", name, "O")
            elif rng.random() < 0.8 and names:
                for name in rng.sample(names, min(len(names),
                                                  rng.choice((1, 1, 1, 2)))):
                    self.add_valued("offline", name, "O")
            else:
                self.add(*self.writer.offline(names))
        if self._often(0.1, "max_cpu"):
            value = rng.choice(("0.5", "1", "1.5", "2", "3", "4.0", "6", "8",
                                "1e1", "64", "NaN", "Infinity"))
            self.add_valued("max-cpu", value)
        if self._often(0.1, "min_disk"):
            value = rng.choice(("0", "0.05", "0.1", "0.15", "0.2", "0.25",
                                "0.4", "0.5", "0.9", "2", "-1", "1e-1"))
            self.add_valued("min-disk", value)
        if rng.random() < 0.02:
            self.add_valued("static-kvm-node-memory",
                            rng.choice(("0", "100", "-1")))

    def _instances(self):
        rng = self.rng
        if self._often(0.1, "select"):
            self.add_valued("select-instances", self._some_instances(
                rng.choice((0.1, 0.5, 0.9))))
        if self._often(0.1, "exclude"):
            self.add_valued("exclude-instances", self._some_instances(
                rng.choice((0.1, 0.5, 0.9))))
        if self._often(0.12, "extra_tags"):
            self.add_valued("exclusion-tags", rng.choice((
                "srv", "db", "rack", "srv,db", "db,srv,power", "d", "", "srv:",
                "nosuch", ",", "srv,srv")))

    def _some_instances(self, share):
        """Names for a list, sometimes short, rarely wrong."""
        rng = self.rng
        names = [i.name for i in self.cluster.instances
                 if rng.random() < share and "," not in i.name]
        if rng.random() < 0.2:
            names = [name.split(".")[0] for name in names]
        if rng.random() < 0.06:
            names.insert(rng.randint(0, len(names)), rng.choice(
                ("nosuch", "", "inst", "inst0.", "INST1", "inst1")))
        rng.shuffle(names)
        return ",".join(names)

    def _utilisation(self):
        if self._often(0.3, "utilisation"):
            self.files[UTILISATION_FILE] = loads.utilisation(
                self.rng, self.cluster.instances)
            self.add_valued("dynu-file", UTILISATION_FILE, "U")
        if self._often(0.07, "no_utilisation"):
            self.add_flag("ignore-dynu")

    def _monitoring(self):
        """Monitoring data, always from a file: no line uses the network."""
        rng = self.rng
        if not self._often(0.12, "monitoring"):
            return
        xen = rng.random() < 0.4
        self.files[MONITORING_FILE] = loads.monitoring(rng, self.cluster, xen)
        self.add_valued("mond-data", MONITORING_FILE)
        if rng.random() < 0.95:
            self.add(rng.choice(("--mond", "--mond", "--mond=yes")))
        if rng.random() < 0.03:
            self.add("--mond=no")
        if xen != (rng.random() < 0.05):
            self.add_flag("mond-xen")
        if rng.random() < 0.2:
            self.add_flag("exit-on-missing-mond-data")

    def _output(self):
        rng = self.rng
        if self._often(0.3, "print"):
            self.add(*self.writer.print_nodes())
        if self._often(0.12, "print_instances"):
            self.add_flag("print-instances")
        if self._often(0.3, "commands"):
            self.add(rng.choice(("-C", "--print-commands"))
                     if rng.random() < 0.4 else
                     rng.choice(("-Crun.sh", "--print-commands=run.sh", "-C-",
                                 "--print-commands=-", "-C./run.sh")))
        if self._often(0.3, "save"):
            prefix = rng.choice(["out"] * 25 + ["state.1", "", "missing/out"])
            self.add_valued("save", prefix, "S")
        self.verbosity()

    def _execution(self):
        if self._often(0.25 if "commands" in self.features else 0.03,
                       "first_group"):
            self.add_flag("first-job-group")
        if self._often(0.04, "execute"):
            self.add_flag("exec", "X")
        if self.rng.random() < 0.03:
            self.add_valued("reason", self.rng.choice(("", "test", "a b")))
        if self.rng.random() < 0.03:
            self.add_valued("priority",
                            self.rng.choice(("low", "normal", "high")))
