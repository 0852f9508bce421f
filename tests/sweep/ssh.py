"""Servers of ssh on the loopback interface, for programs that start work on other machines."""

import os
import pathlib
import shutil
import subprocess

from slurm import Slurm, free_ports

CONFIGURATION = """\
ListenAddress 127.0.0.1
Port {port}
HostKey {folder}/key
AuthorizedKeysFile {folder}/key.pub
PidFile {folder}/{port}.pid
PasswordAuthentication no
KbdInteractiveAuthentication no
UsePAM no
StrictModes no
PermitRootLogin yes
MaxStartups 100
SetEnv PATH={path}
"""


def obstacle():
    """Why there can be no server of ssh here; empty if there can."""
    missing = [command for command in ("ssh", "ssh-keygen", "parallel") if shutil.which(command) is None]
    if missing:
        return f"these commands are missing: {' '.join(missing)}"
    return "" if pathlib.Path("/usr/sbin/sshd").exists() else "/usr/sbin/sshd is missing"


class Servers:
    """Starts two servers, and ends them at the end of a `with` block. `logins` are lines for GNU parallel."""

    def __init__(self, folder, path):
        self.folder, self.path, self.processes, self.logins = folder, path, [], []

    def __enter__(self):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(self.folder / "key")], check=True)
        if os.geteuid() == 0:
            pathlib.Path("/run/sshd").mkdir(exist_ok=True)  # the server insists on it
        for port in free_ports(2):
            configuration = self.folder / f"{port}.conf"
            configuration.write_text(CONFIGURATION.format(port=port, folder=self.folder, path=self.path))
            self.processes.append(subprocess.Popen(["/usr/sbin/sshd", "-D", "-e", "-f", str(configuration)],
                                                   stderr=subprocess.DEVNULL))
            login = (f"ssh -p {port} -i {self.folder}/key -o BatchMode=yes -o StrictHostKeyChecking=no "
                     "-o UserKnownHostsFile=/dev/null -o LogLevel=ERROR 127.0.0.1")
            self.logins.append(login)
            Slurm.wait(lambda login=login: subprocess.run([*login.split(), "true"], check=False,
                                                          capture_output=True).returncode == 0, "a server of ssh", 20)
        return self

    def __exit__(self, *_):
        for process in self.processes:
            process.terminate()
            process.wait()
