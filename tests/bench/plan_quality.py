"""Compares the plans of hplan with that of hbal: at equal moves, at an equal score, and without limits.

Every number is a ratio to hbal's plan, which is what hplan --effort=0 makes; below 1 is better. Times are processor
seconds of all threads together.
"""

import json
import math
import os
import subprocess

import unbalanced

SIZES = (10, 20, 40, 80, 160)
HEADINGS = [("plans for", 28), ("moves", 6), ("score", 9), ("score at equal moves", 21), ("copied at equal score", 22),
            ("score without limits", 21), ("seconds", 24)]


def clusters(paths):
    """Names of generated and given clusters, and their text."""
    for nodes in SIZES:
        yield f"unbalanced-{nodes}", unbalanced.generate(nodes)
    for path in paths:
        yield path.stem, path.read_text()


def plan(program, text, *options):
    """The plan's document, and the processor seconds that it took."""
    before = os.times()
    done = subprocess.run([str(program), "-t", "-", "--json", *options], input=text, capture_output=True, text=True,
                          check=False)
    after = os.times()
    if done.returncode not in (0, 2):
        raise RuntimeError(f"{program} {' '.join(options)}: {done.stderr}")
    return json.loads(done.stdout), after.children_user - before.children_user


def price(document):
    """MiB of disk that are copied; of memory, if no disk is."""
    totals = document["totals"]
    return totals["copied_mib"] or totals["migrated_mib"]


def ratio(value, base):
    return value / base if base else 1.0


def compare(program, text):
    greedy, _ = plan(program, text, "--effort=0")
    score, moves = greedy["score"]["after"], greedy["totals"]["steps"]
    equal_moves, first = plan(program, text, "-l", str(moves))
    equal_score, second = plan(program, text, f"--until-score={score!r}")
    unlimited, third = plan(program, text)
    ratios = (ratio(equal_moves["score"]["after"], score), ratio(price(equal_score), price(greedy)),
              ratio(unlimited["score"]["after"], score))
    return moves, score, ratios, (first, second, third)


def measure(program, paths, table):
    """Adds a row for each cluster, and one with the geometric means."""
    all_ratios = []
    for name, text in clusters(paths):
        moves, score, ratios, seconds = compare(program, text)
        all_ratios.append(ratios)
        table.row([name, str(moves), f"{score:.4f}", *(f"{r:.2f}" for r in ratios),
                   " / ".join(f"{s:.2f}" for s in seconds)])
    means = (math.exp(sum(math.log(max(r, 1e-3)) for r in column) / len(column)) for column in zip(*all_ratios))
    table.row(["geometric mean", "", "", *(f"{m:.2f}" for m in means), ""])
