# SPDX-License-Identifier: BSD-3-Clause
"""Writes info/ of a conda package, but for what depends on its content, which pack_conda.py writes.

    conda_info.py --artifact JSON --info FOLDER --name NAME --build TEXT --summary TEXT --hash-input JSON
        [--depends SPEC ...] [--run-exports SPEC ...]

https://docs.conda.io/projects/conda-build/en/stable/resources/package-spec.html
"""

import argparse
import json
import pathlib

LICENSE = "BSD-3-Clause"


def write_json(path, value):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, indent=2) + "\n", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--artifact", required=True, type=pathlib.Path)
    parser.add_argument("--info", required=True, type=pathlib.Path)
    for name in ("--name", "--build", "--summary", "--hash-input"):
        parser.add_argument(name, required=True)
    parser.add_argument("--depends", nargs="*", default=[])
    parser.add_argument("--run-exports", nargs="*", default=[])
    options = parser.parse_args()
    artifact = json.loads(options.artifact.read_text(encoding="utf-8"))
    index = {
        "arch": artifact["target"]["processor"],
        "build": options.build,
        "build_number": int(artifact["backend"]["conda_build_number"]),
        "depends": sorted(options.depends),
        "license": LICENSE,
        "license_family": "BSD",
        "name": options.name,
        "platform": "linux",
        "subdir": artifact["target"]["conda_subdir"],
        "version": artifact["release"]["version"],
    }
    licenses = options.info / "licenses"
    about = {
        "dev_url": "https://github.com/pytorch/pytorch",
        "home": "https://pytorch.org",
        "license": LICENSE,
        "license_file": sorted(str(path.relative_to(licenses)) for path in licenses.rglob("*") if path.is_file()),
        "summary": options.summary,
    }
    write_json(options.info / "index.json", index)
    write_json(options.info / "about.json", about)
    write_json(options.info / "run_exports.json", {"weak": options.run_exports})
    write_json(options.info / "hash_input.json", json.loads(options.hash_input))


if __name__ == "__main__":
    main()
