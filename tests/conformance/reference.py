"""Where the programs to run are: those built here, or the reference's.

The reference may be that of this system, in a folder of its own, or in the
unpacked system of another release of Debian, whose programs are started by
that system's dynamic loader.
"""

import os
import pathlib
from dataclasses import dataclass, field


@dataclass
class Folder:
    """Programs in one folder."""
    path: pathlib.Path

    def words(self, tool):
        """What starts the tool."""
        return [str((self.path / tool).absolute())]

    def program(self, tool):
        """The file that has to be there for that."""
        return self.path / tool

    def has(self, tool):
        return os.access(self.program(tool), os.X_OK)


@dataclass
class InstalledReference(Folder):
    """The reference as Debian installs it: an allocator program is not in the
    search path."""
    path: pathlib.Path = pathlib.Path("/usr/bin")
    root: pathlib.Path = pathlib.Path("/")

    def words(self, tool):
        return [str(self.program(tool))]

    def program(self, tool):
        hidden = sorted((self.root / "usr/lib/ganeti").glob(
            f"*/usr/lib/ganeti/iallocators/{tool}"))
        return hidden[-1] if hidden else self.root / "usr/bin" / tool


@dataclass
class UnpackedReference(InstalledReference):
    """The same in the unpacked system below `root`."""
    start: list = field(default_factory=list)

    def __post_init__(self):
        loader = sorted(self.root.glob("lib64/ld-linux*.so.*")) or sorted(
            self.root.glob("usr/lib/*-linux-gnu*/ld-linux*.so.*"))
        libraries = sorted(self.root.glob("usr/lib/*-linux-gnu*"))
        self.start = [str(loader[0]), "--library-path",
                      ":".join(map(str, libraries))]

    def words(self, tool):
        # The program is the same for all tools and acts by its name.
        return [*self.start, "--argv0", tool, str(self.program(tool).resolve())]


def find(directory):
    """The reference in the directory; None stands for this system."""
    if directory is None:
        return InstalledReference()
    directory = directory.absolute()
    if (directory / "usr/lib/ganeti").is_dir():
        return UnpackedReference(root=directory)
    return Folder(directory)
