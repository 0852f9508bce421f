"""Statistics of what hinfo, hcheck, hroller and hsqueeze did."""

import re

MOST = 5  # larger numbers are counted together


def _number(value):
    return str(value) if value <= MOST else f"more than {MOST}"


def _stdout(result):
    return result.reference.stdout.decode("utf-8", "replace")


_HINFO_NOTES = ("Cluster is empty", "No split instances", "N+1 happy",
                "N+1 unhappy", "instances belonging to multiple",
                "Stripping common suffix", "IPolicy", "NaN", "Infinity")


def describe_hinfo(result, count):
    """Count what one run of hinfo tells."""
    text = _stdout(result)
    for note in _HINFO_NOTES:
        if note in text:
            count("notes", note)
    loaded = re.search(r"(\d+) node groups?$", text, re.M)
    if loaded:
        count("groups", loaded[1])
    if "instance map:" in result.reference.stderr.decode("utf-8", "replace"):
        count("tables", "instances")
    if b"Cluster status:" in result.reference.stderr:
        count("tables", "nodes")
    if b"cluster has inconsistent" in result.reference.stderr:
        count("tables", "inconsistency warning")


_HCHECK_NAMES = {
    "Nodes not N+1 happy": "N1_FAIL",
    "Nodes with conflicting instances": "CONFLICT_TAGS",
    "Instances having the primary node offline": "OFFLINE_PRI",
    "Instances having a secondary node offline": "OFFLINE_SEC",
    "Nodes not directly evacuateable": "GN1_FAIL",
    "Group score": "SCORE",
    "Cluster is not healthy": "NEED_REBALANCE",
}


def describe_hcheck(result, count):
    """Count what one run of hcheck tells."""
    outcome, text = result.reference, _stdout(result)
    if outcome.crash_kind():
        count("end", "died after some output" if "HCHECK_INIT" in text
              or "Statistics" in text else "died")
        return
    first, last = _hcheck_values(text)
    if not first:
        count("end", "no output" if outcome.status == 0
              else "error exit or unhealthy, no output")
        return
    for name in ("N1_FAIL", "CONFLICT_TAGS", "OFFLINE_PRI", "OFFLINE_SEC",
                 "GN1_FAIL"):
        if any(value not in ("0", "False") for value in first.get(name, [])):
            count("faults", name)
            if last and first[name] != last[name]:
                count("faults changed by rebalancing", name)
    count("groups", str(len(first.get("SCORE", []))))
    if outcome.status == 0:
        faulty = first["NEED_REBALANCE"] if "NEED_REBALANCE" in first else []
        count("end", "unhealthy, not simulated"
              if set(faulty) & {"1", "True"} else "healthy")
    elif first.get("SCORE") == last.get("SCORE"):
        count("end", "unhealthy, nothing moved")
    else:
        count("end", "unhealthy, rebalanced")


def _hcheck_values(text):
    """What was counted before and after: values by name, a list each."""
    found = {}, {}
    for final, name, value in re.findall(
            r"^HCHECK_(INIT|FINAL)_(?:GROUP_\d+|CLUSTER)_(\w+)=(.*)$", text,
            re.M):
        found[final == "FINAL"].setdefault(name, []).append(value)
    late = False
    for line in text.splitlines():
        if line.endswith(("initially", "after rebalancing")):
            late = line.endswith("after rebalancing")
        name, _, value = line.strip().partition(": ")
        if name in _HCHECK_NAMES:
            found[late].setdefault(_HCHECK_NAMES[name], []).append(value)
    return found


def describe_hroller(result, count):
    """Count what one run of hroller tells."""
    outcome = result.reference
    lines = _stdout(result).splitlines()
    if outcome.status:
        return
    colours = dict(re.findall(r"(LF|Dsatur|Dcolor): (\d+)", "\n".join(lines)))
    if colours:
        best = min(colours.values(), key=int)
        count("colouring used", next(name for name in (
            "LF", "Dsatur", "Dcolor") if colours[name] == best))
    while lines and lines[0].startswith(("'", "Node Graph", "LF: ", "Dsatur",
                                         "Dcolor: ")):
        del lines[0]
    moves = [line for line in lines if line.startswith("  ")]
    groups = [line for line in lines if not line.startswith("  ")]
    kind = "nodes of the first group" if "one_step" in result.line.features \
        else "groups"
    count(kind, _number(len(groups)))
    if "" in groups:
        count("special", "group of unselected nodes only")
    if "print_moves" in result.line.features:
        count("moves printed", _number(len(moves)))
    for name in outcome.files:
        count("special", "saved file " + name.rpartition(".")[2])


_HSQUEEZE_ENDS = {"'Nodes to online'": "online",
                  "'Nodes to offline'": "offline",
                  "'No action'": "no action"}


def describe_hsqueeze(result, count):
    """Count what one run of hsqueeze tells."""
    outcome, text = result.reference, _stdout(result)
    for mark, name in _HSQUEEZE_ENDS.items():
        _, found, rest = text.partition(mark + "\n")
        if not found:
            continue
        nodes = re.match(r"(?:\S.*\n)*", rest)[0].splitlines()
        enough = "Onlining all nodes will not" not in nodes[-1:]
        count("end", name)
        if name != "no action":
            sufficient = [n for n in nodes if not n.startswith("Onlining")]
            count(f"nodes to {name}", _number(len(sufficient)))
            if name == "online" and "verbose" in result.line.features:
                count("onlining", "enough" if enough and len(
                    sufficient) == len(nodes) else "not enough")
        jobs = len(re.findall(r"^ +(?:gnt-instance) ", text, re.M))
        if "Commands to run:" in text:
            count("moves printed", _number(jobs))
    for name, data in outcome.files.items():
        count("special", "saved file " + name.rpartition(".")[2])
        if name.endswith(".sh"):
            count("special", "moves in the saved commands: "
                  + _number(data.count(b"gnt-instance")))
    if b"only on LUXI" in outcome.stderr:
        count("special", "execution refused")
