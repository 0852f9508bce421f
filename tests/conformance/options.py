"""Ways to write options: abbreviated, attached, clustered, broken."""

CLUSTER_FILE = "cluster.data"

NODE_FIELDS = ("idx", "name", "fqdn", "status", "tmem", "nmem", "imem", "xmem",
               "fmem", "umem", "rmem", "amem", "tdsk", "fdsk", "tcpu", "ucpu",
               "pcnt", "scnt", "plist", "slist", "pfmem", "pfdsk", "rcpu",
               "cload", "mload", "dload", "nload", "ptags", "peermap",
               "spindle_count", "hi_spindles", "inst_spindles")


class Writer:
    """Spells options of one tool, whose long names it must know."""

    def __init__(self, rng, long_names):
        self.rng = rng
        self.long_names = tuple(long_names) + (
            "version", "help", "help-completion")

    def long(self, name):
        """`--name`, sometimes as an unambiguous abbreviation."""
        if self.rng.random() < 0.08:
            prefixes = [name[:n] for n in range(1, len(name)) if
                        sum(o.startswith(name[:n]) for o in self.long_names)
                        == 1]
            if prefixes:
                name = self.rng.choice(prefixes)
        return "--" + name

    def valued(self, name, value, short=None):
        """An option with a required argument, as a list of words."""
        style = self.rng.randrange(4)
        if short and style == 0:
            return ["-" + short, value]
        if short and style == 1 and value:
            return ["-" + short + value]
        if style == 2:
            return [self.long(name), value]
        return [f"{self.long(name)}={value}"]

    def verbosity(self):
        """`-v` and `-q` words; (words, count of -v)."""
        count = self.rng.choice((0, 0, 0, 1, 1, 1, 2, 2, 3, 3, 4))
        words = []
        if count:
            words = self.rng.choice((["-v"] * count, ["-" + "v" * count],
                                     [self.long("verbose")] * count))
        if "quiet" in self.long_names and self.rng.random() < 0.08:
            words = words + self.rng.choice((["-q"], ["-qq"], ["--quiet"]))
        return words, count

    def print_nodes(self):
        """A node table: default, chosen fields, added fields."""
        rng = self.rng
        if rng.random() < 0.4:
            return ["-p"]
        fields = rng.sample(NODE_FIELDS, rng.randint(1, 8))
        if rng.random() < 0.15:
            fields.append(rng.choice(("nosuch", "", "+", " name")))
        plus = rng.choice(("", "+", "+"))
        value = plus + ",".join(fields)
        return [rng.choice(("-p", "--print-nodes=")) + value]

    def offline(self, names):
        """`-O` for full, partial, ambiguous and unknown node names."""
        rng = self.rng
        words = []
        for _ in range(rng.choice((1, 1, 1, 2))):
            name = rng.choice(names) if names else "node1"
            kind = rng.random()
            if kind < 0.25:
                name = name.split(".")[0]
            elif kind < 0.35:
                name = rng.choice(("nosuch", "", name + ".", "node", "node1.x"))
            words += self.valued("offline", name, "O")
        return words
