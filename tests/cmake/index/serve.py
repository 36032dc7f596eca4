# SPDX-License-Identifier: BSD-3-Clause
"""Serves a folder while a command runs: serve.py FOLDER COMMAND...

URL in the command becomes the server's address. Prints what was asked for after the command.
"""

import functools
import http.server
import subprocess
import sys
import threading

asked = []


class Handler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, text, *arguments):
        asked.append(self.path)


handler = functools.partial(Handler, directory=sys.argv[1])
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
url = "http://127.0.0.1:%d" % server.server_port
code = subprocess.run([word.replace("URL", url) for word in sys.argv[2:]]).returncode
print("asked for", *asked)
sys.exit(code)
