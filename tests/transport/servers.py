"""HTTP servers that answer as they are told to, byte by byte."""

import socket
import socketserver
import ssl
import subprocess
import threading


def answer(body=b"", status="200 OK", length=None, headers=()):
    """All bytes of an answer; `length` is what it says of its length if that is not the truth."""
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body) if length is None else length}", *headers,
             "Connection: close", "", ""]
    return "\r\n".join(lines).encode() + body


class Server(socketserver.ThreadingTCPServer):
    """Answers each request with the bytes of respond(path), and keeps the paths and the lines of the headers."""

    daemon_threads = True
    allow_reuse_address = True
    request_queue_size = 128

    def __init__(self, respond, address=("127.0.0.1", 0), tls=None):
        super().__init__(address, _Handler)
        self.respond, self.tls, self.requests = respond, tls, []
        threading.Thread(target=self.serve_forever, args=(0.05,), daemon=True).start()

    @property
    def port(self):
        return self.server_address[1]

    @property
    def paths(self):
        return [path for path, _ in self.requests]

    def __exit__(self, *_):
        self.shutdown()
        self.server_close()

    def handle_error(self, request, client_address):
        pass  # clients may go away


class _Handler(socketserver.StreamRequestHandler):
    timeout = 30

    def setup(self):
        if self.server.tls:
            self.request.settimeout(self.timeout)
            self.request = self.server.tls.wrap_socket(self.request, server_side=True)
        super().setup()

    def handle(self):
        if self.rfile.read(4) != b"GET ":  # someone speaks TLS
            self.wfile.write(answer(status="400 Bad Request"))
            return
        path = self.rfile.readline().decode("latin-1").split()[0]
        headers = []
        while (line := self.rfile.readline().strip()):
            headers.append(line.decode("latin-1"))
        self.server.requests.append((path, headers))
        self.wfile.write(self.server.respond(path))


def self_signed(directory):
    """What a server needs for https: a certificate that nobody has signed, for a name that is not the server's."""
    key, certificate = directory / "key.pem", directory / "certificate.pem"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj",
                    "/CN=other.invalid", "-keyout", key, "-out", certificate], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    return context


class Authority:
    """Signs certificates of servers. Its own certificate is the file `certificate`."""

    def __init__(self, directory, name):
        self.directory, self.name = directory, name
        self.key, self.certificate = directory / f"{name}.key", directory / f"{name}.pem"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
                        "-subj", f"/CN={name}", "-keyout", self.key, "-out", self.certificate], check=True,
                       capture_output=True)

    def server(self, host, days=1):
        """What a server needs for https: a certificate for `host` ("IP:127.0.0.1") that ends in so many days."""
        key, request, extensions, certificate = (
            self.directory / f"{self.name}-server.{suffix}" for suffix in ("key", "request", "extensions", "pem"))
        extensions.write_text(f"subjectAltName={host}\n")
        subprocess.run(["openssl", "req", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=server", "-keyout", key,
                        "-out", request], check=True, capture_output=True)
        subprocess.run(["openssl", "x509", "-req", "-in", request, "-CA", self.certificate, "-CAkey", self.key,
                        "-CAcreateserial", "-days", str(days), "-extfile", extensions, "-out", certificate], check=True,
                       capture_output=True)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        return context


def refusing_port():
    """A socket whose port nobody else gets and nobody answers at."""
    held = socket.socket()
    held.bind(("127.0.0.1", 0))
    return held, held.getsockname()[1]
