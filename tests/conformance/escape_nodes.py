"""Clusters in which the capacity check looks at the node of a placement.

In each group one node is empty and has just the room for the instance of any
other node. The others have room for a small instance only. So what is placed
on the empty node, which the score prefers, leaves no way out of the others.
"""

from cluster_text import Instance

_OTHER_THAN_DRBD = ("plain", "file", "blockdev", "sharedfile", "rbd", "ext",
                    "gluster")


def fill(rng, cluster, domain):
    """Make the instances, and give the nodes their memory."""
    for group in cluster.groups:
        nodes = [n for n in cluster.nodes if n.group is group]
        names = [t for t in group.policy.templates if t in _OTHER_THAN_DRBD]
        if len(nodes) < 3 or not names or not group.policy.pairs:
            continue
        low, high = group.policy.pairs[:2]
        small = max(low.memory, 1)
        high.memory = max(high.memory, 3 * small)
        big = high.memory
        escape = rng.choice(nodes)
        for node in nodes:
            node.cpus += 2 * high.cpus
            node.total_disk += 3 * high.disk
            node.free_disk = node.total_disk
            if node is escape:
                node.free_memory = big + rng.randint(1, small)
                node.total_memory = node.node_memory + node.free_memory
                continue
            node.free_memory = rng.randint(small + 1, big)
            node.total_memory = node.node_memory + node.free_memory + big
            template = rng.choice(names)
            if template == "plain":
                node.free_disk -= high.disk
            if node.exclusive:
                node.free_spindles -= 1
            cluster.instances.append(Instance(
                f"inst{len(cluster.instances)}{domain}", big, high.disk,
                low.cpus, "running", True, node, None, template, [],
                high.spindle_use, "1" if node.exclusive else "-", False))
