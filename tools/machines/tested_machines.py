# SPDX-License-Identifier: BSD-3-Clause
"""Results of run_on.sh.

result: writes what as_user.sh left as a JSON file, one for each machine, compiler, CMake, Python and job: a later run
replaces it.
table: writes these as the table of docs/tested-machines.md, or with --check says whether that is what the file has.
"""

import argparse
import datetime
import json
import pathlib
import re
import sys

BEGIN = "<!-- made by tools/machines/tested_machines.py table -->\n"
END = "<!-- end of the table -->\n"


def short_compiler(text):
    """gcc 14.2.0, clang 19.1.7: of the first line of --version, which carries the distribution's words as well."""
    version = re.search(r"\d+\.\d+\.\d+", re.sub(r"\(.*?\)", "", text)) or re.search(r"\d+\.\d+\.\d+", text)
    return ("clang " if "clang" in text else "gcc ") + (version[0] if version else "?")


def read_outcome(folder):
    facts, steps = {}, []
    if (folder / "facts").exists():
        facts = dict(line.split("=", 1) for line in (folder / "facts").read_text().splitlines())
    if (folder / "steps").exists():
        for line in (folder / "steps").read_text().splitlines():
            name, status, seconds, cpu = line.split("\t")
            steps.append({"name": name, "status": int(status), "seconds": int(seconds), "cpu_seconds": int(cpu)})
    words = (folder / "words").read_text().strip() if (folder / "words").exists() else ""
    return facts, steps, words


def write_result(arguments):
    facts, steps, words = read_outcome(arguments.outcome)
    failures = arguments.outcome / "failures"
    result = {
        "date": datetime.datetime.now(datetime.timezone.utc).date().isoformat(),
        "job": arguments.job,
        "commit": arguments.commit,
        **facts,
        "compiler": short_compiler(facts.get("compiler", "")),
        "flags": arguments.flags,
        "passed": arguments.status == 0 and bool(facts),
        "outcome": words,
        "failed_steps": [step["name"] for step in steps if step["status"]],
        "failures": failures.read_text().splitlines() if failures.exists() else [],
        "seconds": sum(step["seconds"] for step in steps),
        "cpu_seconds": sum(step["cpu_seconds"] for step in steps),
        "steps": steps,
    }
    keys = [
        facts.get("machine", "unknown machine"),
        result["compiler"],
        facts.get("cmake", ""),
        facts.get("python", ""),
        arguments.job,
    ]
    # "Debian GNU/Linux 13 (trixie)" and "forky/sid" both become short names.
    name = "_".join(re.sub(r"[^A-Za-z0-9.]+", "-", key.replace("GNU/Linux ", "")).strip("-") for key in keys)
    arguments.results.mkdir(parents=True, exist_ok=True)
    (arguments.results / (name + ".json")).write_text(json.dumps(result, indent=2) + "\n")
    print(f"{'passed' if result['passed'] else 'FAILED'}: {name}: {words}", *result["failed_steps"], sep="\n  ")


def row(result):
    outcome = result["outcome"].replace("\n", "; ") or "-"
    if not result["passed"]:
        outcome = f"**failed** ({', '.join(result['failed_steps'])}): {outcome}"
    minutes = max(1, round(result["seconds"] / 60))
    cells = [
        ", ".join(result.get(key, "unknown").replace("GNU/Linux ", "") for key in ("machine", "libc")),
        result["compiler"],
        result.get("cmake", ""),
        result.get("python", ""),
        result["job"],
        outcome,
        f"{minutes} min",
        f"{result['cpu_seconds']:,} s",
        result["commit"][:9],
        result["date"],
    ]
    return "| " + " | ".join(cells) + " |\n"


def table(results):
    text = "| machine | compiler | CMake | Python | job | outcome | wall | CPU | commit | date |\n"
    text += "|---" * 10 + "|\n"
    keys = ("machine", "compiler", "cmake", "python")
    jobs = ["main-job", "tests", "tests-fast", "packages", "codegen", "sample", "cuda", "rocm"]
    for result in sorted(results, key=lambda r: (jobs.index(r["job"].split()[0]), *(r.get(key, "") for key in keys))):
        text += row(result)
    return text


def write_table(arguments):
    results = [json.loads(path.read_text()) for path in sorted(arguments.results.glob("*.json"))]
    page = arguments.page.read_text()
    before, rest = page.split(BEGIN, 1)
    after = rest.split(END, 1)[1]
    new = before + BEGIN + "\n" + table(results) + "\n" + END + after
    if arguments.check:
        if new != page:
            sys.exit(f"{arguments.page} is not what {arguments.results} say\n  run: python3 {sys.argv[0]} table")
        return
    arguments.page.write_text(new)


def main():
    root = pathlib.Path(__file__).resolve().parents[2]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    result = commands.add_parser("result")
    result.add_argument("--outcome", type=pathlib.Path, required=True)
    result.add_argument("--status", type=int, required=True)
    for name in ("commit", "job", "flags"):
        result.add_argument("--" + name, required=True)
    rows = commands.add_parser("table")
    rows.add_argument("--page", type=pathlib.Path, default=root / "docs/tested-machines.md")
    rows.add_argument("--check", action="store_true")
    for command in (result, rows):
        command.add_argument("--results", type=pathlib.Path, default=root / "tools/bench/results/machines")
    arguments = parser.parse_args()
    (write_result if arguments.command == "result" else write_table)(arguments)


if __name__ == "__main__":
    main()
