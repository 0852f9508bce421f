"""Random command lines for hinfo, which describes a cluster."""

from cluster_line import ClusterLine
from options import CLUSTER_FILE

LONG_NAMES = ("print-nodes", "print-instances", "text-data", "master", "luxi",
              "ialloc-src", "verbose", "quiet", "offline", "ignore-dynu",
              "mond", "mond-data", "static-kvm-node-memory")

FEATURES = ("document", "text", "offline", "print", "print_instances",
            "no_utilisation", "monitoring", "node_memory", "verbose", "broken")

_BROKEN = (
    ["--nosuch"], ["-Z"], ["--m"], ["--mond-"], ["--verbose=1"], ["-vZ"],
    ["--print"], ["--print-nodes", "name"], ["-p", "name"], ["-S", "out"],
    ["--print-instances=name"], ["--mond=maybe"], ["--mond="], ["-O"],
    ["--mond", "--mond-data", "missing.json"], ["--ignore-dynu=yes"],
    ["--mond", "--mond-data", CLUSTER_FILE], ["--offline"], ["--simulate=x"],
    ["--static-kvm-node-memory=x"], ["--static-kvm-node-memory="], ["extra"],
    ["--", "-v"], ["-"], ["-m", "localhost"], ["-L"], ["-L/missing"],
    ["-t", "missing.data"], ["-t", "."], ["-I", "missing.json"],
)


def generate(rng, cluster):
    """Return 3-4 command lines for the cluster."""
    return [Line(rng, cluster, LONG_NAMES).build()
            for _ in range(rng.choice((3, 3, 4)))]


class Line(ClusterLine):
    """Builds one command line."""

    def build(self):
        self.source()
        self.draw(self._changes, self._loads, self._output)
        self.broken(_BROKEN)
        return self.finish()

    def _changes(self):
        if self.maybe(0.2, "offline"):
            self.add(*self.writer.offline(
                [node.name for node in self.cluster.nodes]))
        self.node_memory()

    def _loads(self):
        if self.maybe(0.12, "no_utilisation"):
            self.add_flag("ignore-dynu")
        if self.maybe(0.2, "monitoring"):
            self.monitoring()

    def _output(self):
        if self.maybe(0.4, "print"):
            self.add(*self.writer.print_nodes())
        if self.maybe(0.3, "print_instances"):
            self.add_flag("print-instances")
        self.verbosity()
