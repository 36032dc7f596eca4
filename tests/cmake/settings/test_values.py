# SPDX-License-Identifier: BSD-3-Clause
"""What settings become, and the message about each that cannot be: from the environment, and as -D."""

import os
import shutil
import subprocess
import tempfile

from box import ROOT, flat
from fixture import SettingsTest, as_option, in_environment

BOOL = "set it to ON or OFF, or unset it"
NUMBER = "set it to a positive integer up to 9999, or unset it"
APART = "CMake's lists and patterns cannot have ';', quotes, brackets or backslashes; choose another place"
MIRROR = "TSB_SOURCE_MIRROR has an address"
GIVEN = ", of the command or the environment"
HIDDEN = f"{MIRROR} in which an '@' does not end a user name and a password: write them with"

# (name, text, value)
GOOD = [
    *(("TSB_OFFLINE", text, "ON") for text in ("ON", "on", "1", "yes", "TRUE")),
    *(("TSB_MAGMA", text, "OFF") for text in ("OFF", "0", "no")),
    ("TSB_UNITY", "", ""),
    *(("TSB_JOBS", text, "4") for text in ("4", " 4", "4 ")),
    ("TSB_JOBS", "9999", "9999"),
    *(("TSB_FARM", text, text) for text in ("sccache+https://t.o-k_en@h", "sccache://h:10600")),
    ("TSB_FARM", "distcc://a/4,[::1]:3633/4", "distcc://a/4,[::1]:3633/4"),
    ("TSB_DEBUG_INFO", "", "lines"),
    ("TSB_DEBUG_INFO", "full", "full"),
    *(("TSB_PROVIDERS", text, "mirror;git") for text in ("mirror,git", "mirror;git", " mirror  git ", "mirror, git")),
    ("TSB_DOCTOR_SKIP", "disk memory", "disk;memory"),
    ("TSB_PYTHONS", "3.11, 3.12", "3.11;3.12"),
    ("TSB_CUDA_ARCHS", "8.0, 9.0a+PTX 8.0", "8.0;9.0a+PTX"),
    ("TSB_CUDA_SLICES", " 7.5 8.6,9.0;7.5", "7.5;8.6,9.0"),
    ("TSB_ROCM_ARCHS", "gfx90a gfx1100", "gfx90a;gfx1100"),
    *(
        ("TSB_PYTORCH_OPTIONS", text, "A=ON;B_2:STRING=-O3 -g,x;C=1")
        for text in (
            "A=ON B_2:STRING=-O3 -g,x C=1",
            " A=ON;B_2:STRING=-O3 -g,x ; C=1;",
            "A=ON,B_2:STRING=-O3 -g,x, C=1",
        )
    ),
    *(("TSB_NIGHTLY", text, text) for text in ("20261123", "20261031", "20260228", "20280229", "20000229")),
    ("TSB_CANDIDATE", "1", "1"),
    *(("TSB_VERSION_SUFFIX", text, text) for text in ("mycompany.1.20.0b", "g0882121")),
    ("TSB_BUILD_NUMBER", "99", "99"),
    ("TSB_BLAS", "", "mkl"),
    ("TSB_BLAS", "openblas", "openblas"),
    ("TSB_DIST", "", f"{ROOT}/dist"),
    ("TSB_DIST", "out/a", f"{ROOT}/out/a"),
    ("TSB_STORE", "~/s", "{box}/s"),
    ("TSB_STORE", "~", "{box}"),
    ("TSB_STORE", "", "{box}/.cache/torch-superbuild/store"),
    ("TSB_STORE", "/ein groß geschriebenes €", "/ein groß geschriebenes €"),
    ("TSB_STORE_REMOTE", "~/s", "{box}/s"),
    *(
        ("TSB_STORE_REMOTE", text, text)
        for text in ("https://me:a%40b@host/a/b", "http://host:8080", "s3://bucket/a/b")
    ),
    ("TSB_LOCAL_sleef", "~/a source", "{box}/a source"),
    ("TSB_PYTHON_311", "sh", "{sh}"),
    ("TSB_SOURCE_MIRROR", "docs", f"{ROOT}/docs"),
    ("TSB_SOURCE_MIRROR", "~/a source;https://a/b", "{box}/a source;https://a/b"),
    ("TSB_SOURCE_MIRROR", "~/a source, http://[::1]:80/ ./docs", f"{{box}}/a source;http://[::1]:80/;{ROOT}/docs"),
    ("TSB_SOURCE_MIRROR", "https://me:p%40s3cr!t@[::1]:80/a/", "https://me:p%40s3cr!t@[::1]:80/a/"),
]
NO_DATES = ("20260231", "20260229", "20260431", "20261131", "20260100", "20260732")
# (name, text, message)
BAD = [
    *((name, "maybe", f"is 'maybe': {BOOL}") for name in ("TSB_OFFLINE", "TSB_UNITY", "TSB_MAGMA", "TSB_CLANG_TIDY")),
    *(("TSB_JOBS", text, f"is '{text}': {NUMBER}") for text in ("many", "0", "-1", "1.5", "10000", "99999999999")),
    *(
        (
            "TSB_FARM",
            text,
            "not sccache://host:port, sccache+https://host or distcc://host/jobs,host/jobs; correct it",
        )
        for text in (
            "sccache",
            "sccache://",
            "sccache://a/b",
            "distcc://a b",
            "distcc://a,",
            "distcc://a/x",
            "distcc://t@a",
            "icecream://a",
            'sccache://to"ken@h',
            "sccache://to\\ken@h",
        )
    ),
    ("TSB_PROGRESS_SECONDS", "x", f"is 'x': {NUMBER}"),
    ("SOURCE_DATE_EPOCH", "now", "is 'now': set it to seconds since 1970, or unset it"),
    ("TSB_DEBUG_INFO", "much", "is 'much': 'much' is none of lines, full, none; correct it, or unset it"),
    ("TSB_PROVIDERS", "git foo", "is 'git foo': 'foo' is none of local, mirror, upstream, git,"),
    *(
        ("TSB_NIGHTLY", text, f"'{text}' is not a date, such as 20261123")
        for text in ("2026-11-23", "20261323", *NO_DATES)
    ),
    *(
        ("TSB_PYTORCH_OPTIONS", text, f"'{word}' is not an option with its value, such as USE_KINETO=OFF; correct it")
        for text, word in (("USE_MPI", "USE_MPI"), ("A=;B=1", "A="), ("-DA=1", "-DA=1"), ("A=1;ON", "ON"))
    ),
    ("TSB_PYTORCH_OPTIONS", "A=[1]", "a list has no brackets, quotes or backslashes; correct it"),
    ("TSB_PATCHES", "~/empty", "which holds something else: it has no */*.patch; correct it"),
    ("TSB_CANDIDATE", "rc1", f"is 'rc1': {NUMBER}"),
    *(
        (
            "TSB_VERSION_SUFFIX",
            text,
            f"'{text}' is not lowercase letters, digits and dots, no number with a 0 before it, such as mycompany.1 or g0882121",
        )
        for text in ("Mine", "a-b", "a..b", "a.01", "0882121")
    ),
    *(("TSB_BUILD_NUMBER", text, f"'{text}' is not a number from 2 to 99") for text in ("1", "100")),
    ("TSB_PYTHONS", "three", "'three' is not a version of Python, such as 3.12, or none"),
    ("TSB_PYTHONS", "3.14", "TSB_PYTHONS has 3.14, which PyTorch 2.6.0 is not made for"),
    ("TSB_CUDA_ARCHS", "9.0 junk", "is '9.0 junk': 'junk' is not major.minor, such as 8.6, 9.0a or 8.6+PTX; correct"),
    ("TSB_CUDA_ARCHS", "[", "a list has no brackets, quotes or backslashes; correct it"),
    *(
        ("TSB_CUDA_SLICES", text, f"'{word}' is not native, or major.minor such as 8.6, 9.0+PTX, or 8.6,9.0 for both")
        for text, word in (("9.0;sm_90", "sm_90"), ("9.0a", "9.0a"), ("8.6, 9.0", "8.6,"), ("native,9.0", "native,9.0"))
    ),
    ("TSB_CUDA_LOWEST_DRIVER", "new", "'new' is not a driver version, such as 550.54.14; correct it"),
    ("TSB_ROCM_ARCHS", "gfx", "'gfx' is not the name of a GPU, such as gfx90a or gfx1100; correct it"),
    ("TSB_CUDNN_HOME", "/gone", "names /gone, which does not exist: correct it, or unset it"),
    *((name, "/gone", "names /gone, which does not exist") for name in ("TSB_ADDITIONS", "TSB_PINS_FILE")),
    ("TSB_SUPERBUILD_DIR", "gone", f"names {ROOT}/gone, which does not exist"),
    *((name, "/etc/passwd", "names /etc/passwd, which is not a folder") for name in ("TSB_STORE", "TSB_LOCAL_pytorch")),
    ("TSB_PINS_FILE", "/etc", "names /etc, which is not a file"),
    (
        "TSB_ADDITIONS",
        "~/empty",
        "which holds something else: it has no releases/*, backends/*, targets/*, superbuild/*;",
    ),
    ("TSB_CONSUMER_DIR", "~/empty", "which holds something else: it has no CMakeLists.txt; correct it"),
    *(
        ("TSB_LOCAL_sleef", text, f"names {place}, which")
        for text, place in (("~/empty", "{box}/empty"), ("gone", f"{ROOT}/gone"))
    ),
    (
        "TSB_LOCAL_pytorch",
        "docs",
        f"names {ROOT}/docs, which holds something else: it has no CMakeLists.txt; correct it",
    ),
    ("TSB_LOCAL_pytorch", "~/new", "the PyTorch in {box}/new needs CMake 99.1, and this is CMake"),
    (
        "TSB_LOCAL_pytroch",
        "docs",
        "names no source of this release. Did you mean TSB_LOCAL_pytorch? Correct it, or unset it",
    ),
    ("TSB_LOCAL_PYTORCH", "docs", "names no source of this release. Did you mean TSB_LOCAL_pytorch?"),
    ("TSB_LOCAL_qqq", "docs", "names no source of this release. There are cpp_httplib, "),
    *(("TSB_STORE", f"/a{character}b", f"is '/a{character}b': {APART}") for character in ('"', "[", "]", "\\", ";")),
    ("HOME", "/a[b", f"TSB_STORE is '/a[b/.cache/torch-superbuild/store': {APART}"),
    ("TSB_STORE", os.fsdecode(b"/a\xffb"), "which is not UTF-8: choose another place"),
    ("TSB_STORE", "https://user:secret@x/y", "TSB_STORE is an address: give the path of a folder or file"),
    *(
        ("TSB_STORE_REMOTE", text, f"TSB_STORE_REMOTE has an address {says}")
        for text, says in (
            (
                "ftp://me:secret@host/x",
                "that begins with ftp://, and not with http, https or s3: correct it, or unset it",
            ),
            ("S3://bucket", "that begins with S3://, and not with http, https or s3"),
            ("s3://", "with nothing behind s3://: correct it"),
            ("s3:/bucket", "that begins with s3:/, and not with http, https or s3"),
            ("https://me:a/b@host/x", "in which an '@' does not end a user name and a password"),
        )
    ),
    ("TSB_STORE_REMOTE", "docs", f"names {ROOT}/docs, which has files of the project itself: choose another"),
    ("TSB_DIST", "~nobody2/x", "is '~nobody2/x', but only a leading ~/ is expanded: write the full path"),
    ("TSB_DIST", "$HOME/x", "is '$HOME/x', but only a leading ~/ is expanded: write the full path"),
    *(
        (name, text, f"names {ROOT}/{text}, which has files of the project itself: choose another, or unset it")
        for name, text in (("TSB_DIST", "cmake"), ("TSB_STORE", "docs"), ("TSB_SOURCES", "tests/cmake"))
    ),
    ("TSB_DIST", "~/build", "names {box}/build, the build folder: choose another, or unset it"),
    ("TSB_PYTHON", "/none", "names /none, which does not exist: correct it"),
    ("TSB_PYTHON_311", "no-python", "is 'no-python', but there is no such program: correct it, or unset it"),
    ("TSB_PYTHON_x", "sh", f"{GIVEN}: there is no such setting."),
    ("TSB_TORCHPKG", "/bin/true", "TSB_TORCHPKG names /bin/true, which is not torchpkg: correct it, or unset it"),
    (
        "HOME",
        "",
        "TSB_STORE is '~/.cache/torch-superbuild/store', but HOME is not set: set HOME, or write the whole path",
    ),
    ("TSB_JOB", "2", f"TSB_JOB{GIVEN}: there is no such setting. Did you mean TSB_JOBS? ./bootstrap.sh"),
    ("TSB_BACKEND", "cu124", f"TSB_BACKEND{GIVEN}: a preset says it: choose another preset, or unset it"),
    ("TSB_BLAS", "blis", "TSB_BLAS is 'blis': set it to one that x86-64 has: mkl, openblas, or unset it"),
    (
        "TSB_PYTORCH_VERSION",
        "9.9.0",
        "is '9.9.0', which has no folder in releases/ (docs/new-release.md adds one): set it to one of ",
    ),
    ("TSB_PYTORCH_VERSION", "2.16.0", ", 2.14.1, 2.15.0 (2.15.0 is nearest), or unset it"),
    ("TSB_PYTORCH_VERSION", "2.10.3", "(2.10.0 is nearest)"),
    ("TSB_PYTORCH_VERSION", "2.9", "(2.9.1 is nearest)"),
    ("TSB_PYTORCH_VERSION", "1.0.0", "(2.6.0 is nearest)"),
    *(
        (
            "TSB_PYTORCH_VERSION",
            text,
            f"'{text}' is not a version of digits, letters and dots, a digit first; correct it",
        )
        for text in ("2.6.0+mine", "../releases/2.6.0", "v2.9.1")
    ),
    (
        "TSB_PYTORCH_VERSION",
        "2.15.0",
        "is '2.15.0', and 'cpu' is not among the backends of PyTorch 2.15.0, since neither",
    ),
    ("TSB_SOURCE_MIRROR", "/nonexistent", "names /nonexistent, which does not exist"),
    (
        "TSB_SOURCE_MIRROR",
        "s3://bucket",
        f"{MIRROR} that begins with s3://, and not with http, https or file: correct it",
    ),
    ("TSB_SOURCE_MIRROR", 'http://me:s3cret@mirror/a"b', f"{MIRROR} with quotes or backslashes"),
    ("TSB_SOURCE_MIRROR", "file://me:s3cret@mirror/a", HIDDEN),
    *(
        ("TSB_SOURCE_MIRROR", f"http://me:{word}@mirror/a", HIDDEN)
        for word in ("p@s3cret", "p/s3cret", "p#s3cret", "p?s3cret", "[p]s3cret")
    ),
]
# (name, text, message about it as -D)
OPTIONS = [
    *((name, "2", f"-D {name}: there is no such setting. Did you mean TSB_JOBS?") for name in ("TSB_JBOS", "TSB_jobs")),
    ("TSB_SIGN", "s3cret", "-D TSB_SIGN: it is read from the environment, whenever a step runs: export TSB_SIGN=..."),
    ("TSB_JOBS", "many", f"-D TSB_JOBS is 'many': {NUMBER}"),
    (
        "TSB_BACKEND",
        "rocm9",
        "TSB_BACKEND is 'rocm9', and 'rocm9' is not among the backends of PyTorch 2.6.0: take a preset of aarch64, cpu,",
    ),
    (
        "TSB_BACKEND",
        "",
        "TSB_BACKEND is '', and '' is not among the backends of PyTorch 2.6.0: take a preset of aarch64,",
    ),
    ("TSB_PYTHONS", "3.14", "-D TSB_PYTHONS has 3.14, which PyTorch 2.6.0 is not made for: name some of 3.9, 3.10,"),
]


class Values(SettingsTest):
    def test_good(self):
        for kind in in_environment, as_option:
            for (name, text, value), said in zip(GOOD, self.read([kind(name, text) for name, text, _ in GOOD])):
                with self.subTest(name=name, text=text, kind=kind):
                    self.assertEqual(said, value.format(box=self.box, sh=shutil.which("sh")) + "]")

    def test_bad(self):
        for kind, rows in (in_environment, BAD), (as_option, OPTIONS):
            for (name, text, says), said in zip(rows, self.read([kind(name, text) for name, text, _ in rows])):
                with self.subTest(name=name, text=text):
                    self.assertIn(flat(says.format(box=self.box)), said)

    def test_without_git(self):
        """Where git does not answer, the project and its own folders are refused, and none that a run has made."""
        listed = subprocess.run(
            ["git", "ls-tree", "-d", "--name-only", "HEAD"], cwd=ROOT, stdout=subprocess.PIPE, text=True
        )
        ours = [".", *listed.stdout.split()]
        out = tempfile.TemporaryDirectory(prefix="out", dir=ROOT)
        self.addCleanup(out.cleanup)
        self.environment(GIT_DIR="/nowhere")
        texts = (*ours, out.name, "build/new", "new", "/usr")
        said = self.read([in_environment("TSB_DIST", text) for text in texts])
        self.assertEqual([text for text, line in zip(texts, said) if "has files of the project itself" in line], ours)

    def test_a_nightly_that_is_a_candidate(self):
        self.environment(TSB_NIGHTLY="20261123")
        (said,) = self.read([as_option("TSB_CANDIDATE", "1")])
        self.assertIn("TSB_CANDIDATE is '1', but TSB_NIGHTLY is set: unset TSB_NIGHTLY, or unset it", said)

    def test_patches_beside_pins(self):
        """The patches are put beside a copy of the pins, which has the name that all read."""
        self.environment(TSB_PATCHES=f"{ROOT}/releases/2.6.0")
        rows = [
            in_environment("TSB_PINS_FILE", str(self.write(f"a source/{name}", {"sources": {}})))
            for name in ("p.json", "sources.json")
        ]
        refused, good = self.read(rows)
        self.assertIn("for TSB_PATCHES the file must be called sources.json, or unset it", refused)
        self.assertNotIn("TSB_PATCHES", good)

    def test_what_counts(self):
        """-D, the environment, the shipped preset, the default."""
        release = "TSB_PYTORCH_VERSION"
        both = in_environment(release, "2.15.0").replace(
            "  set(TSB_BACKEND", f"  set({release} 2.7.0)\n  set(TSB_BACKEND"
        )
        said = self.read([both, in_environment(release, "2.15.0"), in_environment(release, "")])
        self.assertEqual([text.partition("]")[0] for text in said], ["2.7.0", "2.15.0", "2.6.0"])

    def test_all_at_once(self):
        rows = {"TSB_JOBS": "many", "TSB_STORE": "/a[b", "TSB_JOB": "2", "TSB_LOCAL_slef": "docs"}
        self.environment(**rows)
        (said,) = self.read([as_option("TSB_UNITY", "maybe")])
        for part in "-D TSB_UNITY is", "TSB_JOB, of", "TSB_JOBS is", "TSB_STORE is", "Did you mean TSB_LOCAL_sleef?":
            self.assertIn(part, said)
