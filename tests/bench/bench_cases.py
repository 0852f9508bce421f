"""What scripts/bench measures, per tool: command lines and the clusters they read."""

import allocator
import heterogeneous
import maintained
import proposals
import shared_storage
import sweep_speed
import unbalanced

GENERATORS = {"allocator": allocator.generate, "heterogeneous": heterogeneous.generate,
              "maintained": maintained.generate, "shared-storage": shared_storage.generate,
              "proposals": proposals.generate, "rearranged": proposals.generate_state,
              "study": sweep_speed.generate, "unbalanced": unbalanced.generate}
GIVEN_UP = 60  # seconds; the reference would need many minutes


class Case:
    """One command line of a tool.

    `files` are generated clusters: word in the arguments -> (name of the generator, its arguments...).
    With `projected` the reference takes too long: it makes one balancing step, and its time for as many steps as ours
    makes is projected from that. Where nothing can be projected, the reference is given up after `reference_seconds`,
    unless the user sets a time: its time is then a lower bound. `status` is the exit status of a run that went well.
    """

    def __init__(self, tool, name, arguments, files=None, projected=False, reference_seconds=None, status=0):
        self.tool = tool
        self.name = name
        self.arguments = arguments
        self.files = files or {}
        self.projected = projected
        self.reference_seconds = reference_seconds
        self.status = status


class Growth:
    """A series of cases of growing size, for ours alone."""

    def __init__(self, name, sizes, make_case):
        self.name = name
        self.sizes = sizes
        self.make_case = make_case


class Suite:
    """All that is measured for one tool; `data_cases` makes the cases for a cluster file of the user's own."""

    def __init__(self, cases, growths, data_cases):
        self.cases = cases
        self.growths = growths
        self.data_cases = data_cases


# hspace, the capacity simulator

FIXED_AND_TIERED = ["--standard-alloc=50g,4g,2", "--tiered-alloc=50g,4g,2"]
HETEROGENEOUS = ["--machine-readable", "--standard-alloc=20g,4g,2", "--tiered-alloc=20g,4g,2"]


def _capacity(*arguments, **options):
    return Case("hspace", *arguments, **options)


def _simulated(nodes, template):
    return [f"--simulate=p,{nodes},2t,128g,32", f"--disk-template={template}", *FIXED_AND_TIERED]


def _heterogeneous(name, nodes, kind, template, more=()):
    return _capacity(name, ["-t", "@cluster", f"--disk-template={template}", *HETEROGENEOUS, *more],
                     {"@cluster": ("heterogeneous", nodes, kind)})


def _capacity_of(path):
    base = ["-t", str(path), "--machine-readable"]
    stem = path.stem
    return [
        _capacity(stem, base),
        _capacity(f"{stem}-standard", base + ["--standard-alloc=10g,8g,4", "--tiered-alloc=10g,8g,4"]),
        _capacity(f"{stem}-tiered", base + ["--standard-alloc=10g,32g,16", "--tiered-alloc=100g,64g,32"]),
        _capacity(f"{stem}-drbd", base + ["--disk-template=drbd", "--standard-alloc=40g,16g,8",
                                          "--tiered-alloc=40g,16g,8"]),
    ]


HSPACE = Suite(
    [
        _capacity("reserved-memory", ["--simulate=p,6,204801,10241,21", "--disk-template=drbd",
                                      "--standard-alloc=10240,1024,2"]),
        _capacity("tiered-default-10", ["--simulate=p,10,1t,128g,32", "--disk-template=drbd"]),
        _capacity("drbd-40", ["--simulate=p,40,204801,10241,21", "--disk-template=drbd",
                              "--standard-alloc=10240,1024,2", "--tiered-alloc=10240,1024,2"]),
        _capacity("drbd-160", _simulated(160, "drbd")),
        _heterogeneous("heterogeneous-200-drbd", 200, "drbd", "drbd"),
        # Limited, because the reference takes very long to find out that the capacity check admits nothing more.
        _heterogeneous("heterogeneous-200-plain", 200, "mixed", "plain", ["-l", "100"]),
        _capacity("shared-storage-800", ["-t", "@cluster", "--machine-readable", "--disk-template=rbd",
                                         "--standard-alloc=20g,16g,4"],
                  {"@cluster": ("shared-storage", 800, 4000)}, reference_seconds=GIVEN_UP),
    ],
    [
        Growth("simulated-drbd", (125, 250, 500, 1000),
               lambda n: _capacity(f"simulated-drbd-{n}", _simulated(n, "drbd"))),
        Growth("simulated-plain", (50, 100, 200, 400),
               lambda n: _capacity(f"simulated-plain-{n}", _simulated(n, "plain"))),
        Growth("heterogeneous", (100, 200, 400, 800),
               lambda n: _heterogeneous(f"heterogeneous-{n}", n, "drbd", "drbd")),
    ],
    _capacity_of)


# hbal, the balancer


def _unbalanced(nodes, kind="drbd", equal=False, more=(), projected=False):
    name = f"balance-{kind}-{nodes}" + "-equal" * equal + "".join(more)
    return Case("hbal", name, ["-t", "@cluster", *more], {"@cluster": ("unbalanced", nodes, kind, equal)}, projected)


def _balance_of(path):
    base = ["-t", str(path)]
    name = f"balance-{path.stem}"
    return [Case("hbal", name + "-l1", base + ["-l1"]), Case("hbal", name, base, projected=True)]


HBAL = Suite(
    [
        _unbalanced(20),
        _unbalanced(20, equal=True),
        _unbalanced(20, "mixed"),
        _unbalanced(40),
        _unbalanced(40, "shared"),
        _unbalanced(80, more=["-l5"]),
        _unbalanced(160, projected=True),
    ],
    [
        # One step shows the first look at everything, the whole run what the further steps cost.
        Growth("balance-drbd-l1", (125, 250, 500, 1000), lambda n: _unbalanced(n, more=["-l1"])),
        Growth("balance-drbd", (125, 250, 500, 1000, 2000, 4000), _unbalanced),
        Growth("balance-shared", (125, 250, 500, 1000), lambda n: _unbalanced(n, "shared")),
        Growth("balance-drbd-equal", (125, 250, 500, 1000), lambda n: _unbalanced(n, equal=True)),
    ],
    _balance_of)


# hail, the instance allocator

EVACUATIONS = {"primaries": "primary-only", "secondaries": "secondary-only", "all": "all"}


def _answer(name, *document, more=(), reference_seconds=None):
    return Case("hail", name, ["@request", *more], {"@request": ("allocator", *document)},
                reference_seconds=reference_seconds)


def _allocate(nodes, template, instances_per_node=10, **how):
    return _answer(f"allocate-{template}-{nodes}", nodes, instances_per_node * nodes, template, "allocate", **how)


def _evacuate(what, nodes, count, **how):
    return _answer(f"evacuate-{what}-{nodes}", nodes, 10 * nodes, "drbd", EVACUATIONS[what], count, **how)


def _allocate_at(path):
    return [Case("hail", f"allocate-{path.stem}", ["-t", str(path), "@request"],
                 {"@request": ("allocator", 4, 10, "drbd", "allocate")})]


HAIL = Suite(
    [
        _answer("allocate-small", 4, 10, "drbd", "allocate"),
        _allocate(100, "drbd"),
        _answer("allocate-drbd-100-unchecked", 100, 1000, "drbd", "allocate", more=["--no-capacity-checks"]),
        _answer("multi-allocate-60", 60, 600, "drbd", "multi-allocate", 5, 3),
        _answer("change-group-60", 60, 600, "drbd", "change-group", 5, 3),
        _evacuate("all", 100, 10),
        _evacuate("primaries", 300, 40),
        _evacuate("secondaries", 300, 40),
        _evacuate("all", 300, 40, reference_seconds=GIVEN_UP),
        _evacuate("all", 1000, 40, reference_seconds=GIVEN_UP),
        _allocate(1000, "plain", instances_per_node=20, reference_seconds=GIVEN_UP),
        _allocate(10000, "drbd", reference_seconds=GIVEN_UP),
        _answer("allocate-drbd-10000-in-40-groups", 10000, 100000, "drbd", "allocate", 1, 40,
                reference_seconds=GIVEN_UP),
    ],
    [
        Growth("allocate-drbd", (125, 250, 500, 1000), lambda n: _allocate(n, "drbd")),
        Growth("allocate-plain", (125, 250, 500, 1000), lambda n: _allocate(n, "plain")),
        Growth("evacuate-all", (125, 250, 500, 1000), lambda n: _evacuate("all", n, 40)),
    ],
    _allocate_at)


# The tools that look at a cluster as it is, or plan its maintenance


def _maintained(tool, name, size, options=(), **how):
    """A case on a cluster with room; `size` is what the generator takes."""
    return Case(tool, name, ["-t", "@cluster", *options], {"@cluster": ("maintained", *size)}, **how)


def _in_groups(nodes):
    """The size of a cluster with groups of forty nodes."""
    return nodes, 10 * nodes, "mixed", nodes // 40


HINFO = Suite(
    [
        _maintained("hinfo", "describe-40", _in_groups(40)),
        _maintained("hinfo", "describe-1000", _in_groups(1000)),
    ],
    [Growth("describe", (1000, 2000, 4000), lambda n: _maintained("hinfo", f"describe-{n}", _in_groups(n)))],
    lambda path: [Case("hinfo", f"describe-{path.stem}", ["-t", str(path)])])


def _judge(kind, nodes, *groups):
    return _maintained("hcheck", f"judge-{kind}-{nodes}", (nodes, 10 * nodes, kind, *groups), ["--no-simulation"])


def _rebalance(name, *cluster):
    """A node fails, which is why there is something to simulate."""
    return Case("hcheck", name, ["-t", "@cluster", "-O", "node0005.example.com"], {"@cluster": cluster}, status=1)


HCHECK = Suite(
    [
        _judge("drbd", 1000),
        _judge("mixed", 1000, 25),
        _rebalance("rebalance-unbalanced-20", "unbalanced", 20, "mixed"),
        _maintained("hcheck", "rebalance-40", (40, 400, "mixed", 4), ["-O", "node00005.example.com"], status=1),
    ],
    [
        Growth("judge-drbd", (500, 1000, 2000, 4000), lambda n: _judge("drbd", n)),
        Growth("judge-mixed", (125, 250, 500, 1000), lambda n: _judge("mixed", n)),
        Growth("rebalance", (40, 80, 160), lambda n: _rebalance(f"rebalance-{n}", "unbalanced", n, "mixed")),
    ],
    lambda path: [Case("hcheck", f"judge-{path.stem}", ["-t", str(path), "--no-simulation"])])


def _reboot(nodes, kind="mixed", options=(), **how):
    name = f"reboot-{kind}-{nodes}" + "".join(options)
    return _maintained("hroller", name, (nodes, 10 * nodes, kind), options, **how)


HROLLER = Suite(
    [
        _reboot(200),
        _reboot(200, "drbd", ["--full-evacuation"]),
        _reboot(2000, reference_seconds=GIVEN_UP),
        _reboot(2000, "drbd", ["--full-evacuation"], reference_seconds=GIVEN_UP),
    ],
    [
        Growth("reboot", (500, 1000, 2000, 4000), _reboot),
        Growth("reboot-full-evacuation", (500, 1000, 2000, 4000), lambda n: _reboot(n, "drbd", ["--full-evacuation"])),
    ],
    lambda path: [Case("hroller", f"reboot-{path.stem}", ["-t", str(path), "-f"])])


def _squeeze(nodes, kind="partly-shared", equal=False, **how):
    return _maintained("hsqueeze", f"squeeze-{kind}-{nodes}" + "-equal" * equal, (nodes, 5 * nodes, kind, 1, equal),
                       ["-v"], **how)


HSQUEEZE = Suite(
    [
        _squeeze(20),
        _squeeze(100, "mostly-local", equal=True),
        _squeeze(100, reference_seconds=GIVEN_UP),
    ],
    [Growth("squeeze", (25, 50, 100), _squeeze)],
    lambda path: [Case("hsqueeze", f"squeeze-{path.stem}", ["-t", str(path)])])


# hplan, which the reference has not: only growth is measured


def _plan(nodes, *more):
    return Case("hplan", f"plan-{nodes}", ["-t", "@cluster", "-l", str(2 * nodes), *more],
                {"@cluster": ("unbalanced", nodes, "drbd", False)})


def _check(nodes):
    """A plan with as many steps as nodes; some of them are refused."""
    return Case("hplan", f"check-{nodes}", ["-t", "@cluster", "--check", "@plan"],
                {"@cluster": ("unbalanced", nodes), "@plan": ("proposals", nodes, nodes)}, status=2)


def _to(nodes):
    """To a placement that takes two moves per node; some of them are not allowed."""
    return Case("hplan", f"to-{nodes}", ["-t", "@cluster", "--to", "@state"],
                {"@cluster": ("unbalanced", nodes), "@state": ("rearranged", nodes, 2 * nodes)}, status=2)


# hwhy, which the reference has not either


def _why(name, *question):
    """A question about a cluster of 10 drbd instances for each node; 0 or 2, as the answer is."""
    def case(nodes):
        return Case("hwhy", f"{name}-{nodes}", ["-t", "@cluster", *question],
                    {"@cluster": ("unbalanced", nodes, "drbd", False)}, status=2 if name == "pairs" else 0)
    return Growth(name, (125, 250, 500, 1000), case)


HWHY = Suite([], [_why("wrong"), _why("place", "place", "new,drbd,100g,8g,2"), _why("nodes", "lose", "each-node"),
                  _why("pairs", "lose", "each-pair"), _why("score", "score")], lambda path: [])

HPLAN = Suite([], [Growth("plan", (20, 40, 80, 160), _plan), Growth("check", (125, 250, 500, 1000), _check),
                   Growth("to", (125, 250, 500, 1000), _to)],
              lambda path: [])

# hgrow, which the reference has not

def _growth(nodes):
    return Case("hgrow", f"growth-{nodes}", ["-t", "@cluster", "--growth=20%"],
                {"@cluster": ("unbalanced", nodes, "drbd", False)})


def _random_runs(nodes):
    return Case("hgrow", f"runs-{nodes}", ["-t", "@cluster", "--growth=20%", "--runs=100"],
                {"@cluster": ("unbalanced", nodes, "shared", False)})


def _after_plans(nodes):
    """More growth than fits, also after plans for balance and for room."""
    return Case("hgrow", f"after-plans-{nodes}", ["-t", "@cluster", "--growth=300%", "--after-plan"],
                {"@cluster": ("unbalanced", nodes, "drbd", False)}, status=2)


HGROW = Suite([], [Growth("growth", (125, 250, 500, 1000), _growth), Growth("runs", (30, 60, 120, 240), _random_runs),
                   Growth("after-plans", (30, 60, 120, 240), _after_plans)],
              lambda path: [Case("hgrow", f"{path.stem}-runs", ["-t", str(path), "--runs=100"])])

# hreport, which the reference has not


def _report(nodes):
    """The page of a cluster of 10 drbd instances for each node, with a plan of which some steps are refused."""
    return Case("hreport", f"page-{nodes}", ["-t", "@cluster", "--plan", "@plan"],
                {"@cluster": ("unbalanced", nodes), "@plan": ("proposals", nodes, nodes)}, status=2)


HREPORT = Suite([], [Growth("page", (125, 250, 500, 1000), _report)],
                lambda path: [Case("hreport", f"page-{path.stem}", ["-t", str(path)])])

# hsweep; sweep_speed.py measures what running scenarios takes


def _expand(scenarios):
    return Case("hsweep", f"expand-{scenarios}", ["expand", "@study"], {"@study": ("study", scenarios)})


HSWEEP = Suite([], [Growth("expand", (12500, 25000, 50000, 100000), _expand)], lambda path: [])

SUITES = {"hspace": HSPACE, "hbal": HBAL, "hail": HAIL, "hinfo": HINFO, "hcheck": HCHECK, "hroller": HROLLER,
          "hsqueeze": HSQUEEZE, "hplan": HPLAN, "hwhy": HWHY, "hgrow": HGROW, "hsweep": HSWEEP,
          "hreport": HREPORT}
