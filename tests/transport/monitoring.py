"""Monitoring daemons that are asked for the load of their nodes (--mond)."""

import contextlib
import random
import threading

from documents import cpu_report, report, text_cluster
from servers import Server, answer

PORT = 1815
COLLECTOR = "cpu-avg-load"
NO_ANSWER = "Didn't receive an answer by all MonDs, {}'s data will be ignored.\n"


class Nodes:
    """Names of nodes that are addresses of this machine, which nobody else is likely to use at the same time."""

    def __init__(self):
        self._network = f"127.{random.randint(16, 254)}"
        self._count = 0

    def new(self, count):
        self._count += count
        return [f"{self._network}.{n // 250}.{n % 250 + 1}" for n in range(self._count - count, self._count)]


def failed(node, collector=COLLECTOR):
    return f"Failed to contact node's {node} MonD for DC {collector}\n"


class MonitoringChecks:
    def __init__(self, checks):
        self.checks, self.nodes = checks, Nodes()

    def _daemons(self, stack, nodes, bodies):
        return [stack.enter_context(Server(respond if callable(respond) else lambda _, r=respond: r, (node, PORT)))
                for node, respond in zip(nodes, bodies)]

    def _cluster(self, nodes):
        (self.checks.directory / "cluster.data").write_text(text_cluster(nodes))

    def loads(self, title, bodies, warnings, *options, tool="hbal", status=0, collector=COLLECTOR):
        """What is said of daemons that answer with `bodies`, None for no daemon; `warnings` is made of the nodes."""
        nodes = self.nodes.new(len(bodies))
        self._cluster(nodes)
        with contextlib.ExitStack() as stack:
            daemons = [(n, b) for n, b in zip(nodes, bodies) if b is not None]
            servers = self._daemons(stack, *zip(*daemons))
            own_words = ["-q", "-l1"] if tool == "hbal" else []
            words = [tool, "-t", "cluster.data", *own_words, "-pname,cload", "--mond", *options]
            self.checks.answers(title, words, status=status)
            done = self.checks.run(words)
            self._warns(title, done, warnings(nodes))
            wrong = [p for server in servers for p in server.paths if p != f"/1/report/default/{collector}"]
            self.checks.report(f"{title}: what was asked", f"{wrong}" if wrong else "")

    def _warns(self, title, done, expected):
        beginnings = ("Failed", "Didn't", "No CPU", "Error")
        said = "".join(f"{line}\n" for line in done.stderr.splitlines() if line.startswith(beginnings))
        self.checks.report(f"{title}: warnings", "" if said == expected else f"expected:\n{expected}said:\n{said}")

    def check_reports(self):
        right = answer(cpu_report(2.5))
        for tool in ("hbal", "hinfo"):
            self.loads(f"{tool}: all answer", [right, answer(cpu_report(0.125))], lambda _: "", tool=tool)
        self.loads("the name of a report does not matter", [right, answer(cpu_report(1, name="other"))], lambda _: "")
        for title, body in (("no JSON", b"garbage"), ("a list of reports", b"[%s]" % cpu_report(1)),
                            ("one key too many", cpu_report(1, extra=1)), ("data that is something else", report([])),
                            ("nothing", b"")):
            self.loads(title, [right, answer(body)], lambda _: NO_ANSWER.format(COLLECTOR))
        for title, bytes_ in (("not found", answer(cpu_report(1), status="404 Not Found")), ("no daemon", None),
                              ("closed midway", answer(b"{", length=100))):
            self.loads(title, [right, bytes_], lambda nodes: failed(nodes[1]) + NO_ANSWER.format(COLLECTOR))
        moved = answer(status="302 Found", headers=["Location: /other"])
        self.loads("a redirection is not followed", [right, moved], lambda _: NO_ANSWER.format(COLLECTOR))

    def check_options(self):
        right = answer(cpu_report(2.5))
        self.loads("data that is missing is an error", [right, None],
                   lambda nodes: failed(nodes[1]) + NO_ANSWER.format(COLLECTOR) + "Error: Not all required data available\n",
                   "--exit-on-missing-mond-data", status=1)
        self.loads("data that is there is none", [right, right], lambda _: "", "--exit-on-missing-mond-data")
        self.loads("nobody is asked for nothing", [right, None], lambda _: "", "--ignore-dynu")
        xen = "xen-cpu-avg-load"
        loads = [answer(report({"i1": 0.5, "i2": 2}, name=xen)), answer(report({}, name=xen))]
        self.loads("what Xen reports", loads, lambda _: "", "--mond-xen", collector=xen)
        self.loads("an instance that Xen does not report", [loads[1], loads[1]],
                   lambda _: 'No CPU information available for ["i1","i2"]\n', "--mond-xen", collector=xen)

    def check_allocator(self, message):
        """hail asks the daemons of the nodes in its document."""
        names = ["node1", "node2", "node3", "node4"]
        nodes = self.nodes.new(len(names))
        for name, node in zip(names, nodes):
            message = message.replace(f'"{name}"', f'"{node}"')
        (self.checks.directory / "message.json").write_text(message)
        with contextlib.ExitStack() as stack:
            servers = self._daemons(stack, nodes, [answer(cpu_report(load)) for load in (0.5, 1, 1.5, 3)])
            self.checks.answers("hail: all answer", ["hail", "--mond", "-pname,cload", "message.json"])
            asked = [len(server.paths) for server in servers]
            self.checks.report("hail: all are asked", "" if min(asked) > 0 else f"{asked}")
        self.checks.answers("hail: nobody answers", ["hail", "--mond", "message.json"])

    def check_many(self):
        """Daemons are asked at the same time: none of these answers before all have been asked."""
        nodes = self.nodes.new(40)
        barrier = threading.Barrier(len(nodes))

        def respond(_):
            barrier.wait(timeout=25)
            return answer(cpu_report(1))

        self._cluster(nodes)
        words = ["hinfo", "-t", "cluster.data", "--mond"]
        with contextlib.ExitStack() as stack:
            self._daemons(stack, nodes, [respond] * len(nodes))
            done = self.checks.run(words)
        self._warns("many at the same time", done, "")
        nodes = self.nodes.new(300)
        self._cluster(nodes)
        title = "more than are asked at the same time, told in the order of the nodes"
        self.checks.answers(title, words)
        self._warns(title, self.checks.run(words), "".join(map(failed, nodes)) + NO_ANSWER.format(COLLECTOR))

    def run(self, message):
        self.check_reports()
        self.check_options()
        self.check_allocator(message)
        self.check_many()
