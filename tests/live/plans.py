"""Plans of hplan that are carried out, wave by wave."""

import json
import os
import threading
import time

from sources import LUXI

NIGHT = "s1 node2\ns2 node3\ns1 node3\ns4 node3\n"  # s1 moves twice: two waves
HOME = "node1"
CHANGED = "is no longer as expected: s4"


class Plans:
    """Needs instances s1 to s4 with disks that all nodes reach, on node1 in the beginning."""

    def __init__(self, cluster, report, move_home):
        self.cluster, self.report, self.move_home = cluster, report, move_home
        self.files = cluster.directory / "plans"

    def run(self):
        self.files.mkdir()
        for title, check in (("hplan carries out the plan that it has made", self._balance),
                             ("hplan carries out a plan of somebody else's", self._proposal),
                             ("hplan does not start when the cluster has changed", self._change),
                             ("hplan stops when the cluster changes between waves", self._change_later),
                             ("hplan goes on with a plan after that", self._resume)):
            self.report(title, check())
            self.cluster.wait_for_jobs()
        self.move_home()

    def _hplan(self, *words):
        return self.cluster.answer(self.cluster.tools() / "hplan", *LUXI, *words)

    def _problem(self, answer, status, expected, text=""):
        """`expected`: nodes by instance, in the end."""
        reached = {name: nodes[0] for name, nodes in self.cluster.placements().items() if name in expected}
        if (answer.status, reached) == (status, expected) and text in answer.errors:
            return ""
        return f"status {answer.status}, {reached}, not {status}, {expected}\n{answer.text}{answer.errors}"

    def _balance(self):
        """Where the plan leads to, its document says."""
        plan = self.files / "plan.json"
        answer = self._hplan("-X", "--unlimited", f"--save-plan={plan}")
        steps = json.loads(plan.read_text(encoding="utf-8"))["steps"] if plan.exists() else []
        expected = {step["instance"]: step["to"][0] for step in steps}
        return self._problem(answer, 0, expected) if steps else f"no plan\n{answer.text}{answer.errors}"

    def _proposal(self):
        self.move_home()
        plan = self.files / "night"
        plan.write_text(NIGHT, encoding="utf-8")
        return self._problem(self._hplan("-X", f"--check={plan}"), 0, {"s1": "node3", "s2": "node3", "s4": "node3"})

    def _start(self, *words):
        """Returns a function that waits for the end and returns the answer."""
        answers = []
        thread = threading.Thread(target=lambda: answers.append(self._hplan(*words)))
        thread.start()

        def wait():
            thread.join()
            return answers[0]
        return wait

    def _change(self):
        """hplan opens the plan when it has read the cluster. Before it can read the plan, s4 moves elsewhere."""
        self.move_home()
        pipe = self.files / "pipe"
        os.mkfifo(pipe)
        wait = self._start("-X", f"--check={pipe}")
        with open(pipe, "w", encoding="utf-8") as file:
            self.cluster.set_up("gnt-instance", "migrate", "-f", "-n", "node4", "s4")
            file.write(NIGHT)
        return self._problem(wait(), 2, {"s1": HOME, "s2": HOME, "s4": "node4"}, CHANGED)

    def _change_later(self):
        """s4 waits until s1 has left node2 again: three waves. It moves elsewhere while the first one is on its way."""
        self.move_home()
        for name in ("s1", "s4"):
            self.cluster.set_up("gnt-instance", "add-tags", name, "apart:x")
        plan = self.files / "waves"
        plan.write_text("s1 node2\ns1 node3\ns4 node2\n", encoding="utf-8")
        earlier = len(self.cluster.jobs())
        wait = self._start("-X", "--exclusion-tags=apart", f"--check={plan}")
        while len(self.cluster.jobs()) == earlier:
            time.sleep(0.1)
        self.cluster.set_up("gnt-instance", "migrate", "-f", "-n", "node4", "s4")
        return self._problem(wait(), 2, {"s4": "node4"}, CHANGED)

    def _resume(self):
        """s4 has gone elsewhere, but a list of placements does not say where it has to be before."""
        return self._problem(self._hplan("-X", f"--resume={self.files / 'night'}"), 0,
                             {"s1": "node3", "s2": "node3", "s4": "node3"})
