"""The platforms that plans can be carried out on: what their programs are asked for, and what it does to their guests."""

import re

PROGRAMS = {"proxmox": ("qm", "pct", "ha-manager", "mv", "sleep"), "openstack": ("openstack",), "libvirt": ("virsh",)}
# Programs that are no stand-ins: ssh, and a host that no guest is on.
OTHERS = {"hostname": "#!/bin/sh\necho nowhere\n",
          "ssh": '#!/bin/sh\nHERE=${1#root@}\nexport HERE\nshift\nexec sh -c "$*"\n'}


class CommandError(Exception):
    """A command that cannot be carried out, or a state that is not reached."""


def expect(holds, what):
    if not holds:
        raise CommandError(what)


class Guest:
    """An instance of the imported cluster, and what the platform calls it."""

    def __init__(self, fields):
        self.name, self.running, self.host, self.template = fields[0], fields[4] == "running", fields[6], fields[8]
        self.memory, self.disk = int(fields[1]), int(fields[2])
        self.tags = fields[9].split(",")
        self.local = self.template == "plain"
        self.is_lost = self.was_lost = self.started = self.unconfirmed = False

    @property
    def live(self):
        """It runs, and goes on running while it moves; a container is stopped, and started on its new host."""
        return self.running and not self.tag("proxmox:lxc:") and not self.is_lost

    def tag(self, prefix):
        return next((t[len(prefix):] for t in self.tags if t.startswith(prefix)), None)


def read_nodes(path):
    return [line.split("|") for line in path.read_text(encoding="utf-8").split("\n\n")[1].splitlines()]


def read_guests(path):
    instances = path.read_text(encoding="utf-8").split("\n\n")[2]
    guests = {g.name: g for g in (Guest(line.split("|")) for line in instances.splitlines())}
    down = {fields[0] for fields in read_nodes(path) if "host-down" in fields[10].split(",")}
    for guest in guests.values():
        guest.is_lost = guest.was_lost = guest.host in down
    return guests


def proxmox_call(guests, where, words, hosts):
    program, action, *words = words
    if program == "mv":
        path = re.compile(r".*/(.*)/(qemu-server|lxc)/([0-9]*)(?:[.]conf)?")
        source, target = path.fullmatch(action), path.fullmatch(words[0])
        guest = guests[source[2].removesuffix("-server"), source[3]]
        expect(guest.is_lost and "proxmox:ha" not in guest.tags and not guest.local, f"{guest.name} can be moved")
        expect(source[1] == guest.host and target[2] == source[2] and len(words) == 1, f"mv {action} {words}")
        expect(where in ("here", target[1]), f"mv runs on {where}")
        guest.is_lost = False
        return guest, target[1], hosts
    if program == "ha-manager":
        kind, number = words[0].split(":")
        guest = guests[("qemu", "lxc")[kind == "ct"], number]
        expect("proxmox:ha" in guest.tags, f"{guest.name} is not managed")
        expect(action == ("migrate" if guest.running and kind == "vm" else "relocate"), f"{action} of {guest.name}")
        expect(words[2:] == [], f"further words {words}")
        expect(not (guest.local and guest.running and kind == "vm"), f"the local disks of {guest.name} would stay")
    elif action == "start":
        guest = guests[{"qm": "qemu", "pct": "lxc"}[program], words[0]]
        expect(guest.running and guest.was_lost and where in ("here", guest.host), f"{program} {action} {words} on {where}")
        guest.started = True
        return guest, guest.host, hosts
    else:
        guest = guests[{"qm": "qemu", "pct": "lxc"}[program], words[0]]
        expect(not guest.is_lost, f"{program} {action} {words} of a host that is down")
        live = {"qm": ["--online"], "pct": ["--restart"]}[program] if guest.running else []
        has_local_drive = guest.local or "proxmox:local-cloud-init" in guest.tags
        disks = ["--with-local-disks"] if program == "qm" and guest.running and has_local_drive else []
        expect(action == "migrate" and words[2:] == live + disks, f"{program} {action} {words}")
        expect("proxmox:ha" not in guest.tags, f"{guest.name} is managed by ha-manager")
        expect(where in ("here", guest.host), f"{program} runs on {where}, but {guest.name} is on {guest.host}")
    return guest, words[1], hosts


def openstack_call(guests, where, words, hosts):
    expect(where == "here" and words[0] == "openstack", f"{where}: {words}")
    if words[1:4] == ["server", "resize", "confirm"]:
        guest = guests[words[4]]
        expect(len(words) == 5 and not guest.running and guest.unconfirmed, f"{words}")
        guest.unconfirmed = False
        return guest, guest.host, {}
    guest = guests[words[-1]]
    expect(not guest.unconfirmed, f"the resize of {guest.name} is not confirmed")
    live = ["--os-compute-api-version", "2.30", "server", "migrate", "--live-migration"]
    cold = ["--os-compute-api-version", "2.56", "server", "migrate"]
    evacuation = ["--os-compute-api-version", "2.29", "server", "evacuate"]
    wanted = evacuation if guest.is_lost else live if guest.running else cold
    wanted = wanted + ["--host", words[-3], "--wait", words[-1]]
    expect(words[1:] == wanted, f"{words} is not {wanted}")
    guest.unconfirmed = not guest.is_lost and not guest.running
    guest.is_lost = False
    return guest, hosts[words[-3]], {}


def libvirt_call(guests, where, words, hosts):
    uri = re.compile(r"qemu\+ssh://(.*)/system", re.DOTALL)
    expect(where == "here" and words[:2] == ["virsh", "-c"] and words[3] == "migrate", f"{words}")
    source, target = uri.fullmatch(words[2])[1], uri.fullmatch(words[-1])[1]
    guest = guests[source, words[-2]]
    wanted = ["--live" if guest.running else "--offline", "--persistent", "--undefinesource"]
    if guest.running and guest.local:
        wanted.append("--copy-storage-all")
        disks = [t.partition("libvirt:local-disk:")[2] for t in guest.tags if t.startswith("libvirt:local-disk:")]
        wanted += ["--migrate-disks", ",".join(disks)] if disks else []
    wanted += ["--"] if words[-2].startswith("-") else []
    expect(words[4:-2] == wanted, f"{words} is not {wanted}")
    return guest, target, hosts


CALLS = {"proxmox": proxmox_call, "openstack": openstack_call, "libvirt": libvirt_call}


def unescaped(text):
    return re.sub("%([0-9A-F]{2})", lambda match: chr(int(match[1], 16)), text)


def names_on(platform, guests):
    """What calls name the guests by."""
    if platform == "proxmox":
        return {tuple(t.split(":")[1:]): g for g in guests.values() for t in g.tags
                if re.fullmatch("proxmox:(qemu|lxc):[0-9]+", t)}
    if platform == "openstack":
        return {g.tag("openstack:server:"): g for g in guests.values()}
    return {(g.host, unescaped(g.tag("libvirt:domain:"))): g for g in guests.values()}


def hosts_on(platform, state):
    """What calls name the hosts by: names of hosts, by what the calls say."""
    nodes = read_nodes(state)
    if platform != "openstack":
        return {fields[0]: fields[0] for fields in nodes}
    prefix = "openstack:service-host:"
    return {unescaped(tag.removeprefix(prefix)): fields[0] for fields in nodes for tag in fields[10].split(",")
            if tag.startswith(prefix)}


class Platform:
    """A platform with its guests. It answers questions, and makes the moves that it is asked for."""

    def __init__(self, name, state, nodes):
        self.name, self.guests, self.hosts, self.nodes = name, read_guests(state), hosts_on(name, state), nodes
        self.services = {host: service for service, host in self.hosts.items()}
        self.names = names_on(name, {n: g for n, g in self.guests.items() if "pinned" not in g.tags})
        if name == "proxmox":
            for host in self.hosts.values():
                (nodes / host / "qemu-server").mkdir(parents=True)
                (nodes / host / "lxc").mkdir()
            for guest in self.guests.values():
                self.conf(guest).touch()

    def conf(self, guest):
        """The file of a guest of Proxmox VE: it lies where the guest is."""
        container = guest.tag("proxmox:lxc:")
        folder, number = ("lxc", container) if container else ("qemu-server", guest.tag("proxmox:qemu:"))
        return self.nodes / guest.host / folder / f"{number}.conf"

    def question(self, words):
        """The answer if the words are a question, else nothing."""
        if words[0] == "openstack" and words[1:3] == ["server", "list"]:
            return "".join(f"{g.tag('openstack:server:')} {'VERIFY_RESIZE' if g.unconfirmed else 'ACTIVE'} "
                           f"{self.services[g.host] if self.knows_services else g.host}\n" for g in self.guests.values())
        if words[0] == "virsh" and words[3] == "list":
            host = re.fullmatch(r"qemu\+ssh://(.*)/system", words[2], re.DOTALL)[1]
            return "".join(unescaped(g.tag("libvirt:domain:")) + "\n" for g in self.guests.values() if g.host == host) + "\n"
        if words[0] in ("qm", "pct") and words[1] == "status":
            guest = self.names[{"qm": "qemu", "pct": "lxc"}[words[0]], words[2]]
            return f"status: {'running' if guest.started else 'stopped'}\n"
        return None

    knows_services = False  # a list of OpenStack says the hosts of the compute service

    def start(self, where, words):
        """Returns the guest that the call moves, and where to."""
        where = where.replace("here", "another host") if self.name == "proxmox" else where
        try:
            guest, target, allowed = CALLS[self.name](self.names, where, words, self.hosts)
        except (KeyError, IndexError, TypeError) as error:
            raise CommandError(f"not a call to move a guest: {words} ({error!r})") from error
        expect(not allowed or target in self.hosts.values(), f"{words}: there is no host {target}")
        return guest, target

    def finish(self, guest, target):
        """The guest arrives."""
        old = self.conf(guest) if self.name == "proxmox" else None
        if self.name == "libvirt" and "pinned" not in guest.tags:
            domain = unescaped(guest.tag("libvirt:domain:"))
            self.names[target, domain] = self.names.pop((guest.host, domain))
        guest.host = target
        if old is not None:
            old.rename(self.conf(guest))
