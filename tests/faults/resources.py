"""Little memory, few files, small stacks, no threads."""

import resource
import socket

import servers
from clusters import Cluster
from machine import NOBODY

MIB = 1 << 20
# On a cluster of middling size.
COMMANDS = [
    ["hinfo", "-t", "cluster.data", "-p"], ["hinfo", "-I", "request.json"], ["hinfo", "-m", "file://."],
    ["hbal", "-t", "cluster.data", "-G", "g1", "-l", "3", "-p", "-Cfile", "-S", "state"],
    ["hcheck", "-t", "cluster.data"], ["hroller", "-t", "cluster.data", "-S", "state"],
    ["hspace", "-t", "cluster.data", "-l", "20", "-S", "state"], ["hail", "request.json", "-S", "state"],
    ["hsqueeze", "-t", "cluster.data", "-v", "-Cfile", "-S", "state"], ["hscan", "file://."],
]
SAVED = ("file", "state.original", "state.balanced", "state.squeezed", "state.tiered", "state.standard",
         "state.pre-ialloc", "state.post-ialloc", "file:__..data")
NO_MEMORY = "out of memory"
LOADER = 127  # the status when the C library itself finds no room


def small(words):
    """The same without a group: small clusters have one."""
    return [word for word in words if word not in ("-G", "g1")]


def check_answer(machine, title, folder, outcome, usual, extra=()):
    """The usual answer, or no memory. Files are there as usual, or not at all."""
    if outcome.status in extra:
        return
    if (outcome.status, outcome.out) == (usual.status, usual.out):
        machine.report(title, "")
    else:
        says = "" if outcome.words[0] == "hscan" and outcome.status == 2 else NO_MEMORY
        machine.check(title, outcome, (1, 2) if outcome.words[0] == "hscan" else (1,), folder, says)
        told = outcome.out if outcome.status == 2 else outcome.err
        machine.report(f"{title}: lack of memory is told", "" if NO_MEMORY.encode() in told else f"{outcome}")


def saved(folder):
    files = {}
    for name in SAVED:
        if (folder / name).exists():
            files[name] = (folder / name).read_bytes()
            (folder / name).unlink()
    return files


def check_memory(machine):
    """Address space of several sizes, until it is enough."""
    folder = machine.folder()
    Cluster(400, 6000).save(folder)
    few = machine.folder()
    Cluster(12, 60).save(few)
    # With less than its own size, the system ends a program before it runs.
    least = 7 * MIB // 8 + max(path.stat().st_size for path in machine.tool_dir.iterdir())
    for words in COMMANDS:
        where = few if words[0] == "hsqueeze" else folder  # others take too long
        words = small(words) if where is few else words
        usual = machine.run(words, where)
        files = saved(where)
        machine.check(" ".join(words), usual, (0, 1), most_mib=100)
        bound, enough = least, 0
        while enough < 2 and bound < 200 * MIB:
            title = f"{' '.join(words)}: {bound // 1024} KiB of memory"
            outcome = machine.run(words, where, limits=[(resource.RLIMIT_AS, bound)])
            check_answer(machine, title, where, outcome, usual, (LOADER,))
            wrong = [name for name, content in saved(where).items() if content != files.get(name)]
            machine.report(f"{title}: files", f"not as usual: {wrong}" if wrong else "")
            enough += outcome.out == usual.out and outcome.status == usual.status
            bound = int(bound * 1.15)
        machine.report(f"{' '.join(words)}: 200 MiB are enough", "" if enough else "they are not")


def check_allocations(machine):
    """Single allocations fail; or one and all that follow."""
    if machine.allocation_fault is None:
        machine.skip("single allocations that fail", "the library for that is not given")
        return
    folder = machine.folder()
    Cluster(6, 30).save(folder)
    for words in [*map(small, COMMANDS), ["hbal", "--help"], ["hbal", "--unknown"], ["hbal", "-t", "missing"]]:
        usual = machine.run(words, folder)
        files = saved(folder)
        number, unharmed = 1, 0
        while unharmed < 12:
            for lasts in ({}, {"ALLOCATION_FAULT_LASTS": "1"}):
                title = f"{' '.join(words)}: allocation {number} fails{', and all that follow' if lasts else ''}"
                environment = {**machine.environment, "LD_PRELOAD": str(machine.allocation_fault),
                               "ALLOCATION_FAULT": str(number), **lasts}
                outcome = machine.run(words, folder, env=environment)
                check_answer(machine, title, folder, outcome, usual)
                wrong = [name for name, content in saved(folder).items() if content != files.get(name)]
                machine.report(f"{title}: files", f"not as usual: {wrong}" if wrong else "")
            unharmed = unharmed + 1 if outcome.status == usual.status and outcome.err == usual.err else 0
            number += 1 if number < 40 else machine.allocation_step


def check_descriptors(machine):
    """Few files may be open."""
    folder = machine.folder()
    Cluster(6, 30).save(folder)
    for words in map(small, COMMANDS):
        for bound in (3, 4):
            outcome = machine.run(words, folder, limits=[(resource.RLIMIT_NOFILE, bound)])
            # The dynamic loader opens files, too.
            machine.check(f"{' '.join(words)}: {bound} files", outcome, (0, 1, 2, LOADER), folder,
                          "Too many open files" if bound == 3 and outcome.status == 1 else "")
    for words in (["hinfo", "-m", "localhost:1"], ["hscan", "localhost"], ["hinfo", f"-L{folder}/none"]):
        for bound in (3, 4, 5, 6, 8):
            machine.check(f"{' '.join(words)}: {bound} files",
                          machine.run(words, folder, limits=[(resource.RLIMIT_NOFILE, bound)]), (1, 2, LOADER))


def check_threads(machine):
    """Only the library that asks hosts may start threads, to look up names."""
    folder = machine.folder()
    Cluster(6, 30).save(folder)
    user = NOBODY if machine.is_root else None
    limits = [(resource.RLIMIT_NPROC, 0)]
    for words in (["hinfo", "-t", "cluster.data"], ["hbal", "-t", "cluster.data"]):
        usual = machine.run(words, folder)
        outcome = machine.run(words, folder, user=user, limits=limits)
        machine.report(f"{' '.join(words)}: no threads",
                       "" if (outcome.status, outcome.out) == (usual.status, usual.out) else f"{outcome}")
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        port = held.getsockname()[1]
        for words, status in ((["hinfo", "-m", f"http://localhost:{port}"], 1), (["hscan", f"http://localhost:{port}"], 2)):
            machine.check(f"{' '.join(words)}: no threads", machine.run(words, folder, user=user, limits=limits), (status,))


def check_stack(machine):
    """Documents are nested deeper than a small stack is."""
    folder = machine.folder()
    Cluster(12, 200).save(folder)
    for depth in (999, 1001, 2000000):
        for opening, closing in (("[", "]"), ('{"a": ', "}")):
            (folder / "deep.json").write_text(opening * depth + "1" + closing * depth, encoding="utf-8")
            for words in (["hail", "deep.json"], ["hinfo", "-I", "deep.json"], ["hbal", "-t", "cluster.data", "--mond",
                                                                              "--mond-data", "deep.json"]):
                outcome = machine.run(words, folder, limits=[(resource.RLIMIT_STACK, 256 * 1024)], env={})
                machine.check(f"{' '.join(words)}: {depth} levels and a small stack", outcome, (1,),
                              says="too many levels" if depth > 1000 else "", most_mib=400)
    for words in map(small, COMMANDS):
        usual = machine.run(words, folder)
        outcome = machine.run(words, folder, limits=[(resource.RLIMIT_STACK, 256 * 1024)], env={})
        machine.report(f"{' '.join(words)}: a small stack",
                       "" if (outcome.status, outcome.out) == (usual.status, usual.out) else f"{outcome}")


def check_hosts(machine):
    """A cluster that is too large for the memory fails alone; the others are scanned."""
    folder, documents, big = machine.folder(), machine.folder(), machine.folder()
    Cluster(6, 30).save(documents)
    Cluster(400, 20000).save(big)
    with servers.Server(lambda _: servers.answer(bytes(64 * MIB))) as server:
        for title, address, reason, memory in (
                ("a host with huge answers", f"http://127.0.0.1:{server.port}", "", 150 * MIB),
                ("a large cluster", f"file://{big}", NO_MEMORY, 30 * MIB)):
            outcome = machine.run(["hscan", address, f"file://{documents}"], folder,
                                  limits=[(resource.RLIMIT_AS, memory)])
            machine.check(f"hscan: {title} and little memory", outcome, (2,), folder)
            told = outcome.out.decode()
            right = f"Error for {address}: failed to load data. Details:\n{reason}" in told
            machine.report(f"hscan: {title} is told", "" if right else told)
            written = [path.name for path in folder.iterdir()]
            name = f"file://{documents}.data".replace("/", "_")
            machine.report(f"hscan: {title}: the other cluster is scanned",
                           "" if written == [name] and f"\nfile://{documents} " in told else f"{written}, {told}")
            (folder / name).unlink(missing_ok=True)


def check_resources(machine):
    if not machine.memory_limits:
        machine.skip("little memory", "limits are not wanted")
        return
    check_memory(machine)
    check_allocations(machine)
    check_descriptors(machine)
    check_threads(machine)
    check_stack(machine)
    check_hosts(machine)
