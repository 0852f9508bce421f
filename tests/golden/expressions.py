"""What expressions in case files may use."""

import json
import pathlib

DATA = pathlib.Path(__file__).resolve().parent / "data"
EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "man" / "examples"
GONE = object()  # as a value of changes: the key is taken away


def data(name):
    """The text of a file of data/."""
    return (DATA / name).read_bytes().decode("utf-8")


def example(name):
    """The text of a file of man/examples/."""
    return (EXAMPLES / name).read_bytes().decode("utf-8")


def message(name, request, changes=()):
    """An allocator's message: the JSON document `name` of data/ with this request, and with other values at some paths
    such as "nodes/n1/tags"."""
    document = json.loads(data(name))
    for path, value in [("request", request), *dict(changes).items()]:
        *way, key = path.split("/")
        place = document
        for step in way:
            place = place[int(step) if isinstance(place, list) else step]
        if value is GONE:
            del place[key]
        else:
            place[int(key) if isinstance(place, list) else key] = value
    return json.dumps(document, ensure_ascii=False)


def instance(template, *nodes, **changes):
    """An instance of a message. Without nodes: one that is to be placed."""
    disk = changes.get("disk_space_total", 10240)
    facts = {"disk_template": template, "nodes": list(nodes), "memory": 1024, "vcpus": 1, "disk_space_total": disk,
             "disks": [{"size": disk}], "spindle_use": 1, "tags": [], "nics": []}
    if not nodes:
        del facts["nodes"]
    return facts | changes


def new(template, count, more=(), **changes):
    """A request to allocate an instance on `count` nodes; `more` has keys that are no names in Python."""
    return {"type": "allocate", "name": "new", "required_nodes": count} | instance(template, **changes) | dict(more)


def node(group, **changes):
    """An empty node of a message."""
    memory, disk = changes.get("total_memory", 8192), changes.get("total_disk", 102400)
    return {"group": group, "offline": False, "drained": False, "tags": [],
            "ndparams": {"spindle_count": 1, "exclusive_storage": False},
            "total_memory": memory, "reserved_memory": 0, "free_memory": memory, "total_disk": disk, "free_disk": disk,
            "total_cpus": 8, "reserved_cpus": 0, "total_spindles": 4, "free_spindles": 4} | changes


NAMES = {f.__name__: f for f in (data, example, message, instance, new, node)} | {"GONE": GONE}
