#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Shows a compile farm on one machine: two hosts in network namespaces, each with one processor, and a client in a third,
with two other processors where there are four.

    show_farm.py <new folder> [--engine sccache|distcc] [--package protobuf] [--runs 3] [--preset cpu-libtorch-shared]

As root, with the engine's programs on the PATH and the package's sources in the source cache. Compiles the package here
alone, then by turns with one host and with both, then with both of which one is killed in the middle. Each time the
compiler caches and the store are empty; what is timed is the phase build. The installed files must be the same each time,
and both hosts must have compiled. Prints a table; the ratio is of the medians of one host and both.
"""

import argparse
import contextlib
import hashlib
import os
import pathlib
import shutil
import signal
import statistics
import subprocess
import sys
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
NET = "10.78.0."
HOSTS = {"one": f"{NET}11", "two": f"{NET}12"}
SCHEDULER, CLIENT = f"{NET}1", f"{NET}13"
TOKENS = {"clients": "of-clients", "hosts": "of-hosts"}


def run(*command, check=True, **options):
    return subprocess.run([str(word) for word in command], check=check, **options)


def remove_space(space):
    """With what still runs there, such as sccache's server."""
    found = run("ip", "netns", "pids", space, stdout=subprocess.PIPE, text=True).stdout
    for process in map(int, found.split()):
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
    run("ip", "link", "del", space, check=False)
    run("ip", "netns", "del", space)


def make_network(stack):
    run("ip", "link", "add", "tsb-farm", "type", "bridge")
    stack.callback(run, "ip", "link", "del", "tsb-farm")
    run("ip", "addr", "add", f"{SCHEDULER}/24", "dev", "tsb-farm")
    run("ip", "link", "set", "tsb-farm", "up")
    for name, address in {**HOSTS, "client": CLIENT}.items():
        space = f"tsb-{name}"
        run("ip", "netns", "add", space)
        stack.callback(remove_space, space)
        run("ip", "link", "add", space, "type", "veth", "peer", "name", "eth0", "netns", space)
        run("ip", "link", "set", space, "master", "tsb-farm", "up")
        for words in (
            ("addr", "add", f"{address}/24", "dev", "eth0"),
            ("link", "set", "eth0", "up"),
            ("link", "set", "lo", "up"),
        ):
            run("ip", "-n", space, *words)


class Show:
    def __init__(self, folder, arguments):
        self.folder, self.arguments, self.processes = folder, arguments, {}
        self.cpus = sorted(os.sched_getaffinity(0))
        self.client_cpus = ",".join(map(str, self.cpus[2:4] if len(self.cpus) > 3 else self.cpus))
        path = f"/usr/sbin:{os.environ['PATH']}"
        self.variables = {**os.environ, "PATH": path, "XDG_CACHE_HOME": str(folder / "cache"), "TSB_OFFLINE": "1"}
        sources = pathlib.Path(os.environ.get("XDG_CACHE_HOME", "~/.cache")).expanduser() / "torch-superbuild/sources"
        self.variables.setdefault("TSB_SOURCES", str(sources))
        self.variables |= {"TSB_PACKAGES": arguments.package, "TSB_STORE": str(folder / "store")}
        self.variables["TSB_DEBUG_INFO"] = "none"  # docs/farm.md
        self.variables |= {"CCACHE_DIR": str(folder / "ccache"), "SCCACHE_DIR": str(folder / "sccache")}
        self.build = folder / "build"

    def start(self, name, *command, **variables):
        """A server, of a host in its namespace and on one processor."""
        words = [str(word) for word in command]
        if name in HOSTS:
            cpu = self.cpus[list(HOSTS).index(name)]
            words = ["ip", "netns", "exec", f"tsb-{name}", "taskset", "-c", str(cpu), *words]
        with open(self.folder / f"{name}.log", "ab") as log:
            self.processes[name] = subprocess.Popen(
                words, stdout=log, stderr=log, start_new_session=True, env={**self.variables, **variables}
            )

    def stop(self, name):
        process = self.processes.pop(name, None)
        if process:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    def start_farm(self, *hosts):
        """The setting TSB_FARM for these hosts alone."""
        if self.arguments.engine == "distcc":
            for name in hosts:
                self.start(name, "distccd", "--no-detach", "--daemon", "--allow", f"{NET}0/24", "--jobs", 1, "--stats")
            return "distcc://" + ",".join(f"{HOSTS[name]}/1" for name in hosts)
        auth = 'auth = {{ type = "token", token = "{}" }}\n'.format
        scheduler = self.folder / "scheduler.toml"
        text = f'public_addr = "{SCHEDULER}:10600"\nclient_{auth(TOKENS["clients"])}server_{auth(TOKENS["hosts"])}'
        scheduler.write_text(text)
        alone = {"SCCACHE_NO_DAEMON": "1", "SCCACHE_LOG": "info"}
        self.start("scheduler", "sccache-dist", "scheduler", "--config", scheduler, **alone)
        time.sleep(2)
        for name in hosts:
            config, folder = self.folder / f"{name}.toml", self.folder / name
            config.write_text(
                f'cache_dir = "{folder}/toolchains"\npublic_addr = "{HOSTS[name]}:10501"\n'
                f'scheduler_url = "http://{SCHEDULER}:10600"\nscheduler_{auth(TOKENS["hosts"])}'
                f'[builder]\ntype = "overlay"\nbuild_dir = "{folder}/build"\nbwrap_path = "{shutil.which("bwrap")}"\n'
            )
            folder.mkdir(exist_ok=True)
            self.start(name, "sccache-dist", "server", "--config", config, **alone)
        time.sleep(4)
        return f"sccache://{TOKENS['clients']}@{SCHEDULER}:10600"

    def compiled(self, name):
        """How many compiles this host has done."""
        if self.arguments.engine == "distcc":
            url = f"http://{HOSTS[name]}:3633/"
            with contextlib.suppress(OSError), urllib.request.urlopen(url, timeout=5) as answer:
                return int(answer.read().decode().split("dcc_compile_ok ")[1].split()[0])
            return 0
        # A line of the scheduler for each job.
        text = (self.folder / "scheduler.log").read_text(errors="replace")
        return text.count(f"will be assigned to server ServerId({HOSTS[name]}:")

    def used(self, name):
        """Seconds of processors that the servers in this namespace have used, with the compiles that they waited for."""
        ticks, space = 0, "tsb-" + name
        for process in run("ip", "netns", "pids", space, stdout=subprocess.PIPE, text=True).stdout.split():
            with contextlib.suppress(OSError):
                fields = pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
                ticks += sum(map(int, fields[11:15]))
        return ticks / os.sysconf("SC_CLK_TCK")

    def client(self, *command, **variables):
        words = ["ip", "netns", "exec", "tsb-client", "taskset", "-c", self.client_cpus, *map(str, command)]
        with open(self.folder / "client.log", "ab") as log:
            return subprocess.Popen(
                words, stdout=log, stderr=log, cwd=ROOT, start_new_session=True, env={**self.variables, **variables}
            )

    def work(self, label, *hosts, kill=None):
        """A row of the table: seconds of the phase build, compiles of each host, a hash of what is installed."""
        for name in ("build", "store", "ccache", "sccache", "scheduler.log"):
            path = self.folder / name
            shutil.rmtree(path, ignore_errors=True) if path.is_dir() else path.unlink(missing_ok=True)
        # As many as sccache's scheduler gives to a host: twice its processors.
        farm = {"TSB_FARM": self.start_farm(*hosts), "TSB_JOBS": str(2 * len(hosts))} if hosts else {}
        package = self.arguments.package

        def phase(*words):
            process = self.client(*words, **farm)
            if process.wait():
                raise SystemExit(f"failed: {words}; see {self.folder}/client.log")

        phase("cmake", "--preset", self.arguments.preset, "-B", self.build)
        phase("cmake", "--build", self.build, "--target", f"{package}-configure")
        before = {name: self.compiled(name) for name in hosts}
        # A server of sccache does not wait for what runs in its sandbox.
        servers = [name for name in hosts if name != kill] if self.arguments.engine == "distcc" else ["client"]
        used = {name: self.used(name) for name in servers}
        begin = time.monotonic()
        process = self.client("cmake", "--build", self.build, "--target", f"{package}-build", **farm)
        self.processes["client"] = process
        lost = False
        while process.poll() is None:
            time.sleep(0.1)
            if kill and not lost and sum(self.compiled(n) - before[n] for n in hosts) >= self.arguments.kill_after:
                before_kill = self.compiled(kill) - before[kill]
                self.stop(kill)
                lost = True
        seconds = time.monotonic() - begin
        if process.returncode or (kill and not lost):
            raise SystemExit(f"{label}: the build ended with {process.returncode}; see {self.folder}/client.log")
        used = {name: round(self.used(name) - seconds, 1) for name, seconds in used.items()}
        counts = {name: before_kill if name == kill else self.compiled(name) - before[name] for name in hosts}
        phase("cmake", "--build", self.build)
        if hosts and self.arguments.engine == "sccache":
            for word in ("--show-stats", "--stop-server"):
                self.client(self.build / "farm/launcher", word, **farm).wait()
        for name in list(self.processes):
            self.stop(name)
        install = self.build / "packages" / package / "install"
        files = sorted(path for path in install.rglob("*") if path.is_file())
        digest = hashlib.sha256(b"".join(hashlib.sha256(f.read_bytes()).digest() for f in files)).hexdigest()
        load = os.getloadavg()[0]
        print(f"{label:28} {seconds:7.1f} s  {counts}  processors {used}  {digest[:16]}  load {load:.1f}", flush=True)
        if any(not count for count in counts.values()):
            raise SystemExit("a host has compiled nothing")
        return seconds, digest


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--engine", choices=("sccache", "distcc"), default="sccache")
    parser.add_argument("--package", default="protobuf")
    parser.add_argument("--preset", default="cpu-libtorch-shared")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--kill-after", type=int, default=40, help="compiles after which a host is killed")
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    arguments.folder.mkdir(parents=True)
    with contextlib.ExitStack() as stack:
        make_network(stack)
        show = Show(arguments.folder.resolve(), arguments)
        stack.callback(lambda: [show.stop(name) for name in list(show.processes)])
        rows = [show.work("here alone")]
        times = {1: [], 2: []}
        for number in range(arguments.runs):
            for hosts in (("one",), ("one", "two")) if number % 2 == 0 else (("one", "two"), ("one",)):
                rows.append(show.work(f"hosts: {len(hosts)}", *hosts))
                times[len(hosts)].append(rows[-1][0])
        rows.append(show.work("hosts: 2, one killed", "one", "two", kill="two"))
    if len({digest for _, digest in rows}) > 1:
        raise SystemExit("what is installed is not the same each time")
    ratio = statistics.median(times[1]) / statistics.median(times[2])
    print(f"the same files each time; two hosts are {ratio:.2f} times as fast as one")


if __name__ == "__main__":
    main()
