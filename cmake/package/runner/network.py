# SPDX-License-Identifier: BSD-3-Clause
"""What keeps a command from downloading: an empty network namespace, where the machine allows one, and a proxy that
refuses every request and names what was asked for."""

import ctypes
import errno
import fcntl
import os
import socket
import struct
import time

from text import ENVIRONMENT, Failure, printable

ANSWER = b"HTTP/1.1 403 Only fetch uses the network\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
LONGEST_REQUEST = 64 * 1024

CLONE_NEWUSER = 0x10000000
CLONE_NEWNET = 0x40000000
SIOCSIFFLAGS = 0x8914
IFF_UP = 1
LIBC = ctypes.CDLL(None, use_errno=True)


def call(function, *arguments):
    """A function of the C library that returns -1 for an error."""
    if getattr(LIBC, function)(*arguments) < 0:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))


def put(path, text):
    with open(path, "w") as file:
        file.write(text)


def enter_namespace():
    user, group = os.geteuid(), os.getegid()
    try:
        call("unshare", CLONE_NEWNET)
    except OSError:
        # A user namespace of one's own holds one user. Root could not unpack files of others there.
        if user == 0:
            raise
        call("unshare", CLONE_NEWUSER | CLONE_NEWNET)
        # Everybody stays who they are, so that files have the owner they had.
        put("/proc/self/setgroups", "deny")
        put("/proc/self/uid_map", f"{user} {user} 1\n")
        put("/proc/self/gid_map", f"{group} {group} 1\n")
    # Compiler caches and tests talk to servers of their own at 127.0.0.1.
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, SIOCSIFFLAGS, struct.pack("16sH22x", b"lo", IFF_UP))


def requested(line):
    """What the first line of a request to a proxy asks for: a URL, or `https://host` of one that is encrypted."""
    words = line.split(" ", 2)
    if len(words) < 3:
        return "something that is not HTTP"
    method, target, _ = words
    if method != "CONNECT":
        return printable(target)
    return "https://" + printable(target[:-4] if target.endswith(":443") else target)


class NetworkGuard:
    """The proxy listens where the command's `http_proxy` points to; without a namespace it is the only guard."""

    def __init__(self, proxy, own_namespace):
        """`proxy`: the proxy's address, a host and a port. `own_namespace`: whether to try for one."""
        self.address = proxy
        self.own_namespace = own_namespace
        self.listener = None

    def enter(self, channel):
        """In the child: enters the namespace, opens the proxy's socket and sends it through `channel`, or errno when
        there is no namespace for us or something else listens there."""
        try:
            if self.own_namespace:
                enter_namespace()
            listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(self.address)
            listener.listen(64)
        except OSError as error:
            channel.send(b"%d" % error.errno)
            raise
        socket.send_fds(channel, [b"0"], [listener.fileno()])

    def receive(self, channel, note):
        """In the parent: takes what enter() has sent. Returns whether the command may start; if not, it is to be tried
        again without a namespace."""
        data, descriptors, _, _ = socket.recv_fds(channel, 16, 1)
        error = os.strerror(int(data or errno.ECHILD))
        if descriptors:
            self.listener = socket.socket(fileno=descriptors[0])
            self.listener.setblocking(False)
            if self.own_namespace:
                note("no network: a namespace of its own, with nothing in it")
            else:
                note("no network: a proxy that refuses downloads, no namespace")
            return True
        if not self.own_namespace:
            # Whatever listens there instead might be a proxy that lets downloads through.
            raise Failure(
                ENVIRONMENT,
                "the proxy that refuses downloads cannot listen at {}:{}: {}".format(*self.address, error),
                "end the program that listens at that port, and run the same command again",
            )
        note(f"no network namespace for this user: {error}")
        self.own_namespace = False
        return False

    def refuse(self):
        """Refuses the request that waits at the socket. Returns what it asked for; nothing when it is gone."""
        try:
            client, _ = self.listener.accept()
        except OSError:
            return ""
        request = b""
        end = time.monotonic() + 1  # the command waits for us meanwhile, and signals do
        with client:
            try:
                # To the end of its headers: closing earlier would reset the connection, and the answer with it.
                while b"\r\n\r\n" not in request and len(request) < LONGEST_REQUEST:
                    client.settimeout(max(end - time.monotonic(), 0))
                    data = client.recv(4096)
                    if not data:
                        break
                    request += data
            except OSError:
                pass
            try:
                client.sendall(ANSWER)
                client.shutdown(socket.SHUT_WR)
            except OSError:
                pass
        return requested(request.partition(b"\r\n")[0].decode("utf-8", "surrogateescape"))
