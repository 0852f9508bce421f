"""What must be true after a command for which Ganeti asks the iallocator."""


def promised(call):
    """The nodes that instances must have after the call."""
    request, result = call.request, call.result
    kind, name = request["type"], request.get("name")
    if kind == "allocate":
        return {name: result}
    if kind == "multi-allocate":
        return dict(result[0])
    if kind == "relocate":
        nodes = call.document["instances"][name]["nodes"]
        return {name: [n for n in nodes if n not in request["relocate_from"]] + result}
    return {name: nodes for name, _, nodes in result[0]}  # node-evacuate, change-group


def refusals(call):
    """Why instances got no nodes."""
    if not call.success:
        return [call.info]
    if call.request["type"] in ("node-evacuate", "change-group"):
        return [reason for _, reason in call.result[1]]
    return []


class Checks:
    """Tells `report` of each check: report(title, problem), where an empty text means that there is no problem."""

    def __init__(self, cluster, report):
        self.cluster, self.report = cluster, report
        self.calls = []  # with their titles

    def _command(self, title, kind, words):
        """Run a command that asks the iallocator once. Returns the call, or None; success; output."""
        success, text = self.cluster.run(*words)
        calls = self.cluster.new_calls()
        kinds = [call.request["type"] for call in calls]
        if kinds != [kind]:
            self.report(title, f"the iallocator was asked for {kinds}, not once for {kind}\n{text}")
            return None, success, text
        self.calls.append((title, calls[0]))
        if calls[0].status != 0:
            self.report(title, f"the iallocator ended with status {calls[0].status}\n{text}")
            return None, success, text
        return calls[0], success, text

    def done(self, title, kind, *words, holds=lambda _: True):
        """The command succeeds; the instances get the nodes of the answer, for which `holds` is true."""
        call, success, text = self._command(title, kind, words)
        if call is None:
            return
        problem = ""
        if not success or refusals(call):
            problem = text
        else:
            wanted, nodes = promised(call), self.cluster.placements()
            reached = {name: nodes.get(name) for name in wanted}
            if reached != wanted or not wanted:
                problem = f"the nodes are {reached}, not {wanted}\n{text}"
            elif not all(map(holds, wanted.values())):
                problem = f"these nodes are not allowed: {wanted}"
        self.report(title, problem)

    def refused(self, title, kind, *words):
        """The command fails, and its output gives the reason of the iallocator."""
        call, success, text = self._command(title, kind, words)
        if call is None:
            return
        reasons = refusals(call)
        told = reasons and not success and all(reason in text for reason in reasons)
        self.report(title, "" if told else f"success: {success}, reasons: {reasons}\n{text}")

    def told(self, title, kind, *words, sentence):
        """The output contains a sentence made of the answer, whatever happens afterwards."""
        call, _, text = self._command(title, kind, words)
        if call is not None:
            self.report(title, "" if sentence(call) in text else f"not in the output: {sentence(call)}\n{text}")
