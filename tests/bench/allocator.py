"""Deterministic requests to the instance allocator, as Ganeti sends them, for measurements.

The JSON documents made here have every key of a real one. No two nodes are alike: each is of one of a few models and
carries other instances. The books add up (free memory and disk are what the instances leave), and a part of each node's
memory stays free, so that every node can be emptied. The same arguments always give the same bytes.
"""

import argparse
import json
import random
import sys
import uuid

MEMORY = (65536, 98304, 131072)  # of a node, MiB
DISK = (4000000, 8000000)  # of a node, MiB: more than the instances that find memory can take
CPUS = (16, 24, 32, 48)
OWN_MEMORY = 4096  # what the allocator assumes a node running KVM needs for itself
KEPT_FREE = 1 / 3  # the part of a node's memory that no instance gets
INSTANCE_MEMORY = (1024, 2048, 4096)
INSTANCE_DISK = (20480, 40960, 81920)
INSTANCE_CPUS = (1, 2, 4)
DRBD_METADATA = 128
NODES_PER_INSTANCE = {"drbd": 2, "plain": 1}
EVACUATIONS = ("primary-only", "secondary-only", "all")
REQUESTS = ("allocate", "multi-allocate", "change-group", *EVACUATIONS)
DRAWS = 1000  # at random nodes before an instance is taken not to fit
POLICY = {
    "minmax": [{
        "min": {"memory-size": 128, "cpu-count": 1, "disk-size": 1024, "disk-count": 1, "nic-count": 1,
                "spindle-use": 1},
        "max": {"memory-size": 32768, "cpu-count": 8, "disk-size": 1048576, "disk-count": 16, "nic-count": 8,
                "spindle-use": 12},
    }],
    "std": {"memory-size": 1024, "cpu-count": 1, "disk-size": 20480, "disk-count": 1, "nic-count": 1,
            "spindle-use": 1},
    "disk-templates": ["drbd", "plain"],
    "vcpu-ratio": 8.0,
    "spindle-ratio": 32.0,
}


class Node:
    def __init__(self, number, group, rng):
        self.number = number
        self.name = f"node{number:04d}.example.com"
        self.group = group
        self.memory = rng.choice(MEMORY)
        self.disk = rng.choice(DISK)
        self.cpus = rng.choice(CPUS)
        self.spindles = rng.randrange(4, 13)
        self.used_memory = 0
        self.used_disk = 0

    def has_memory_for(self, instance):
        return self.used_memory + instance["memory"] <= (1 - KEPT_FREE) * (self.memory - OWN_MEMORY)

    def document(self):
        address = f"10.0.{self.number // 250}.{self.number % 250 + 1}"
        return {
            "total_memory": self.memory, "reserved_memory": OWN_MEMORY,
            "free_memory": self.memory - OWN_MEMORY - self.used_memory,
            "total_disk": self.disk, "free_disk": self.disk - self.used_disk,
            "total_spindles": self.spindles, "free_spindles": self.spindles,
            "total_cpus": self.cpus, "reserved_cpus": 1,
            "i_pri_memory": self.used_memory, "i_pri_up_memory": self.used_memory,
            "tags": [], "primary_ip": address, "secondary_ip": address,
            "offline": False, "drained": False, "master_candidate": self.number < 10,
            "group": self.group, "master_capable": True, "vm_capable": True,
            "ndparams": {"cpu_speed": 1, "exclusive_storage": False, "oob_program": "", "ovs": False, "ovs_link": "",
                         "ovs_name": "switch1", "spindle_count": self.spindles, "ssh_port": 22},
        }


def _instance(number, template, rng):
    """What a new instance and one that has nodes have in common."""
    disk = rng.choice(INSTANCE_DISK)
    return {
        "disk_template": template, "tags": [], "os": "noop+default", "hypervisor": "kvm",
        "vcpus": rng.choice(INSTANCE_CPUS), "memory": rng.choice(INSTANCE_MEMORY), "spindle_use": 1,
        "disks": [{"size": disk, "mode": "rw"}],
        "disk_space_total": disk + (DRBD_METADATA if template == "drbd" else 0),
        "nics": [{"mac": "aa:00:00:" + number.to_bytes(3, "big").hex(":"), "ip": None, "mode": "bridged", "link": "br0",
                  "bridge": "br0", "network": None}],
    }


def _new_instance(number, template, rng):
    return {"name": f"new{number:05d}.example.com", "group_name": None, **_instance(number, template, rng),
            "required_nodes": NODES_PER_INSTANCE[template]}


def _place(instance, chosen):
    """Enters the instance into the books of its nodes and returns what the document says of it."""
    chosen[0].used_memory += instance["memory"]
    for node in chosen:
        node.used_disk += instance["disk_space_total"]
    return {**instance, "admin_state": "up", "disks_active": True, "nodes": [node.name for node in chosen]}


def _choose_primary(nodes, instance, rng):
    for _ in range(DRAWS):
        node = rng.choice(nodes)
        if node.has_memory_for(instance):
            return node
    raise ValueError("the nodes have no memory for so many instances")


def _place_all(nodes, instance_count, template, left, leaving, rng):
    """Puts instances at random nodes and returns them by name.

    The first `leaving` ones are all that is on the first node; with secondary-only (`left`) it is their secondary.
    """
    others = nodes[1:] if leaving else nodes
    peers = {group: [node for node in others if node.group == group] for group in {node.group for node in nodes}}
    instances = {}
    for number in range(instance_count):
        instance = _instance(number, template, rng)
        chosen = [nodes[0] if number < leaving else _choose_primary(others, instance, rng)]
        while len(chosen) < NODES_PER_INSTANCE[template]:
            node = rng.choice(peers[chosen[0].group])
            if node is not chosen[0]:
                chosen.append(node)
        if number < leaving and left == "secondary-only":
            chosen.reverse()
        instances[f"vm{number:05d}.example.com"] = _place(instance, chosen)
    return instances


def _request(kind, count, template, instances, rng):
    if kind == "allocate":
        return {**_new_instance(0, template, rng), "type": kind}
    if kind == "multi-allocate":
        return {"instances": [_new_instance(number, template, rng) for number in range(count)], "type": kind}
    leaving = list(instances)[:count]
    if kind == "change-group":
        return {"instances": leaving, "target_groups": [], "type": kind}
    return {"instances": leaving, "evac_mode": kind, "type": "node-evacuate"}


def generate(node_count, instance_count, template, request, count=1, group_count=1, seed=1):
    """Returns the text of a document; `request` is one of REQUESTS, for `count` instances."""
    rng = random.Random(f"{seed}/allocator/{node_count}/{instance_count}/{template}/{group_count}")
    groups = [str(uuid.UUID(int=rng.getrandbits(128), version=4)) for _ in range(group_count)]
    nodes = [Node(number, groups[number % group_count], rng) for number in range(node_count)]
    leaving = 0 if request in ("allocate", "multi-allocate") else count
    # The node that is to be emptied is large enough for whatever instances it gets.
    nodes[0].memory = max(nodes[0].memory, 2 * leaving * max(INSTANCE_MEMORY))
    instances = _place_all(nodes, instance_count, template, request, leaving, rng)
    return json.dumps({
        "version": 2, "cluster_name": "cluster.example.com", "cluster_tags": [], "enabled_hypervisors": ["kvm"],
        "ipolicy": POLICY,
        "nodegroups": {group: {"name": f"group-{number}", "alloc_policy": "preferred", "networks": [],
                               "ipolicy": POLICY, "tags": []} for number, group in enumerate(groups, 1)},
        "nodes": {node.name: node.document() for node in nodes},
        "instances": instances,
        "request": _request(request, count, template, instances, rng),
    })


def main():
    parser = argparse.ArgumentParser(description="Prints a request to the instance allocator with its cluster.")
    parser.add_argument("--nodes", type=int, default=100)
    parser.add_argument("--instances", type=int, default=1000)
    parser.add_argument("--template", choices=sorted(NODES_PER_INSTANCE), default="drbd")
    parser.add_argument("--request", choices=REQUESTS, default="allocate")
    parser.add_argument("--count", type=int, default=1, help="instances the request is for")
    parser.add_argument("--groups", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    if arguments.nodes < 3 * arguments.groups:
        parser.error("--nodes needs a number of at least 3 per group")
    if arguments.instances < arguments.count:
        parser.error("--count must not exceed --instances")
    try:
        document = generate(arguments.nodes, arguments.instances, arguments.template, arguments.request,
                            arguments.count, arguments.groups, arguments.seed)
    except ValueError as error:
        parser.error(str(error))
    sys.stdout.write(document)


if __name__ == "__main__":
    main()
