"""Names that are long, or made of bytes that nobody expects, in all inputs and on the command line."""

import json
import pathlib

from clusters import Cluster

LONG = "n" * 1000000
MOST_MIB = 400
TOOLS = [["hinfo", "-p"], ["hbal", "-p", "--print-instances", "-Cscript", "-S", "state"], ["hcheck"],
         ["hroller", "--print-moves"], ["hspace", "-l", "2", "-p"], ["hsqueeze", "-Cscript"]]
WORD_OPTIONS = {  # which take names, or texts that are looked up or parsed
    "hbal": ["-O", "-G", "--select-instances", "--exclude-instances", "--exclusion-tags", "-t", "-I", "-m", "-U", "-L",
             "-C", "-S", "-l", "-e", "-p", "--mond-data", "--reason", "--priority", "--max-cpu", "--unknown="],
    "hroller": ["--node-tags", "-G", "-O"], "hspace": ["--simulate", "--disk-template", "--standard-alloc", "-S"],
    "hail": ["--restrict-allocation-to", "-t", "-S", ""], "hinfo": ["-O", "-p", "-m"], "hscan": ["-d", "", "-p"],
    "harep": ["--job-delay", "--reason", "-L"], "hsqueeze": ["--minimal-resources", "-C"], "hcheck": ["--machine-readable="],
}
STRANGE = {
    "bytes that are not UTF-8": b"\xff\xfe\x80", "a zero byte": b"a\0b", "a carriage return": b"a\r",
    "a byte order mark": b"\xef\xbb\xbfa", "controls": b"\x1b[2J\x7f", "half a character": b"\xe2\x82",
    "a surrogate": b"\xed\xa0\x80", "blanks": b"  ", "quotes": b"'\"\\`$(x)", "a format": b"{}%s%n{0:999999999}",
    "dots": b"../..", "an option": b"-x",
}


def text_with(place, name):
    """A cluster's text with this name, as bytes, of a node, an instance, a group or a tag."""
    names = {key: f"{key}{{}}".encode() for key in ("group", "node", "instance", "tag", "cluster tag")}
    parts = {key: name if key == place else value.replace(b"{}", b"1") for key, value in names.items()}
    second = b"node2.example.org"
    nodes = [parts["node"], second]
    lines = [parts["group"] + b"|uuid-1|preferred|" + parts["tag"] + b"|", b""]
    lines += [node + b"|65536|1024|40000|1048576|1000000|16|" + role + b"|uuid-1|1|" + parts["tag"]
              for node, role in zip(nodes, (b"M", b"N"))] + [b""]
    lines += [parts["instance"] + b"%d|2048|10240|2|running|Y|" % n + nodes[0] + b"|" + nodes[1] + b"|drbd|" +
              parts["tag"] + b"|1" for n in range(6)]
    return b"\n".join([*lines, b"", parts["cluster tag"], b"", b""])


def request_with(place, name):
    """An allocator's request in which the name stands at a place, as bytes. The name is one of JSON's strings."""
    document = json.loads("".join(Cluster(2, 4, node_name="N{}", name="I{}").request()))
    text = json.dumps(document)
    marks = {"node": "N0", "instance": "I0", "group": "g0", "uuid": "uuid-0", "new instance": "new"}
    return text.replace(f'"{marks[place]}"', '"@"').encode().replace(b"@", name)


def check_files(machine):
    for place in ("group", "node", "instance", "tag", "cluster tag"):
        for title, name in {"a million letters": LONG.encode(), **STRANGE}.items():
            folder = machine.folder()
            (folder / "cluster.data").write_bytes(text_with(place, name))
            for words in TOOLS if name == LONG.encode() else TOOLS[:2]:
                outcome = machine.run([*words, "-t", "cluster.data"], folder)
                check_bounded(machine, f"{words[0]}: {place} of {title}", outcome, folder)
    for place in ("node", "instance", "group", "uuid", "new instance"):
        for title, name in {"a million letters": LONG.encode(), "a million escapes": b"\\u00e9" * 1000000, **STRANGE}.items():
            folder = machine.folder()
            (folder / "request.json").write_bytes(request_with(place, name))
            for words in (["hail", "request.json", "-v", "-v", "-S", "state"], ["hinfo", "-I", "request.json", "-p"]):
                outcome = machine.run(words, folder)
                check_bounded(machine, f"{words[0]}: {place} of {title}", outcome, folder)
    check_documents(machine)
    check_lines(machine)


def check_documents(machine):
    """A cluster's documents, and files beside the cluster."""
    for title, name in {"a million letters": LONG.encode(), **STRANGE}.items():
        folder = machine.folder()
        Cluster(2, 4, node_name="N{}", name="I{}").save(folder)
        (folder / "loads").write_bytes(b"I0 1 1 1 1\n" + name + b" 1 1 1 1\n")
        (folder / "reports").write_bytes(b'{"N0": [{"name": "' + name + b'"}], "' + name + b'": []}')
        for words in (["hbal", "-t", "cluster.data", "-U", "loads"],
                      ["hbal", "-t", "cluster.data", "--mond", "--mond-data", "reports"]):
            check_bounded(machine, f"{' '.join(words)}: {title}", machine.run(words, folder), folder)
        for file, mark in (("nodes.json", b'"N0"'), ("instances.json", b'"I0"'), ("groups.json", b'"g0"'),
                           ("info.json", b'"N0"')):
            content = (folder / file).read_bytes()
            (folder / file).write_bytes(content.replace(mark, b'"' + name + b'"'))
            for words in (["hscan", "file://."], ["hinfo", "-m", "file://."]):
                check_bounded(machine, f"{words[0]}: {title} in {file}", machine.run(words, folder), folder)
            (folder / file).write_bytes(content)


def check_lines(machine):
    """Files of one line, of many empty ones, of separators, of very long lists."""
    for title, content in (("one line", b"x" * 5000000), ("empty lines", b"\n" * 5000000), ("separators", b"|" * 5000000),
                           ("commas", b"g|u|preferred|" + b"," * 5000000 + b"|\n\n\n\n"), ("zeros", bytes(5000000)),
                           ("line ends of another system", b"g|u|preferred|\r\n\r\n\r\n\r\n"),
                           ("policies", b"g|u|preferred|\n\n\n\n\n|1,1,1,1,1,1|" + b"1,1,1,1,1,1;" * 300000 + b"|plain|1|1\n")):
        folder = machine.folder()
        (folder / "file").write_bytes(content)
        for words in (["hinfo", "-t", "file"], ["hail", "file"], ["hinfo", "-I", "file"]):
            check_bounded(machine, f"{' '.join(words)}: {title}", machine.run(words, folder), folder)


def check_bounded(machine, title, outcome, folder):
    machine.check(title, outcome, (0, 1, 2), folder, most_mib=MOST_MIB)


def check_words(machine):
    folder = machine.folder()
    Cluster(6, 30).save(folder)
    words_with_cluster = {"hail": ["request.json"], "hscan": [], "harep": []}
    for tool, options in WORD_OPTIONS.items():
        for option in options:
            for title, name in {"100,000 letters": b"n" * 100000, "many commas": b"," * 100000, "nothing": b"",
                                **STRANGE}.items():
                if b"\0" in name:
                    continue  # no word can have it
                attached = option in ("-L", "-C", "-p") or option.endswith("=")
                word = [option.encode() + name] if attached else [option.encode(), name] if option else [name]
                source = words_with_cluster.get(tool, ["-t", "cluster.data"])
                outcome = machine.run([tool, *word, *source], folder)
                check_bounded(machine, f"{tool} {option} {title}", outcome, folder)
    for path in list(pathlib.Path(folder).iterdir()):
        if path.name.startswith(".htools"):
            machine.report("a temporary file is left", str(path))


def check_names(machine):
    check_files(machine)
    check_words(machine)
