# SPDX-License-Identifier: BSD-3-Clause
"""A web server with faults for the tests of fetch: server.py <folder> <port file> <log file>.

The first part of a path says how it is served: /good/, /truncated/ (less than Content-Length promises), /short/ (a
Content-Length that is too small), /slow/ (some bytes, then a pause after each more), /norange/ (no ranges). The log has
one line per request: path, then the range asked for. Ends by itself after a minute.
"""

import http.server
import os
import sys
import threading
import time

folder, port_file, log_file = sys.argv[1:4]


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        asked = self.headers.get("Range", "")
        with open(log_file, "a") as log:
            log.write(f"{self.path} {asked}\n")
        kind, _, path = self.path.lstrip("/").partition("/")
        file = os.path.join(folder, path.replace("%20", " "))
        if not path or not os.path.isfile(file):
            self.send_error(404)
            return
        with open(file, "rb") as opened:
            data = opened.read()
        code = 200
        if asked.startswith("bytes=") and kind != "norange":
            data = data[int(asked[6:].split("-")[0]) :]
            code = 206
        promised = len(data) // 2 if kind == "short" else len(data)
        self.send_response(code)
        self.send_header("Content-Length", str(promised))
        self.end_headers()
        if kind in ("truncated", "short"):
            data = data[: len(data) // 2]
        if kind == "slow" and code == 200:
            self.wfile.write(data[:100000])
            self.wfile.flush()
            time.sleep(30)
            return
        self.wfile.write(data)

    def log_message(self, *arguments):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
threading.Timer(60, os._exit, [0]).start()
with open(port_file + ".new", "w") as port:
    port.write(str(server.server_address[1]))
os.rename(port_file + ".new", port_file)
server.serve_forever()
