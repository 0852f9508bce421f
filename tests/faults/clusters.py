"""Clusters of any size, as a text file, as an allocator's request, and as the documents of the remote API."""

import itertools
import json

PER_GROUP = 100  # nodes
MEMORY, DISK, CPUS = 262144, 4194304, 64
SPEC = {"memory-size": 128, "cpu-count": 1, "disk-size": 1024, "disk-count": 1, "nic-count": 1, "spindle-use": 1}
MOST = {"memory-size": 32768, "cpu-count": 8, "disk-size": 1048576, "disk-count": 16, "nic-count": 8, "spindle-use": 12}
POLICY = {"std": SPEC, "minmax": [{"min": SPEC, "max": MOST}], "disk-templates": ["drbd", "plain"], "vcpu-ratio": 4,
          "spindle-ratio": 32}


class Cluster:
    """`nodes` nodes in groups, and `instances` mirrored instances; more of them on the first nodes of a group than on
    the last ones."""

    def __init__(self, nodes, instances, per_group=PER_GROUP, node_name="node{}.example.org", name="web{}.example.org"):
        self.per_group = min(per_group, nodes)
        self.groups = [f"g{n}" for n in range(-(-nodes // per_group))]
        self.nodes = [node_name.format(n) for n in range(nodes)]
        self.free_memory, self.free_disk = [MEMORY - 1024] * nodes, [DISK] * nodes
        self.instances = [(name.format(n), *self._place(n, nodes)) for n in range(instances)]

    def _place(self, number, nodes):
        """Memory, primary and secondary node."""
        memory = (512, 1024, 2048, 4096)[number % 4]
        group, rank = divmod(number * 7919 % nodes, self.per_group)
        first, size = group * self.per_group, min(self.per_group, nodes - group * self.per_group)
        primary = (rank * rank // self.per_group if number % 4 == 0 else rank) % size  # the lower the more often
        secondary = (primary + 1 + number % max(size - 1, 1)) % size
        self.free_memory[first + primary] -= memory
        for place in {primary, secondary}:
            self.free_disk[first + place] -= 4096
        return memory, first + primary, first + secondary

    def group(self, node):
        return node // self.per_group

    def text(self):
        lines = [f"{group}|uuid-{n}|preferred||" for n, group in enumerate(self.groups)] + [""]
        lines += [f"{name}|{MEMORY}|1024|{self.free_memory[n]}|{DISK}|{self.free_disk[n]}|{CPUS}|{'N' if n else 'M'}|"
                  f"uuid-{self.group(n)}|16" for n, name in enumerate(self.nodes)] + [""]
        lines += [f"{name}|{memory}|4096|1|running|Y|{self.nodes[primary]}|{self.nodes[secondary]}|drbd||1"
                  for name, memory, primary, secondary in self.instances]
        return "\n".join([*lines, "", "", ""])

    def request(self):
        """A request for a new mirrored instance, in pieces."""
        groups = {f"uuid-{n}": {"name": name, "alloc_policy": "preferred", "networks": [], "ipolicy": POLICY, "tags": []}
                  for n, name in enumerate(self.groups)}
        head = {"nodegroups": groups, "cluster_tags": [], "enabled_hypervisors": ["kvm"],
                "request": {"type": "allocate", "name": "new", "required_nodes": 2, "disk_template": "drbd",
                            "memory": 1024, "vcpus": 1, "disk_space_total": 4096, "disks": [{"size": 4096}],
                            "spindle_use": 1, "tags": [], "nics": []}}
        nodes = (f"{json.dumps(name)}: {self._node(n)}" for n, name in enumerate(self.nodes))
        instances = (f"{json.dumps(instance[0])}: {self._instance(*instance)}" for instance in self.instances)
        yield json.dumps(head)[:-1] + ', "nodes": {'
        yield from separated(nodes)
        yield '}, "instances": {'
        yield from separated(instances)
        yield "}}"

    def _node(self, n):
        return (f'{{"group": "uuid-{self.group(n)}", "offline": false, "drained": false, "tags": [], "ndparams": '
                f'{{"spindle_count": 16, "exclusive_storage": false}}, "total_memory": {MEMORY}, "reserved_memory": 1024, '
                f'"free_memory": {self.free_memory[n]}, "total_disk": {DISK}, "free_disk": {self.free_disk[n]}, '
                f'"total_cpus": {CPUS}, "reserved_cpus": 1, "total_spindles": 16, "free_spindles": 0}}')

    def _instance(self, _, memory, primary, secondary):
        return (f'{{"memory": {memory}, "vcpus": 1, "disk_space_total": 4096, "disks": [{{"size": 3968}}], '
                f'"disk_template": "drbd", "spindle_use": 1, "tags": [], "nics": [], '
                f'"nodes": [{json.dumps(self.nodes[primary])}, {json.dumps(self.nodes[secondary])}]}}')

    def documents(self):
        """By file name, each in pieces."""
        def node(n):
            return (f'{{"name": {json.dumps(self.nodes[n])}, "offline": false, "drained": false, "vm_capable": true, '
                    f'"group.uuid": "uuid-{self.group(n)}", "tags": [], "ndparams": {{"exclusive_storage": false, '
                    f'"spindle_count": 16}}, "mtotal": {MEMORY}, "mnode": 1024, "mfree": {self.free_memory[n]}, '
                    f'"dtotal": {DISK}, "dfree": {self.free_disk[n]}, "ctotal": {CPUS}, "cnos": 1}}')

        def instance(name, memory, primary, secondary):
            return (f'{{"name": {json.dumps(name)}, "disk_usage": 4096, "disk.sizes": [3968], "disk.spindles": [null], '
                    f'"oper_ram": {memory}, "beparams": {{"vcpus": 1, "auto_balance": true, "spindle_use": 1}}, '
                    f'"pnode": {json.dumps(self.nodes[primary])}, "snodes": [{json.dumps(self.nodes[secondary])}], '
                    f'"status": "running", "tags": [], "disk_template": "drbd"}}')

        groups = [{"name": name, "uuid": f"uuid-{n}", "alloc_policy": "preferred", "tags": [], "ipolicy": POLICY}
                  for n, name in enumerate(self.groups)]
        info = {"master": self.nodes[0], "tags": [], "default_hypervisor": "kvm", "ipolicy": POLICY}
        return {"groups.json": [json.dumps(groups)], "info.json": [json.dumps(info)],
                "nodes.json": ["[", *separated(map(node, range(len(self.nodes)))), "]"],
                "instances.json": itertools.chain("[", separated(instance(*i) for i in self.instances), "]")}

    def save(self, directory):
        """As cluster.data, request.json and the documents of the remote API."""
        (directory / "cluster.data").write_text(self.text(), encoding="utf-8")
        for name, pieces in {"request.json": self.request(), **self.documents()}.items():
            with open(directory / name, "w", encoding="utf-8") as file:
                file.writelines(pieces)


def separated(texts):
    for n, text in enumerate(texts):
        yield f"{', ' if n else ''}{text}"
