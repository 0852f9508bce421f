"""Large input: how long each tool takes, and how much memory."""

import resource

from clusters import Cluster

GIB = 1 << 30
MOST_SECONDS = 120
WARN_SECONDS = 60
MOST_GIB = 16  # of address space
WARN_MIB = 8192

COMMANDS = [
    ["hinfo", "-t", "cluster.data"], ["hinfo", "-I", "request.json"], ["hinfo", "-m", "file://."],
    ["hscan", "file://.", "-d", "out"], ["hbal", "-t", "cluster.data", "-G", "g0", "-l", "5", "-C", "-S", "out/hbal"],
    ["hcheck", "-t", "cluster.data", "--no-simulation"], ["hcheck", "-t", "cluster.data", "-l", "1"],
    ["hroller", "-t", "cluster.data", "-G", "g0"], ["hroller", "-t", "cluster.data"],
    ["hspace", "-t", "cluster.data", "-l", "100", "--tiered-alloc", "100g,8g,4", "-S", "out/hspace"],
    ["hspace", "-t", "cluster.data", "-l", "100", "--no-capacity-checks"],
    ["hail", "request.json"], ["hail", "request.json", "--no-capacity-checks", "-S", "out/hail"],
    ["hsqueeze", "-t", "cluster.data"],
]


class Table:
    def __init__(self, machine):
        self.machine = machine
        print(f"{'size':<34} {'command':<66} {'status':>6} {'s':>7} {'MiB':>6}", flush=True)

    def add(self, size, words, folder, statuses=(0, 1), says="", **how):
        outcome = self.machine.run(words, folder, MOST_SECONDS, limits=[(resource.RLIMIT_AS, MOST_GIB * GIB)], **how)
        marks = " slow" * (outcome.seconds > WARN_SECONDS) + " large" * (outcome.peak_mib > WARN_MIB)
        print(f"{size:<34} {' '.join(words):<66} {outcome.status:>6} {outcome.seconds:>7.1f} {outcome.peak_mib:>6.0f}{marks}",
              flush=True)
        if outcome.seconds < MOST_SECONDS:  # others are in the table, and tell enough
            self.machine.check(f"{size}: {' '.join(words)}", outcome, statuses, folder, says)


def check_clusters(machine, table):
    for nodes, instances, per_group in ((10000, 100000, 100), (10000, 100000, 10000), (100000, 1000000, 100),
                                        (100000, 1000000, 100000)):
        folder = machine.folder()
        (folder / "out").mkdir()
        Cluster(nodes, instances, per_group).save(folder)
        for words in COMMANDS:
            table.add(f"{nodes}/{instances}, {-(-nodes // per_group)} groups", words, folder)
        for path in [*folder.glob("*.*"), *folder.glob("out/*")]:
            path.unlink()


def check_bytes(machine, table):
    """Files of 1 GB and more, good for nothing."""
    folder = machine.folder()
    for title, head, piece, tail in (
            ("1 GB in one line", "", "x" * 1000000, ""), ("1 GB of line feeds", "", "\n" * 1000000, ""),
            ("1 GB of bars", "", "|" * 1000000, ""), ("1 GB of commas", "g|u|preferred|", "," * 1000000, "|\n\n\n\n"),
            ("1 GB of a JSON string", '{"a": "', "x" * 1000000, '"}'), ("1 GB of JSON numbers", "[1", ",1" * 500000, "]"),
            ("1 GB of escapes", '{"a": "', "\\u00e9" * 160000, '"}'), ("1 GB of opened arrays", "", "[" * 1000000, "")):
        path = folder / "file"
        with open(path, "w", encoding="ascii") as file:
            file.write(head)
            for _ in range(1000):
                file.write(piece)
            file.write(tail)
        for words in (["hinfo", "-t", "file"], ["hail", "file"]):
            table.add(title, words, folder)
        path.unlink()
    for words in (["hinfo", "-t", "/dev/zero"], ["hail", "/dev/zero"]):
        table.add("endless", words, folder, (1,), "File too large")
    with open("/dev/zero", "rb") as endless:
        table.add("endless", ["hail", "-"], folder, (1,), "File too large", stdin=endless)
    with open(folder / "sparse", "wb") as file:
        file.truncate(3 * GIB)
    for words in (["hinfo", "-t", "sparse"], ["hail", "sparse"]):
        table.add("3 GiB", words, folder, (1,), "File too large")


def check_long_names(machine, table):
    folder = machine.folder()
    (folder / "out").mkdir()
    Cluster(60, 60, node_name="n" * 1000000 + "{}.example.org", name="i" * 1000000 + "{}").save(folder)
    for words in COMMANDS:
        table.add("60/60, names of 1 MB", words, folder)


def check_sizes(machine):
    table = Table(machine)
    check_long_names(machine, table)
    check_bytes(machine, table)
    check_clusters(machine, table)
