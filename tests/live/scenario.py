"""What an administrator does with instances whose nodes the iallocator chooses."""

import json

from checks import Checks
from cluster import ALLOCATOR

NODES = {"node1", "node2", "node3", "node4"}
CHOOSE = ("-I", ALLOCATOR)
SYSTEM = "noop+default"
DISKLESS = ("-t", "diskless")
PLAIN = ("-t", "plain", "--disk", "0:size=5g", "--no-install", "--no-start", "--no-wait-for-sync")
RESERVED = ("-t", "drbd", "--disk", "0:size=10g", "--forthcoming")
TOO_MUCH = 40000  # MiB of memory; the policy allows less


def new_instance(name, *options, template=DISKLESS, network=("--no-nics",), choose=CHOOSE):
    """The words of a command that adds an instance."""
    return ("gnt-instance", "add", "--no-name-check", "--no-ip-check", "-o", SYSTEM, *template, *choose, *network,
            *options, name)


def new_instances(file, **memory):
    """The words of a command that adds instances with so much memory at once, as described in a file."""
    file.write_text(json.dumps([
        {"instance_name": name, "mode": "create", "disk_template": "diskless", "disks": [], "nics": [],
         "os_type": SYSTEM, "beparams": {"memory": size, "vcpus": 1}, "hypervisor": "fake", "name_check": False,
         "ip_check": False}
        for name, size in memory.items()]), encoding="utf-8")
    return "gnt-instance", "batch-create", *CHOOSE, str(file)


def bounds(memory):
    """Of instances, wide but for the memory."""
    spec = "memory-size={},cpu-count={},disk-size={},disk-count={},nic-count={},spindle-use={}"
    return f"min:{spec.format(1, 1, 0, 0, 0, 0)}/max:{spec.format(memory, 8, 1048576, 16, 8, 12)}"


def moves(call):
    """As Ganeti announces them."""
    announced = (f"{name} (to {', '.join(nodes)})" for name, _, nodes in call.result[0])
    return f"Instances to be moved: {', '.join(announced)}"


class Scenario:
    def __init__(self, cluster, report):
        self.cluster = cluster
        self.check = Checks(cluster, report)

    def run(self, jobs, sources):
        """`jobs` works on the empty cluster. When the cluster has changed much, `sources` looks at it."""
        jobs.run()
        for part in (self.diskless_instances, self.mirrored_instances, self.mirrored_instances_and_groups,
                     self.node_groups, self.restricted_choices):
            part()
            sources.look(f"after {part.__name__.replace('_', ' ')}")
        self.all_sorts()
        sources.look_closely("of all sorts of things")
        self.another_hypervisor()
        sources.look_at_memory("of nodes that could run KVM")

    def diskless_instances(self):
        """To Ganeti, they are mirrored externally: they can be moved to any node."""
        check, file = self.check, self.cluster.directory / "instances.json"
        check.done("an instance is added", "allocate", *new_instance("web1", "-B", "memory=2048"))
        check.done("another one is added", "allocate", *new_instance("web2", "-B", "memory=4096,vcpus=2"))
        check.refused("an instance is too big", "allocate", *new_instance("big", "-B", f"memory={TOO_MUCH}"))
        check.done("two are added at once", "multi-allocate", *new_instances(file, mail1=1024, mail2=2048))
        check.refused("one of two is too big", "multi-allocate", *new_instances(file, mail3=1024, big=TOO_MUCH))
        check.done("an instance is migrated", "relocate", "gnt-instance", "migrate", "-f", *CHOOSE, "web1")
        check.done("an instance is failed over", "relocate", "gnt-instance", "failover", "-f", *CHOOSE, "web2")
        node = self.cluster.placements()["web1"][0]
        check.done("a node is evacuated", "node-evacuate", "gnt-node", "evacuate", "-f", *CHOOSE, "-p", node,
                   holds=lambda nodes: node not in nodes)

    def mirrored_instances(self):
        """For reserved instances, Ganeti only changes its configuration. It does not migrate them."""
        check = self.check
        for name in ("db1", "db2"):
            check.done(f"mirrored instance {name} is reserved", "allocate",
                       *new_instance(name, "-B", "memory=1024", template=RESERVED),
                       holds=lambda nodes: len(set(nodes)) == 2)
        check.done("a secondary node is replaced", "relocate", "gnt-instance", "replace-disks", *CHOOSE, "db1")
        secondary = self.cluster.placements()["db2"][1]
        check.done("secondary instances are evacuated", "node-evacuate", "gnt-node", "evacuate", "-f", *CHOOSE, "-s",
                   secondary, holds=lambda nodes: secondary not in nodes)
        check.told("primary mirrored instances are to be evacuated", "node-evacuate", "gnt-node", "evacuate", "-f",
                   *CHOOSE, "-p", self.cluster.placements()["db1"][0], sentence=moves)
        check.done("an instance with a plain disk is added", "allocate", *new_instance("file1", template=PLAIN))
        check.told("a plain disk is to be mirrored", "allocate-secondary", "gnt-instance", "modify", "-t", "drbd",
                   *CHOOSE, "file1", sentence=lambda call: f"{ALLOCATOR} choose {call.result} as new secondary")

    def mirrored_instances_and_groups(self):
        """A second group gets the nodes that the instance db1 does not use."""
        cluster = self.cluster
        cluster.set_up("gnt-instance", "remove", "-f", "db2")
        cluster.set_up("gnt-instance", "remove", "-f", "file1")
        cluster.set_up("gnt-group", "add", "second")
        cluster.set_up("gnt-group", "assign-nodes", "second", *sorted(NODES - set(cluster.placements()["db1"])))
        for kind, options in (("change-group", ()), ("node-evacuate", ("--evac-mode", "primary-only"))):
            self.check.told(f"gnt-debug asks for {kind} of a mirrored instance", kind, "gnt-debug", "iallocator", "-m",
                            kind, *options, "--dir", "out", *CHOOSE, "db1",
                            sentence=lambda call: call.answer.decode().strip())
        cluster.set_up("gnt-instance", "remove", "-f", "db1")

    def node_groups(self):
        check, cluster = self.check, self.cluster
        groups = cluster.node_groups()
        in_default, in_second = (lambda nodes, group=name: groups[nodes[0]] == group for name in ("default", "second"))
        change_group = ("change-group", "gnt-instance", "change-group", *CHOOSE)

        check.done("an instance is added to a group", "allocate", *new_instance("app1", "-g", "second"),
                   holds=in_second)
        check.done("an instance is moved to a group", *change_group, "--to", "default", "app1", holds=in_default)
        check.done("an instance is moved to any other group", *change_group, "app1", holds=in_second)
        cluster.set_up("gnt-group", "modify", "--alloc-policy=unallocable", "default")
        check.done("an instance is added while a group is unallocable", "allocate", *new_instance("app2"),
                   holds=in_second)
        cluster.set_up("gnt-group", "modify", "--alloc-policy=preferred", "default")

        cluster.set_up("gnt-group", "add", "empty")
        check.refused("an instance cannot be added to an empty group", "allocate", *new_instance("lost", "-g", "empty"))
        check.refused("an instance cannot be moved to an empty group", *change_group, "--to", "empty", "app1")

        cluster.set_up("gnt-network", "add", "--network=192.0.2.0/24", "net1")
        cluster.set_up("gnt-network", "connect", "--nic-parameters", "mode=routed,link=none", "net1", "second")
        check.done("an instance is added to a network of one group", "allocate",
                   *new_instance("app3", network=("--net", "0:network=net1,ip=pool")), holds=in_second)

    def restricted_choices(self):
        check, cluster = self.check, self.cluster
        cluster.set_up("gnt-cluster", "add-tags", "htools:iextags:service")
        for name in ("dns1", "dns2"):
            taken = cluster.placements().get("dns1")
            check.done(f"instance {name} with an exclusion tag is added", "allocate",
                       *new_instance(name, "--tags", "service:dns"), holds=lambda nodes, taken=taken: nodes != taken)

        cluster.set_up("gnt-cluster", "modify", f"--default-iallocator={ALLOCATOR}",
                       "--default-iallocator-params=restrict-allocation-to=node2")
        check.done("the default iallocator has an option", "allocate", *new_instance("app4", choose=()),
                   holds=lambda nodes: nodes == ["node2"])
        cluster.set_up("gnt-cluster", "modify", "--default-iallocator-params=")

        cluster.set_up("gnt-node", "modify", "--drained=yes", "node2")
        check.done("a drained node is evacuated, soft errors ignored", "node-evacuate", "gnt-node", "evacuate", "-f",
                   "--ignore-soft-errors", *CHOOSE, "-p", "node2", holds=lambda nodes: nodes != ["node2"])
        cluster.set_up("gnt-node", "modify", "--offline=yes", "node2")
        check.refused("a group of one node has no reserve", "allocate", *new_instance("app5"))

    def all_sorts(self):
        """States and properties that are worth being told."""
        cluster = self.cluster
        cluster.set_up("gnt-cluster", "add-tags", "htools:desiredlocation:rack", "htools:migration:a")
        cluster.set_up("gnt-group", "add-tags", "second", "site:north")
        cluster.set_up("gnt-group", "modify", "--alloc-policy=last_resort", "--ipolicy-vcpu-ratio=2.5",
                       f"--ipolicy-bounds-specs={bounds(memory=3000)}", "second")
        cluster.set_up("gnt-node", "add-tags", "node1", "rack:1", "a:old")
        cluster.set_up("gnt-instance", "add-tags", "web1", "rack:1")
        cluster.set_up("gnt-instance", "modify", "-B", "auto_balance=False", "web1")
        cluster.set_up("gnt-instance", "stop", "web2")
        cluster.set_up("gnt-instance", "stop", "mail1")
        cluster.set_up("gnt-instance", "modify", "--offline", "mail1")
        groups = cluster.node_groups()
        pair = sorted(node for node in NODES if groups[node] != groups["node2"])
        cluster.set_up(*new_instance("db3", template=RESERVED, choose=("-n", ":".join(pair))))
        cluster.set_up(*new_instance("file2", template=PLAIN, choose=("-n", pair[0])))
        cluster.set_up("gnt-node", "modify", "--drained=yes", pair[1])

    def another_hypervisor(self):
        """The cluster's default, but no instance's."""
        stand_in = self.cluster.directory / "bin" / "kvm"
        self.cluster.set_up("gnt-cluster", "modify", "--enabled-hypervisors=kvm,fake", "-H",
                            f"kvm:kvm_path={stand_in},kernel_path=")
