"""Files that the tools write: disks that are full, and targets that are not what they seem."""

import os
import pathlib
import resource
import stat
import subprocess
import threading

from clusters import Cluster
from machine import NOBODY, SmallDisk

# Every option that writes files: its title, the words of a command with {} for where, and the ends of the files' names.
WRITERS = [
    ("hbal -S", ["hbal", "-t", "cluster.data", "-l", "2", "-S", "{}"], [".original", ".balanced"]),
    ("hbal -C", ["hbal", "-t", "cluster.data", "-C{}"], [""]),
    ("hspace -S", ["hspace", "-t", "cluster.data", "-l", "2", "-S", "{}"], [".tiered", ".standard"]),
    ("hail -S", ["hail", "request.json", "-S", "{}"], [".pre-ialloc", ".post-ialloc"]),
    ("hroller -S", ["hroller", "-t", "cluster.data", "-S", "{}"], [".original"]),
    ("hsqueeze -S", ["hsqueeze", "-t", "standby.data", "-S", "{}"], [".original", ".squeezed"]),
    ("hsqueeze -C", ["hsqueeze", "-t", "standby.data", "-C{}"], [""]),
    ("hscan -d", ["hscan", "file://.", "-d", "{}"], ["/file:__..data"]),
]
STANDBY = pathlib.Path(__file__).resolve().parents[2] / "man" / "examples" / "standby.data"
OLD = b"old content\n"
HALF = 256  # bytes that all of the files exceed


class OutputFaults:
    def __init__(self, machine):
        self.machine, self.folder = machine, machine.folder()
        Cluster(6, 60).save(self.folder)
        (self.folder / "standby.data").write_bytes(STANDBY.read_bytes())
        self.user = NOBODY if machine.is_root else None

    def run(self, words, place, **how):
        return self.machine.run([word.replace("{}", str(place)) for word in words], self.folder, **how)

    def expect(self, title, case, place, says=None, new=True, **how):
        """The command fails and says so, or does well if `says` is None. In the first of its files there is the new
        content or else the old one. Nothing else is left."""
        _, words, endings = case
        path = files(place, endings)[0]
        outcome = self.run(words, place, **how)
        is_well = self.machine.check(title, outcome, (1,) if says is not None else (0,), path.parent, says or "")
        if is_well:
            content = path.read_bytes() if path.is_file() else None
            is_new = content is not None and content != OLD and content.endswith(b"\n") and len(content) >= HALF
            right = is_new if new else content in (None, OLD, b"")
            self.machine.report(f"{title}: the file", "" if right else f"{path}: {content and content[-100:]}; {outcome}")
        if says:
            self.machine.report(f"{title}: the file is named", "" if path.name in outcome.message else str(outcome))

    def target(self, case, content=OLD):
        """A place in a new directory, and the first file that is written there, with old content."""
        place = place_in(self.machine.folder(), case[2])
        path = files(place, case[2])[0]
        if content is not None:
            path.write_bytes(content)
            path.chmod(0o666)
        return place, path

    def check_all(self):
        for case in WRITERS:
            self.check_full(case)
            self.check_targets(case)
            self.check_permissions(case)
            self.check_pipes(case)

    def check_full(self, case):
        title = case[0]
        place, _ = self.target(case)
        self.expect(f"{title}: in the place of a file", case, place)
        for bound in (0, HALF):
            for content in (OLD, None):
                place, _ = self.target(case, content)
                self.expect(f"{title}: files have at most {bound} bytes", case, place, "File too large", new=False,
                            limits=[(resource.RLIMIT_FSIZE, bound)])
        if not self.machine.is_root:
            self.machine.skip(f"{title}: a full disk", "only root may mount one")
            return
        with SmallDisk(self.machine.folder() / "disk", 64) as disk:
            place = place_in(disk, case[2])
            files(place, case[2])[0].write_bytes(OLD)
            fill(disk)
            self.expect(f"{title}: a full disk", case, place, "No space left on device", new=False)
            path = files(place, case[2])[0]
            path.write_bytes(b"")
            path.chmod(0o666)
            fill(disk)
            disk.chmod(0o555)
            self.expect(f"{title}: a full disk and a read-only directory", case, place, "No space left on device",
                        new=False, user=NOBODY)

    def check_targets(self, case):
        """Links, directories, devices."""
        title = case[0]
        place, path = self.target(case, None)
        real = self.machine.folder() / "real"
        path.symlink_to(real)
        self.expect(f"{title}: a link that leads nowhere yet", case, place)
        real.write_bytes(OLD)
        self.expect(f"{title}: a link to a file", case, place)
        self.machine.report(f"{title}: the link is still one", "" if path.is_symlink() else f"{path}")
        path.unlink()
        path.symlink_to(path)
        self.expect(f"{title}: a link to itself", case, place, "symbolic links", new=False)
        path.unlink()
        path.symlink_to(self.machine.folder())
        self.expect(f"{title}: a link to a directory", case, place, "directory", new=False)
        path.unlink()
        path.mkdir()
        self.expect(f"{title}: a directory", case, place, "directory", new=False)
        place, path = self.target(case, None)
        self.expect(f"{title}: no such directory", case, pathlib.Path(f"{place}/missing/file"), "", new=False)
        self.expect(f"{title}: below a file", case, self.folder / "cluster.data" / "file", "", new=False)
        if os.path.exists("/dev/full"):
            path.symlink_to("/dev/full")
            self.expect(f"{title}: a full device", case, place, "No space left on device", new=False)
        else:
            self.machine.skip(f"{title}: a full device", "there is none")

    def check_permissions(self, case):
        title = case[0]
        place, path = self.target(case)
        path.chmod(0o640)
        self.expect(f"{title}: permissions", case, place)
        mode = stat.S_IMODE(path.stat().st_mode)
        self.machine.report(f"{title}: permissions are kept", "" if mode == 0o640 else oct(mode))
        if self.machine.is_root:
            os.chown(path, NOBODY, NOBODY)
            self.expect(f"{title}: another owner", case, place)
            owner = (path.stat().st_uid, path.stat().st_gid)
            self.machine.report(f"{title}: the owner is kept", "" if owner == (NOBODY, NOBODY) else str(owner))

        user = {"user": self.user}
        place, path = self.target(case)
        path.chmod(0o444)
        self.expect(f"{title}: a read-only file", case, place, "Permission denied", new=False, **user)
        place, path = self.target(case, None)
        path.parent.chmod(0o555)
        self.expect(f"{title}: a read-only directory", case, place, "Permission denied", new=False, **user)
        path.parent.chmod(0o777)
        path.write_bytes(OLD)
        path.chmod(0o666)
        path.parent.chmod(0o555)
        if len(case[2]) == 1:  # there would be no place for the other file
            self.expect(f"{title}: a file in a read-only directory", case, place, **user)
            path.write_bytes(OLD * 10000)
            self.expect(f"{title}: a long file in a read-only directory", case, place, **user)
        self.check_others_file(case)

    def check_others_file(self, case):
        """Nobody else may rename in a directory such as /tmp, or a file that something is mounted on."""
        title = case[0]
        if not self.machine.is_root:
            self.machine.skip(f"{title}: files that cannot be replaced", "only root can make them")
            return
        place, path = self.target(case)
        path.parent.chmod(0o1777)
        self.expect(f"{title}: another one's file in a directory like /tmp", case, place, user=NOBODY)
        place, path = self.target(case)
        other = self.machine.folder() / "other"
        other.write_bytes(OLD)
        subprocess.run(["mount", "--bind", other, path], check=True)
        try:
            self.expect(f"{title}: a file that is mounted", case, place)
        finally:
            subprocess.run(["umount", path], check=True)

    def check_pipes(self, case):
        title = case[0]
        place, path = self.target(case, None)
        os.mkfifo(path)
        texts = []
        reader = threading.Thread(target=lambda: texts.append(path.read_bytes()))
        reader.start()
        outcome = self.run(case[1], place)
        reader.join(timeout=10)
        self.machine.check(f"{title}: a pipe", outcome, (0,), path.parent)
        complete = len(texts) == 1 and len(texts[0]) >= HALF and path.is_fifo()
        self.machine.report(f"{title}: the pipe has it all", "" if complete else f"{texts}; {outcome}")


def place_in(folder, endings):
    """What is put in the place of {}: a directory, or the beginning of names of files."""
    return folder if endings[0].startswith("/") else folder / "file"


def files(place, endings):
    return [pathlib.Path(f"{place}{ending}") for ending in endings]


def fill(disk):
    try:
        with open(disk / "filling", "ab") as file:
            while True:
                os.write(file.fileno(), bytes(4096))
    except OSError:
        pass


def check_outputs(machine):
    OutputFaults(machine).check_all()
