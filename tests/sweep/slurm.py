"""A Slurm of two compute nodes on the loopback interface, made of Debian's packages."""

import contextlib
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import time

COMMANDS = ("slurmctld", "slurmd", "sbatch", "munged", "setpriv")
NODES = ("compute1", "compute2")
CONFIGURATION = """\
ClusterName=loopback
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller}
AuthType=auth/munge
AuthInfo=socket={folder}/run/munge.socket
CryptoType=crypto/munge
SlurmUser=root
SlurmdUser=root
StateSaveLocation={folder}/state
SlurmctldPidFile={folder}/run/slurmctld.pid
SlurmdPidFile={folder}/run/%n.pid
SlurmdSpoolDir={folder}/spool-%n
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_interval=1,bf_interval=1
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
JobCompType=jobcomp/none
MpiDefault=none
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
ReturnToService=2
SlurmdTimeout=5
SlurmdParameters=config_overrides
NodeName=compute1 NodeHostname={host} NodeAddr=127.0.0.1 Port={first} CPUs=1 State=UNKNOWN
NodeName=compute2 NodeHostname={host} NodeAddr=127.0.0.1 Port={second} CPUs=1 State=UNKNOWN
PartitionName=all Nodes=compute1,compute2 Default=YES State=UP MaxTime=INFINITE
"""


def free_ports(count):
    """Ports of 127.0.0.1 that nobody uses now."""
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]


def obstacle():
    """Why there can be no Slurm here; empty if there can."""
    missing = [command for command in COMMANDS if shutil.which(command) is None]
    if missing:
        return f"these commands are missing: {' '.join(missing)}"
    return "" if os.geteuid() == 0 else "only root can start a Slurm"


def end_jobs(node):
    """Ends what Slurm runs on a node: first what watches over the jobs, then the jobs."""
    jobs, watchers = [], set()
    for entry in pathlib.Path("/proc").iterdir():
        with contextlib.suppress(OSError, ValueError):
            if f"SLURMD_NODENAME={node}".encode() in (entry / "environ").read_bytes().split(b"\0"):
                jobs.append(int(entry.name))
                parent = (entry / "stat").read_text().rpartition(")")[2].split()[1]
                if pathlib.Path("/proc", parent, "comm").read_text().startswith("slurmstepd"):
                    watchers.add(int(parent))
    for process in [*watchers, *jobs]:
        with contextlib.suppress(OSError):
            os.kill(process, signal.SIGKILL)


class Slurm:
    """Starts the daemons, and ends them at the end of a `with` block. `environment` is what sbatch needs."""

    def __init__(self, folder, path):
        self.folder = folder
        self.environment = {"PATH": path, "HOME": os.environ.get("HOME", "/"), "SLURM_CONF": str(folder / "slurm.conf")}

    def __enter__(self):
        folder = self.folder
        for name in ("state", "run", "munge"):
            (folder / name).mkdir()
        folder.chmod(0o755)
        key = folder / "munge" / "key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o400)
        for path in (key, folder / "munge", folder / "run"):
            shutil.chown(path, "munge", "munge")
        (folder / "munge").chmod(0o700)
        controller, first, second = free_ports(3)
        (folder / "slurm.conf").write_text(CONFIGURATION.format(
            host=socket.gethostname().split(".")[0], folder=folder, controller=controller, first=first, second=second))
        self.run("setpriv", "--reuid", "munge", "--regid", "munge", "--clear-groups", "munged", "--key-file", key,
                 "--socket", folder / "run" / "munge.socket", "--pid-file", folder / "run" / "munged.pid",
                 "--log-file", folder / "munge" / "log", "--seed-file", folder / "munge" / "seed", "--force")
        self.run("slurmctld")
        for node in NODES:
            self.start(node)
        self.wait(lambda: self.run("sinfo", "-h", "-o", "%D %t").strip() == "2 idle", "two idle nodes", 60)
        return self

    def __exit__(self, *_):
        for path in (self.folder / "run").glob("*.pid"):
            with contextlib.suppress(OSError, ValueError):
                os.kill(int(path.read_text()), signal.SIGTERM)
        for node in NODES:
            end_jobs(node)

    def run(self, *words):
        """What a command prints."""
        done = subprocess.run([str(word) for word in words], env=self.environment, capture_output=True, text=True,
                              check=False, timeout=60)
        if done.returncode != 0:
            raise RuntimeError(f"{words[0]}: {done.stderr or done.stdout}")
        return done.stdout

    def start(self, node):
        self.run("slurmd", "-N", node)

    def kill(self, node):
        """Ends a compute node and all that runs there, as if its power failed."""
        os.kill(int((self.folder / "run" / f"{node}.pid").read_text()), signal.SIGKILL)
        end_jobs(node)

    def start_waiting_jobs(self):
        """Starts the jobs that wait for a time, as those do that have been submitted again. Returns their number."""
        jobs = self.run("squeue", "-h", "-t", "PENDING", "-r", "-o", "%i %r").splitlines()
        waiting = [job.split()[0] for job in jobs if job.endswith(" BeginTime")]
        for job in waiting:
            self.run("scontrol", "update", f"jobid={job}", "starttime=now")
        return len(waiting)

    def queue(self):
        return self.run("squeue", "-h", "-o", "%i %T %N").splitlines()

    @staticmethod
    def wait(condition, what, seconds):
        end = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > end:
                raise RuntimeError(f"waited {seconds} s in vain for {what}")
            time.sleep(0.1)
