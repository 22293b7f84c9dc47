"""A package index of tiny packages on this machine, which can be slow, break off, or be a proxy's.

with Index({"torch": "2.0"}) as index: index.address is what pip calls an index URL
"""

import base64
import hashlib
import http.server
import io
import threading
import time
import zipfile
from urllib.parse import quote, unquote

# as much of PyTorch as set-up tries
TORCH = """
class zeros:
    def __init__(self, size): pass
    def sum(self): return self
    def item(self): return 0
"""


def wheel(name, version, needs=(), files=3, size=0, code=""):
    """Return (file name, content) of a package that says its version and does what `code` does."""
    folder = f"{name}-{version}.dist-info"
    contents = {f"{name}/__init__.py": f"VERSION = {version!r}\n{code}"}
    contents |= {f"{name}/part_{n}.py": f"# {'x' * size}\nPART = {n}\n" for n in range(files)}
    needed = "".join(f"Requires-Dist: {need}\n" for need in needs)
    contents[f"{folder}/METADATA"] = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
    contents[f"{folder}/METADATA"] += needed
    contents[f"{folder}/WHEEL"] = (
        "Wheel-Version: 1.0\nGenerator: x\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    )
    lines = []
    for path, text in contents.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).decode()
        lines.append(f"{path},sha256={digest.rstrip('=')},{len(text)}\n")
    contents[f"{folder}/RECORD"] = "".join([*lines, f"{folder}/RECORD,,\n"])
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for path, text in contents.items():
            archive.writestr(path, text)
    return f"{name}-{version}-py3-none-any.whl", packed.getvalue()


class Index:
    """An index on a port of this machine; `asked` lists the paths that were asked for."""

    def __init__(self, wheels, bytes_a_second=None, breaks_at=None, status=200, portal=b""):
        self.wheels = dict(wheels)
        self.bytes_a_second, self.breaks_at, self.status = bytes_a_second, breaks_at, status
        self.portal = portal  # a page that is given for every package's
        self.asked = []

    def __enter__(self):
        index = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                index.asked.append(self.path)
                index.answer(self)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.host = f"http://127.0.0.1:{self.server.server_port}"
        self.address = f"{self.host}/simple"
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

    def answer(self, request):
        """Answer one request: a package's page, or its file."""
        _, place, *_, name = unquote(request.path).rstrip("/").split("/")
        if name in self.wheels:
            content, kind = self.wheels[name], "application/octet-stream"
        else:
            files = [file for file in self.wheels if file.split("-")[0] == name.replace("-", "_")]
            files = [file for file in files if ("+cpu" in file) is (place == "cpu")]
            links = [f'<a href="/files/{quote(file)}">{file}</a>' for file in files]
            page = "\n".join(["<!DOCTYPE html>", *links]).encode()
            content, kind = self.portal or page, "text/html"
        status = self.status if self.status != 200 else (200 if len(content) > 16 else 404)
        request.send_response(status)
        request.send_header("Content-Type", kind)
        request.send_header("Content-Length", str(len(content)))
        if name in self.wheels:  # pip may keep a copy
            request.send_header("Cache-Control", "max-age=3600, public")
        request.end_headers()
        if name in self.wheels and self.breaks_at and name.startswith(self.breaks_at):
            request.wfile.write(content[: len(content) // 2])
            request.connection.close()
            return
        step = 2**14
        for start in range(0, len(content), step):
            request.wfile.write(content[start : start + step])
            if self.bytes_a_second and name in self.wheels:
                time.sleep(step / self.bytes_a_second)
