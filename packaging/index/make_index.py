#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Makes a folder of artifacts into a repository that any static web server or bucket can serve.

    make_index.py FOLDER

  index.html, SHA256SUMS              all artifacts, with sizes and hashes
  simple/index.{html,json}            PEP 503 and PEP 691: the projects
  simple/<project>/index.{html,json}  their wheels, with hashes and Requires-Python
  <wheel>.metadata                    METADATA of each wheel (PEP 658, PEP 714), which an installer reads instead of
                                      downloading the wheel
  <platform>/repodata.json            of a conda channel: info/index.json of each package in that folder; and noarch/,
                                      without which a channel is refused

Run it again when the folder has changed: files are written beside and renamed, and pages that nobody refers to any
more are removed. Artifacts are not changed, nor are files of somebody else, nor is anything written through a link. Exits
with 3 when an artifact is wrong or such a file is in the way, with 4 when a file cannot be read or written. Needs libzstd.so.1 for conda packages.
"""

import argparse
import html
import json
import pathlib
import sys
import urllib.parse

HERE = pathlib.Path(__file__).resolve().parent
sys.path += [str(HERE), str(HERE.parents[1] / "cmake/sources")]  # PYTHONSAFEPATH leaves out the first one

from artifacts import BadArtifact, files_in, read_artifacts  # noqa: E402
from partial_file import partial_file, run_interruptible  # noqa: E402
from text import say  # noqa: E402

API_VERSION = "1.1"
# Tells our pages from those of others.
GENERATOR = '<meta name="generator" content="make_index.py of torch-superbuild">'

PAGE = """<!DOCTYPE html>
<html>
<head>
<meta charset="utf-8">
{generator}
<meta name="pypi:repository-version" content="{version}">
<title>{title}</title>
</head>
<body>
<h1>{title}</h1>
{body}</body>
</html>
"""


class ForeignFiles(Exception):
    pass


def url(name):
    """Everything but letters, digits and -._~ as %XX; so is +, which some object stores take for a blank."""
    return urllib.parse.quote(name, safe="")


def human_size(size):
    if size < 1024:
        return "%d B" % size
    for unit in ("KiB", "MiB", "GiB", "TiB"):
        size /= 1024
        if size < 1024 or unit == "TiB":
            return "%.1f %s" % (size, unit)


def page(title, body):
    return PAGE.format(version=API_VERSION, generator=GENERATOR, title=html.escape(title), body=body)


def json_text(value):
    return json.dumps(value, indent=1, ensure_ascii=False) + "\n"


def write(path, content):
    content = content if isinstance(content, bytes) else content.encode()
    if path.is_file() and path.read_bytes() == content:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    with partial_file(path) as stream:
        stream.write(content)


def is_ours(path):
    return path.is_file() and GENERATOR.encode() in path.read_bytes()


def project_html(project, wheels):
    body = ""
    for wheel in wheels:
        # Not data-dist-info-metadata, its first name: pip before 23.2 then refuses projects whose name is not
        # normalized in METADATA. https://peps.python.org/pep-0714/
        attributes = f' data-core-metadata="sha256={wheel["metadata_sha256"]}"'
        if wheel["requires_python"]:
            attributes += f' data-requires-python="{html.escape(wheel["requires_python"])}"'
        target = f"../../{url(wheel['file'])}#sha256={wheel['sha256']}"
        body += f'<a href="{target}"{attributes}>{html.escape(wheel["file"])}</a><br>\n'
    return page("Links for " + project, body)


def project_json(project, wheels):
    files = []
    for wheel in wheels:
        file = {
            "filename": wheel["file"],
            "url": "../../" + url(wheel["file"]),
            "hashes": {"sha256": wheel["sha256"]},
            "size": wheel["size"],
            "core-metadata": {"sha256": wheel["metadata_sha256"]},
        }
        if wheel["requires_python"]:
            file["requires-python"] = wheel["requires_python"]
        files.append(file)
    versions = sorted({wheel["version"] for wheel in wheels})
    return {"meta": {"api-version": API_VERSION}, "name": project, "versions": versions, "files": files}


def write_simple(simple, projects):
    body = ""
    for project, wheels in projects.items():
        write(simple / project / "index.html", project_html(project, wheels))
        write(simple / project / "index.json", json_text(project_json(project, wheels)))
        body += f'<a href="{url(project)}/">{html.escape(project)}</a><br>\n'
    names = [{"name": project} for project in projects]
    write(simple / "index.html", page("Projects", body))
    write(simple / "index.json", json_text({"meta": {"api-version": API_VERSION}, "projects": names}))


def write_channel(folder, platforms, packages):
    # Those of an earlier run too, whose packages may be gone.
    channel = {path.name: {} for path in platforms if (path / "repodata.json").is_file()}
    if not packages and not channel:
        return
    channel.setdefault("noarch", {})
    for package in packages:
        platform, file = package["file"].split("/")
        record = dict(package["index"], sha256=package["sha256"], size=package["size"])
        channel.setdefault(platform, {})[file] = record
    for platform, records in channel.items():
        repodata = {"info": {"subdir": platform}, "packages": {}, "packages.conda": records}
        write(folder / platform / "repodata.json", json_text({**repodata, "removed": [], "repodata_version": 1}))


def write_flat_list(folder, archives, wheels, packages):
    rows = sums = ""
    for artifact in archives + wheels + packages:
        file, sha256 = artifact["file"], artifact["sha256"]
        link = f'<a href="{urllib.parse.quote(file)}#sha256={sha256}">{html.escape(file)}</a>'
        rows += f"<tr><td>{link}</td><td>{human_size(artifact['size'])}</td><td><code>{sha256}</code></td></tr>\n"
        sums += f"{sha256}  {file}\n"
    body = f"<table>\n<tr><th>file</th><th>size</th><th>sha256</th></tr>\n{rows}</table>\n"
    if wheels:
        body += '<p><a href="simple/">index for pip and uv</a></p>\n'
    if packages:
        body += "<p>This folder is a conda channel.</p>\n"
    write(folder / "SHA256SUMS", sums)
    write(folder / "index.html", page("Files", body))


def remove_stale(folder, wheels, projects):
    """Removes pages of projects and METADATA of wheels that are not there any more."""
    wanted = {wheel["file"] + ".metadata" for wheel in wheels}
    for path in folder.glob("*.whl.metadata"):
        if path.name not in wanted:
            path.unlink()
    for page_folder in (folder / "simple").iterdir():
        if is_ours(page_folder / "index.html") and page_folder.name not in projects:
            for name in ("index.json", "index.html"):
                (page_folder / name).unlink(missing_ok=True)
            if not any(page_folder.iterdir()):
                page_folder.rmdir()


def check_foreign(folder, platforms, wheels, projects):
    """Error: ForeignFiles, when something that would be overwritten is not ours, or would be written through a link."""
    pages = [folder / "simple" / name / "index.html" for name in ("", *projects)]
    others = [folder / "SHA256SUMS", folder / "noarch/repodata.json"]
    others += [platform / "repodata.json" for platform in platforms]
    others += [folder / (wheel["file"] + ".metadata") for wheel in wheels]
    others += [path.with_suffix(".json") for path in pages]
    pages.append(folder / "index.html")
    paths = [*pages, *others]
    links = {path for file in paths for path in (file, *file.parents) if folder in path.parents and path.is_symlink()}
    foreign = [path for path in pages if path.exists() and not is_ours(path)]
    if not foreign and not is_ours(folder / "index.html"):  # the first run here
        foreign = [path for path in others if path.exists()]
    if links or foreign:
        names = sorted(map(str, links | set(foreign)))
        raise ForeignFiles("links, or not written by make_index.py, so left alone: " + ", ".join(names))


def make_index(folder):
    archives = read_artifacts(folder, files_in(folder, ".zip"))
    wheels = read_artifacts(folder, files_in(folder, ".whl"))
    # Not through links to folders: each package would be there twice.
    platforms = [path for path in folder.iterdir() if path.is_dir() and not path.is_symlink()]
    packages = read_artifacts(folder, [file for platform in platforms for file in files_in(platform, ".conda")])
    projects = {}
    for wheel in sorted(wheels, key=lambda wheel: wheel["project"]):
        projects.setdefault(wheel["project"], []).append(wheel)
    check_foreign(folder, platforms, wheels, projects)
    if not (folder / "index.html").exists():
        write(folder / "index.html", page("Files", ""))  # first, so that what an interrupted run has left is ours
    for wheel in wheels:
        write(folder / (wheel["file"] + ".metadata"), wheel["metadata"])
    write_simple(folder / "simple", projects)
    write_channel(folder, platforms, packages)
    write_flat_list(folder, archives, wheels, packages)
    remove_stale(folder, wheels, projects)
    counts = (folder, len(archives), len(wheels), len(projects), len(packages))
    print("%s: %d zips, %d wheels of %d projects, %d conda packages" % counts)


def main():
    parser = argparse.ArgumentParser(description="Makes a folder of artifacts into an index")
    parser.add_argument("folder", type=pathlib.Path, help="such as dist")
    try:
        make_index(parser.parse_args().folder)
    except BadArtifact as error:
        say("error: %s\nremedy: make it again, or take it away" % error)
        return 3
    except ForeignFiles as error:
        say("error: %s\nremedy: move them away, or take another folder" % error)
        return 3
    except OSError as error:
        say("error: %s\nremedy: check the path, permissions and free space" % error)
        return 4
    return 0


if __name__ == "__main__":
    run_interruptible(main)
