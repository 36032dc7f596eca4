# SPDX-License-Identifier: BSD-3-Clause
"""What the tests of a packed file have of their caller. (consumer.wheel: a real pip finds a wheel by the caller's
configuration file alone.)"""

from box import BoxTest

import run_consumer

FIXED = run_consumer.NEUTRAL


class Environment(BoxTest):
    def settings(self, **variables):
        """pip's, but those that are always the same, with paths below the home folder."""
        environment = {"HOME": str(self.box), **variables}
        found = run_consumer.clean(environment, "/w")
        self.assertEqual({name: found.pop(name) for name in FIXED}, FIXED)
        self.assertEqual((found.pop("HOME"), found.pop("PATH")), ("/w/home", run_consumer.PATH))
        return {name: value.replace(str(self.box), "~") for name, value in found.items()}

    def test_files_of_pip(self):
        cache = {"PIP_CACHE_DIR": "~/.cache/pip"}
        self.assertEqual(self.settings(), cache)
        for file in ".pip/pip.conf", ".config/pip/pip.conf", "config/pip/pip.conf":
            self.write(file)
            config = {"XDG_CONFIG_HOME": f"{self.box}/config"} if file.startswith("config") else {}
            self.assertEqual(self.settings(**config), {**cache, "PIP_CONFIG_FILE": f"~/{file}"})
        self.assertEqual(self.settings(XDG_CACHE_HOME="/cache")["PIP_CACHE_DIR"], "/cache/pip")
        own = {"PIP_CONFIG_FILE": "/dev/null", "PIP_CACHE_DIR": "/elsewhere", "PIP_INDEX_URL": "https://index/simple"}
        self.assertEqual(self.settings(**own), own)
        self.assertEqual(self.settings(HOME=""), {})

    def test_what_is_handed_on(self):
        """All that pip reads but where it installs; what the GPUs need, for backends of additions too; nothing else."""
        self.write("additions/backends/abacus/backend.json", {"environment": ["BEADS_[A-Z]+"]})
        kept = {
            "PIP_EXTRA_INDEX_URL": "user:secret [a;true\n]b;c=d",
            "CUDA_VISIBLE_DEVICES": "0",
            "NCCL_NVLS_ENABLE": "0",
            "HIP_VISIBLE_DEVICES": "1",
            "BEADS_ON": "1",
            "TORCH_SUPERBUILD_RUN": "run",
            "TSB_ADDITIONS": "~/additions",
            "TSB_CONDA_CHANNEL": "c",
            "TSB_EXTRA_INDEX": "e",
            "TSB_OFFLINE": "1",
            "TSB_PUBLISHED": "p",
        }
        gone = "PIP_TARGET PIP_PREFIX PIP_ROOT PIPX_HOME LD_LIBRARY_PATH CPATH PYTHONPATH CXXFLAGS"
        given = {**kept, **dict.fromkeys(gone.split(), "/nowhere"), "TSB_ADDITIONS": f"{self.box}/additions"}
        self.assertEqual(self.settings(**given, PIP_CACHE_DIR="c"), {**kept, "PIP_CACHE_DIR": "c"})
