"""Random command lines for hsqueeze, which switches nodes off and on."""

from cluster_line import ClusterLine

LONG_NAMES = ("luxi", "text-data", "exec", "minimal-resources",
              "target-resources", "save", "print-commands", "verbose",
              "no-headers", "static-kvm-node-memory")

FEATURES = ("text", "minimal", "target", "execute", "commands", "save",
            "no_headers", "node_memory", "verbose", "broken")

_BROKEN = (
    ["--nosuch"], ["-Z"], ["-q"], ["--no"], ["--m"], ["--verbose=1"], ["-vZ"],
    ["--minimal-resources=x"], ["--minimal-resources="], ["-I", "x"],
    ["--target-resources=1,5"], ["--target-resources=.5"], ["-O", "node1"],
    ["--target-resources", "+1"], ["--target-resources"], ["--exec=yes"],
    ["--minimal-resources=1e"], ["-C", "file.sh"], ["-Cmissing/file.sh"],
    ["--static-kvm-node-memory=x"], ["--no-headers=yes"], ["extra"], ["-S"],
    ["--", "-v"], ["-"], ["-L"], ["-L/missing"], ["-t", "missing.data"],
    ["-t", "."], ["--print-commands", "run.sh"],
)

_FACTORS = ("0", "0.5", "0.99", "1", "1", "1", "1.5", "1.5", "2", "2.25",
            "2.9999", "3", "3", "4", "6")
_ODD_FACTORS = ("-1", "-0.5", "10", "100", "1e-3", "2e0", " 2", "1e6", "1e300",
                "NaN", "Infinity")


def generate(rng, cluster):
    """Return 3-4 command lines for the cluster."""
    return [_Line(rng, cluster, LONG_NAMES).build()
            for _ in range(rng.choice((3, 3, 4)))]


class _Line(ClusterLine):
    """Builds one command line."""

    def build(self):
        self.source()
        self.draw(self._capacity, self._output)
        if self.maybe(0.05, "execute"):
            self.add_flag("exec", "X")
        self.broken(_BROKEN)
        return self.finish()

    def _capacity(self):
        if self.maybe(0.5, "minimal"):
            self.add_valued("minimal-resources", self._factor())
        if self.maybe(0.5, "target"):
            self.add_valued("target-resources", self._factor())
        self.node_memory()

    def _factor(self):
        rng = self.rng
        return rng.choice(_ODD_FACTORS if rng.random() < 0.06 else _FACTORS)

    def _output(self):
        rng = self.rng
        if self.maybe(0.5, "commands"):
            self.add(rng.choice(("-C", "-C", "--print-commands", "-C-",
                                 "-Crun.sh", "--print-commands=run.sh",
                                 "--print-commands=-")))
        if self.maybe(0.3, "save"):
            prefix = rng.choice(["out"] * 20 + ["state.1", "", "missing/out"])
            self.add_valued("save", prefix, "S")
        if self.maybe(0.12, "no_headers"):
            self.add_flag("no-headers")
        self.verbosity()
