"""Random command lines for hroller, which plans reboots."""

from cluster_line import ClusterLine

LONG_NAMES = ("luxi", "master", "text-data", "ialloc-src", "offline",
              "offline-maintenance", "verbose", "quiet", "no-headers",
              "node-tags", "save", "group", "print-moves", "full-evacuation",
              "skip-non-redundant", "ignore-non-redundant", "force",
              "one-step-only", "static-kvm-node-memory")

FEATURES = ("document", "text", "offline", "offline_maintenance", "node_tags",
            "group", "wrong_group", "evacuation", "skipping", "ignoring",
            "force", "one_step", "print_moves", "no_headers", "node_memory",
            "save", "verbose", "broken")

_BROKEN = (
    ["--nosuch"], ["-Z"], ["--no"], ["--offline-"], ["--of"], ["--force=yes"],
    ["--verbose=1"], ["-vZ"], ["--print-moves=yes"], ["--node-tags"], ["-fx"],
    ["--one-step-only=1"], ["-G"], ["--group"], ["-O"], ["--offline"], ["-S"],
    ["--static-kvm-node-memory=x"], ["--static-kvm-node-memory="], ["extra"],
    ["--", "-v"], ["-"], ["-p"], ["-l1"], ["--simulate=x"],
    ["-m", "localhost"], ["-L"], ["-L/missing"], ["-t", "missing.data"], ["-t", "."],
    ["-I", "missing.json"],
)


def generate(rng, cluster):
    """Return 4-6 command lines for the cluster."""
    return [Line(rng, cluster, LONG_NAMES).build()
            for _ in range(rng.choice((4, 5, 6)))]


class Line(ClusterLine):
    """Builds one command line."""

    def build(self):
        self.source()
        self.draw(self._nodes, self._instances, self._output)
        # Documents do not tell which node is the master.
        masters = "text" in self.features and any(
            node.role == "M" for node in self.cluster.nodes)
        if self.maybe(0.15 if masters else 0.7, "force"):
            self.add_flag("force", "f")
        self.broken(_BROKEN)
        return self.finish()

    def _nodes(self):
        """Which nodes are to be rebooted."""
        rng, nodes = self.rng, self.cluster.nodes
        if self.maybe(0.2, "offline"):
            self.add(*self.writer.offline([node.name for node in nodes]))
        known = [tag for node in nodes for tag in node.tags]
        if self.maybe(0.35 if known else 0.03, "node_tags"):
            self.add_valued("node-tags", self._some_of(known))
        several = len(self.cluster.groups) > 1
        if self.maybe(0.35 if several else 0.1, "group"):
            group = rng.choice([n.group for n in nodes] * 3
                               + self.cluster.groups)
            self.add_valued("group", rng.choice((group.name, group.uuid)), "G")
        if self.maybe(0.02, "wrong_group"):
            self.add_valued("group", rng.choice(
                ("nosuch", "", "g", "G0", "uuid", "0")), "G")
        self.node_memory()

    def _some_of(self, known):
        """Mostly tags that nodes have."""
        rng = self.rng
        tags = rng.choices(known or ["red"], k=rng.choice((1, 1, 2, 3)))
        if rng.random() < 0.1:
            tags.insert(rng.randint(0, len(tags)),
                        rng.choice(("nosuch", "", "re", "red:")))
        return ",".join(tags)

    def _instances(self):
        """What happens to the instances of these nodes."""
        # Such a graph takes two colours, if no other edges are added.
        if self.maybe(0.7 if "two_sides" in self.cluster.features else 0.3,
                      "offline_maintenance"):
            self.add_flag("offline-maintenance")
        if self.maybe(0.15, "skipping"):
            self.add_flag("skip-non-redundant")
        if self.maybe(0.3, "ignoring"):
            self.add_flag("ignore-non-redundant")
        if self.maybe(0.35, "evacuation"):
            self.add_flag("full-evacuation")

    def _output(self):
        rng = self.rng
        if self.maybe(0.55, "print_moves"):
            self.add_flag("print-moves")
        if self.maybe(0.12, "one_step"):
            self.add_flag("one-step-only")
        if self.maybe(0.1, "no_headers"):
            self.add_flag("no-headers")
        if self.maybe(0.12, "save"):
            prefix = rng.choice(["out"] * 15 + ["state.1", "", "missing/out"])
            self.add_valued("save", prefix, "S")
        self.verbosity()
