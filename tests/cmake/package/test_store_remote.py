# SPDX-License-Identifier: BSD-3-Clause
"""The store behind the store, on a real web server. What is whole is taken, what is not is built again and replaced, and nobody
needs the server to build."""

import io
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tarfile
import time

from box import ROOT

import servers
from test_store_commands import ONE, TWO, StoreTest

try:
    import zstandard
except ImportError:
    zstandard = None

PUT = "location / { dav_methods PUT; create_full_put_path on; } location /broken/ { return 503; }"
PUT += " location /read/ { limit_except GET { deny all; } } location /closed/ { return 401; }"
GOES_ON = "; the build continues without it"


def archive_of(*members):
    """(name, content, or a link's target after ->) of each."""
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as tar:
        for name, content in members:
            member = tarfile.TarInfo(name)
            if content.startswith("->"):
                member.type, member.linkname = tarfile.SYMTYPE, content[2:]
            member.size = 0 if content.startswith("->") else len(content)
            tar.addfile(member, io.BytesIO(content.encode()))
    return zstandard.compress(file.getvalue())


class RemoteTest(StoreTest):
    def setUp(self):
        super().setUp()
        if zstandard is None:
            print("SKIP: build/remote-tools is not there: ./bootstrap.sh --install-only --test", flush=True)
            self.skipTest("build/remote-tools is not there")
        self.environment(TSB_OFFLINE=None, TSB_STORE_REMOTE=None, **dict.fromkeys(("http_proxy", "all_proxy")))
        self.entry = self.store / "p" / ONE

    def web(self):
        """A web server's root."""
        address, self.server = servers.nginx(self, self.box / "web", PUT)
        self.environment(TSB_STORE_REMOTE=f"{address}/of all")
        return self.box / "web/root"

    def on_another_machine(self):
        """Its store is empty."""
        shutil.rmtree(self.store, ignore_errors=True)
        shutil.rmtree(self.target)
        self.target.mkdir()

    def whole(self):
        self.assertEqual(os.readlink(self.target / "install/lib/a.so"), "a.so.1")
        self.assertEqual((self.target / "install/lib/a.so.1").read_text(), "library")
        self.assertTrue((self.target / "install/empty").is_dir())
        self.assertEqual(sorted(os.listdir(self.store / "p")), [ONE, "runs.lock"])
        self.assertIn("0 entries are damaged", self.run_store(0, "verify"))

    def there_and_back(self):
        self.assertEqual(self.restore(10, self.entry), "")
        self.save()
        self.assertEqual(self.text, "")
        self.on_another_machine()
        self.assertEqual(self.restore(0, self.entry), "")
        self.whole()

    def is_replaced(self, *damages):
        """`damages`: pairs of the words that report one, and what makes it."""
        for words, damage in damages:
            with self.subTest(words):
                damage()
                self.on_another_machine()
                self.restore(10, self.entry)
                self.assertRegex(
                    self.text,
                    rf"^store: .*/p/{ONE}.tar.zst is damaged: .*{words}.*\n  The package is built, and replaces it.\n$",
                )
                self.assertEqual(os.listdir(self.store / "p"), ["runs.lock"])
                self.save()
                self.on_another_machine()
                self.assertEqual(self.restore(0, self.entry), "")


class Web(RemoteTest):
    def test_there_and_back(self):
        root = self.web()
        (self.package / "install/lib/a.so.1").chmod(0o755)
        os.link(self.package / "install/lib/a.so.1", self.package / "install/lib/b.so.1")
        self.there_and_back()
        self.assertTrue(os.access(self.target / "install/lib/b.so.1", os.X_OK))
        (archive,) = root.rglob("*.zst")
        self.assertEqual(str(archive.relative_to(root)), f"of all/p/{ONE}.tar.zst")
        # What this machine has is put there as well, unless it is there.
        first = archive.stat()
        self.restore(0, self.entry)
        self.assertEqual(archive.stat().st_ino, first.st_ino)
        content = archive.read_bytes()
        archive.unlink()
        self.restore(0, self.entry)
        self.assertEqual(archive.read_bytes(), content)  # the same for all machines

    def test_damage(self):
        root = self.web()
        self.save()
        other = self.save(f"p/{TWO}")
        archive, other = (root / f"of all/p/{path.name}.tar.zst" for path in (self.entry, other))
        content = archive.read_bytes()
        unpacked = bytearray(zstandard.decompress(content, 1 << 20))
        unpacked[unpacked.index(b"library")] ^= 1
        outside = self.box / "outside"
        more = io.BytesIO(zstandard.decompress(content, 1 << 20))
        with tarfile.open(fileobj=more, mode="a") as tar:
            tar.addfile(tarfile.TarInfo("more"))
        self.is_replaced(
            ("more was added", lambda: archive.write_bytes(zstandard.compress(more.getvalue()))),
            ("it cannot be unpacked", lambda: archive.write_bytes(content[:-40])),
            ("it cannot be unpacked", lambda: archive.write_bytes(bytes(1000))),
            ("it cannot be unpacked", lambda: archive.write_bytes(b"")),
            ("install/lib/a.so.1 has changed", lambda: archive.write_bytes(zstandard.compress(bytes(unpacked)))),
            ("manifest.json does not name its fingerprint", lambda: shutil.copy(other, archive)),
            ("has no files.json", lambda: archive.write_bytes(archive_of(("install/a", "")))),
            *(
                ("would be written elsewhere", lambda members=members: archive.write_bytes(archive_of(*members)))
                for members in (
                    [(str(outside), "")],
                    [("../../../outside", "")],
                    [("install", f"->{self.box}"), ("install/outside", "")],
                    [("install", f"->{outside}"), ("install", "")],
                )
            ),
        )
        self.assertFalse(outside.exists())

    def test_no_answer(self):
        root = self.web()
        self.save()
        address = os.environ["TSB_STORE_REMOTE"].partition("/of")[0]
        (root / "read").mkdir()
        (root / "of all").rename(root / "read/all")
        for path, why, verbs in (
            ("read/all", "HTTP 403 Forbidden", ("write",)),
            ("closed", "HTTP 401 Unauthorized", ("read", "write")),
            ("broken", "HTTP 503 Service Unavailable", ("read", "write")),
            (None, "Connection refused", ("read", "write")),
        ):
            with self.subTest(why):
                if path is None:
                    servers.end(self.server)
                self.on_another_machine()
                named = address.replace("//", "//me:secret@") + f"/{path}"
                self.environment(TSB_STORE_REMOTE=named)
                shown = f"{address}/{path}: {why}{GOES_ON}\n"
                restore = ("restore", "--entry", self.entry, "--package", self.target)
                save = ("save", "--entry", self.store / "p" / TWO, "--package", self.package)
                says = {verb: f"store: cannot {verb} {shown}" if verb in verbs else "" for verb in ("read", "write")}
                self.assertEqual(self.run_store(10 if says["read"] else 0, *restore), says["read"])
                self.assertEqual(self.run_store(0, *save), says["write"])
                self.assertNotIn("secret", self.text)
                # Once for a build.
                self.assertEqual(self.run_store(10 if says["read"] else 0, *restore), "")
                self.assertEqual(self.run_store(0, *save), "")
        self.run_program(
            0, *self.command("ask"), says=[f"remote store: {address}/None: Connection refused; builds continue"]
        )

    def test_without_the_network(self):
        self.environment(TSB_STORE_REMOTE="http://127.0.0.1:1/x", TSB_OFFLINE="ON")
        self.save()
        self.assertEqual(self.text + self.restore(10, self.store / "p" / TWO), "")
        self.run_program(0, *self.command("ask"), says=["not used, since TSB_OFFLINE is set"])

    def test_many_at_once(self):
        root = self.web()
        (self.package / "install/large").write_bytes(os.urandom(3000000))
        self.write("package/manifest.json", {"fingerprint": ONE})
        running = []
        for number in range(6):
            self.store, target = self.box / f"store {number}", self.box / f"target {number}"
            target.mkdir()
            package = ("--entry", self.store / "p" / ONE, "--package")
            words = ("save", *package, self.package) if number % 2 else ("restore", *package, target)
            running.append((subprocess.Popen(self.command(*words), stderr=subprocess.PIPE), words[0]))
        for process, word in running:
            self.assertEqual(process.communicate()[1], b"")
            self.assertIn(process.returncode, (0, 10) if word == "restore" else (0,))
        self.store = self.box / "store"
        self.restore(0, self.store / "p" / ONE)
        self.whole()
        self.assertEqual(self.files(root), {f"of all/p/{ONE}.tar.zst"})

    def test_killed_while_it_uploads(self):
        root = self.web()
        (self.package / "install/large").write_bytes(os.urandom(20000000))
        for moment in range(6):
            process = subprocess.Popen(self.command("save", "--entry", self.entry, "--package", self.package))
            time.sleep(0.1 + moment * 0.08)
            process.kill()
            process.wait()
            for archive in root.rglob("*.zst"):
                self.on_another_machine()
                self.restore(0, self.entry)
                archive.unlink()
        self.save()
        self.assertEqual(self.restore(0, self.entry), "")  # which uploads what the last one did not
        self.assertEqual(self.files(root), {f"of all/p/{ONE}.tar.zst"})
        self.assertEqual(sorted(os.listdir(self.store / "p")), [ONE, "runs.lock"])

    def test_ended_while_it_waits(self):
        """For a server that never answers."""
        with socket.create_server(("127.0.0.1", 0)) as silent:
            self.environment(TSB_STORE_REMOTE=f"http://127.0.0.1:{silent.getsockname()[1]}")
            restore = self.command("restore", "--entry", self.entry, "--package", self.target)
            process = subprocess.Popen(restore, stderr=subprocess.PIPE)
            connection, _ = silent.accept()
            process.send_signal(signal.SIGTERM)
            with process.stderr as text, connection:
                self.assertEqual((text.read(), process.wait(5)), (b"", 128 + signal.SIGTERM))

    def test_prune_where_its_files_are(self):
        root = self.web()
        self.save()
        self.save(f"q/{TWO}")
        old = root / f"of all/p/{ONE}.tar.zst"
        os.utime(old, (time.time() - 40 * 86400,) * 2)
        (root / "of all/p" / f"{TWO}.tar.zst#1").touch()
        os.utime(root / "of all/p" / f"{TWO}.tar.zst#1", (time.time() - 2 * 86400,) * 2)
        self.write(root / "of all/p/photo.tar.zst")
        self.store = os.environ["TSB_STORE_REMOTE"]
        self.assertIn("a web server does not list its files\n       run this on the server", self.run_store(3, "prune"))
        self.store = root / "of all"
        self.assertIn(f"p/{ONE}.tar.zst", self.run_store(0, "list"))
        self.run_store(0, "prune", "--days", 30)
        self.assertEqual(self.files(self.store), {f"q/{TWO}.tar.zst", "p/photo.tar.zst"})
        self.assertIn(f"removed q/{TWO}.tar.zst", self.run_store(0, "prune", "--gigabytes", 0))

    def test_a_build(self):
        """Packages that one build folder has made, in another with an empty store: nothing is compiled. Beside it a server
        that is silent, which takes as long."""
        with socket.create_server(("127.0.0.1", 0)) as silent:
            address = f"http://127.0.0.1:{silent.getsockname()[1]}"
            variables = dict(os.environ, TSB_STORE_REMOTE=address)
            asking = subprocess.Popen(self.command("ask"), env=variables, stdout=subprocess.PIPE, text=True)
            self.web()
            words = [f"-DTSB_SOURCE_DIR={ROOT}", f"-DTSB_TEST_DIR={self.box}/build"]
            script = pathlib.Path(__file__).with_name("store_remote.cmake")
            self.run_program(0, "cmake", *words, "-P", script)
            says = f"remote store: {address}: no answer in time; builds continue without it\n"
            self.assertEqual(asking.communicate()[0], says)
