# SPDX-License-Identifier: BSD-3-Clause
"""How a preset runs in a container, and that none is left behind."""

import json
import os
import signal
import subprocess
import sys
import time
from unittest import mock

from box import ROOT, BoxTest

import container
import fleet
import preset_run

PRESET = "official-cpu-libtorch-shared"
# Says what it was called with, and the script that it reads; "from" fails where there is a file `broken`.
ENGINE = """\
#!/bin/sh
echo "$(basename "$0") $*" >>'{box}/calls.txt'
case "$1 $2" in
  *inspect*) [ ! -e '{box}/gone' ] || exit 1; echo 0123456789abcdef ;;
  from*) [ ! -e '{box}/broken' ] || {{ echo "no space left" >&2; exit 5; }} ;;
  pull*) exit 125 ;;
  run*)
    cat >'{box}/script.txt'
    [ ! -e '{box}/slow' ] || {{ echo >'{box}/begun'; while sleep 0.05; do :; done; }}
    exit $(cat '{box}/ends') ;;
esac
"""


class Container(BoxTest):
    def setUp(self):
        super().setUp()
        self.write("ends", "0")
        for tool in "sh", "cat", "basename", "sleep", "true", "env":
            (self.box / "bin").mkdir(exist_ok=True)
            (self.box / "bin" / tool).symlink_to(f"/bin/{tool}")
        self.environment(PATH=str(self.box / "bin"), HOME=str(self.box), XDG_CACHE_HOME=None, CCACHE_DIR=None)
        for name in [name for name in os.environ if name.startswith(("TSB_", "PIP_", "AWS_", "CMAKE_"))]:
            self.environment(**{name: None})

    def have(self, engine):
        self.write(f"bin/{engine}", ENGINE.format(box=self.box), 0o755)

    def calls(self):
        return (self.box / "calls.txt").read_text().splitlines()

    def run_container(self, ends=0, says=()):
        words = ["0123", PRESET, str(self.box / "build")]
        self.run_python(ends, "operations/fleet/container.py", *words, says=says)

    def test_buildah(self):
        self.have("buildah")
        self.have("podman")
        (self.box / "mirror of mine").mkdir()
        self.environment(TSB_SOURCE_MIRROR=f"{self.box}/mirror of mine;https://a.example.org", TSB_DEBUG_INFO="none")
        self.environment(TSB_PINS_FILE=str(self.write("pins/sources.json")), PIP_CERT=str(self.write("ca.crt")))
        self.environment(TSB_PYTHON="/usr/bin/python3", CC="/usr/bin/gcc", AWS_SECRET_ACCESS_KEY="it's secret")
        self.run_container()
        name = self.calls()[0].split()[-1]
        self.assertTrue(name.startswith("tsb-") and name.endswith(PRESET), name)
        removed, made, ran, removed_again = self.calls()
        self.assertEqual([removed, removed_again], [f"buildah rm {name}"] * 2)
        self.assertEqual(made, f"buildah from --name {name} 0123")
        cache = self.box / ".cache/torch-superbuild"
        volumes = ran.split(" --volume ")
        folders = [cache / "store", cache / "sources", self.box / ".cache/ccache", self.box / "mirror of mine"]
        folders += [self.box / "pins", self.box / "ca.crt"]
        expected = [f"{folder}:{folder}" for folder in [ROOT, *folders]]
        self.assertEqual(sorted(volumes[1:-1]), sorted(expected))
        # Last: it lies in the checkout.
        self.assertEqual(volumes[-1], f"{self.box}/build:{ROOT}/build {name} -- sh")
        self.assertNotIn("secret", ran)
        script = (self.box / "script.txt").read_text()
        for line in f"TSB_STORE={cache}/store", "CC=/usr/bin/gcc", "TSB_DEBUG_INFO=none", "TSB_PYTHON=/usr/bin/python3":
            self.assertIn(
                f"export {line.replace(str(self.box), repr(str(self.box))[:-1])}", script.replace("'\n", "\n")
            )
        self.assertTrue(script.endswith(f"exec ./bootstrap.sh {PRESET} </dev/null\n"), script)

    def test_podman(self):
        self.have("podman")
        self.write("ends", "7")
        self.run_container(ends=7)
        removed, ran, removed_again = self.calls()
        self.assertEqual(removed, removed_again)
        self.assertRegex(removed, r"^podman rm --force --time 10 tsb-")
        self.assertRegex(
            ran, r"^podman run --interactive --name tsb-\S+ --security-opt label=disable --volume .* 0123 sh$"
        )

    def test_no_container(self):
        self.have("buildah")
        self.write("broken")
        self.run_container(ends=5, says=["no space left"])
        self.assertEqual([call.split()[1] for call in self.calls()], ["rm", "from", "rm"])

    def test_an_interrupt(self):
        self.have("buildah")
        self.write("slow")
        command = [
            sys.executable,
            "-B",
            ROOT / "engine",
            ROOT / "operations/fleet/container.py",
            "0123",
            PRESET,
            self.box / "build",
        ]
        for number in signal.SIGINT, signal.SIGTERM:
            with subprocess.Popen(command, start_new_session=True) as process:
                while not (self.box / "begun").exists():
                    time.sleep(0.02)
                os.killpg(process.pid, number)
                self.assertEqual(process.wait(), 128 + number)
            (self.box / "begun").unlink()
            self.assertEqual(self.calls()[-1].split()[1], "rm")

    def test_a_killed_fleet(self):
        self.have("buildah")
        self.write("slow")
        command = [
            sys.executable,
            "-B",
            str(ROOT / "engine"),
            str(ROOT / "operations/fleet/container.py"),
            "0123",
            PRESET,
            str(self.box / "build"),
        ]
        folders = [str(ROOT / "operations/fleet"), str(ROOT)]
        text = f"import sys, time; sys.path += {folders!r}; import schedule, subprocess\n"
        text += "options = {'start_new_session': True, 'preexec_fn': schedule.end_with_the_fleet}\n"
        text += f"subprocess.Popen({command!r}, **options); time.sleep(60)\n"
        with subprocess.Popen([sys.executable, "-B", "-c", text]) as process:
            while not (self.box / "begun").exists():
                time.sleep(0.02)
            process.kill()
        for _ in range(200):
            if self.calls()[-1].split()[1] == "rm":
                break
            time.sleep(0.05)
        self.assertEqual([call.split()[1] for call in self.calls()], ["rm", "from", "run", "rm"])

    def test_the_image_counts(self):
        self.have("buildah")
        self.write("bin/cmake", "#!/bin/sh\necho resolved\n", 0o755)
        checkout, machine = lambda: "x", lambda: (2, 20000)
        with (
            mock.patch.multiple(fleet, checkout_hash=checkout, machine=machine),
            mock.patch.object(preset_run, "ROOT", self.box),
        ):
            keys = []
            for image in "0123456789abcdef", "f123456789abcdef":
                self.write("bin/buildah", ENGINE.format(box=self.box).replace("0123456789abcdef", image), 0o755)
                self.run_main(1, fleet.main, "fleet", "--image", "a/b:1", PRESET, says=["it made no file"])
                self.assertIn("buildah inspect --type image --format {{.FromImageID}} a/b:1", self.calls())
                self.assertTrue((self.box / f"build/images/{image[:12]}").is_dir())
                keys.append(json.loads((self.box / f"build/fleet/{PRESET}.json").read_text())["key"])
            self.assertNotEqual(*keys)
        self.run_main(0, fleet.main, "fleet", "--image", "a/b:1", "--needs", PRESET, says=["build containers"])
        self.run_main(0, fleet.main, "fleet", "--table", "--needs", says=["nothing"])

    def test_no_image(self):
        self.have("buildah")
        self.write("gone")
        says = ["there is no image a/b:1, and it could not be pulled", "./bootstrap.sh containers list"]
        self.run_main(2, fleet.main, "fleet", "--image", "a/b:1", PRESET, says=says)
        (self.box / "bin/buildah").unlink()
        self.run_main(2, fleet.main, "fleet", "--image", "a/b:1", PRESET, says=["neither buildah nor podman"])

    def test_folders_of_the_checkout(self):
        """They are there with the checkout."""
        with mock.patch.object(container, "ROOT", self.box):
            named = {"TSB_DIST": "dist", "TSB_STORE": str(self.box / "store"), "TSB_STORE_REMOTE": "s3://a/b"}
            found = container.mounts(named, "b")
        self.assertEqual(found, {str(self.box): str(self.box), f"{self.box}/build": "b"})
        self.assertTrue((self.box / "dist").is_dir() and (self.box / "store").is_dir())

    def test_folders_of_the_home(self):
        """A ~ is the caller's, not the container's."""
        self.environment(HOME=str(self.box), TSB_STORE="~/store", all_proxy="socks5h://p")
        named = container.variables()
        self.assertEqual((named["TSB_STORE"], named["all_proxy"]), (f"{self.box}/store", "socks5h://p"))
        self.assertEqual(container.mounts(named, "b")[f"{self.box}/store"], f"{self.box}/store")
