"""Makes random clusters, and writes them as the exports of each platform that himport reads.

An export is a dictionary of files: path to File. The records of a file can be in any order.
"""

import csv
import dataclasses
import io
import json
import random
from xml.sax.saxutils import escape

GIB = 2**30
NAMES = ("web", "my vm", "it's", 'quo"ted', "$(touch x)", "`id`", "a;b", "a,b", "50%20", "-rf", "über", "back\\slash", "*", "~")
POOL = "/var/lib/libvirt/images"
SHARE = "/srv/vm"


@dataclasses.dataclass
class File:
    start: str
    records: list
    separator: str = ""
    end: str = ""

    def text(self, rng=None):
        records = rng.sample(self.records, len(self.records)) if rng else self.records
        return self.start + self.separator.join(records) + self.end


@dataclasses.dataclass
class Host:
    name: str
    group: str
    gib: int
    threads: int = 64
    disk_gib: int = 4000
    offline: bool = False
    down: bool = False  # with all guests on it


@dataclasses.dataclass
class Guest:
    number: int
    name: str
    host: str
    mib: int
    vcpus: int
    disks: list  # of (GiB, is_local)
    running: bool
    container: bool
    managed: bool
    apart: str  # a rule that keeps guests apart, or nothing
    pinned: bool

    @property
    def id(self):
        return f"{self.number:08x}-0000-4000-8000-{self.number:012x}"

    def gib(self, local):
        return sum(size for size, is_local in self.disks if is_local == local)


@dataclasses.dataclass
class Cluster:
    hosts: list
    guests: list


def random_cluster(rng, hosts=None, guests=None, hostile=True):
    """Most guests are on the first hosts, so that there is much to move."""
    count = hosts or rng.randint(3, 6)
    groups = rng.choice((("",), ("",), ("a", "b")))
    made = [Host(f"node{n:04}", groups[n % len(groups)], rng.choice((16, 128, 256)), offline=rng.random() < 0.2 and n > 1)
            for n in range(count)]
    for host in made:
        host.down = host.offline and rng.random() < 0.5
    some = []
    for number in range(100, 100 + (guests or rng.randint(3, 20))):
        place = made[rng.randrange(count if guests or rng.random() < 0.3 else 2)].name
        disks = [(rng.choice((1, 10, 40)), rng.random() < 0.3) for _ in range(rng.randint(0, 2))]
        name = f"{rng.choice(NAMES) if hostile else 'vm'}{number}"
        some.append(Guest(number, name, place, rng.choice((512, 2048, 8192)), rng.choice((1, 2, 4)), disks,
                          rng.random() < 0.8, rng.random() < 0.2, rng.random() < 0.2, rng.choice(("", "", "", "r1", "r2")),
                          rng.random() < 0.1))
    return Cluster(made, some)


def members_apart(cluster):
    """The guests of each rule; only rules of several guests are rules."""
    rules = {}
    for guest in cluster.guests:
        if guest.apart:
            rules.setdefault(guest.apart, []).append(guest)
    return rules


def json_list(objects):
    return File("[", [json.dumps(o) for o in objects], ",", "]")


def kubernetes_list(objects):
    return File('{"kind": "List", "items": [', [json.dumps(o) for o in objects], ",", "]}")


def proxmox(cluster):
    records = []
    for h in cluster.hosts:
        records += [
            {"id": f"node/{h.name}", "type": "node", "node": h.name, "status": "offline" if h.down else "online",
             "hastate": "maintenance" if h.offline else "online",
             "maxcpu": h.threads, "maxmem": h.gib * GIB},
            {"id": f"storage/{h.name}/local-lvm", "type": "storage", "storage": "local-lvm", "node": h.name,
             "plugintype": "lvmthin", "shared": 0, "content": "images,rootdir", "maxdisk": h.disk_gib * GIB, "disk": 0},
            {"id": f"storage/{h.name}/ceph", "type": "storage", "storage": "ceph", "node": h.name, "plugintype": "rbd",
             "shared": 1, "content": "images,rootdir", "maxdisk": 20000 * GIB, "disk": 0}]
    files = {}
    for g in cluster.guests:
        kind = "lxc" if g.container else "qemu"
        records.append({"id": f"{kind}/{g.number}", "type": kind, "vmid": g.number, "name": g.name, "node": g.host,
                        "status": "running" if g.running else "stopped", "maxcpu": g.vcpus, "maxmem": g.mib << 20})
        config = {"memory": g.mib if g.container else str(g.mib), "cores": g.vcpus}
        for n, (size, is_local) in enumerate(g.disks):
            key = ("rootfs", "mp0")[n] if g.container else f"scsi{n}"
            config[key] = f"{'local-lvm' if is_local else 'ceph'}:vm-{g.number}-disk-{n},size={size}G"
        if g.pinned:
            config["hostpci0"] = "0000:c1:00.0"
        files[f"nodes-{g.host}-{kind}-{g.number}-config.json"] = File(json.dumps(config), [])
    files["resources.json"] = json_list(records)
    files["ha-rules.json"] = json_list([
        {"rule": rule, "type": "resource-affinity", "affinity": "negative",
         "resources": ",".join(f"{'ct' if g.container else 'vm'}:{g.number}" for g in guests)}
        for rule, guests in members_apart(cluster).items()])
    files["ha-resources.json"] = json_list([{"sid": f"{'ct' if g.container else 'vm'}:{g.number}", "state": "started",
                                             "type": "ct" if g.container else "vm"} for g in cluster.guests if g.managed])
    return files


def service_host(host):
    return f"svc $(x) {host}"


def flavor_name(guest):
    return f"f-{guest.mib}-{guest.vcpus}-{guest.gib(True)}-{guest.pinned}"


def openstack(cluster):
    hypervisors = [{"ID": n, "Hypervisor Hostname": h.name, "Hypervisor Type": "QEMU", "State": "down" if h.down else "up",
                    "vCPUs": h.threads, "Memory MB": h.gib * 1024} for n, h in enumerate(cluster.hosts)]
    files = {f"show-{h.name}.json": File(json.dumps(
        {"hypervisor_hostname": h.name, "memory_mb": h.gib * 1024, "vcpus": h.threads, "local_gb": h.disk_gib,
         "service_host": service_host(h.name), "state": "down" if h.down else "up",
         "status": "disabled" if h.offline else "enabled"}), []) for h in cluster.hosts}
    flavors = {flavor_name(g): g for g in cluster.guests}
    servers = [{"ID": g.id, "Name": g.name, "Status": "ACTIVE" if g.running else "SHUTOFF", "Power State": 1, "Host": g.host,
                "Image Name": "debian" if g.gib(True) else "N/A (booted from volume)",
                "Flavor": flavor_name(g), "Project ID": "p1"} for g in cluster.guests]
    volumes = [{"ID": f"{g.id}-{n}", "Name": "", "Size": size, "Attached to": [{"server_id": g.id}]}
               for g in cluster.guests for n, (size, is_local) in enumerate(g.disks) if not is_local]
    groups = [{"ID": f"{rule}-id", "Name": rule, "Policy": "anti-affinity", "Members": [g.id for g in guests]}
              for rule, guests in members_apart(cluster).items()]
    aggregates = [{"ID": n, "Name": name, "Hosts": [service_host(h.name) for h in cluster.hosts if h.group == name]}
                  for n, name in enumerate(sorted({h.group for h in cluster.hosts if h.group}))]
    return files | {
        "hypervisors.json": json_list(hypervisors), "servers.json": json_list(servers), "volumes.json": json_list(volumes),
        "groups.json": json_list(groups), "aggregates.json": json_list(aggregates),
        "flavors.json": json_list({"ID": name, "Name": name, "RAM": g.mib, "Disk": g.gib(True), "Ephemeral": 0,
                                   "VCPUs": g.vcpus, "Swap": "",
                                   "Properties": {"pci_passthrough:alias": "a100:1"} if g.pinned else {}} for name, g in flavors.items())}


def domain_stats(guest):
    lines = [f"Domain: '{guest.name}'", f"  state.state={1 if guest.running else 5}",
             f"  balloon.maximum={guest.mib * 1024}", f"  vcpu.current={guest.vcpus}", f"  block.count={len(guest.disks)}"]
    for n, (size, is_local) in enumerate(guest.disks):
        path = f"{POOL if is_local else SHARE}/{guest.number}-{n}.qcow2"
        lines += [f"  block.{n}.name=vd{'ab'[n]}", f"  block.{n}.path={path}", f"  block.{n}.capacity={size * GIB}"]
    return "\n".join(lines) + "\n\n"


def libvirt(cluster):
    files = {}
    for h in cluster.hosts:
        files[f"{h.name}/nodeinfo.txt"] = File(f"CPU(s):              {h.threads}\nMemory size:         {h.gib * 2**20} KiB\n", [])
        files[f"{h.name}/pools.txt"] = File("", [
            f"Name:           default\nCapacity:       {h.disk_gib * GIB}\n\n",
            f"Name:           share\nCapacity:       {20000 * GIB}\n\n"])
        files[f"{h.name}/pools.xml"] = File("", [
            f"<pool type='dir'><name>default</name><target><path>{POOL}</path></target></pool>\n",
            f"<pool type='netfs'><name>share</name><target><path>{SHARE}</path></target></pool>\n"])
        for g in cluster.guests:
            if g.pinned and g.host == h.name:
                files[f"{h.name}/dumpxml-{g.number}.xml"] = File(
                    f"<domain type='kvm'><name>{escape(g.name)}</name><devices><hostdev type='pci'/></devices></domain>\n", [])
        files[f"{h.name}/domstats.txt"] = File("", [domain_stats(g) for g in cluster.guests if g.host == h.name])
    return files


def kubernetes(cluster):
    nodes = [{"kind": "Node", "metadata": {"name": h.name, "labels": {"topology.kubernetes.io/zone": h.group or "z"}},
              "spec": {"unschedulable": h.offline},
              "status": {"capacity": {"cpu": str(h.threads), "memory": f"{h.gib}Gi", "ephemeral-storage": f"{h.disk_gib}Gi"},
                         "allocatable": {"cpu": str(h.threads), "memory": f"{h.gib - 4}Gi"},
                         "conditions": [{"type": "Ready", "status": "True"}]}} for h in cluster.hosts]
    pods, claims = [], []
    for g in cluster.guests:
        volumes = []
        for n, (size, is_local) in enumerate(g.disks):
            name = f"{g.number}-{n}"
            volumes.append({"name": f"disk-{n}", "persistentVolumeClaim": {"claimName": name}})
            claims.append({"kind": "PersistentVolumeClaim", "metadata": {"name": name, "namespace": "ns"},
                           "spec": {"accessModes": ["ReadWriteOnce"], "volumeName": f"pv-{name}",
                                    "resources": {"requests": {"storage": f"{size}Gi"}}}})
            volume = {"kind": "PersistentVolume", "metadata": {"name": f"pv-{name}"},
                      "spec": {"capacity": {"storage": f"{size}Gi"}}}
            if is_local:
                volume["spec"]["local"] = {"path": "/dev/x"}
            claims.append(volume)
        spec = {"nodeName": g.host, "volumes": volumes, "containers": [
            {"name": "c", "resources": {"requests": {"cpu": f"{g.vcpus * 1000}m", "memory": f"{g.mib}Mi"}}}]}
        if g.pinned:
            spec["containers"][0]["resources"]["requests"]["nvidia.com/gpu"] = "1"
        if g.apart:
            spec["affinity"] = {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [
                {"labelSelector": {"matchLabels": {"app": g.apart}}, "topologyKey": "kubernetes.io/hostname"}]}}
        pods.append({"kind": "Pod", "metadata": {"name": g.name, "namespace": "ns", "labels": {"app": g.apart or "none"}},
                     "spec": spec, "status": {"phase": "Running" if g.running else "Succeeded"}})
    return {"nodes-pods.json": kubernetes_list(nodes + pods), "pvc-pv.json": kubernetes_list(claims)}


def csv_line(values, delimiter=","):
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter).writerow(values)
    return out.getvalue()


def csv_file(header, rows, delimiter=",", start=""):
    return File(start + csv_line(header, delimiter), [csv_line(row, delimiter) for row in rows])


def rvtools(cluster):
    state = {True: "poweredOn", False: "poweredOff"}
    store = {h.name: f"local-{h.name}" for h in cluster.hosts}
    disks = [(g.name, state[g.running], "False", f"Hard disk {n}", "persistent", f"{size * 1024:,}",
              f"[{store[g.host] if is_local else 'san'}] {g.number}/{n}.vmdk", g.id, g.pinned)
             for g in cluster.guests for n, (size, is_local) in enumerate(g.disks)]
    stores = [("san", "VMFS", 20000 * 1024, len(cluster.hosts), ", ".join(h.name for h in cluster.hosts))]
    stores += [(store[h.name], "VMFS", h.disk_gib * 1024, 1, h.name) for h in cluster.hosts]
    return {
        "RVTools_tabvHost.csv": csv_file(
            ("Host", "Cluster", "in Maintenance Mode", "HT Active", "# Cores", "# Memory"),
            [(h.name, h.group or "CL", h.offline, True, h.threads // 2, f"{h.gib * 1024:,}") for h in cluster.hosts],
            start="\ufeff"),
        "RVTools_tabvInfo.csv": csv_file(
            ("VM", "Powerstate", "Template", "CPUs", "Memory", "Cluster", "Host", "VM UUID"),
            [(g.name, state[g.running], False, g.vcpus, g.mib, "CL", g.host, g.id) for g in cluster.guests], ";"),
        "RVTools_tabvDisk.csv": csv_file(("VM", "Powerstate", "Template", "Disk", "Disk Mode", "Capacity MiB", "Path", "VM UUID",
                                           "Raw"), disks),
        "RVTools_tabvDatastore.csv": csv_file(("Name", "Type", "Capacity MiB", "# Hosts", "Hosts"), stores)}


def plain_csv(cluster):
    kinds = {True: "local", False: "shared"}
    guests, group_of = [], {h.name: h.group for h in cluster.hosts}
    for g in cluster.guests:
        local = any(is_local for _, is_local in g.disks)
        others = [h.name for h in cluster.hosts if h.name != g.host and h.group == group_of[g.host]]
        mirror = others[g.number % len(others)] if g.managed and g.disks and others else ""
        guests.append((g.name, g.host, mirror, g.vcpus, g.mib, g.gib(local),
                       "mirrored" if mirror else kinds[local] if g.disks else "none",
                       "running" if g.running else "stopped",
                       " ".join([f"apart:{g.apart}"] * bool(g.apart) + ["pinned"] * g.pinned)))
    return {
        "hosts.csv": csv_file(
            ("name", "group", "cpus", "memory_gib", "disk_gib", "state"),
            [(h.name, h.group, h.threads, h.gib, h.disk_gib, "maintenance" if h.offline else "online")
             for h in cluster.hosts], "\t"),
        "vms.csv": csv_file(("Name", "host", "secondary", "vCPUs", "memory_mib", "disk_gib", "storage", "state", "tags"), guests)}


WRITERS = {"proxmox": proxmox, "openstack": openstack, "libvirt": libvirt, "kubernetes": kubernetes, "rvtools": rvtools,
           "csv": plain_csv}


def write(files, directory, rng=None):
    """Write the files, with their records in another order if there is a generator of random numbers."""
    for path, file in files.items():
        target = directory / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(file.text(rng), encoding="utf-8", newline="")


if __name__ == "__main__":
    for writer in WRITERS.values():
        for written in writer(random_cluster(random.Random(1))).values():
            print(written.text())
