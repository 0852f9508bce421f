"""Compares the plans of hplan with that of hbal: at equal moves, at an equal score, and without limits.

Every number is a ratio to hbal's plan, which is what hplan --effort=0 makes; below 1 is better. Rows of several clusters
show geometric means. Times are processor seconds of all threads together, the longest of a row. hplan --check replays
each plan.
"""

import json
import math
import os
import subprocess
import tempfile

import families
import unbalanced

SIZES = (10, 20, 40, 80, 160)
CLUSTERS_OF_SIZE = 4  # of each family
COLUMNS = ["score at equal moves", "copied at equal score", "the same, equal moves", "score without limits"]
HEADINGS = [("plans for", 28), ("clusters", 8), ("moves", 6), *((column, 21) for column in COLUMNS), ("seconds", 27)]


class Quality:
    """What is measured for one cluster: the moves of hbal's plan, a ratio and the seconds for each of COLUMNS.

    `above` has the ratios again, with scores counted from the least that tags leave possible.
    """

    def __init__(self, moves, ratios, above, seconds):
        self.moves = moves
        self.ratios = ratios
        self.above = above
        self.seconds = seconds


def plan(program, text, *options):
    """The plan's document, and the processor seconds that it took."""
    before = os.times()
    done = subprocess.run([str(program), "-t", "-", "--json", *options], input=text, capture_output=True, text=True,
                          check=False)
    after = os.times()
    if done.returncode not in (0, 2):
        raise RuntimeError(f"{program} {' '.join(options)}: {done.stderr}")
    return json.loads(done.stdout), after.children_user - before.children_user


def replay(program, text, document):
    """Raises an error if a step of the plan is not allowed, or does not lead where the plan says."""
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(document, file)
        file.flush()
        checked, _ = plan(program, text, f"--check={file.name}")
    wrong = [step for step in checked["steps"] if step["verdict"] in ("refused", "stale")]
    if wrong or checked["score"]["after"] != document["score"]["after"]:
        raise RuntimeError(f"a plan leads to a score of {checked['score']['after']}, with {len(wrong)} wrong steps")


def price(document):
    """MiB of disk that are copied; of memory, if no disk is."""
    totals = document["totals"]
    return totals["copied_mib"] or totals["migrated_mib"]


def ratio(value, base):
    return value / base if base else 1.0


def compare(program, text, least_score=0):
    greedy, _ = plan(program, text, "--effort=0")
    score, moves = greedy["score"]["after"], greedy["totals"]["steps"]
    same_score, same_moves = f"--until-score={score!r}", f"-l{moves}"
    plans = [plan(program, text, *options) for options in ([same_moves], [same_score], [same_score, same_moves], ["--unlimited"])]
    for document, _ in plans:
        replay(program, text, document)
    equal_moves, equal_score, both, unlimited = (document for document, _ in plans)

    def ratios(least):
        return (ratio(equal_moves["score"]["after"] - least, score - least), ratio(price(equal_score), price(greedy)),
                ratio(price(both), price(greedy)), ratio(unlimited["score"]["after"] - least, score - least))

    return Quality(moves, ratios(0), ratios(least_score), [seconds for _, seconds in plans])


def add_row(table, name, found, above=False):
    means = (math.exp(sum(math.log(max(r, 1e-3)) for r in column) / len(column))
             for column in zip(*(quality.above if above else quality.ratios for quality in found)))
    slowest = (max(column) for column in zip(*(quality.seconds for quality in found)))
    moves = [quality.moves for quality in found]
    table.row([name, str(len(found)), str(round(sum(moves) / len(moves))), *(f"{m:.2f}" for m in means),
               " / ".join(f"{s:.2f}" for s in slowest)])


def measure(program, paths, table):
    """Adds a row for each of the unbalanced and of the given clusters, and one for the clusters of each family and size."""
    for nodes in SIZES:
        add_row(table, f"unbalanced-{nodes}", [compare(program, unbalanced.generate(nodes))])
    for path in paths:
        add_row(table, path.stem, [compare(program, path.read_text())])
    for family in families.FAMILIES:
        found = []
        for nodes in SIZES:
            texts = [families.generate(family, nodes, seed) for seed in range(1, CLUSTERS_OF_SIZE + 1)]
            of_size = [compare(program, text, families.least_location_exclusions(text)) for text in texts]
            add_row(table, f"{family}-{nodes}", of_size)
            found += of_size
        add_row(table, f"{family}, all sizes", found)
        if family == "tagged":
            add_row(table, "the same, above the least", found, above=True)
