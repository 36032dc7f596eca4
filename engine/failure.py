# SPDX-License-Identifier: BSD-3-Clause
"""The one error for people, and how a program ends: with it, or interrupted."""

import contextlib
import errno
import os
import re
import select
import signal
import sys

ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
FULL = (errno.ENOSPC, errno.EDQUOT)  # a disk, a quota


class Failure(Exception):
    """What is wrong, and what to do: a line each. `status`: how a program ends with it."""

    def __init__(self, what, remedy="", status=3):
        super().__init__(what, remedy)
        self.what, self.remedy, self.status = what, remedy, status

    def __str__(self):
        return self.what + ("\n  " + self.remedy if self.remedy else "")


def tell(what, remedy="", kind="error"):
    """Says on standard error what is wrong, and below it what to do, as tsb_fail does in CMake."""
    text = re.sub(r"\n *", "\n" + " " * len(f"{kind}: "), f"{what}\n{remedy}".strip())
    print(f"{kind}: {text}", file=sys.stderr, flush=True)


def run(main, *words):
    """What main() returns, or the status of a Failure, after its text. A full disk, which any file may meet, is one."""
    try:
        return main(*words)
    except Failure as failure:
        tell(failure.what, failure.remedy)
        return failure.status
    except OSError as error:  # that of shutil.copytree() has a text alone
        if not is_full(str(error)):
            raise
        what = f"{os.path.basename(sys.argv[0])}: {error}"
        tell(what, "free some space (df -h shows a full disk, quota -s a quota), then run the same command again")
        return Failure("").status


def is_full(text):
    """Whether an error's text is that of a full disk, or of a quota."""
    return any(os.strerror(number) in text for number in FULL)


def is_unread(stream):
    """Whether it is a pipe whose reader has ended."""
    watch = select.poll()
    watch.register(stream, select.POLLOUT)
    return any(event & select.POLLERR for _, event in watch.poll(0))


def interrupted(number, _):
    for later in ENDING:  # what is half-made is removed meanwhile
        signal.signal(later, signal.SIG_IGN)
    raise KeyboardInterrupt(number)


def run_interruptible(main, *words):
    """Ends the process with what main() returns. SIGTERM and SIGHUP end it as Ctrl-C does: by an exception, which removes what
    is half-made, and with 128 + the number; so does a reader of its output that ends, such as head."""
    for number in ENDING:
        if signal.getsignal(number) != signal.SIG_IGN:  # below nohup
            signal.signal(number, interrupted)
    try:
        status = run(main, *words)
        sys.stdout.flush()
    except BrokenPipeError:
        if not is_unread(sys.stdout):  # another pipe, such as a child's
            raise
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = 128 + signal.SIGPIPE
    except KeyboardInterrupt as interrupt:
        # The children of other threads, such as git or pip.
        with contextlib.suppress(OSError):
            with open(f"/proc/self/task/{os.getpid()}/children", encoding="ascii") as children:
                for child in children.read().split():
                    os.kill(int(child), signal.SIGKILL)
        # Threads that wait for a server or a child would be waited for.
        with contextlib.suppress(OSError):  # a terminal that is gone
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(128 + interrupt.args[0])
    sys.exit(status)
