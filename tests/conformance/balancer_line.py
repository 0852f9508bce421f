"""What the command lines of hbal and hcheck, which both balance, share."""

import loads
from cluster_line import ClusterLine

UTILISATION_FILE = "load.util"


class BalancerLine(ClusterLine):
    """A command line with options of the balancer."""

    def __init__(self, rng, cluster, long_names):
        super().__init__(rng, cluster, long_names)
        # Many options at once tend to leave nothing to do.
        self.plenty = rng.choice((0.3, 0.7, 1, 1, 1.6))

    def often(self, probability, feature):
        """`maybe`, for lines with few or many options."""
        return self.maybe(probability * self.plenty, feature)

    def search(self):
        rng = self.rng
        if self.often(0.2, "limit"):
            value = rng.choice((0, 1, 1, 2, 3, 4, 5, 7, 10, 20, -1, -5))
            self.add_valued("max-length", str(value), "l")
        if self.often(0.08, "min_score"):
            value = rng.choice(("0", "1e-9", "0.01", "0.5", "1", "2.5", "5",
                                "12345678", "-1", "-10", "NaN", "Infinity",
                                " 1", "1e-300", "123456.7890125"))
            self.add_valued("min-score", value, "e")
        if self.often(0.15, "min_gain"):
            value = rng.choice(("0", "0.001", "0.01", "0.05", "0.2", "1", "3",
                                "-1", "1e-12", "NaN", "Infinity"))
            self.add_valued("min-gain", value, "g")
        if self.often(0.15, "gain_limit"):
            value = rng.choice(("0", "0.1", "0.5", "1", "2", "5", "10", "100",
                                "-1", "NaN", "Infinity", "1e9"))
            self.add_valued("min-gain-limit", value)

    def moves(self):
        if self.often(0.12, "evacuation"):
            self.add_flag("evac-mode", "E")
        if self.knows("restricted-migration") and self.often(
                0.12, "restricted"):
            self.add_flag("restricted-migration")
        if self.often(0.10, "no_disk_moves"):
            self.add_flag("no-disk-moves")
        if self.often(0.10, "no_instance_moves"):
            self.add_flag("no-instance-moves")
        if self.often(0.18, "ignoring"):
            self.add_flag("ignore-soft-errors")

    def nodes(self):
        rng, names = self.rng, [n.name for n in self.cluster.nodes]
        evacuating = "evacuation" in self.features
        if self.often(0.5 if evacuating else 0.15, "offline"):
            if rng.random() < 0.07:
                for name in names:
                    self.add_valued("offline", name, "O")
            elif rng.random() < 0.8 and names:
                for name in rng.sample(names, min(len(names),
                                                  rng.choice((1, 1, 1, 2)))):
                    self.add_valued("offline", name, "O")
            else:
                self.add(*self.writer.offline(names))
        if self.often(0.1, "max_cpu"):
            value = rng.choice(("0.5", "1", "1.5", "2", "3", "4.0", "6", "8",
                                "1e1", "64", "NaN", "Infinity"))
            self.add_valued("max-cpu", value)
        if self.often(0.1, "min_disk"):
            value = rng.choice(("0", "0.05", "0.1", "0.15", "0.2", "0.25",
                                "0.4", "0.5", "0.9", "2", "-1", "1e-1"))
            self.add_valued("min-disk", value)
        if self.knows("static-kvm-node-memory") and rng.random() < 0.02:
            self.add_valued("static-kvm-node-memory",
                            rng.choice(("0", "100", "-1")))

    def instances(self):
        rng = self.rng
        if self.often(0.1, "select"):
            self.add_valued("select-instances", self._some_instances(
                rng.choice((0.1, 0.5, 0.9))))
        if self.often(0.1, "exclude"):
            self.add_valued("exclude-instances", self._some_instances(
                rng.choice((0.1, 0.5, 0.9))))
        if self.often(0.12, "extra_tags"):
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

    def utilisation(self):
        if self.often(0.3, "utilisation"):
            self.files[UTILISATION_FILE] = loads.utilisation(
                self.rng, self.cluster.instances)
            self.add_valued("dynu-file", UTILISATION_FILE, "U")
        if self.often(0.07, "no_utilisation"):
            self.add_flag("ignore-dynu")
