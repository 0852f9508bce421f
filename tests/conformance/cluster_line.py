"""What the command lines of the tools that look at a given cluster share."""

import json_text
import loads
from allocator_document import cluster_part
from features import Dice
from json_text import Pairs
from line_builder import LineBuilder
from options import CLUSTER_FILE

DOCUMENT_FILE = "cluster.json"
NODE_MEMORY = "--static-kvm-node-memory="
MONITORING_FILE = "mond.json"

# The whole document is read, so there has to be a request.
_REQUEST = Pairs([("type", "node-evacuate"), ("instances", []),
                  ("evac_mode", "all")])


def _with_single_disks(document):
    """The document with one disk per instance, as in its text form."""
    for _, instance in dict(document)["instances"]:
        facts = dict(instance)
        spindles = [dict(disk).get("spindles") for disk in facts["disks"]]
        disk = Pairs([("size", facts["disk_space_total"])])
        if spindles and None not in spindles:
            disk.append(("spindles", sum(spindles)))
        instance[:] = [(key, [disk] if key == "disks" else value)
                       for key, value in instance]
    return document


class ClusterLine(LineBuilder):
    """A command line that names a cluster."""

    def draw(self, *methods):
        """Let each method append its options, a few of them twice."""
        for method in methods:
            method()
            if self.rng.random() < 0.02:
                method()

    def source(self):
        """Append where the cluster comes from."""
        rng = self.rng
        if self._has_document_form() and self.maybe(0.12, "document"):
            dice = Dice(rng, self.cluster.features)
            self.files[DOCUMENT_FILE] = json_text.write(_with_single_disks(
                cluster_part(dice, self.cluster)) + [("request", _REQUEST)])
            self.add_valued("ialloc-src", DOCUMENT_FILE, "I")
            if rng.random() < 0.95:
                return
        if rng.random() < 0.995:
            self.features.add("text")
            self.add_valued("text-data", CLUSTER_FILE, "t")

    def _has_document_form(self):
        # Fractions would be lost in the text form of a document.
        return self.knows("ialloc-src") and not self.cluster.features & {
            "malformed", "fractions"} and all(
                group.policy for group in self.cluster.groups)

    def broken(self, choices):
        """Append one of the options that let the tool fail, mostly."""
        # Without a text file, naming a host would use the network.
        if "text" in self.features and self.maybe(0.04, "broken"):
            self.add(*self.rng.choice(choices))

    def node_memory(self):
        """Append the memory of nodes running KVM, which documents name."""
        if self.maybe(0.3 if "document" in self.features else 0.02,
                      "node_memory"):
            self.add(NODE_MEMORY + self.rng.choice(
                ("0", "1", "100", "512", "1000", "-1", "4096")))

    def monitoring(self):
        """Monitoring data, always from a file: no line uses the network."""
        rng = self.rng
        xen = self.knows("mond-xen") and rng.random() < 0.4
        self.files[MONITORING_FILE] = loads.monitoring(rng, self.cluster, xen)
        self.add_valued("mond-data", MONITORING_FILE)
        if rng.random() < 0.95:
            self.add(rng.choice(("--mond", "--mond", "--mond=yes")))
        if rng.random() < 0.03:
            self.add("--mond=no")
        if self.knows("mond-xen") and xen != (rng.random() < 0.05):
            self.add_flag("mond-xen")
        if self.knows("exit-on-missing-mond-data") and rng.random() < 0.2:
            self.add_flag("exit-on-missing-mond-data")
