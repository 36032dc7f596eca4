# SPDX-License-Identifier: BSD-3-Clause
"""Real servers for tests, on free ports of 127.0.0.1, which end with the test."""

import contextlib
import http.server
import os
import shutil
import socket
import subprocess
import threading
import time
import urllib.error
import urllib.request

from box import ROOT, need

TOOLS = ROOT / "build/test-tools"


def need_tool(name):
    """The program of build/test-tools; without it the whole file is skipped."""
    need(str(TOOLS / "bin" / name))
    return str(TOOLS / "bin" / name)


def free_ports(count=1):
    """Ports that nobody listens on, all different."""
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]


def answers(url):
    try:
        urllib.request.build_opener(urllib.request.ProxyHandler({})).open(url, timeout=1).close()
    except urllib.error.HTTPError:
        return True
    except OSError:
        return False
    return True


def start(test, command, url, log, seconds=60, **options):
    """Starts a server, waits until the address answers in whatever way, and ends it with the test. Its process."""
    with open(log, "ab") as file:
        process = subprocess.Popen(
            [str(word) for word in command], stdin=subprocess.DEVNULL, stdout=file, stderr=file, **options
        )
    test.addCleanup(end, process)
    until = time.monotonic() + seconds
    while not answers(url):
        if process.poll() is not None or time.monotonic() > until:
            end(process)
            with open(log, encoding="utf-8", errors="replace") as file:
                test.fail(f"{command[0]} does not answer at {url}: {file.read()[-2000:]}")
        time.sleep(0.05)
    return process


def end(process):
    process.kill()
    process.wait()


def serve(test, handler, **members):
    """A server of Python's, which has these members and writes no log. Its address and itself."""
    quiet = type("Quiet", (handler,), {"log_message": lambda *words: None})
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), quiet)
    vars(server).update(members)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    test.addCleanup(server.server_close)
    test.addCleanup(server.shutdown)
    return f"http://127.0.0.1:{server.server_port}", server


def nginx(test, folder, locations, root=None):
    """A web server, by default with the files in <folder>/root, and with `locations` of nginx's language. Its address and its
    process."""
    program = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
    need(program or "nginx")
    (port,) = free_ports()
    root = root or folder / "root"
    for place in folder, root:
        place.mkdir(parents=True, exist_ok=True)
    temporary = " ".join(
        f'{kind}_temp_path "{folder}/{kind}";' for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    user = "user root;" if os.geteuid() == 0 else ""
    (folder / "nginx.conf").write_text(
        f"""{user} daemon off; master_process off; pid "{folder}/pid"; error_log stderr; events {{}}
http {{ access_log off; client_max_body_size 0; {temporary}
server {{ listen 127.0.0.1:{port}; root "{root}"; {locations} }} }}"""
    )
    command = [program, "-e", "stderr", "-p", folder, "-c", folder / "nginx.conf"]
    return f"http://127.0.0.1:{port}", start(test, command, f"http://127.0.0.1:{port}/", folder / "log")


def s3(test, folder, bucket):
    """SeaweedFS with a bucket that everybody may write; sets the AWS_ variables. Its process."""
    weed = need_tool("weed")
    names = ("master", "master.grpc", "volume", "volume.grpc", "filer", "filer.grpc", "s3", "s3.grpc")
    ports = dict(zip(names, free_ports(len(names))))
    words = [
        f"-{name.replace('.', '.port.') if '.' in name else name + '.port'}={port}" for name, port in ports.items()
    ]
    folder.mkdir(parents=True, exist_ok=True)
    address = f"http://127.0.0.1:{ports['s3']}"
    command = [
        weed,
        "server",
        f"-dir={folder}",
        "-ip=127.0.0.1",
        "-s3",
        "-s3.port.iceberg=0",
        "-s3.port.lance=0",
        *words,
    ]
    process = start(test, [*command, "-master.telemetry=false"], address, folder / "log", cwd=folder)
    test.environment(
        AWS_ENDPOINT_URL=address, AWS_ACCESS_KEY_ID="any", AWS_SECRET_ACCESS_KEY="any", AWS_REGION="us-east-1"
    )
    request = urllib.request.Request(f"{address}/{bucket}", method="PUT")
    urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request).close()
    return process
