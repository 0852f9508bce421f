"""How large the clusters for a tool are: nodes, instances, and room in a node.

What limits them is the time that the reference takes.
"""


class SimulatorSizes:
    """Few instances, because the tool adds its own."""

    def __init__(self, dice):
        self.dice = dice

    def nodes(self):
        """The number of nodes."""
        if self.dice.has("large"):
            return self.dice.rng.randint(13, 30)
        return self.dice.rng.choice((1, 2, 3, 3, 3, 4, 4, 5, 5, 6, 6, 7, 8,
                                     10, 12))

    def room(self, nodes):
        """How many standard instances fit on a node, about."""
        return min(self.dice.rng.choice((2, 4, 6, 9, 13, 20, 30)),
                   max(2.0, self.dice.rng.choice((30, 50, 70, 110)) / nodes))

    def instances(self, nodes):
        """The number of instances to be placed, if they fit."""
        wanted = self.dice.rng.randint(1, 4 + nodes)
        if self.dice.has("crowded"):
            wanted *= 3
        return min(wanted, 30)


class BalancerSizes:
    """Many instances, and room for those of several nodes on one."""

    # Nodes times instances; the time grows with the square of it.
    MOST = 900
    MOST_IF_LARGE = 1100
    MOST_IF_SHARED = 1400  # the other templates have far fewer moves

    def __init__(self, dice):
        self.dice = dice
        self.wanted = 0

    def nodes(self):
        """The number of nodes."""
        rng, most = self.dice.rng, self.MOST
        nodes = rng.choice((1, 2, 2, 3, 3, 3, 4, 4, 5, 5, 6, 6, 7, 8, 10, 12))
        per_node = rng.choice((0.5, 1, 2))
        if self.dice.has("many_instances"):
            per_node = rng.choice((2, 4, 6, 8, 10))
        if self.dice.has("large"):
            nodes = rng.choice((15, 15, 16, 17, 18, 20, 23, 26, 30))
            per_node, most = rng.choice((4, 10, 10)), self.MOST_IF_LARGE
            if self.dice.has("shared_storage"):
                most = self.MOST_IF_SHARED
        self.wanted = max(1, min(round(nodes * per_node), most // nodes))
        return nodes

    def room(self, nodes):
        """How many standard instances fit on a node, about."""
        fullest = self.wanted / max(1, nodes // 3)
        factor = self.dice.rng.choice((0.7, 1.2, 2, 3))
        if self.dice.has("roomy"):
            factor = self.dice.rng.choice((3, 5, 8))
        return max(2.0, fullest * factor)

    def instances(self, _):
        """The number of instances to be placed, if they fit."""
        return self.wanted


class AllocatorSizes:
    """Small clusters, nearly empty or nearly full."""

    def __init__(self, dice):
        self.dice = dice

    def nodes(self):
        """The number of nodes."""
        rng = self.dice.rng
        if self.dice.has("large"):
            return rng.randint(13, 30)
        return rng.choice((1, 2, 3, 3, 4, 4, 4, 5, 5, 6, 7, 8)) + (
            self.dice.has("several_groups") * rng.choice((0, 2, 3, 5))
            + 2 * self.dice.has("one_escape"))

    def room(self, _):
        """How many standard instances fit on a node, about."""
        if self.dice.has("narrow"):
            return self.dice.rng.choice((1.6, 2.1, 2.6, 3.2))
        return self.dice.rng.choice(
            (30, 60, 100) if self.dice.has("ample") else (3, 5, 8, 12))

    def instances(self, nodes):
        """The number of instances to be placed, if they fit."""
        few = self.dice.has("dedicated") or self.dice.has("narrow")
        wanted = self.dice.rng.randint(1, nodes if few else 3 * nodes)
        if self.dice.has("crowded"):
            wanted *= 3
        return min(wanted, 40)


class RollerSizes(AllocatorSizes):
    """Larger ones, too, whose graphs are not trivial to colour."""

    def __init__(self, dice):
        super().__init__(dice)
        self.graph = dice.has("two_sides") or dice.rng.random() < 0.1

    def nodes(self):
        """The number of nodes."""
        if self.graph:
            return self.dice.rng.randint(12, 20)
        return super().nodes()

    def room(self, nodes):
        """How many standard instances fit on a node, about."""
        if self.graph:
            return self.dice.rng.choice((12, 30))
        return super().room(nodes)

    def instances(self, nodes):
        """The number of instances to be placed, if they fit."""
        if self.graph:
            return round(nodes * self.dice.rng.choice((1.5, 2, 2.5, 3)))
        return super().instances(nodes)


class CheckerSizes(BalancerSizes):
    """Smaller, because every group is balanced and every node emptied."""

    MOST = 350
    MOST_IF_LARGE = 500


class SqueezerSizes:
    """Some room for a few standard instances more on each node, or not."""

    def __init__(self, dice):
        self.dice = dice
        self.per_node = dice.rng.choice((5, 6, 8, 12, 20, 30))

    def nodes(self):
        """The number of nodes."""
        if self.dice.has("large"):
            return self.dice.rng.randint(13, 20)
        return self.dice.rng.choice((1, 2, 2, 3, 3, 3, 4, 4, 5, 5, 6, 7, 8,
                                     10, 12))

    def room(self, _):
        """How many standard instances fit on a node, about."""
        return self.per_node

    def instances(self, nodes):
        """The number of instances to be placed, if they fit."""
        fill = self.dice.rng.choice((0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8))
        return max(1, min(round(nodes * self.per_node * fill), 40))


SIZES = {"hail": AllocatorSizes, "hbal": BalancerSizes,
         "hcheck": CheckerSizes, "hinfo": CheckerSizes,
         "hroller": RollerSizes, "hscan": CheckerSizes,
         "hspace": SimulatorSizes, "hsqueeze": SqueezerSizes}
