"""A stand-in for Ganeti's daemon that has a job queue, too, and rows for what it tells about the cluster."""
import json
import re

from fake_luxi import END, FIELDS, Server

# What tools say of clusters whose figures are made up, and of instances that have lost their nodes.
WARNINGS = re.compile(r"Warning: (cluster has inconsistent data:\n(  - .*\n)*|Both nodes of instances are offline: .*"
                      r"|Instances of the template drbd have no secondary node: .*)\n")


class QueueServer(Server):
    """Answers questions about the cluster; `queue.answer` gets the other messages and returns what to send, or None to
    close the connection."""

    def __init__(self, path, answers, queue):
        super().__init__(path, answers)
        self.queue = queue

    def answer(self, connection, request):
        message = json.loads(request)
        if message["method"] not in ("SubmitManyJobs", "QueryJobs"):
            return super().answer(connection, request)
        data = self.queue.answer(message)
        if data is not None:
            connection.sendall(data + END)
        return data is not None


def node(name, offline=False, tags=(), drained=False, vm_capable=True):
    values = {"name": name, "mtotal": 65536, "mnode": 1024, "mfree": 60000, "dtotal": 500000, "dfree": 400000, "ctotal": 8,
              "cnos": 1, "offline": offline, "drained": drained, "vm_capable": vm_capable, "ndp/spindle_count": 3,
              "group.uuid": "ug1", "tags": list(tags), "ndp/exclusive_storage": False, "sptotal": None, "spfree": None,
              "ndp/cpu_speed": 1.0}
    return [[0, values[field]] for field in FIELDS["node"]]


def instance(name, primary, *secondaries, template="drbd", memory=8192, forthcoming=False, status="running", tags=()):
    values = {"name": name, "disk_usage": 10368, "be/memory": memory, "be/vcpus": 1, "status": status, "pnode": primary,
              "snodes": secondaries, "tags": tags, "be/auto_balance": True, "disk_template": template, "be/spindle_use": 1,
              "disk.sizes": [10240], "disk.spindles": [None], "forthcoming": forthcoming}
    return [[0, values[field]] for field in FIELDS["instance"]]
