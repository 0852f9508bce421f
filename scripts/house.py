"""The rooms of the sources: their order, which docs/rooms.txt gives, and what they include.

A room is a folder with sources. It has the name by which its files are included: libhtools/base is base, and
libhtools/include/htools is htools.
"""

import collections
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLE = ROOT / "docs" / "rooms.txt"
TOPS = ("libhtools", "simulate", "live", "apps")  # the folders that rooms are in
BASES = ("", "libhtools", "libhtools/include")  # the folders that includes are relative to
LINE = re.compile(r"( *)([\w/]+): (.+)")
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)

Storey = collections.namedtuple("Storey", "name purpose folders")
Folder = collections.namedtuple("Folder", "path purpose")


def room_in(folder):
    """The room that a folder is, by its path from the root of the project; None if it is none."""
    parts = pathlib.PurePath(folder).parts
    if parts[:1] == ("libhtools",):
        return "/".join(parts[2:] if parts[1:2] == ("include",) else parts[1:])
    return "/".join(parts) if parts and parts[0] in TOPS else None


def room_of(file):
    """The room that a file is in; None if it is in none."""
    return room_in(file.relative_to(ROOT).parent) if file.is_relative_to(ROOT) else None


def sources():
    return sorted(path for top in TOPS for path in (ROOT / top).rglob("*") if path.suffix in (".h", ".cpp"))


def read_table():
    """The storeys, from the ground up, with their folders. The last one has folders that are no rooms."""
    storeys = []
    for line in re.sub(r"\n {4,}", " ", TABLE.read_text(encoding="utf-8")).splitlines():
        if not line or line.startswith("#"):
            continue
        if not (parts := LINE.fullmatch(line)):
            sys.exit(f"{TABLE}: expected 'NAME: PURPOSE', found '{line}'")
        indent, name, purpose = parts.groups()
        if indent:
            storeys[-1].folders.append(Folder(name, purpose))
        else:
            storeys.append(Storey(name, purpose, []))
    return storeys


def rooms_of(storey):
    return [room_in(folder.path) for folder in storey.folders]


def rooms_in_order():
    """The rooms, from the lowest floor to the highest."""
    return [room for storey in read_table()[:-1] for room in rooms_of(storey)]


def included_files(text):
    """The files of the project that the text of a source includes, and the names for which there is no file."""
    files, missing = [], []
    for name in INCLUDE.findall(text):
        candidates = [ROOT / base / name for base in BASES]
        file = next((path for path in candidates if path.is_file()), None)
        files, missing = (files + [file], missing) if file else (files, missing + [name])
    return files, missing


def includes():
    """By room, the other rooms that it includes, each with a source that does; and complaints about missing files."""
    found, complaints = {}, []
    for source in sources():
        files, missing = included_files(source.read_text(encoding="utf-8"))
        complaints += [f"{source.relative_to(ROOT)}: {name} does not exist" for name in missing]
        others = found.setdefault(room_of(source), {})
        for room in {room_of(file) for file in files} - {room_of(source)}:
            others.setdefault(room, source.relative_to(ROOT))
    return found, complaints
