"""Random command lines for hscan and for others that read its documents.

hscan looks at several clusters, each of which is a folder with the documents
of the remote API; some cannot be loaded.
"""

import dataclasses
import re

import api_documents
import clusters
import commands_hbal
import commands_hcheck
import commands_hinfo
import commands_hroller
import commands_hspace
import document_damage
import json_text
from features import Dice
from line_builder import LineBuilder

LONG_NAMES = ("print-nodes", "luxi", "output-dir", "verbose", "no-headers",
              "static-kvm-node-memory")

_OTHERS = {"hbal": commands_hbal, "hcheck": commands_hcheck,
           "hinfo": commands_hinfo, "hroller": commands_hroller,
           "hspace": commands_hspace}

FEATURES = tuple(_OTHERS) + (
    "document", "scan", "wrong", "several", "missing", "socket", "output",
    "print", "no_headers", "node_memory", "verbose", "broken")

_SCHEME = "file://"
_FOLDERS = ("a", "b", "c1", "long-name.of-a.cluster", "sub/dir", "./d", "a b",
            "e:f", "h\xe4", "\u96c6\u7fa4", "'g'", "%20", "x=y&z", "-p", "*",
            "slash/", "")
_OUTPUT = "out"

_BROKEN = (
    ["--nosuch"], ["-Z"], ["-q"], ["--no"], ["--verbose=1"], ["-vZ"], ["-d"],
    ["--output-dir"], ["--output"], ["--no-headers=yes"], ["-m", "x"],
    ["--static-kvm-node-memory=x"], ["--static-kvm-node-memory="], ["-S"],
    ["-t", "x"], ["-I", "x"], ["--print-nodes", _SCHEME], ["-O", "node1"],
)

# What is wrong with the JSON is said in other words. Those of the reference
# end with up to 8 characters of the document, line feeds included.
_SYNTAX_ERROR = re.compile(
    rb"^(Parsing (?:group data|node data|instance data|cluster info): )"
    rb"(?:Malformed JSON|Invalid JSON|Invalid tokens|Illegal|Unable to parse)"
    rb".*(?:\n.{0,32}(?=\n))*", re.MULTILINE)


def comparable(outcome):
    """The outcome with one text for all errors in the syntax of JSON."""
    return dataclasses.replace(outcome, stdout=_SYNTAX_ERROR.sub(
        rb"\1syntax error", outcome.stdout))


def generate(rng, cluster):
    """Return 3-5 command lines, some of which are for the other tools."""
    folders = rng.sample(_FOLDERS, 4)
    dice = Dice(rng, cluster.features)
    texts = _texts(dice, cluster)
    lines = []
    for _ in range(rng.choice((1, 2, 2))):
        lines.append(_ScanLine(rng, cluster, folders, texts).build())
    for tool in rng.sample(sorted(_OTHERS), rng.choice((2, 2, 3))):
        module = _OTHERS[tool]
        line_class = type("Line", (_DocumentsSource, module.Line), {})
        builder = line_class(rng, cluster, module.LONG_NAMES)
        builder.folder, builder.texts = folders[0], texts
        builder.features.add(tool)
        line = builder.build()
        line.tool = tool
        lines.append(line)
    return lines


def _texts(dice, cluster):
    """The texts of the documents by name."""
    rng = dice.rng
    comma = rng.choice((",", ",", ", ", ",\n  "))
    colon = rng.choice((":", ":", ": "))
    only_ascii = rng.random() < 0.5
    return {name: json_text.write(value, comma, colon, only_ascii)
            + rng.choice(("", "\n", " \n"))
            for name, value in api_documents.documents(dice, cluster).items()}


def _files(folder, texts):
    """The texts by the path that they are read from."""
    prefix = folder if not folder or folder.endswith("/") else folder + "/"
    return {f"{prefix}{name}.json".removeprefix("./"): text
            for name, text in texts.items()}


class _DocumentsSource:
    """Lets the line of another tool read the documents."""

    folder = texts = None

    def source(self):
        self.features.add("document")
        self.files |= _files(self.folder, self.texts)
        self.add_valued("master", _SCHEME + self.folder, "m")


class _ScanLine(LineBuilder):
    """Builds one command line of hscan."""

    def __init__(self, rng, cluster, folders, texts):
        super().__init__(rng, cluster, LONG_NAMES)
        self.folders = folders
        self.texts = texts

    def build(self):
        self.features.add("scan")
        if self.maybe(0.02, "socket"):
            self.add("-Lmissing")
        else:
            self._clusters()
        self._output()
        if self.maybe(0.04, "broken"):
            self.add(*self.rng.choice(_BROKEN))
        return self.finish()

    def _clusters(self):
        """The case's cluster and others, in any order."""
        rng, folders = self.rng, iter(self.folders)
        self._cluster(next(folders), self.texts)
        while self.maybe(0.4, "several"):
            folder = next(folders, None)
            if folder is None:
                self.add(rng.choice(self.options)[0])  # the same once more
                return
            if self.maybe(0.15, "missing"):
                self.add(_SCHEME + folder)
                continue
            other = clusters.generate(rng, "hscan")
            self._cluster(folder, _texts(Dice(rng, other.features), other))
        if rng.random() < 0.05:
            self.add("-Lmissing")  # without influence

    def _cluster(self, folder, texts):
        if self.maybe(0.2, "wrong"):
            texts = _damaged(self.rng, texts)
        self.files |= _files(folder, texts)
        self.add(_SCHEME + folder)

    def _output(self):
        rng = self.rng
        if self.maybe(0.4, "print"):
            self.add(*self.writer.print_nodes())
        if self.maybe(0.4, "output"):
            self.files[_OUTPUT + "/occupied"] = ""
            self.add_valued("output-dir", rng.choice(
                [_OUTPUT] * 12 + [_OUTPUT + "/", "./" + _OUTPUT, ".", "",
                                  "missing", _OUTPUT + "/occupied"]), "d")
        if self.maybe(0.2, "no_headers"):
            self.add_flag("no-headers")
        if self.maybe(0.3 if "kvm" in self.cluster.features else 0.05,
                      "node_memory"):
            self.add_valued("static-kvm-node-memory", rng.choice(
                ("0", "1", "100", "512", "1000", "-1", "4096")))
        self.verbosity()


def _damaged(rng, texts):
    """The texts with a few things broken, of which the first is to be told."""
    texts = dict(texts)
    for _ in range(rng.choice((0, 1, 1, 1, 2, 3))):
        name = rng.choice(api_documents.NAMES)
        document = json_text.read(texts[name])
        objects = document_damage.objects_in(document)
        if objects:
            document_damage.damage_one(rng, objects)
            texts[name] = json_text.write(document)
    if rng.random() < 0.3:
        name = rng.choice(api_documents.NAMES)
        if rng.random() < 0.4:
            del texts[name]
        else:
            texts[name] = document_damage.damage_text(rng, texts[name])
    return texts
