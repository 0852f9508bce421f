"""A stand-in for Ganeti's query daemon: answers, or misbehaves, as it is told."""
import copy
import json
import pathlib
import socket
import threading
import time

END = b"\x03"
KINDS = ("node", "instance", "info", "group")  # in the order in which they are asked for

FIELDS = {
    "node": ["name", "mtotal", "mnode", "mfree", "dtotal", "dfree", "ctotal", "cnos", "offline", "drained", "vm_capable",
             "ndp/spindle_count", "group.uuid", "tags", "ndp/exclusive_storage", "sptotal", "spfree", "ndp/cpu_speed"],
    "instance": ["name", "disk_usage", "be/memory", "be/vcpus", "status", "pnode", "snodes", "tags", "be/auto_balance",
                 "disk_template", "be/spindle_use", "disk.sizes", "disk.spindles", "forthcoming"],
    "group": ["uuid", "name", "alloc_policy", "ipolicy", "tags"],
}
REQUESTS = [
    {"method": "Query", "args": ["node", FIELDS["node"], None]},
    {"method": "Query", "args": ["instance", FIELDS["instance"], None]},
    {"method": "QueryClusterInfo", "args": []},
    {"method": "Query", "args": ["group", FIELDS["group"], None]},
]

SPEC = {"memory-size": 128, "cpu-count": 1, "disk-size": 1024, "disk-count": 1, "nic-count": 1, "spindle-use": 1}
MOST = {"memory-size": 32768, "cpu-count": 8, "disk-size": 1048576, "disk-count": 16, "nic-count": 8, "spindle-use": 12}
POLICY = {"std": SPEC, "minmax": [{"min": SPEC, "max": MOST}], "disk-templates": ["plain", "drbd", "diskless"],
          "vcpu-ratio": 4, "spindle-ratio": 32.0}

ROWS = {
    "node": [
        ["n1", 65536, 1024, 60000, 500000, 400000, 8, 1, False, False, True, 3, "ug1", ["nt"], False, 7, 2, 1.5],
        ["n2", 65536.5, 1024, 61000, 500000, 410000, 8, 1, False, False, True, 3, "ug1", [], False, None, None, 1],
        ["n3", 32768, 512, 30000, 250000, 250000, 4, 1, False, True, True, 3, "ug2", [], True, 9, 4, 1.0],
    ],
    "instance": [
        ["i1", 10368, 2048, 2, "running", "n1", ["n2"], ["svc:a"], True, "drbd", 1, [10240], [None], False],
        ["i2", 20480, 1024, 1, "ADMIN_down", "n2", [], [], False, "plain", 2, [10240, 10240], [1, 2], False],
        ["i\u00e9", 0, 512, 1, "running", "n1", ["n2", "n3"], [], True, "diskless", 1, [], [], True],
    ],
    "group": [["ug1", "default", "preferred", POLICY, ["gt"]], ["ug2", "other", "last_resort", POLICY, []]],
}
INFO = {"name": "cluster", "master": "n1", "tags": ["htools:iextags:svc", "c"], "ipolicy": POLICY,
        "default_hypervisor": "kvm", "enabled_hypervisors": ["kvm"]}


def query_result(kind):
    return {"fields": [{"name": name} for name in FIELDS[kind]], "data": [[[0, value] for value in row] for row in ROWS[kind]]}


def results():
    """What the queries find, by kind; the caller's own, to change."""
    return {kind: copy.deepcopy(INFO) if kind == "info" else copy.deepcopy(query_result(kind)) for kind in KINDS}


def reply(result, success=True):
    return json.dumps({"success": success, "result": result}, ensure_ascii=False).encode()


def replies(changed=None):
    """The answers of all kinds as bytes, without the end of a message."""
    return {kind: reply(result) for kind, result in (changed or results()).items()}


class Server:
    """Listens on a socket in a thread until the context ends.

    answers    what to send, by kind; None closes the connection instead
    ends       kinds after whose answer the end of a message is sent; after others the connection is closed
    silent     kinds that are not answered at all
    pieces     bytes that are sent at a time, by kind
    pause      seconds between pieces
    The requests are kept, as bytes.
    """

    def __init__(self, path: pathlib.Path, answers, ends=KINDS, silent=(), pieces=None, pause=0.0):
        self.path, self.answers, self.ends, self.silent = path, answers, ends, silent
        self.pieces, self.pause = pieces or {}, pause
        self.requests = []
        self.listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.thread = threading.Thread(target=self.serve, daemon=True)

    def __enter__(self):
        self.listener.bind(str(self.path))
        self.listener.listen()
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        self.thread.join(timeout=10)
        self.path.unlink()

    def serve(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            with connection:
                try:
                    self.converse(connection)
                except OSError:
                    pass  # the client has gone

    def converse(self, connection):
        unread = b""
        while True:
            while END not in unread:
                received = connection.recv(65536)
                if not received:
                    return
                unread += received
            request, _, unread = unread.partition(END)
            self.requests.append(request)
            if not self.answer(connection, request):
                return

    def answer(self, connection, request):
        message = json.loads(request)
        kind = message["args"][0] if message["method"] == "Query" else "info"
        if kind in self.silent:
            return True
        if self.answers[kind] is None:
            return False
        data = self.answers[kind] + (END if kind in self.ends else b"")
        size = self.pieces.get(kind, len(data) or 1)
        for start in range(0, len(data), size):
            connection.sendall(data[start:start + size])
            time.sleep(self.pause)
        return kind in self.ends
