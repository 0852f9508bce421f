"""Clusters that are read from a host's remote API (-m), and hosts that do not behave."""

import base64
import shutil
import time

from documents import DOCUMENTS, PATHS, save_documents
from servers import Authority, Server, answer, refusing_port, self_signed

LOAD = "failed to load data, aborting: "
# What errors say about a failure, by its name in libcurl.
MEANINGS = {
    "CurlUnspportedProtocol": "the protocol is not supported",
    "CurlUrlMalformat": "the address is malformed",
    "CurlCouldntConnect": "the host does not accept a connection",
    "CurlFtpWeirdServerReply": "the answer is not understood",
    "CurlPartialFile": "the answer is incomplete",
    "CurlHttpReturnedError": "the host answers with an HTTP error",
    "CurlSSLConnectError": "no encrypted connection is possible",
    "CurlFileCouldntReadFile": "the file cannot be read",
    "CurlGotNothing": "the answer is empty",
    "CurlRecvError": "the connection broke while receiving",
    "CurlFilesizeExceeded": "the answer is too large",
}
WRONG_ADDRESSES = ("CurlUnspportedProtocol", "CurlUrlMalformat", "CurlFileCouldntReadFile")
ADVICE = "\nAn address is a host, a URL, or file://DIRECTORY for saved documents."
TRUNCATED = DOCUMENTS["nodes"][:-20]


def failure(url, code):
    """The error for a URL that cannot be read."""
    return f"{LOAD}cannot read {url}: {MEANINGS[code]}{ADVICE if code in WRONG_ADDRESSES else ''}"


def document(path):
    return DOCUMENTS.get(path.rpartition("/2/")[2].partition("?")[0])


def good(path):
    body = document(path)
    return answer(status="404 Not Found") if body is None else answer(body)


def slow(path):
    time.sleep(0.3)
    return good(path)


def but(part, bytes_):
    """Answers well but for the document named `part`."""
    return lambda path: bytes_ if f"/2/{part}" in path else good(path)


def always(bytes_):
    return lambda _: bytes_


# Title, how the host answers, which of its documents fails, the failure, and whether the reference says the same.
TRANSPORT_FAULTS = [
    ("not allowed", always(answer(status="401 Unauthorized")), 0, "CurlHttpReturnedError", True),
    ("not found", always(answer(status="404 Not Found")), 0, "CurlHttpReturnedError", True),
    ("one document is missing", but("instances", answer(status="404 Not Found")), 2, "CurlHttpReturnedError", True),
    ("the last document is missing", but("info", answer(status="500 Oh")), 3, "CurlHttpReturnedError", True),
    ("not now", always(answer(b"{}", status="503 Later")), 0, "CurlHttpReturnedError", True),
    ("closed without an answer", always(b""), 0, "CurlGotNothing", True),
    ("closed midway", but("nodes", answer(TRUNCATED, length=len(DOCUMENTS["nodes"]))), 1, "CurlPartialFile", True),
    ("garbage", always(b"\x00\x01garbage\r\n\r\n"), 0, "CurlUnspportedProtocol", True),
    ("a negative length", always(answer(b"[]", length=-5)), 0, "CurlFtpWeirdServerReply", True),
    ("chunks of no size", always(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"), 0, "CurlRecvError",
     True),
    # The reference waits for what has been announced.
    ("a length beyond all bounds", always(answer(b"[]", length=10 ** 17)), 0, "CurlFilesizeExceeded", False),
    ("a length that is just too much", always(answer(b"[]", length=2 ** 29 + 1)), 0, "CurlFilesizeExceeded", False),
]

# Title, how the host answers, the beginning of the error. The reference has other words for what is wrong in JSON.
DOCUMENT_FAULTS = [
    ("a redirection is not followed", always(answer(status="302 Found", headers=["Location: /good"])),
     "Parsing group data: "),
    ("an empty answer", always(answer()), "Parsing group data: "),
    ("closed in the head", always(b"HTTP/1.1 200 OK\r\nContent-Le"), "Parsing group data: "),
    ("no JSON", but("instances", answer(b"<html>")), "Parsing instance data: "),
    ("truncated JSON", but("nodes", answer(TRUNCATED)), "Parsing node data: "),
    ("the wrong document", but("info", answer(b"[]")), "Parsing cluster info: Unable to read JSObject"),
    ("too deep", but("info", answer(b"[" * 200000)), "Parsing cluster info: "),
]


def check_answers(checks, words, expected):
    """Hosts that answer well, in several ways."""
    for title, respond, path in (("http", good, ""), ("a path", good, "/api/v"), ("a slash at the end", good, "/"),
                                 ("a slow host", slow, "")):
        with Server(respond) as server:
            checks.answers(title, words(f"http://127.0.0.1:{server.port}{path}"), *expected)
            wanted = [path + p for p in PATHS]
            checks.report(f"{title}: documents and their order",
                          "" if server.paths[:4] == wanted else f"asked for {server.paths}")
    with Server(good) as server:
        checks.answers("an address without scheme", words(f"127.0.0.1:{server.port}"), *expected)
        checks.answers("credentials in the URL", words(f"http://me:secret@127.0.0.1:{server.port}"), *expected)
        sent = "Authorization: Basic " + base64.b64encode(b"me:secret").decode()
        checks.report("credentials are sent", "" if sent in server.requests[-1][1] else f"sent: {server.requests[-1]}")
        url = f"https://127.0.0.1:{server.port}"
        checks.fails("https where http is spoken", words(url),
                     failure(f"{url}/2/groups?bulk=1", "CurlSSLConnectError"))


def check_https(checks, words, expected):
    if not shutil.which("openssl"):
        print("skipped: https, openssl is not installed")
        return
    with Server(good, tls=self_signed(checks.directory)) as server:
        url = f"https://127.0.0.1:{server.port}"
        checks.answers("https with a certificate that nobody knows", words(url), *expected)


UNVERIFIED = "Note: the certificate of the remote API is not verified; --cacert=FILE verifies it.\n"


def check_certificates(checks, words, expected):
    """With --cacert, only a host with the right certificate is asked."""
    if not shutil.which("openssl"):
        print("skipped: certificates, openssl is not installed")
        return
    trusted, other = Authority(checks.directory, "trusted"), Authority(checks.directory, "other")

    def refused(title, port, certificates, reason, **variables):
        done = checks.run([*words(f"https://127.0.0.1:{port}"), *certificates], **variables)
        right = (done.returncode == 1 and not done.stdout and reason in done.stderr
                 and done.stderr.startswith(f"Error: {LOAD}cannot read https://127.0.0.1:{port}/2/groups?bulk=1: "))
        checks.report(title, "" if right else f"{done}")

    option = f"--cacert={trusted.certificate}"
    with Server(good, tls=trusted.server("IP:127.0.0.1")) as server:
        url = f"https://127.0.0.1:{server.port}"
        checks.answers("a certificate that is signed by the given one", [*words(url), option], *expected, same=False)
        checks.answers("the given one is in the environment", words(url), *expected, same=False,
                       HTOOLS_CACERT=str(trusted.certificate))
        paths = len(server.paths)
        refused("a certificate that another has signed", server.port, [f"--cacert={other.certificate}"],
                "SSL certificate problem")
        refused("an option counts more than the environment", server.port, [f"--cacert={other.certificate}"],
                "SSL certificate problem", HTOOLS_CACERT=str(trusted.certificate))
        refused("nothing that can be a certificate", server.port, [f"--cacert={trusted.key}"], "")
        checks.report("nothing is asked of hosts that are not verified",
                      "" if len(server.paths) == paths else f"asked for {server.paths[paths:]}")
        for more, said in ((["-v"], UNVERIFIED), ([], ""), (["-v", option], "")):
            done = checks.run([*words(url), *more])
            told = "".join(line for line in done.stderr.splitlines(True) if "certificate" in line)
            checks.report(f"what is said with {more}", "" if told == said and done.returncode == 0 else f"{done}")
        for addresses, said in (([url, url], UNVERIFIED), (["file://."], "")):
            done = checks.run(["hscan", "-v", *addresses])
            checks.report(f"what hscan says of {len(addresses)} addresses",
                          "" if done.stderr == said and done.returncode == 0 else f"{done}")
        done = checks.run(["hscan", "--no-headers", f"--cacert={other.certificate}", url])
        checks.report("hscan: a certificate that another has signed",
                      "" if "SSL certificate problem" in done.stdout and done.returncode == 2 else f"{done}")
    with Server(good, tls=trusted.server("IP:127.0.0.1", days=-1)) as server:
        refused("a certificate that has expired", server.port, [option], "expired")
    with Server(good, tls=trusted.server("DNS:other.invalid")) as server:
        refused("a certificate for another name", server.port, [option], "127.0.0.1")
    with Server(good) as server:
        checks.fails("no certificate at all", [*words(f"http://127.0.0.1:{server.port}"), option],
                     failure(f"http://127.0.0.1:{server.port}/2/groups?bulk=1", "CurlUnspportedProtocol"), same=False)
        checks.report("hosts without encryption are not asked", "".join(server.paths))


def check_faults(checks, words):
    for title, respond, number, code, same in TRANSPORT_FAULTS:
        with Server(respond) as server:
            url = f"http://127.0.0.1:{server.port}"
            error = failure(f"{url}{PATHS[number]}", code)
            checks.fails(title, words(url), error, same=same)
            checks.report(f"{title}: all documents are asked for",
                          "" if set(server.paths) == set(PATHS) else f"asked for {server.paths}")
    for title, respond, error in DOCUMENT_FAULTS:
        with Server(respond) as server:
            done = checks.run(words(f"http://127.0.0.1:{server.port}"))
            right = done.returncode == 1 and not done.stdout and done.stderr.startswith(f"Error: {LOAD}{error}")
            checks.report(title, "" if right else f"{done}")
            checks.report(f"{title}: nothing else is asked for",
                          "" if server.paths == PATHS else f"asked for {server.paths}")


def check_addresses(checks, words):
    held, port = refusing_port()
    with held:
        for title, address, path, code in (
                ("nobody answers", f"http://127.0.0.1:{port}", None, "CurlCouldntConnect"),
                ("nobody answers by https", f"https://127.0.0.1:{port}", None, "CurlCouldntConnect"),
                ("no such scheme", "foo://127.0.0.1", None, "CurlUnspportedProtocol"),
                ("no URL", "http://[::1", None, "CurlUrlMalformat"),
                ("no such port", "http://127.0.0.1:99999", None, "CurlUrlMalformat"),
                ("no such host name", "a b", "https://a b:5080", "CurlUrlMalformat"),
                ("a file that is not there", "file:/nonexistent", None, "CurlFileCouldntReadFile")):
            url = path or address
            checks.fails(title, words(address), failure(f"{url}/2/groups?bulk=1", code))
        for scheme in ("ftp", "gopher", "dict", "telnet"):
            url = f"{scheme}://127.0.0.1:{port}"
            checks.fails(f"{scheme} is not spoken", words(url),
                         failure(f"{url}/2/groups?bulk=1", "CurlUnspportedProtocol"), same=False)
        checks.fails("credentials are not told", words(f"http://me:secret@127.0.0.1:{port}"),
                     failure(f"http://***@127.0.0.1:{port}/2/groups?bulk=1", "CurlCouldntConnect"),
                     same=False)


def check_library(checks, words):
    """Without libcurl hosts cannot be asked, and everything else works; with it, it is loaded for hosts alone."""
    broken = checks.directory / "broken"
    broken.mkdir()
    for name in ("libcurl.so.4", "libcurl-gnutls.so.4"):
        (broken / name).touch()
    variables = {"LD_LIBRARY_PATH": str(broken)}
    done = checks.run(words("http://127.0.0.1"), **variables)
    said = done.stderr.startswith(f"Error: {LOAD}cannot connect to hosts without libcurl (package libcurl4): ")
    checks.report("the library is not usable", "" if said and done.returncode == 1 else f"{done}")
    checks.answers("files without the library", words("file://."), same=False, **variables)
    loaded = checks.run(words("file://."), LD_DEBUG="files").stderr
    checks.report("files do not load the library", "" if "libcurl" not in loaded else loaded)


def check_scan(checks):
    """hscan tells hosts, and those that fail, by their names, but no passwords."""
    held, port = refusing_port()
    with held, Server(good) as server:
        good_url, bad_url = f"http://127.0.0.1:{server.port}", f"http://127.0.0.1:{port}"
        checks.answers("hscan: a host, and one that fails", ["hscan", "-p", bad_url, good_url], err="", status=2)
        plain = checks.directory / f"http:__127.0.0.1:{server.port}.data"
        words = ["hscan", *(url.replace("//", "//me:secret@") for url in (bad_url, good_url))]
        done = checks.run(words)
        saved = checks.directory / f"http:__***@127.0.0.1:{server.port}.data"
        checks.report("hscan: the file is the same, credentials or not",
                      "" if saved.exists() and saved.read_bytes() == plain.read_bytes() else f"{done}")
        names = [path.name for path in checks.directory.iterdir()]
        told = [text for text in (done.stdout, done.stderr, *names) if "secret" in text]
        checks.report("hscan: credentials are not told", "".join(told))
        shown = [url.replace("//", "//***@") for url in (bad_url, good_url)]
        head, _, message, reason, line = done.stdout.splitlines()
        right = (head.startswith("Name".ljust(len(shown[1])) + " Nodes") and line.startswith(f"{shown[1]}     ")
                 and message == f"Error for {shown[0]}: failed to load data. Details:" and shown[0] in reason)
        checks.report("hscan: names without credentials", "" if right and done.returncode == 2 else f"{done}")
        missing = checks.run([*words, "-d", "missing"])
        checks.report("hscan: credentials are not told of a file that cannot be written",
                      "" if "***@" in missing.stderr and "secret" not in missing.stderr else f"{missing}")


def reading(tool):
    """The words of a command that reads the cluster at an address."""
    return lambda address: [tool, "-m", address]


def check_rapi(checks):
    save_documents(checks.directory)
    for tool in ("hinfo", "hbal"):
        words = reading(tool)
        saved = checks.run(words("file://."))
        expected = (saved.stdout, saved.stderr, saved.returncode)
        check_answers(checks, words, expected)
        check_https(checks, words, expected)
        check_certificates(checks, words, expected)
    check_faults(checks, reading("hbal"))
    check_addresses(checks, reading("hinfo"))
    check_scan(checks)
    check_library(checks, reading("hinfo"))
