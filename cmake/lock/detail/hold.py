# SPDX-License-Identifier: BSD-3-Clause
"""Holds a file's lock for as long as a process lives. That cannot do so itself: what asks for it is one of its steps.

    python3 hold.py <file> <pid> <ticks>

<ticks>: when the process started, as /proc/<pid>/stat says it. Exits with 0 when the lock is held, by a process in the
background, and with 1 when another one has it. The kernel gives the lock back, however its holder ends. It is a POSIX lock:
CMake's file(LOCK) sees those, and NFS has them."""

import fcntl
import os
import sys
import time

path, pid, ticks = sys.argv[1:]


def lives():
    try:
        with open("/proc/%s/stat" % pid) as file:
            state, fields = file.read().rpartition(") ")[2].split(None, 1)
    except OSError:
        return False
    return state not in "ZX" and fields.split()[18] == ticks


answer, to_answer = os.pipe()
if os.fork():
    os.close(to_answer)
    sys.exit(0 if os.read(answer, 1) else 1)
# In a session of its own, without the pipes that whoever started it waits at. First, since closing a file ends a lock of
# it, and CMake leaves it open.
os.setsid()
os.chdir("/")
os.dup2(to_answer, 3)
os.closerange(4, 65536)
null = os.open(os.devnull, os.O_RDWR)
for standard in range(3):
    os.dup2(null, standard)
held = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
fcntl.lockf(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
os.write(3, b"y")
os.close(3)
while lives():
    time.sleep(0.1)
