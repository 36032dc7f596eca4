# SPDX-License-Identifier: BSD-3-Clause
"""What keeps a command from downloading: an empty network namespace, where the machine allows one, and a proxy that
refuses every request and names what it asked for; and the downloads in a log."""

import contextlib
import ctypes
import fcntl
import os
import re
import socket
import socketserver
import struct
import threading

from engine.failure import Failure
from engine.runner.text import ENVIRONMENT, plain

ANSWER = b"HTTP/1.1 403 Only fetch uses the network\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
LONGEST_LINE = 64 * 1024
CLONE_NEWUSER = 0x10000000
CLONE_NEWNET = 0x40000000
SIOCSIFFLAGS = 0x8914
IFF_UP = 1
LIBC = ctypes.CDLL(None, use_errno=True)


def unshare(flags):
    if LIBC.unshare(flags) < 0:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))


def enter_namespace():
    """This process, and what it starts, has no network from now on. The runner itself needs none."""
    user, group = os.geteuid(), os.getegid()
    try:
        unshare(CLONE_NEWNET)
    except OSError:
        # A user namespace of one's own holds one user. Root could not unpack files of others there.
        if user == 0:
            raise
        unshare(CLONE_NEWUSER | CLONE_NEWNET)
        # Everybody stays who they are, so that files have the owner they had.
        for file, text in ("setgroups", "deny"), ("uid_map", f"{user} {user} 1\n"), ("gid_map", f"{group} {group} 1\n"):
            with open(f"/proc/self/{file}", "w") as stream:
                stream.write(text)
    # Compiler caches and tests talk to servers of their own at 127.0.0.1.
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, SIOCSIFFLAGS, struct.pack("16sH22x", b"lo", IFF_UP))


def requested(line):
    """What the first line of a request to a proxy asks for: a URL, or `https://host` of one that is encrypted."""
    words = line.split(" ", 2)
    if len(words) < 3:
        return "something that is not HTTP"
    target = plain(words[1])
    return "https://" + target.removesuffix(":443") if words[0] == "CONNECT" else target


class Refusal(socketserver.StreamRequestHandler):
    timeout = 1

    def handle(self):
        line, rest = b"", b"more"
        with contextlib.suppress(OSError):
            line = self.rfile.readline(LONGEST_LINE)
            # To the end of its headers: closing earlier would reset the connection, and the answer with it.
            while rest.strip():
                rest = self.rfile.readline(LONGEST_LINE)
        self.server.note("refused a download: " + requested(line.decode("utf-8", "surrogateescape").strip("\r\n")))
        with contextlib.suppress(OSError):
            self.wfile.write(ANSWER)


class Proxy(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True


def cut_off_network(address, own_namespace, note):
    """`address`: a host and a port, to which the command's `http_proxy` leads. `own_namespace`: whether to try for one.
    `note`: called with lines for the log. Fails when something else listens at the address."""
    guard = "no network: a proxy that refuses downloads, no namespace"
    if own_namespace:
        try:
            enter_namespace()
            guard = "no network: an empty network namespace"
        except OSError as error:
            note(f"no network namespace for this user: {error.strerror}")
    try:
        proxy = Proxy(address, Refusal)
    except OSError as error:
        # Whatever listens there instead might be a proxy that lets downloads through.
        raise Failure(
            "the proxy that refuses downloads cannot listen at {}:{}: {}".format(*address, error.strerror),
            "end the program that listens at that port, and run the same command again",
            ENVIRONMENT,
        ) from error
    proxy.note = note
    note(guard)
    threading.Thread(target=proxy.serve_forever, daemon=True).start()


# What a log says about a download, and how that is shown; {} is the group.
DOWNLOADS = {
    r"refused a download: (.*)": "{}",  # the proxy, and tsb_isolate_package.cmake
    r"error: downloading '([^']*)": "{}",  # CMake's ExternalProject, as the next
    r"Failed to clone repository:\s+'([^']*)": "{}",  # CMake 4.4 has it in a line of its own
    r"fatal: clone of '([^']*)": "{}",  # a submodule
    r"could not find git for clone of (.*)": "a git repository for {}",
    r"No matching distribution found for (.*)": "{}",
    r"Could not resolve host: (.*)": "{}",
    r"(.*(?:Temporary failure in name resolution|Name or service not known|Network is unreachable).*)": "{}",
    r"(.*unable to resolve host address.*)": "{}",
}
# git names no address when it may not use a protocol; what it clones stands before, the address sometimes after it.
BY_GIT = re.compile(r"(?:Cloning into '([^'\n]*).*\n)?.*transport '([^']*)' not allowed")


def downloads_in(log):
    """{what: line}, each once, in the order in which they were tried; `what` is a URL, a host, a requirement of pip's,
    else the log's own words."""
    found = []
    for pattern, shown in DOWNLOADS.items():
        for match in re.finditer(pattern, log):
            found.append((match.start(), shown.format(plain(match[1]).strip()), match[0]))
    cloned = [match.start() for match in re.finditer(r"Failed to clone repository:\s+'|fatal: clone of '", log)]
    for match in BY_GIT.finditer(log):
        if match.start() > max(cloned, default=-1):
            what = f"a git repository by {match[2]}" + (f" for {match[1]}" if match[1] else "")
            found.append((match.start(), plain(what), match[0].rpartition("\n")[2]))
    downloads = {}
    for _, what, line in sorted(found):
        downloads.setdefault(what, line)
    # The proxy sees the host only where the log, later, has the whole address.
    return {
        what: line for what, line in downloads.items() if not any(other.startswith(what + "/") for other in downloads)
    }
