"""Random command lines for hcheck, which judges a cluster."""

from balancer_line import BalancerLine
from options import CLUSTER_FILE

LONG_NAMES = ("text-data", "no-disk-moves", "dynu-file", "ignore-dynu",
              "evac-mode", "exclude-instances", "exclusion-tags",
              "ialloc-src", "no-instance-moves", "luxi", "machine-readable",
              "max-cpu", "max-length", "min-disk", "min-gain",
              "min-gain-limit", "min-score", "ignore-soft-errors",
              "no-simulation", "offline", "quiet", "master",
              "select-instances", "no-capacity-checks", "verbose")

FEATURES = ("document", "text", "limit", "min_score", "min_gain", "gain_limit",
            "evacuation", "no_disk_moves", "no_instance_moves", "ignoring",
            "offline", "max_cpu", "min_disk", "select", "exclude",
            "extra_tags", "utilisation", "no_utilisation", "machine",
            "unsimulated", "unchecked", "verbose", "broken")

_BROKEN = (
    ["--nosuch"], ["-Z"], ["--no"], ["--m"], ["--mi"], ["--ex"], ["--no-s="],
    ["--verbose=1"], ["-l"], ["-vZ"], ["--max-cpu=0"], ["--max-cpu=-1"],
    ["--max-cpu=x"], ["--min-disk=x"], ["--min-disk="], ["-lx"], ["-l", "3y"],
    ["--max-length=1.5"], ["-ex"], ["--min-score="], ["-e.5"], ["-g", "x"],
    ["--min-gain=1e"], ["--min-gain-limit=1,5"], ["--min-gain-limit=+1"],
    ["--machine-readable=maybe"], ["--machine-readable="], ["-E1"],
    ["--machine-readable", "yes"], ["--no-simulation=yes"],
    ["-U", "missing.util"], ["-U", "."], ["-U", CLUSTER_FILE], ["extra"],
    ["--", "-v"], ["-"], ["-p"], ["-S", "out"], ["--group=g0"],
    ["-m", "localhost"], ["-L"], ["-L/missing"], ["-t", "missing.data"],
    ["-t", "."], ["-I", "missing.json"], ["--max-length"], ["--offline"],
    ["-O"], ["--select-instances"], ["--ignore-dynu=yes"],
)


def has_initial_statistics(stdout):
    """True if all was counted and only the simulation is left.

    The reference dies of instances that cannot be counted, but also of some
    that it could leave where they are when it balances.
    """
    return any(mark in stdout for mark in (b"INIT_CLUSTER_NEED_REBALANCE=",
                                           b"Cluster is not healthy: "))


def generate(rng, cluster):
    """Return 2-4 command lines for the cluster."""
    return [Line(rng, cluster, LONG_NAMES).build()
            for _ in range(rng.choice((2, 3, 3, 4)))]


class Line(BalancerLine):
    """Builds one command line."""

    def build(self):
        self.source()
        self.draw(self.search, self.moves, self.nodes, self.instances,
                  self.utilisation, self._checks, self._output)
        self.broken(_BROKEN)
        return self.finish()

    def _checks(self):
        if self.maybe(0.15, "unsimulated"):
            self.add_flag("no-simulation")
        if self.maybe(0.3, "unchecked"):
            self.add_flag("no-capacity-checks")

    def _output(self):
        if self.maybe(0.5, "machine"):
            self.add(self.writer.long("machine-readable")
                     + self.rng.choice(("", "", "", "=yes")))
        if self.rng.random() < 0.03:
            self.add("--machine-readable=" + self.rng.choice(("no", "yes")))
        self.verbosity()
