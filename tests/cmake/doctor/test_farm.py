# SPDX-License-Identifier: BSD-3-Clause
"""A compile farm: what the doctor asks and says, with programs that stand for the engines, and with a real sccache-dist."""

import json
import os
import pathlib
import shutil
import time
import urllib.request

from fixture import DoctorTest

from servers import free_ports, need_tool, start

# sccache as a shell script: what it has compiled there is counted in a file.
SCCACHE = """\
case $1 in
  --dist-status) cat {box}/status ;;
  --show-stats) echo "{{\\"stats\\": {{\\"dist_compiles\\": {{\\"h\\": $(cat {box}/count)}}}}}}" ;;
  --stop-server) echo stopped >>{box}/stopped ;;
  *) echo "$SCCACHE_SERVER_UDS" >{box}/server; cat "$SCCACHE_CONF" >{box}/config; echo $(($(cat {box}/count) + {adds})) >{box}/count; {does} ;;
esac"""


class FarmTest(DoctorTest):
    def setUp(self):
        super().setUp()
        self.environment(TSB_FARM=None, HOME=str(self.box), XDG_CACHE_HOME=None, SCCACHE_CONF=None)
        self.tools_of_machine("sh", "cat", "mktemp", "cc", "c++", "as", "env", "rm")

    def ask(self, farm, *says, problems=0, checks="compiler farm", **environment):
        self.doctor(checks, *says, problems=problems, TSB_FARM=farm, **environment)
        if problems:
            self.assertNotIn("TSB_FARM_PROCESSORS", self.text)

    def sccache(self, status, adds=1, does='exec "$@"'):
        self.write("status", status)
        self.write("count", "3")
        self.tool("sccache", SCCACHE.format(box=f"'{self.box}'", adds=adds, does=does))

    def test_not_installed(self):
        for farm, program in (("sccache://h:1", "sccache"), ("distcc://h", "distcc")):
            self.ask(farm, f"farm: TSB_FARM needs {program}, which is not installed -> install it:", problems=1)

    def test_a_server_of_sccache_has_one_farm_and_the_settings_of_its_user(self):
        self.sccache({"SchedulerStatus": ["http://h:1", {"num_servers": 3, "num_cpus": 56, "in_progress": 0}]})
        servers = []
        for farm, size in ("h:1", "1G"), ("h:2", "1G"), ("h:1", "2G"), ("h:1", "1G"):
            self.ask(f"sccache://{farm}", "farm: sccache, 3 hosts", SCCACHE_CACHE_SIZE=size)
            servers.append((self.box / "server").read_text())
        self.assertEqual(servers[0], servers[3])
        self.assertEqual(len(set(servers)), 3)

    def test_sccache(self):
        up = {"SchedulerStatus": ["http://h:1", {"num_servers": 3, "num_cpus": 56, "in_progress": 0}]}
        self.sccache(up)
        ready = "farm: sccache, 3 hosts with 56 processors"
        # No ccache in front: sccache is one.
        self.tool("ccache", "echo ccache 4.7.5")
        self.ask(
            "sccache://secret@h:1",
            ready,
            "TSB_FARM_PROCESSORS is [56]",
            "/farm/launcher]",
            checks="compiler compiler_cache farm compile",
        )
        self.assertNotIn("secret", self.text)
        config = '[dist]\nscheduler_url = "http://h:1"\n[dist.auth]\ntype = "token"\n'
        self.assertEqual((self.box / "config").read_text(), config + 'token = "secret"\n')
        self.ask("sccache+https://h", ready)
        self.assertIn('"https://h"', (self.box / "config").read_text())
        self.sccache(up, adds=0)
        self.ask(
            "sccache://h:1",
            "farm: sccache at h:1 compiles nothing: this machine cannot reach the hosts' ports, or",
            problems=1,
        )
        self.sccache({"SchedulerStatus": ["http://h:1", {"num_servers": 3, "num_cpus": 56, "in_progress": 9}]}, adds=0)
        self.ask("sccache://h:1", ready)  # others keep it busy
        self.sccache(up, does="echo '[\"x.o\"] http error: 401' >&2; exit 1")
        self.ask("sccache://h:1", "farm: sccache at h:1 does not compile: http error: 401", problems=1)
        self.sccache(up, does='exec "$@" -fno-openmp')
        self.ask("sccache://h:1", "h:1 produces a different object file than this machine's compiler", problems=1)

        self.assertFalse((self.box / "stopped").exists())
        self.sccache({"NotConnected": ["h:1", "enabled, not connected"]})
        self.ask("sccache://h:1", "scheduler at h:1 does not answer: enabled, not connected -> start it", problems=1)
        self.assertTrue((self.box / "stopped").exists())
        self.sccache("sccache: error: no such thing")
        self.ask("sccache://h:1", "does not answer: sccache: error: no such thing", problems=1)
        self.sccache({"SchedulerStatus": ["h", {"num_servers": 0, "num_cpus": 0, "in_progress": 0}]})
        self.ask(
            "sccache://h:1", "scheduler at h:1 has no hosts -> start sccache-dist server on some machines", problems=1
        )

    def distcc(self):
        hosts = 'a*) ;; b*) ;; other*) set -- "$@" -fno-openmp ;; *) echo "distcc: cannot connect" >&2; exit 100 ;;'
        self.tool(
            "distcc",
            f'echo "$DISTCC_HOSTS $*" >>\'{self.box}/log\'\ncase $DISTCC_HOSTS in --*) ;; {hosts} esac\nexec "$@"',
        )

    def test_distcc(self):
        self.distcc()
        self.ask("distcc://a/2,b:3633/8", "farm: distcc, 2 hosts with 10 processors", "TSB_FARM_PROCESSORS is [10]")
        log = (self.box / "log").read_text()
        self.assertRegex(log, r"(?m)^a/2 .* -fopenmp -c ")
        self.ask(
            "distcc://a,c", "farm: distcc, 1 host with 4 processors, without c does not compile: distcc: cannot connect"
        )
        self.ask("distcc://c/2,d/2", "farm: c/2 does not compile: distcc: cannot connect; d/2 does not", problems=1)
        self.ask(
            "distcc://a,other",
            "farm: other produces a different object file than this machine's compiler ->",
            problems=1,
        )

    def test_distcc_behind_ccache(self):
        """The launcher is ccache, and what that has not goes to all hosts."""
        self.distcc()
        self.tool("ccache", 'case $1 in --version) echo 4.7.5; exit ;; esac\nexec "$CCACHE_PREFIX" "$@"')
        self.ask("distcc://a/2", "1 host with 2 processors", checks="compiler compiler_cache farm compile")
        self.assertRegex((self.box / "log").read_text(), r"(?m)^--localslots=\d+ --localslots_cpp=\d+ a/2 .*-c ")

    def test_real_sccache(self):
        """A scheduler and a host on this machine."""
        dist, sccache = need_tool("sccache-dist"), pathlib.Path(need_tool("sccache"))
        if not shutil.which("bwrap") or os.getuid():
            self.skipTest("needs root and bubblewrap")
        scheduler, host = (f"127.0.0.1:{port}" for port in free_ports(2))
        auth = '{{ type = "token", token = "{}" }}\n'.format
        text = f'public_addr = "{scheduler}"\nclient_auth = {auth("clients")}server_auth = {auth("hosts")}'
        self.write("scheduler.toml", text)
        text = f'cache_dir = "{self.box}/toolchains"\npublic_addr = "{host}"\nscheduler_url = "http://{scheduler}"\n'
        text += f"scheduler_auth = {auth('hosts')}[builder]\n"
        text += f'type = "overlay"\nbuild_dir = "{self.box}/build"\nbwrap_path = "{shutil.which("bwrap")}"\n'
        self.write("server.toml", text)
        status = urllib.request.Request(
            f"http://{scheduler}/api/v1/scheduler/status", headers={"Accept": "application/json"}
        )
        alone = {**os.environ, "SCCACHE_NO_DAEMON": "1"}
        for role in ("scheduler", "server"):
            command = [dist, role, "--config", self.box / f"{role}.toml"]
            start(self, command, status.full_url, self.box / f"{role}.log", env=alone)
        for _ in range(80):  # until the host has made itself known
            if json.load(urllib.request.urlopen(status))["num_servers"]:
                break
            time.sleep(0.1)
        self.environment(SCCACHE_DIR=str(self.box / "cache"), SCCACHE_IDLE_TIMEOUT="30")
        path = f"{sccache.parent}:/usr/bin:/bin"  # it packs the compiler itself
        self.ask(f"sccache://clients@{scheduler}", "farm: sccache, 1 host with ", PATH=path)
        wrong = f"sccache://wrong@{scheduler}"
        self.ask(wrong, "does not compile: http error status: Error 401", problems=1, PATH=path)
