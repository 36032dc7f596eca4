# SPDX-License-Identifier: BSD-3-Clause
"""What a fleet reports to the service that runs it, GitHub or GitLab; elsewhere nothing.
https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands
https://docs.gitlab.com/ci/jobs/job_logs/#custom-collapsible-sections
"""

import json
import os
import re
import secrets
import time


def show(name, log, why=""):
    """Prints the log of a preset, folded, and the reason of a failure as an annotation of the job."""
    github = os.environ.get("GITHUB_ACTIONS") == "true"
    if not github and "GITLAB_CI" not in os.environ:
        return
    word = secrets.token_hex(8)  # so that no line of a log is taken for a command
    if github:
        frame = f"::group::{name}\n::stop-commands::{word}", f"::{word}::\n::endgroup::"
    else:
        start, end = (f"\x1b[0Ksection_{one}:{time.time():.0f}:{word}" for one in ("start", "end"))
        frame = f"{start}[collapsed=true]\r\x1b[0K{name}", f"{end}\r\x1b[0K"
    print(frame[0], log.read_text(errors="replace").rstrip(), frame[1], sep="\n", flush=True)
    if github and why:
        escaped = why.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
        print(f"::error title={name}::{escaped}", flush=True)


def report(rows, files):
    """GitHub's summary of the job: a table, `rows` with their titles; and the output `artifacts`, those of the made files that
    somebody installs, by their places in dist/."""
    if "GITHUB_STEP_SUMMARY" in os.environ:
        lines = [[cell.replace("|", "\\|") for cell in row] for row in [rows[0], ["---"] * len(rows[0]), *rows[1:]]]
        with open(os.environ["GITHUB_STEP_SUMMARY"], "a") as summary:
            summary.writelines("| " + " | ".join(line) + " |\n" for line in lines)
    if "GITHUB_OUTPUT" in os.environ:
        places = {"/".join(file.split("/")[-2 if file.endswith(".conda") else -1 :]) for file in files}
        installed = re.compile(r"(?!debug-).*\.(whl|zip|conda)")
        names = sorted(filter(installed.fullmatch, places))
        with open(os.environ["GITHUB_OUTPUT"], "a") as output:
            output.write(f"artifacts={json.dumps(names)}\n")
