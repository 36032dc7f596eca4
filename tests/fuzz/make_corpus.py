# SPDX-License-Identifier: BSD-3-Clause
"""Writes the seeds of all targets: python3 tests/fuzz/make_corpus.py [FOLDER], default: beside this file.

Files of other names stay: those that a fuzzer found.
"""

import argparse
import json
import pathlib

import corpus_conda
import corpus_cuda
import corpus_elf
import corpus_rocm
import corpus_zip


def member(name, content=b"", size=None):
    size = len(content) if size is None else size
    head = f"{name:<16}{0:<12}{0:<6}{0:<6}{100644:<8}{size:<10}`\n".encode()
    return head + content + b"\n" * (len(content) % 2)


def index(symbols, width=4, count=None):
    """`symbols`: (name, where its member begins)."""
    numbers = [len(symbols) if count is None else count] + [at for _, at in symbols]
    content = b"".join(number.to_bytes(width, "big") for number in numbers)
    return member("/" if width == 4 else "/SYM64/", content + b"".join(name + b"\0" for name, _ in symbols))


def ar_seeds():
    magic, names = b"!<arch>\n", member("//", b"a_name_of_more_than_16_characters.o/\n")
    thing = corpus_elf.object_file()
    at = len(magic + index([(b"f", 0)]))
    good = magic + index([(b"f", at)]) + member("a.o/", thing)
    return {
        "good": good,
        "good-wide": magic + index([(b"f", 86)], 8) + member("a.o/", corpus_elf.object_file(32)),
        "long-name": magic + names + member("/0", thing),
        "thin": b"!<thin>\n" + names + member("/0", size=4000),
        "thin-name-too-long": b"!<thin>\n" + member("//", b"/" + b"x" * 300 + b"/\n") + member("/0", size=4),
        "cut": good[:-200],
        "size-no-number": magic + member("a.o/", b"xx", size="1x"),
        "size-too-large": magic + member("a.o/", b"xx", size=9999999999),
        "long-name-outside": magic + names + member("/37", thing),
        "index-counts-too-many": magic + index([(b"f", at)], count=0xFFFFFFFF) + member("a.o/", b"x"),
        "index-wide-counts-too-many": magic + index([(b"f", at)], 8, count=2**61) + member("a.o/", b"x"),
        "index-points-nowhere": magic + index([(b"f", 3)]) + member("a.o/", b"x"),
        "object-broken": magic + member("a.o/", corpus_elf.library(shnum=0xFFFF)),
    }


def manifest_seeds():
    source = dict(name="x", version="1", commit="abc", provider="pinned")
    package = dict(name="x", version="1", license="MIT", fingerprint="f", sources=[source], patches=[], options=["A"])
    good = dict(
        schema=1,
        name="x",
        version="2.6.0+cpu",
        backend="cpu",
        backend_kind="cpu",
        product="libtorch",
        linkage="shared",
        deps="with-deps",
        preset="p",
        git_version="g",
        compiler=dict(id="GNU", version="12"),
        cxx11_abi=True,
        platform=dict(glibc="2.34", glibcxx="3.4.30", cxxabi="1.3.13"),
        features=dict(MKL=dict(enabled=False, reason="none"), OPENMP=dict(enabled=True)),
        packages=[package],
        bundled=[dict(name="l", **{"from": "f"}, sha256="s", file="lib/l")],
        host_libraries=[dict(name="l", symbol_versions=["V_1"])],
        forbidden_paths=["/opt/x"],
    )
    cuda = dict(
        version="12.4",
        archs=["8.0", "9.0+PTX"],
        additional_archs=["9.0a"],
        versions=dict(cudnn="9.1.0"),
        other_code=[{"from": "magma", "archs": ["7.0"]}],
    )
    return {
        "good": json.dumps(good, indent=1),
        "cuda": json.dumps(dict(good, backend="cu124", backend_kind="cuda", cuda=cuda)),
        "rocm": json.dumps(
            dict(good, backend="rocm6.2", backend_kind="rocm", rocm=dict(version="6.2", archs=["gfx90a"]))
        ),
        "wrong-type": json.dumps(dict(good, packages={"a": []})),
        "schema-too-large": json.dumps(dict(good, schema=2**64 - 1)),
        "deep": "[" * 300,
    }


def statement_seeds():
    def dependency(name, kind, digest, **said):
        return dict(name=name, digest=digest, annotations=dict(kind=kind, package="x", version="1", **said))

    build = dict(
        buildType="urn:torch-superbuild:build:v1",
        externalParameters=dict(version="2.6.0+cpu", preset="p", backend="cpu"),
        internalParameters=dict(fingerprints=dict(x="f")),
        resolvedDependencies=[
            dependency("x", "source", dict(gitCommit="abc")),
            dependency("y", "source", dict(sha256="ab"), commit="abc"),
            dependency("mine", "source", dict(treeSha256="ab")),
            dependency("a.patch", "patch", dict(sha256="ab"), source="x"),
            dependency("l", "bundled", dict(sha256="ab")),
            dependency("torch-superbuild", "project", dict(gitCommit="abc"), clean=True),
        ],
    )
    good = {
        "_type": "https://in-toto.io/Statement/v1",
        "predicateType": "https://slsa.dev/provenance/v1",
        "subject": [dict(name="a.zip", digest=dict(sha256="ab"))],
        "predicate": dict(buildDefinition=build),
    }
    return {
        "good": json.dumps(good, indent=1),
        "two-subjects": json.dumps(dict(good, subject=good["subject"] * 2)),
        "another-type": json.dumps(dict(good, predicateType="https://slsa.dev/provenance/v0.2")),
        "wrong-type": json.dumps(
            dict(good, predicate=dict(buildDefinition=dict(build, resolvedDependencies={"a": 1})))
        ),
        "deep": json.dumps(dict(good, subject="@")).replace('"@"', "[" * 48000),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    here = pathlib.Path(__file__).resolve().parent
    parser.add_argument("folder", nargs="?", type=pathlib.Path, default=here / "corpus")
    folder = parser.parse_args().folder
    seeds = dict(
        ar_archive=ar_seeds(),
        conda_package=corpus_conda.seeds(),
        device_code=corpus_cuda.seeds(),
        elf_image=corpus_elf.seeds(),
        manifest=manifest_seeds(),
        offload_bundle=corpus_rocm.seeds(),
        statement=statement_seeds(),
        zip_reader=corpus_zip.seeds(),
    )
    for target, files in seeds.items():
        (folder / target).mkdir(parents=True, exist_ok=True)
        for name, content in files.items():
            data = content.encode() if isinstance(content, str) else content
            (folder / target / name).write_bytes(data)


main()
