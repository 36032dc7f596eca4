# SPDX-License-Identifier: BSD-3-Clause
"""A storage on S3 whose keys have no rights."""

import http.server

import servers

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


def refusing(test):
    """Its address; it ends with the test."""
    return servers.serve(test, Handler)[0]
