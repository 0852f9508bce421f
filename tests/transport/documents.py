"""A small cluster as the remote API, as a text file, and as the monitoring daemons describe it."""

import json

SPEC = {"memory-size": 256, "cpu-count": 1, "disk-size": 1024, "disk-count": 1, "nic-count": 1, "spindle-use": 1}
POLICY = {"std": SPEC, "minmax": [], "disk-templates": ["drbd", "plain"], "vcpu-ratio": 4, "spindle-ratio": 32}


def _node(name, free_memory):
    return {"name": name, "offline": False, "drained": False, "vm_capable": True, "group.uuid": "ga", "tags": [],
            "ndparams": {"exclusive_storage": False, "spindle_count": 1}, "mtotal": 8192, "mnode": 512,
            "mfree": free_memory, "dtotal": 20480, "dfree": 18432, "ctotal": 4, "cnos": 1}


def _instance(name, primary, secondary):
    return {"name": name, "disk_usage": 1024, "disk.sizes": [896], "disk.spindles": [None], "oper_ram": 1024,
            "beparams": {"vcpus": 1, "auto_balance": True, "spindle_use": 1}, "pnode": primary, "snodes": [secondary],
            "status": "running", "tags": [], "disk_template": "drbd"}


# By the paths below /2/, in the order in which they are asked for. The names are not all of ASCII.
DOCUMENTS = {
    "groups": [{"name": "grün", "uuid": "ga", "alloc_policy": "preferred", "tags": [], "ipolicy": POLICY}],
    "nodes": [_node("n1", 5632), _node("n2", 7680)],
    "instances": [_instance("i1", "n1", "n2"), _instance("i2", "n1", "n2")],
    "info": {"master": "n1", "tags": [], "default_hypervisor": "xen-pvm", "ipolicy": POLICY},
}
DOCUMENTS = {name: json.dumps(document, ensure_ascii=False).encode() for name, document in DOCUMENTS.items()}
PATHS = ["/2/groups?bulk=1", "/2/nodes?bulk=1", "/2/instances?bulk=1", "/2/info"]


def save_documents(directory):
    for name, document in DOCUMENTS.items():
        (directory / f"{name}.json").write_bytes(document)


def text_cluster(nodes):
    """The text of a cluster whose first two nodes have instances."""
    lines = ["g1|u1|preferred|", ""]
    lines += [f"{node}|65536|0|50000|102400|80000|8|N|u1" for node in nodes]
    lines += ["", *(f"i{n}|2048|1024|{n}|running|Y|{nodes[0]}|{nodes[1]}|drbd|" for n in (1, 2)), "", "", ""]
    return "\n".join(lines)


def report(data, name="cpu-avg-load", **others):
    return json.dumps({"name": name, "version": "B", "format_version": 1, "timestamp": 1, "category": None, "kind": 0,
                       "data": data, **others}).encode()


def cpu_report(total, **others):
    return report({"cpu_number": 1, "cpus": [], "cpu_total": total}, **others)
