"""Small clusters, from every source that tools have. Nodes are n0, n1, ...; instances i0, i1, ... until they are named."""

import copy
import json
import pathlib
import random
import sys

for folder in ("transport", "support"):
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / folder))
from fake_luxi import FIELDS, POLICY, replies, results  # pylint: disable=wrong-import-position

TEMPLATES = ["drbd", "ext", "plain", "diskless"]


class Cluster:
    """Most of the instances are on the first nodes, so that there is much to move."""

    def __init__(self, seed, nodes=6, instances=9, memory=4096, standby=0):
        rng = random.Random(seed)
        self.nodes = [f"n{i}" for i in range(nodes)]
        self.standby = self.nodes[nodes - standby:]
        self.instances = []
        for i in range(instances):
            template = "ext" if standby else rng.choice(TEMPLATES)
            primary, secondary = rng.sample(self.nodes[:2 if standby else 3], 2)
            self.instances.append((f"i{i}", primary, [secondary] if template == "drbd" else [], template, memory,
                                   rng.choice(["running", "ADMIN_down"])))
        self.groups = [("g0", "u0")]
        self.tagged = [i[0] for i in self.instances[::3]]
        self.offline = []
        self.cluster_tags = []  # besides the one that makes t0 an exclusion tag
        self.names = {}

    def plain_names(self):
        return [*self.nodes, *(i[0] for i in self.instances), "g0", "u0", "t0"]

    def named(self, names):
        other = copy.copy(self)
        other.names = names
        return other

    def name(self, plain):
        return self.names.get(plain, plain)

    def free(self, node):
        return 65536 - sum(i[4] for i in self.instances if i[1] == node and i[5] == "running")

    def text(self):
        name = self.name
        tag = name("t0").replace(",", ";")  # lists have commas between tags
        lines = [f"{name('g0')}|{name('u0')}|preferred|{tag}", ""]
        for node in self.nodes:
            role, tags = ("Y", "|htools:standby:auto") if node in self.standby else ("N", "")
            lines.append(f"{name(node)}|65536|0|{self.free(node)}|500000|400000|16|{role}|{name('u0')}|4{tags}")
        lines.append("")
        for instance, primary, secondaries, template, memory, status in self.instances:
            lines.append(f"{name(instance)}|{memory}|10368|1|{status}|Y|{name(primary)}|"
                         f"{''.join(map(name, secondaries))}|{template}|{tag if instance in self.tagged else ''}|1")
        policy = "128,1,1024,1,1,1|128,1,1024,1,1,1;32768,8,1048576,16,8,12|drbd,ext,plain,diskless|4.0|32.0"
        return "\n".join([*lines, "", f"htools:iextags:{tag}", "", "|" + policy, ""])

    def policy(self):
        return {**copy.deepcopy(POLICY), "disk-templates": ["drbd", "ext", "plain", "diskless"]}

    def luxi(self):
        """The daemon's answers."""
        name, found = self.name, results()

        def row(kind, **values):
            return [[0, values[field.replace("/", "_").replace(".", "_")]] for field in FIELDS[kind]]

        found["node"]["data"] = [
            row("node", name=name(n), mtotal=65536, mnode=0, mfree=self.free(n), dtotal=500000, dfree=400000, ctotal=16,
                cnos=1, offline=n in self.standby + self.offline, drained=False, vm_capable=True, ndp_spindle_count=4,
                group_uuid=name("u0"), tags=["htools:standby:auto"] if n in self.standby else [],
                ndp_exclusive_storage=False, sptotal=None, spfree=None, ndp_cpu_speed=1.0) for n in self.nodes]
        found["instance"]["data"] = [
            row("instance", name=name(i), disk_usage=10368, be_memory=memory, be_vcpus=1, status=status, pnode=name(primary),
                snodes=list(map(name, secondaries)), tags=[name("t0")] * (i in self.tagged), be_auto_balance=True, disk_template=template,
                be_spindle_use=1, disk_sizes=[10240], disk_spindles=[None], forthcoming=False)
            for i, primary, secondaries, template, memory, status in self.instances]
        found["group"]["data"] = [row("group", uuid=name("u0"), name=name("g0"), alloc_policy="preferred",
                                      ipolicy=self.policy(), tags=[name("t0")])]
        found["info"].update(master=name("n0"), tags=["htools:iextags:" + name("t0"), *self.cluster_tags],
                             ipolicy=self.policy(), name=name("g0"))
        return replies(found)

    def document(self, request):
        """What an allocator is asked with; names in the request have to be those that are given."""
        name = self.name
        nodes = {name(n): {"group": name("u0"), "offline": False, "drained": False, "tags": [],
                           "ndparams": {"exclusive_storage": False, "spindle_count": 4}, "total_memory": 65536,
                           "reserved_memory": 0, "free_memory": self.free(n), "total_disk": 500000, "free_disk": 400000, "total_cpus": 16,
                           "reserved_cpus": 1, "total_spindles": 4, "free_spindles": 4} for n in self.nodes}
        instances = {name(i): {"nodes": list(map(name, [primary, *secondaries])), "memory": memory, "vcpus": 1,
                               "disk_space_total": 10368, "disks": [{"size": 10240}], "disk_template": template,
                               "spindle_use": 1, "tags": [name("t0")] * (i in self.tagged), "nics": [],
                               "admin_state": "up"}
                     for i, primary, secondaries, template, memory, _ in self.instances}
        groups = {name("u0"): {"name": name("g0"), "alloc_policy": "preferred", "networks": [], "ipolicy": self.policy(),
                               "tags": [name("t0")]}}
        return json.dumps({"cluster_tags": ["htools:iextags:" + name("t0")], "enabled_hypervisors": ["kvm"],
                           "nodegroups": groups, "nodes": nodes, "instances": instances, "request": request}, ensure_ascii=False)

    def requests(self):
        """One of each type."""
        name = self.name
        new = {"disk_space_total": 1152, "disks": [{"size": 1024}], "memory": 512, "vcpus": 1, "tags": [name("t0")],
               "spindle_use": 1, "nics": [], "admin_state": "up"}
        all_names = [name(i[0]) for i in self.instances]
        drbd = next(i for i in self.instances if i[3] == "drbd")
        return [
            {"type": "allocate", "name": name("i9"), "required_nodes": 2, "disk_template": "drbd", **new},
            {"type": "allocate", "name": name("i9"), "required_nodes": 1, "disk_template": "plain", **new, "memory": 10**6},
            {"type": "multi-allocate", "instances": [
                {"type": "allocate", "name": name(f"i{9 + n}"), "required_nodes": 1, "disk_template": "plain", **new,
                 "memory": memory} for n, memory in enumerate([512, 10**6, 1024])]},
            {"type": "relocate", "name": name(drbd[0]), "required_nodes": 1, "relocate_from": [name(drbd[2][0])]},
            {"type": "node-evacuate", "instances": all_names, "evac_mode": "all"},
            {"type": "node-evacuate", "instances": all_names, "evac_mode": "primary-only"},
            {"type": "node-evacuate", "instances": all_names, "evac_mode": "secondary-only"},
            {"type": "change-group", "instances": all_names, "target_groups": []},
        ]
