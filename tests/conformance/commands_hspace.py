"""Random command lines for hspace, the capacity simulator."""

from cluster_text import TEMPLATES
from line_builder import LineBuilder
from options import CLUSTER_FILE

LONG_NAMES = ("print-nodes", "text-data", "disk-template", "spindle-use",
              "simulate", "master", "luxi", "ialloc-src", "verbose", "quiet",
              "independent-groups", "accept-existing-errors", "offline",
              "no-capacity-checks", "machine-readable", "max-cpu",
              "max-length", "min-disk", "standard-alloc", "tiered-alloc",
              "save", "static-kvm-node-memory")

FEATURES = ("text", "template", "spindle_use", "standard", "tiered", "limit",
            "max_cpu", "min_disk", "offline", "unchecked", "independent",
            "accepting", "machine", "print", "verbose", "save", "broken")

_BROKEN = (
    ["--nosuch"], ["-Z"], ["--no"], ["--m"], ["--verbose=1"], ["-l"],
    ["--disk-template=foo"], ["--disk-template="], ["--spindle-use=-1"],
    ["--spindle-use=x"], ["--spindle-use", "1.5"], ["--max-cpu=0"],
    ["--max-cpu=-1"], ["--max-cpu=x"], ["--min-disk=x"], ["--min-disk="],
    ["-lx"], ["--max-length=1.5"], ["-l", "3y"], ["--machine-readable=maybe"],
    ["--machine-readable="], ["--standard-alloc=1,2"], ["--tiered-alloc="],
    ["--standard-alloc=1,2,3,4,5"], ["--tiered-alloc=1q,2,3"],
    ["--standard-alloc=1,x,3"], ["--tiered-alloc=1,2,x"],
    ["--standard-alloc=1,2,3,y"], ["--tiered-alloc=1.5,2,3"], ["extra"],
    ["--", "-v"], ["-m", "localhost"], ["-t", "missing.data"], ["-t", "."],
    ["-p", "name"], ["-vZ"], ["--static-kvm-node-memory=x"], ["--", "x"],
    ["--print-nodes", "name"], ["-"], ["--max-length"], ["--offline"],
)


def generate(rng, cluster):
    """Return 2-4 command lines for the cluster."""
    return [Line(rng, cluster, LONG_NAMES).build()
            for _ in range(rng.choice((2, 3, 4)))]


class Line(LineBuilder):
    """Builds one command line."""

    def build(self):
        self.source()
        self._what_to_place()
        self._limits()
        self._checks()
        self._output()
        if self.rng.random() < 0.04:
            self.features.add("broken")
            words = list(self.rng.choice(_BROKEN))
            if words[0] == "-m" and "text" not in self.features:
                words = ["--nosuch"]  # alone, -m would use the network
            self.options.append(words)
        return self.finish()

    def source(self):
        rng, writer = self.rng, self.writer
        if self.cluster.simulations:
            words = []
            for spec in self.cluster.simulations:
                words += writer.valued("simulate", spec)
            self.add(*words)
            if rng.random() < 0.03:
                self.add("-t", "missing.data")
        elif rng.random() < 0.99:
            self.features.add("text")
            self.add_valued("text-data", CLUSTER_FILE, "t")

    def _what_to_place(self):
        rng, builtin = self.rng, not self.cluster.policy
        policy = self._near_policy()
        if self.maybe(0.9 if builtin else 0.55, "template"):
            names = list(policy.templates) if policy else []
            common = [t for t in ("drbd", "drbd", "plain") if t in names]
            name = rng.choice((common + names) * 4 or ["drbd", "plain"])
            if rng.random() < 0.08:
                name = rng.choice(TEMPLATES)
            self.add_valued("disk-template", name)
        if self.maybe(0.10, "spindle_use"):
            use = policy.std.spindle_use if policy else 1
            value = rng.choice((use, use, use, use + 1, 0, 1, 2, 40))
            self.add_valued("spindle-use", str(value))
        if self.maybe(0.20, "standard"):
            self.add_valued("standard-alloc", self._spec(1))
        if self.maybe(0.9 if builtin else 0.25, "tiered"):
            self.add_valued("tiered-alloc", self._spec(2))

    def _near_policy(self):
        """The cluster's policy, or a group's, or None if all are built in."""
        groups = [g.policy for g in self.cluster.groups if g.policy]
        return self.cluster.policy or (groups[0] if groups else None)

    def _spec(self, factor):
        """disk,memory,cpus[,spindles] near the policy's sizes."""
        rng, policy = self.rng, self._near_policy()
        if policy:
            near = rng.choice([policy.std] * 4 + policy.pairs)
            memory, disk, cpus = near.memory, near.disk, near.cpus
            memory = max(memory, policy.std.memory // 2)
            if policy.pairs and policy.pairs[0].memory == 0:
                memory *= rng.choice((0, 1, 1))
        else:
            memory, disk, cpus = 256, 1024, 1
        scale = rng.choice((0.75, 1, 1, 1, 1, 1, 1.25, factor, factor))
        memory, disk = int(memory * scale), int(disk * rng.choice((1, scale)))
        cpus = rng.choice((cpus,) * 5 + (cpus + 1, 2 * cpus))
        if rng.random() < 0.03:
            memory, disk, cpus = rng.choice((
                (0, disk, cpus), (memory, 0, cpus), (memory, disk, 0),
                (-5, disk, cpus), (memory, -300, cpus), (memory, disk, -1)))
        words = [self._size(disk), self._size(memory), str(cpus)]
        if rng.random() < 0.35:
            words.append(str(rng.choice((0, 1, 1, 2, 2, 3, 5))))
        return ",".join(words)

    def _size(self, value):
        """A size in MiB, sometimes with a unit."""
        if value and value % 1024 == 0 and self.rng.random() < 0.4:
            return f"{value // 1024}{self.rng.choice(('g', 'GiB', ' gib'))}"
        unit = self.rng.choice(("",) * 6 + ("m", "MiB", " mib", "M", "mb"))
        return f"{value}{unit}"

    def _limits(self):
        rng, writer = self.rng, self.writer
        if self.maybe(0.18, "limit"):
            value = rng.choice((1, 2, 3, 3, 4, 5, 6, 8, 10, 12, 20, 21, 25, 30,
                                0, -1, -2, -5))
            self.add_valued("max-length", str(value), "l")
        if self.maybe(0.12, "max_cpu"):
            value = rng.choice(("0.5", "1", "1.5", "2", "3", "4.0", "6",
                                "8", "1e1"))
            self.add_valued("max-cpu", value)
        if self.maybe(0.12, "min_disk"):
            value = rng.choice(("0", "0.05", "0.1", "0.15", "0.2", "0.25",
                                "0.4", "0.5", "0.9", "2", "-1", "1e-1"))
            self.add_valued("min-disk", value)
        if self.maybe(0.12, "offline"):
            names = [node.name for node in self.cluster.nodes]
            self.add(*writer.offline(names))
        if rng.random() < 0.03:
            self.add_valued("static-kvm-node-memory",
                            rng.choice(("0", "100", "-1")))

    def _checks(self):
        if self.maybe(0.25, "unchecked"):
            self.add(self.writer.long("no-capacity-checks"))
        if self.maybe(0.18, "independent"):
            self.add(self.writer.long("independent-groups"))
        if self.maybe(0.22, "accepting"):
            self.add(self.writer.long("accept-existing-errors"))

    def _output(self):
        rng, writer = self.rng, self.writer
        if self.maybe(0.45, "machine"):
            self.add(writer.long("machine-readable")
                     + rng.choice(("", "", "", "=yes")))
        if rng.random() < 0.04:
            self.add("--machine-readable=" + rng.choice(("no", "yes")))
        if self.maybe(0.15, "print"):
            self.add(*writer.print_nodes())
        self.verbosity()
        if self.maybe(0.20, "save"):
            prefix = rng.choice(["out"] * 12 + ["state.1", "", "missing/out"])
            self.add_valued("save", prefix, "S")
