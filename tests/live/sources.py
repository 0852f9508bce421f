"""Tools that learn of the cluster from the query daemon, from the remote API, or from a file that hscan wrote of it.

They must say what the reference says that learns of it in the same way, and what they say of the file.
"""

import dataclasses
import shutil

import monitoring
from cluster import MASTER

LUXI = ("-L",)  # at its usual socket
RAPI = ("-m", f"https://{MASTER}:5080")
USER, PASSWORD = "reader", "secret"
UNVERIFIED = "Note: the certificate of the remote API is not verified; --cacert=FILE verifies it.\n"  # with -v
ATTEMPTS = 5  # to compare what changes every few seconds

# Tools that read the cluster, with their options.
READERS = (
    ("hinfo", "-vv", "-p", "--print-instances"),
    ("hcheck",),
    ("hroller", "-v", "-f", "--ignore-non-redundant"),
)
# The reference's hspace takes long to fill the cluster.
FURTHER_READERS = (
    ("hcheck", "--machine-readable", "--no-simulation"),
    ("hbal", "-v", "-p", "--print-instances", "-C", "-G", "default"),
    ("hbal", "-pall", "-G", "second", "--evac-mode", "-O", "node1"),
    ("hspace", "-v", "-l3", "--tiered-alloc=8g,20g,4"),
    ("hsqueeze", "-v", "-C"),
)
# Tools that have the option for the memory of nodes running KVM.
MEMORY_READERS = (
    ("hinfo", "-p"),
    ("hbal", "-p", "-G", "default"),
    ("hspace", "-p", "-l3"),
)
MONITORED = ("hinfo", "-pname,cload", "--mond")


# What ours alone say: warnings about the input, what hwhy finds, and what a line of the reference really counts.
OURS_ALONE = ("Warning: ", "Note: hwhy finds ", 'Note: "Instances having a secondary node offline" counts ')


def without_new_warnings(answer, reference):
    """The answer without the lines that ours alone say."""
    known = set(reference.errors.splitlines())
    lines = answer.errors.splitlines(keepends=True)
    kept = (line for line in lines if not line.startswith(OURS_ALONE) or line.rstrip("\n") in known)
    return dataclasses.replace(answer, errors="".join(kept))


def difference(expected, got):
    return "" if expected == got else f"expected: {expected}\ngot:      {got}"


class Sources:
    """The tools in the directory `theirs` are the reference's, or ours if there is no reference."""

    def __init__(self, cluster, theirs, report):
        self.cluster, self.report = cluster, report
        self.ours, self.theirs = cluster.tools(), theirs

    def _our(self, tool, *words):
        return self.cluster.answer(self.ours / tool, *words)

    def _their(self, tool, *words):
        return self.cluster.answer(self.theirs / tool, *words)

    def _scan(self, directory, clusters):
        """The answer of the hscan in a directory, and the texts of the files that it wrote, by name."""
        saved = self.cluster.directory / "saved"
        shutil.rmtree(saved, ignore_errors=True)
        saved.mkdir()
        answer = self.cluster.answer(directory / "hscan", "-p", "-d", saved, *clusters)
        return answer, {path.name: path.read_text(encoding="utf-8") for path in saved.iterdir()}

    def _save(self, title, *clusters):
        """Both hscans must find and write the same. Returns our file."""
        theirs, ours = (self._scan(directory, clusters) for directory in (self.theirs, self.ours))
        files = list((self.cluster.directory / "saved").iterdir())
        problem = difference(theirs, ours) or ("" if len(files) == 1 else f"not one file: {ours}")
        self.report(" ".join(("hscan", *clusters, title)), problem)
        if not files:
            raise RuntimeError("hscan has not saved the cluster")
        return files[0]

    def _compare(self, title, words, source, file, both_live):
        """`both_live`: the reference, too, asks the source; else it reads the file."""
        ours = self._our(*words, *source)
        ours = dataclasses.replace(ours, errors=ours.errors.replace(UNVERIFIED, ""))
        theirs = self._their(*words, *(source if both_live else ("-t", file)))
        problem = difference(theirs, without_new_warnings(ours, theirs))
        self.report(f"{words[0]} {' '.join(source)} {title}: same as the reference's", problem)
        if file:
            problem = difference(ours, self._our(*words, "-t", file))
            self.report(f"{words[0]} {' '.join(source)} {title}: same as of the file", problem)

    def look(self, title):
        """What the query daemon tells."""
        file = self._save(title)
        for words in READERS:
            self._compare(title, words, LUXI, file, both_live=False)

    def look_closely(self, title):
        """What all sources tell."""
        self.cluster.allow_remote_user(USER, PASSWORD)
        file = self._save(title)
        for words in (*READERS, *FURTHER_READERS):
            self._compare(title, words, LUXI, file, both_live=True)
        monitoring.check_fingerprints(self.cluster, self.report, title, (LUXI, ("-t", file)))
        self._look_at_load(title, file)
        file = self._save(title, RAPI[1], "nosuch.invalid")
        for words in (*READERS, *FURTHER_READERS):
            if words[0] != "hsqueeze":
                self._compare(title, words, RAPI, file, both_live=words[0] == "hinfo")
        monitoring.check_fingerprints(self.cluster, self.report, title, (RAPI, ("-t", file)))
        monitoring.check_metrics(self.cluster, self.report, title)
        self._hide_credentials(title, file.read_text(encoding="utf-8"))

    def _look_at_load(self, title, file):
        """The daemons of all nodes are asked. What they tell changes while they are asked, but not always."""
        problem = "not tried"
        for _ in range(ATTEMPTS):
            ours = self._our(*MONITORED, "-t", file)
            problem = difference(self._their(*MONITORED, "-t", file), ours)
            if not problem:
                break
        unheard = [line for line in ours.errors.splitlines() if line.startswith(("Failed", "Didn't"))]
        self.report(f"{' '.join(MONITORED)} {title}", problem or "\n".join(unheard))

    def _hide_credentials(self, title, text):
        """The remote API rejects wrong passwords, though it would answer without one."""
        url = RAPI[1].replace("//", f"//{USER}:{PASSWORD}@")
        answer, files = self._scan(self.ours, [url])
        problem = difference({f"https:__***@{MASTER}:5080.data": text}, files) or difference(0, answer.status)
        self.report(f"hscan with a password {title}", problem or ("" if PASSWORD not in answer.text else f"{answer}"))
        answer = self._our("hinfo", "-m", url.replace(PASSWORD, PASSWORD[::-1]))
        told = answer.status == 1 and f"https://***@{MASTER}" in answer.errors and PASSWORD[::-1] not in answer.errors
        self.report(f"hinfo with a wrong password {title}", "" if told else f"{answer}")

    def look_at_memory(self, title):
        """Nodes running KVM have a fixed amount of memory for themselves. That they run it is not told by the file."""
        file = self._save(title)
        for words in MEMORY_READERS:
            self._compare(title, words, LUXI, None, both_live=True)
            self._compare(title, (*words, "--static-kvm-node-memory=0"), LUXI, file, both_live=False)
