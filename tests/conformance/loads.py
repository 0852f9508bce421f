"""Random utilisation files and answers of monitoring daemons."""

import json

# Lines that do not belong into a utilisation file.
_WRONG_LINES = ("", "NAME 1 2 3", "NAME 1 2 3 4 5", "NAME  1 2 3 4",
                "NAME 1 2 3 4 ", "NAME 1 x 3 4", "NAME 1 2 .5 4",
                "NAME 1,5 2 3 4", "NAME 1 2 3 +4", "NAME\t1\t2\t3\t4",
                "NAME 1 2 3 4x", "# comment", "NAME 1 2. 3 4")


def utilisation(rng, instances):
    """The text of a file for -U."""
    value = _numbers(rng)
    share = rng.choice((1, 1, 0.7, 0.2))
    lines = [_utilisation_line(i.name, value) for i in instances
             if rng.random() < share]
    if rng.random() < 0.15:
        lines.append(_utilisation_line("nosuch", value))
    if instances and rng.random() < 0.15:
        lines.append(_utilisation_line(rng.choice(instances).name, value))
    if rng.random() < 0.3:
        rng.shuffle(lines)
    if rng.random() < 0.05:
        name = rng.choice(instances).name if instances else "inst0"
        lines.insert(rng.randint(0, len(lines)),
                     rng.choice(_WRONG_LINES).replace("NAME", name))
    end = "\n" if rng.random() < 0.9 else ""
    return "\n".join(lines) + end * bool(lines)


def _utilisation_line(name, value):
    return " ".join([name] + [value() for _ in range(4)])


def _numbers(rng):
    """A function that draws numbers of one style, as text."""
    digits, scale = rng.choice((1, 1, 2, 3, 6, 15)), rng.choice((1, 1, 3, 50))
    same = str(rng.choice((0, 1, 0.1, 0.3, 2.5)))
    return rng.choice((
        lambda: same,
        lambda: str(rng.randint(0, 4)),
        lambda: str(rng.choice((0, 0.1, 0.2, 0.3, 0.7))),
        lambda: f"{rng.random() * scale:.{digits}f}",
        lambda: f"{rng.random() * scale:.{digits}f}",
        lambda: f"{rng.uniform(-scale, scale):.{digits}f}",
        lambda: repr(rng.random()),
        lambda: f"{10 ** rng.uniform(-6, 6):.4g}".replace("+", ""),
        lambda: rng.choice(("0", "1", "2.5e-2", "1e3", "-0.0", "1E1", "1e+2",
                            "0012", "1.50")),
        lambda: rng.choice(("0.5", "1", "1", "1", "1", "1", "1", "1", "NaN",
                            "Infinity", "-Infinity", "1e300", "1e400")),
    ))


def monitoring(rng, cluster, xen):
    """The text of a file for --mond-data; `xen` selects the collector."""
    value = rng.choice((lambda: rng.randint(0, 4), lambda: rng.random() * 8,
                        lambda: round(rng.random() * 4, 1), lambda: 0.5))
    make = _xen_report if xen else _cpu_report
    answers = [{"node": node.name,
                "reports": [make(rng, cluster, node, value)]}
               for node in cluster.nodes]
    if rng.random() < 0.3 and answers:
        rng.choice(answers)["reports"].insert(
            rng.choice((0, 1)), _report(rng, "diskstats", []))
    if rng.random() < 0.15 and answers:
        answers.append({"node": rng.choice(answers)["node"], "other": 1,
                        "reports": [make(rng, cluster, cluster.nodes[0],
                                         value)]})
    if rng.random() < 0.3:
        rng.shuffle(answers)
    kind = rng.random()
    if kind < 0.2 and answers:
        _make_incomplete(rng, answers)
    elif kind < 0.35 and answers:
        _make_wrong(rng, answers)
    text = json.dumps(answers, ensure_ascii=rng.random() < 0.5,
                      indent=rng.choice((None, None, 1)))
    if rng.random() < 0.06:
        text = rng.choice(("", "{}", "[[]]", "[1]", text[:-1], text[:-2],
                           text + "x", text.replace(":", "=", 1),
                           text.replace(",", ",,", 1)))
    return text + rng.choice(("", "\n"))


def _report(rng, name, data):
    return {"name": name, "version": "B", "format_version": 1,
            "timestamp": rng.choice((1, 1379507272000000000)),
            "category": rng.choice((None, "node", "hypervisor", "instance"))
            if rng.random() < 0.02 else None,
            "kind": rng.choice((0, 0, 1)), "data": data}


def _cpu_report(rng, _cluster, _node, value):
    total = value()
    return _report(rng, "cpu-avg-load", {
        "cpu_number": 2, "cpus": [total / 2, total / 2], "cpu_total": total})


def _xen_report(rng, cluster, node, value):
    return _report(rng, "xen-cpu-avg-load", {
        i.name: value() for i in cluster.instances
        if (rng.random() < 0.99 if i.primary is node
            else rng.random() < 0.03)})


def _make_incomplete(rng, answers):
    """Take away something that the collector needs."""
    victim = rng.choice(answers)
    kind = rng.randrange(5)
    if kind == 0:
        answers.remove(victim)
    elif kind == 1:
        victim["reports"] = []
    elif kind == 2:
        victim["node"] += "x"
    elif kind == 3:
        victim["reports"][-1]["name"] = "cpu"
    else:  # of the collector's report or of another one
        data = victim["reports"][-1]["data"]
        if data:
            del data[rng.choice(list(data))]


def _make_wrong(rng, answers):
    """Break the form of an answer, a report or its data."""
    victim = rng.choice(answers)
    reports = victim["reports"]
    report = next(r for r in reports if r["data"] != [])
    rng.choice((
        lambda: victim.pop("node"),
        lambda: victim.pop("reports"),
        lambda: victim.update(node=1),
        lambda: victim.update(reports={}),
        lambda: reports.append([]),
        lambda: report.pop(rng.choice(list(report))),
        lambda: report.update(extra=1),
        lambda: report.update(kind=rng.choice((2, 0.5, "0"))),
        lambda: report.update(category="nosuch"),
        lambda: report.update(category=rng.choice((None, "storage"))),
        lambda: report.update(version=2),
        lambda: report.update(format_version=rng.choice((1.5, "1"))),
        lambda: report.update(data=rng.choice(([], 1, "x", None))),
        lambda: report.update(data={"cpu_total": 1, "extra": 1}),
        lambda: report["data"].update(cpu_total="x"),
        lambda: report["data"].update(inst0="x"),
        lambda: report["data"].update(extra=1),
    ))()
