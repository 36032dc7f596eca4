# SPDX-License-Identifier: BSD-3-Clause
"""Runs a CMake script that explains its failures itself, and ends with its exit code; 130, 143 when interrupted:

    python3 -I -S run_script.py cmake -D NAME=VALUE... -P script.cmake

Two things that the script writes to standard error are held back:

- CMake's report of where tsb_fail ended the script, the only way to fail before CMake 3.29. Any other is shown.
- What the script says it is at (tsb_progress). It is printed every TSB_PROGRESS_SECONDS (14 unless set), with the time
  since the script began, so that no script is silent for more than 15 seconds.

Standard output is the caller's own: on a terminal, the runner of phases rewrites its line there. Each step begins with
this script. That is why it is not that runner, which takes twice as long to start.
"""

import _signal as signal  # without the names of signals as an enum, which take as long as all the rest
import os
import sys
import time

PROGRESS = b"tsb_progress: "
LAST_WORDS_SECONDS = 5  # from an interrupt on, for what the script runs: a phase says how it was ended


def show(stream, data):
    try:
        while data:
            data = data[os.write(stream, data) :]
    except OSError:
        pass  # a build does not end because nobody can see it


class Script:
    doing = b""
    interrupted_by = 0

    def __init__(self, command):
        self.begun = time.monotonic()
        self.output, error = os.pipe()
        self.process = os.posix_spawnp(command[0], command, os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, error, 2)])
        os.close(error)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self.pass_on)
        signal.signal(signal.SIGALRM, self.time_is_up)
        interval = float(os.environ.get("TSB_PROGRESS_SECONDS", 14))
        signal.setitimer(signal.ITIMER_REAL, interval, interval)

    def pass_on(self, number, _frame):
        self.interrupted_by = number
        os.kill(self.process, number)
        signal.setitimer(signal.ITIMER_REAL, LAST_WORDS_SECONDS)

    def time_is_up(self, _number, _frame):
        if self.interrupted_by:
            os.kill(self.process, signal.SIGKILL)  # CMake waits for the program that it runs
            os._exit(128 + self.interrupted_by)
        if self.doing:
            show(1, b"-- %s (%d s)\n" % (self.doing, time.monotonic() - self.begun))

    def run(self):
        in_report, rest, data = False, b"", b" "
        while data:
            data = os.read(self.output, 65536)
            *lines, rest = (rest + data).split(b"\n")
            shown = b""
            for line in [*(line + b"\n" for line in lines), *([] if data else [rest])]:
                if line.startswith(PROGRESS):
                    self.doing = line[len(PROGRESS) :].strip()
                    continue
                begins = line.startswith(b"CMake Error at ") and b"/tsb_fail.cmake:" in line
                in_report = begins or (in_report and (not line.strip() or line.startswith((b"  ", b"Call Stack"))))
                shown += b"" if in_report else line
            show(2, shown)  # at once, or standard output would come between the lines of a message
        code = os.waitstatus_to_exitcode(os.waitpid(self.process, 0)[1])
        return 128 + (self.interrupted_by or -code) if self.interrupted_by or code < 0 else code


if __name__ == "__main__":
    sys.exit(Script(sys.argv[1:]).run())
