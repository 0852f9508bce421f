"""What Ganeti's daemon would say of the cluster in a text file, as far as the file tells; its jobs succeed."""

from fake_luxi import FIELDS, POLICY, replies, reply, results
from fake_queue import QueueServer


def rows(kind, values):
    return [[[0, item[field]] for field in FIELDS[kind]] for item in values]


def tags(text):
    return [tag for tag in text.split(",") if tag]


def group(name, uuid, policy, tag_text, *_):
    return {"uuid": uuid, "name": name, "alloc_policy": policy, "ipolicy": POLICY, "tags": tags(tag_text)}


def node(name, memory, own, free, disk, free_disk, cpus, role, uuid, spindles="1", tag_text="", *_):
    return {"name": name, "mtotal": int(memory), "mnode": int(own), "mfree": int(free), "dtotal": int(disk),
            "dfree": int(free_disk), "ctotal": int(cpus), "cnos": 1, "offline": role == "Y", "drained": False,
            "vm_capable": True, "ndp/spindle_count": int(spindles), "group.uuid": uuid, "tags": tags(tag_text),
            "ndp/exclusive_storage": False, "sptotal": None, "spfree": None, "ndp/cpu_speed": 1.0}


def instance(name, memory, disk, cpus, status, balanced, primary, secondary, template, tag_text="", *_):
    return {"name": name, "disk_usage": int(disk), "be/memory": int(memory), "be/vcpus": int(cpus), "status": status,
            "pnode": primary, "snodes": [secondary] if secondary else [], "tags": tags(tag_text),
            "be/auto_balance": balanced == "Y", "disk_template": template, "be/spindle_use": 1, "disk.sizes": [int(disk)],
            "disk.spindles": [None], "forthcoming": False}


def answers(text):
    """For a Server: the groups (with the usual policy), nodes, instances and tags of a text cluster file."""
    groups, nodes, instances, cluster_tags = ([line.split("|") for line in section.splitlines()]
                                              for section in (text + "\n\n").split("\n\n")[:4])
    changed = results()
    for kind, make, lines in (("group", group, groups), ("node", node, nodes), ("instance", instance, instances)):
        changed[kind]["data"] = rows(kind, (make(*line) for line in lines))
    changed["info"] |= {"master": next(line[0] for line in nodes if line[7] == "M"), "tags": [line[0] for line in cluster_tags]}
    return replies(changed)


class Queue:
    """Numbers jobs from 101; all of them succeed."""

    def __init__(self):
        self.jobs = 100

    def answer(self, message):
        subjects = message["args"][0]
        if message["method"] == "QueryJobs":
            return reply([["success"] for _ in subjects])
        first = self.jobs + 1
        self.jobs += len(subjects)
        return reply([[True, job] for job in range(first, self.jobs + 1)])


def server(socket, text):
    return QueueServer(socket, answers(text), Queue())
