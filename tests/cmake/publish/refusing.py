# SPDX-License-Identifier: BSD-3-Clause
"""A storage on S3 whose keys have no rights."""

import http.server
import threading

REASON = b"""<?xml version="1.0" encoding="UTF-8"?>
<Error><Code>AccessDenied</Code><Message>Access Denied.</Message><Resource>/</Resource></Error>"""


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.send_response(403)
        self.send_header("Content-Length", str(len(REASON)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(REASON)

    do_PUT = do_HEAD = do_GET

    def log_message(self, *_):
        pass


def refusing(test):
    """Its address; it ends with the test."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    test.addCleanup(server.server_close)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    test.addCleanup(server.shutdown)
    return f"http://127.0.0.1:{server.server_port}"
