"""Deterministic clusters on shared storage, as clouds have them, for measurements of capacity.

In the text cluster files made here hosts of five models, with 88 to 192 cpus, carry instances of many sizes whose disks
are on shared storage (rbd and ext). Cpus are not overcommitted, and at least 2/5 of the memory stays free: thousands of
further instances fit, and the cluster can lose any host. The books add up. The same arguments always give the same
bytes.
"""

import argparse
import random
import sys

HOSTS = ((88, 176), (96, 192), (128, 256), (160, 320), (192, 384))  # cpus, and GiB of memory
INSTANCE_CPUS = (1, 2, 2, 4, 4, 8, 8, 16)
MEMORY_PER_CPU = (1024, 2048, 2048, 4096)  # MiB
OWN_MEMORY = 4096  # MiB, of the host itself
DISK = 1000000  # MiB, of a host; instances use none of it
POLICY = "4096,2,20480,1,1,1|256,1,1024,1,1,1;262144,64,1048576,16,8,12|rbd,ext|1.0|32.0"


class Host:
    def __init__(self, number, rng):
        self.name = f"host{number:05d}.example.com"
        self.cpus, gibibytes = rng.choice(HOSTS)
        self.memory = 1024 * gibibytes - rng.randrange(1, 2048)  # what firmware takes differs
        self.used_memory = 0
        self.used_cpus = 0

    def takes(self, memory, cpus):
        return (5 * (self.used_memory + memory) < 3 * (self.memory - OWN_MEMORY)
                and 2 * (self.used_cpus + cpus) <= self.cpus)

    def line(self, role):
        return (f"{self.name}|{self.memory}|{OWN_MEMORY}|{self.memory - OWN_MEMORY - self.used_memory}|{DISK}|{DISK}"
                f"|{self.cpus}|{role}|uuid-1|1||N|0|1|1.0")


def generate(host_count, instance_count, seed=1):
    """Returns the text of a cluster of one group."""
    rng = random.Random(f"{seed}/shared-storage/{host_count}/{instance_count}")
    hosts = [Host(number, rng) for number in range(host_count)]
    instance_lines = []
    for number in range(instance_count):
        cpus = rng.choice(INSTANCE_CPUS)
        memory = cpus * rng.choice(MEMORY_PER_CPU) + rng.randrange(100)
        taking = [host for host in rng.sample(hosts, min(10, host_count)) if host.takes(memory, cpus)]
        if not taking:
            raise ValueError("the hosts have no capacity for so many instances")
        host = min(taking, key=lambda h: h.used_memory / h.memory)
        host.used_memory += memory
        host.used_cpus += cpus
        instance_lines.append(f"vm{number:06d}.example.com|{memory}|{rng.randrange(10, 100) * 1024}|{cpus}|running|Y"
                              f"|{host.name}||{rng.choice(('rbd', 'rbd', 'ext'))}||1|-|N")
    host_lines = [host.line("M" if number == 0 else "N") for number, host in enumerate(hosts)]
    blocks = [["group-1|uuid-1|preferred||"], host_lines, instance_lines, [], ["|" + POLICY, "group-1|" + POLICY]]
    return "\n".join("".join(line + "\n" for line in block) for block in blocks)


def main():
    parser = argparse.ArgumentParser(description="Prints a text cluster file of hosts on shared storage.")
    parser.add_argument("--hosts", type=int, default=800)
    parser.add_argument("--instances", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    try:
        sys.stdout.write(generate(arguments.hosts, arguments.instances, arguments.seed))
    except ValueError as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
