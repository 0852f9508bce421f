"""What programs get of the cluster: documents, and metrics that Prometheus's node exporter serves."""

import contextlib
import json
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request

EXPORTER = "prometheus-node-exporter"
TOOLS = ("hinfo", "hcheck")
PATIENCE = 20  # seconds until the exporter answers


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextlib.contextmanager
def exporter(directory):
    """Serves the metrics of the files in a directory. Yields the address."""
    address = f"127.0.0.1:{free_port()}"
    command = [EXPORTER, "--collector.disable-defaults", "--collector.textfile",
               f"--collector.textfile.directory={directory}", f"--web.listen-address={address}"]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            yield address
        finally:
            process.terminate()


def served(address):
    """The text of all metrics, by HTTP on loopback."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            with opener.open(f"http://{address}/metrics", timeout=PATIENCE) as answer:
                return answer.read().decode("utf-8")
        except urllib.error.URLError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.1)


def samples(text):
    """The values by series."""
    lines = (line.rpartition(" ") for line in text.splitlines() if line and not line.startswith("#"))
    return {series: float(value) for series, _, value in lines}


def check_metrics(cluster, report, title):
    """The exporter serves what the tools have printed about the query daemon's cluster."""
    if not shutil.which(EXPORTER):
        print(f"not checked: {EXPORTER} is not installed")
        return
    directory = cluster.directory / "metrics"
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir()
    printed = {}
    for tool in TOOLS:
        answer = cluster.answer(cluster.tools() / tool, "-L", "--prometheus=nodes", "--cluster-name=live")
        (directory / f"{tool}.prom").write_text(answer.text, encoding="utf-8")
        printed |= samples(answer.text)
    with exporter(directory) as address:
        found = samples(served(address))
    lost = {series: value for series, value in printed.items() if found.get(series) != value}
    report(f"metrics {title} through {EXPORTER}", f"printed, but not served: {lost}" if lost or not printed else "")
    report(f"{EXPORTER} reads the metrics {title}", "" if found.get("node_textfile_scrape_error") == 0 else f"{found}")


def check_fingerprints(cluster, report, title, sources):
    """A source and the file that hscan wrote of it tell of the same state. `sources` are the options that name them. The
    remote API and the query daemon do not tell the same: only the latter tells which instances are forthcoming."""
    found = {}
    for source in sources:
        document = json.loads(cluster.answer(cluster.tools() / "hinfo", *source, "--json").text)
        found[" ".join(map(str, source))] = (document["cluster"]["fingerprint"], document["cluster"]["facts_fingerprint"])
    report(f"fingerprints {' '.join(map(str, sources[0]))} {title}", "" if len(set(found.values())) == 1 else f"{found}")
