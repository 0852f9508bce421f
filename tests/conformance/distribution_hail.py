"""Statistics of what the reference's hail did."""

import json
import re

from allocator_requests import TYPES

PLACING = ("allocate", "multi_allocate", "allocate_secondary", "change_group")


def describe(result, count):
    """Count what one run tells."""
    outcome, features = result.reference, result.line.features
    kind = next(name for name in (t.replace("-", "_") for t in TYPES)
                if name in features)
    answer = _answer(outcome)
    count(f"result of {kind}", _ending(outcome, answer))
    if b"cluster has inconsistent" in outcome.stderr:
        count("special", "inconsistency warning")
    for name in outcome.files:
        count("special", "saved file " + name.rpartition(".")[2])
    if answer is None:
        return
    info = answer["info"]
    dedicated = "score: ([" in info
    if dedicated:
        count("special", f"dedicated allocation: {kind}")
    elif kind == "multi_allocate" and "dedicated" in result.case.features:
        count("special", "multi_allocate on exclusive storage: " + (
            "success" if answer["success"] else "failure"))
    if answer["success"]:
        _describe_success(kind, answer, count)
    else:
        reason = re.sub(r"\d+|'[^']*'|group \S+|name \S+|instance \S+|\[.*",
                        "*", re.sub(r".*?: (error )?", "", info))
        count(f"why {kind} fails", reason[:60])
    if kind in PLACING and "unchecked" not in features and not dedicated:
        text = outcome.stdout.decode("utf-8", "replace")
        count("capacity check of " + kind,
              "did not refuse" if "FailN1" not in text else
              "refused some" if re.search(r"score: .*FailN1", text) else
              "refused all in some group")
    for mode in re.findall(r"(Fail\w+)(?=: \d)", info):
        count("failures in descriptions", mode)


def _answer(outcome):
    try:
        return json.loads(outcome.stdout)
    except ValueError:
        return None


def _ending(outcome, answer):
    if outcome.timed_out:
        return "timed out"
    if outcome.crash_kind():
        return "died after the answer" if answer else "died"
    if outcome.status:
        return "error exit"
    return "success" if answer["success"] else "failure"


def _describe_success(kind, answer, count):
    if kind in ("node_evacuate", "change_group", "multi_allocate"):
        done, failed = answer["result"][:2]
        count(f"{kind}: instances", "none" if not done + failed else
              "all" if not failed else "some" if done else "no success")
        for _, message in failed:
            count("messages (more than one a run)", re.sub(
                r"\d+|Node .*|nodes? \S+;?|[Gg]roup \S+|instance \S+|\[.*",
                "*", message)[:60])
    if kind in ("node_evacuate", "change_group"):
        for job in answer["result"][2]:
            count("jobs (more than one a run)", " ".join(
                op["OP_ID"].removeprefix("OP_INSTANCE_") for op in job))
